package versions_test

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"storefront/internal/database/versions"
)

var function = regexp.MustCompile(`(?is)CREATE (?:OR REPLACE )?FUNCTION (\w+).*?\bAS \$`)

// TestFunctionsOfTriggersFindTheirTables checks that a function of a trigger sets its search path: pg_restore writes
// rows with an empty one, and would lose those of tables whose triggers fail.
func TestFunctionsOfTriggersFindTheirTables(t *testing.T) {
	err := fs.WalkDir(versions.Files, "postgres", func(name string, _ fs.DirEntry, err error) error {
		text, _ := fs.ReadFile(versions.Files, name)
		for _, head := range function.FindAllStringSubmatch(string(text), -1) {
			of := strings.ToUpper(head[0])
			if strings.Contains(of, "RETURNS TRIGGER") && !strings.Contains(of, "SET SEARCH_PATH FROM CURRENT") {
				t.Errorf("%s: %s lacks SET search_path FROM CURRENT", name, head[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
