package checks_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
)

// root is the folder of the module, as the tests of this package see it.
const root = "../.."

// listed is a package as go list describes it.
type listed struct {
	ImportPath, Dir  string
	GoFiles, Imports []string
	ImportMap        map[string]string
}

// parse reads the files of a package.
func (p listed) parse(files *token.FileSet) (parsed []*ast.File, err error) {
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, file)
	}
	return parsed, nil
}

// declarations imports packages from their source without function bodies, so that nothing needs to be
// compiled.
type declarations struct {
	files  *token.FileSet
	listed map[string]listed
	read   map[string]*types.Package
}

// of returns the importer of one package, which resolves the package's vendored import paths.
func (d declarations) of(p listed) types.Importer {
	return importer(func(path string) (*types.Package, error) {
		if real, renamed := p.ImportMap[path]; renamed {
			path = real
		}
		if known := d.read[path]; known != nil {
			return known, nil
		}
		parsed, err := d.listed[path].parse(d.files)
		if err != nil {
			return nil, err
		}
		declared, err := (&types.Config{Importer: d.of(d.listed[path]), IgnoreFuncBodies: true}).Check(path,
			d.files, parsed, nil)
		d.read[path] = declared
		return declared, err
	})
}

type importer func(path string) (*types.Package, error)

func (i importer) Import(path string) (*types.Package, error) { return i(path) }
