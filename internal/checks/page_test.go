package checks_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

// imported matches an import by a relative path: static, of types alone, or by import().
var imported = regexp.MustCompile(`(?:\bfrom |\bimport ?\(?)['"](\.[^'"]+)['"]`)

// pageNeeds returns, for each module of a folder of TypeScript, the modules that it imports.
func pageNeeds(t *testing.T, source fs.FS) map[string]map[string]bool {
	needs := map[string]map[string]bool{}
	err := fs.WalkDir(source, ".", func(name string, _ fs.DirEntry, err error) error {
		module, isTS := strings.CutSuffix(strings.TrimSuffix(name, "x"), ".ts")
		if err != nil || !isTS {
			return err
		}
		text, err := fs.ReadFile(source, name)
		needs[module] = map[string]bool{}
		for _, match := range imported.FindAllStringSubmatch(string(text), -1) {
			needs[module][path.Join(path.Dir(name), match[1])] = true
		}
		return err
	})
	if err != nil || len(needs) == 0 {
		t.Fatal(needs, err)
	}
	return needs
}

// TestPageHasNoCircle checks that no file of the page of staff imports itself through others, not for a type and not
// by import().
func TestPageHasNoCircle(t *testing.T) {
	if circle := largestCircle(pageNeeds(t, os.DirFS(root+"/internal/pages/staff/src"))); circle != nil {
		t.Error("these files import each other in a circle:", circle)
	}
	broken := fstest.MapFS{
		"shop.ts":           {Data: []byte("import type { Screen } from './screens'\n")},
		"screens.ts":        {Data: []byte("const load = () => import('./screens/today')\n")},
		"screens/today.tsx": {Data: []byte("import {\n  useShop,\n} from '../shop'\nimport '../live'\n")},
		"live.ts":           {Data: []byte("import { useEffect } from 'react'\n")},
	}
	if circle := strings.Join(largestCircle(pageNeeds(t, broken)), " "); circle != "screens screens/today shop" {
		t.Errorf("the circle found is %q", circle)
	}
}
