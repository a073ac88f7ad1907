package checks_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"storefront/internal/fault"
)

// makers are the functions that make a message, with the index of the English format among their arguments.
var makers = map[string]int{
	"storefront/internal/fault.New":           1,
	"storefront/internal/fault.Wrap":          2,
	"storefront/internal/fault.Say":           0,
	"(*storefront/internal/fault.Fields).Add": 1,
	"storefront/internal/fault.Invalid":       1,

	"storefront/internal/content/document.Errorf":          0,
	"(*storefront/internal/content/document.Faults).Add":   1,
	"(*storefront/internal/content/document.Faults).AddAt": 1,

	"storefront/internal/content/sheet.refused":       2,
	"(*storefront/internal/content/sheet.Faults).add": 2,
}

// TestEveryMessageHasFarsi reads the source for all messages, and checks that fa.json has just these, each with
// the verbs of its English. What it prints of missing ones are lines for fa.json.
func TestEveryMessageHasFarsi(t *testing.T) {
	m := messages{t: t, files: token.NewFileSet(), said: map[string]bool{}}
	m.readSource()
	farsi := catalogue(t)
	var missing []string
	for english := range m.said {
		if translated, ok := farsi[english]; !ok {
			missing = append(missing, fmt.Sprintf("  %s: \"\",", quoted(english)))
		} else if want, got := verbsOf(english), verbsOf(translated); !maps.Equal(got, want) {
			t.Errorf("%s: got the verbs %v in Farsi, want %v as in English", quoted(english), got, want)
		}
	}
	if len(missing) > 0 {
		slices.Sort(missing)
		t.Errorf("internal/locale/language/fa.json has no Farsi for:\n%s", strings.Join(missing, "\n"))
	}
	for english := range farsi {
		if !m.said[english] {
			t.Errorf("internal/locale/language/fa.json has what nothing says: %s", quoted(english))
		}
	}
}

// catalogue reads fa.json.
func catalogue(t *testing.T) map[string]string {
	lines, err := os.ReadFile(filepath.Join(root, "internal/locale/language/fa.json"))
	if err != nil {
		t.Fatal(err)
	}
	farsi := map[string]string{}
	if err := json.Unmarshal(lines, &farsi); err != nil {
		t.Fatal(err)
	}
	return farsi
}

// messages collects the English formats.
type messages struct {
	t     *testing.T
	files *token.FileSet
	said  map[string]bool
}

// readSource reads the packages that can make messages, with their types.
func (m *messages) readSource() {
	list := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,Imports,ImportMap", "storefront/...")
	list.Env = append(os.Environ(), "CGO_ENABLED=0") // without cgo
	output, err := list.Output()
	if err != nil {
		m.t.Fatal(err)
	}
	all := declarations{
		files: m.files, listed: map[string]listed{}, read: map[string]*types.Package{"unsafe": types.Unsafe},
	}
	for decoder := json.NewDecoder(bytes.NewReader(output)); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			m.t.Fatal(err)
		}
		all.listed[p.ImportPath] = p
	}
	for path, p := range all.listed {
		makes := path == "storefront/internal/fault" || slices.Contains(p.Imports, "storefront/internal/fault")
		if strings.HasPrefix(path, "storefront/") && makes {
			m.readPackage(p, all)
		}
	}
}

func (m *messages) readPackage(p listed, all declarations) {
	parsed, err := p.parse(m.files)
	if err != nil {
		m.t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
		Defs: map[*ast.Ident]types.Object{}}
	checked, err := (&types.Config{Importer: all.of(p)}).Check(p.ImportPath, m.files, parsed, info)
	if err != nil {
		m.t.Fatal(err)
	}
	own := p.ImportPath == "storefront/internal/fault"
	for _, file := range parsed {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				maker, ok := info.Defs[n.Name].(*types.Func)
				_, makes := makers[maker.FullName()]
				return !ok || !makes // a maker passes on a format of its callers
			case *ast.CallExpr:
				m.call(n, info, own)
			case *ast.CompositeLit:
				switch made := info.TypeOf(n).String(); made {
				case "storefront/internal/fault.Error", "storefront/internal/fault.Text":
					if !own {
						m.wrong(n, "a %s is made by the functions of its package", made)
					}
				}
			}
			return true
		})
	}
	const message = "storefront/internal/api.Message"
	for expression, found := range info.Types {
		if found.Type == nil || found.Type.String() != message {
			continue
		}
		if found.Value != nil && constant.StringVal(found.Value) != "" {
			m.said[asFormat(constant.StringVal(found.Value))] = true
		} else if call, ok := expression.(*ast.CallExpr); ok && info.Types[call.Fun].IsType() &&
			p.ImportPath != "storefront/internal/api" { // where Said has those of a fault, translated
			m.wrong(call, "a Message must be constant words")
		}
	}
	m.members(checked)
}

// call records the format of a call that makes a message.
func (m *messages) call(call *ast.CallExpr, info *types.Info, own bool) {
	var name *ast.Ident
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		name = f
	case *ast.SelectorExpr:
		name = f.Sel
	default:
		return
	}
	called, ok := info.Uses[name].(*types.Func)
	if !ok {
		return
	}
	place, makes := makers[called.FullName()]
	if !makes {
		return
	}
	if format := info.Types[call.Args[place]].Value; format != nil {
		m.said[constant.StringVal(format)] = true
	} else if !own {
		m.wrong(call, "the format must be constant; what is found elsewhere is a fault.Text")
	}
}

// members checks that no answer has a message in only one language.
func (m *messages) members(p *types.Package) {
	if p.Path() != "storefront/internal/api" {
		return
	}
	for _, name := range p.Scope().Names() {
		record, ok := p.Scope().Lookup(name).Type().Underlying().(*types.Struct)
		if !ok || strings.HasSuffix(name, "Input") {
			continue
		}
		for field := range record.Fields() {
			if field.Name() == "Message" &&
				strings.TrimPrefix(field.Type().String(), "*") != "storefront/internal/api.Message" {
				m.t.Errorf("%s.Message is a %s: gqlgen.yml must say that it is a Message", name, field.Type())
			}
		}
	}
}

func (m *messages) wrong(n ast.Node, format string, args ...any) {
	m.t.Errorf("%s: %s", m.files.Position(n.Pos()), fmt.Sprintf(format, args...))
}

// asFormat returns the format that fault.Words makes of a text.
func asFormat(words string) string { return fault.Words(words).Format }

var verb = regexp.MustCompile(`%(?:\[(\d+)\])?([-+# 0]*\d*(?:\.\d+)?[a-zA-Z%])`)

// verbsOf returns the verb of each argument, by its index.
func verbsOf(format string) map[int]string {
	verbs := map[int]string{}
	next := 1
	for _, found := range verb.FindAllStringSubmatch(format, -1) {
		if strings.HasSuffix(found[2], "%") {
			continue
		}
		if found[1] != "" {
			_, _ = fmt.Sscan(found[1], &next)
		}
		verbs[next] += found[2]
		next++
	}
	return verbs
}

// TestFarsiIsWrittenInFarsi checks that fa.json has the letters, digits and punctuation of Persian.
func TestFarsiIsWrittenInFarsi(t *testing.T) {
	for english, farsi := range catalogue(t) {
		switch {
		case strings.ContainsAny(farsi, "يكىة٠١٢٣٤٥٦٧٨٩"):
			t.Errorf("%q has Arabic letters or digits", farsi)
		case strings.ContainsAny(farsi, ";?"), regexp.MustCompile(`\p{Arabic},`).MatchString(farsi):
			t.Errorf("%q has English punctuation", farsi)
		case farsi != strings.TrimSpace(farsi) && english != "; ", strings.Contains(farsi, "  "):
			t.Errorf("%q has space to spare", farsi)
		case strings.HasSuffix(farsi, ".") != strings.HasSuffix(english, "."):
			t.Errorf("%q: only a whole sentence ends with a full stop", farsi)
		}
		code, _, coded := strings.Cut(english, ":")
		if coded && code == strings.ToUpper(code) && !strings.HasPrefix(farsi, code+":") {
			t.Errorf("%q does not begin with its code", farsi)
		}
	}
}

// quoted writes a text as JSON does, with <, > and & as they are.
func quoted(text string) string {
	var written strings.Builder
	encoder := json.NewEncoder(&written)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text)
	return strings.TrimSpace(written.String())
}
