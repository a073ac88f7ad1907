package columns

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"entgo.io/ent/entc/gen"
	"entgo.io/ent/entc/load"
	"entgo.io/ent/schema/field"
)

// read reads the columns of one schema file.
func read(t *testing.T, text string) Columns {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "lamp.go"), []byte("package schema\n"+text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// lamp returns a type with one column as ent loads it.
func lamp(t *testing.T, f load.Field, more ...func(*load.Schema)) (*gen.Type, *gen.Field) {
	t.Helper()
	if f.Position == nil {
		f.Position = new(load.Position)
	}
	schema := &load.Schema{Name: "Lamp", Fields: []*load.Field{&f}}
	for _, change := range more {
		change(schema)
	}
	storage, err := gen.NewStorage("sql")
	if err != nil {
		t.Fatal(err)
	}
	node, err := gen.NewType(&gen.Config{Package: "storefront/ent", Storage: storage}, schema)
	if err != nil {
		t.Fatal(err)
	}
	return node, node.Fields[0]
}

func text(builders string) string {
	return `func (Lamp) Fields() []ent.Field { return []ent.Field{field.String("x")` + builders + `} }`
}

func TestDefaultsAreWrittenAsDeclared(t *testing.T) {
	goType := &field.TypeInfo{
		Type: field.TypeString, Ident: "record.Kind", PkgPath: "storefront/internal/record",
		RType: &field.RType{Name: "Kind", Ident: "record.Kind", Kind: reflect.String},
	}
	plain := &field.TypeInfo{Type: field.TypeString}
	for _, c := range []struct {
		builders string
		info     *field.TypeInfo
		want     string
	}{
		{`.Default("a").Comment("b")`, plain, `"a"`},
		{`.Optional().Default([]string{"a", "b"})`, plain, `[]string{"a", "b"}`},
		{`.Default(record.Seat{Row: 1, Names: map[string]any{"a": true}})`, plain,
			`record.Seat{Row: 1, Names: map[string]any{"a": true}}`},
		{`.Default(record.Now)`, plain, "record.Now"},
		{`.DefaultFunc(record.NewName)`, plain, "record.NewName"},
		{`.GoType(record.Kind("")).Default(string(record.Round))`, goType, "record.Kind(string(record.Round))"},
	} {
		node, f := lamp(t, load.Field{Name: "x", Info: c.info, Default: true, DefaultKind: reflect.String})
		got, err := read(t, text(c.builders)).Default("Default", node, f)
		if err != nil || got != c.want {
			t.Errorf("%s: got %s, %v, want %s", c.builders, got, err, c.want)
		}
	}
}

func TestDefaultsOfMixins(t *testing.T) {
	c := read(t, `func (base) Fields() []ent.Field { return []ent.Field{field.String("x").Default("base")} }
		func (owned) Fields() []ent.Field { return []ent.Field{field.String("x").Default("owned")} }
		func (Lamp) Mixin() []ent.Mixin { return []ent.Mixin{base{}, &other{}, owned{}} }`)
	for index, want := range []string{`"base"`, "", `"owned"`} {
		node, f := lamp(t, load.Field{
			Name: "x", Info: &field.TypeInfo{Type: field.TypeString}, Default: true, DefaultKind: reflect.String,
			Position: &load.Position{MixedIn: true, MixinIndex: index},
		})
		got, err := c.Default("Default", node, f)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("mixin %d: got %s, %v, want %s", index, got, err, want)
		}
	}
}

func TestDefaultsThatCannotBeWrittenAreRefused(t *testing.T) {
	for builders, want := range map[string]string{
		``:                                       "no Default of Lamp.x is found",
		`.Default(firstName)`:                    "firstName of package schema",
		`.Default([]kind{"a"})`:                  "kind of package schema",
		`.Default(seat{Row: a})`:                 "of package schema",
		`.Default(func() string { return "a" })`: "a function literal of package schema",
	} {
		node, f := lamp(t, load.Field{
			Name: "x", Info: &field.TypeInfo{Type: field.TypeString}, Default: true, DefaultKind: reflect.String,
		})
		got, err := read(t, text(builders)).Default("Default", node, f)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %s, %v, want an error with %q", builders, got, err, want)
		}
	}
}

func TestValidators(t *testing.T) {
	for _, c := range []struct {
		builders   string
		kind       field.Type
		validators int
		want       string
	}{
		{".Min(0)", field.TypeInt64, 1, "record.NotNegative[int64]"},
		{".Min(1)", field.TypeInt64, 1, ""},
		{".Min(0)", field.TypeFloat64, 1, ""},
		{".Min(0).Max(9)", field.TypeInt, 2, ""},
		{".MaxLen(9)", field.TypeString, 1, ""},
	} {
		node, f := lamp(t, load.Field{Name: "x", Info: &field.TypeInfo{Type: c.kind}, Validators: c.validators})
		got, err := read(t, text(c.builders)).Validator(node, f)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s of %s: got %s, %v, want %s", c.builders, c.kind, got, err, c.want)
		}
	}
}

func TestSchemasWithHooksAreRefused(t *testing.T) {
	column := load.Field{Name: "x", Info: &field.TypeInfo{Type: field.TypeString}}
	node, _ := lamp(t, column)
	if _, err := OnlyDefaults(node); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*load.Schema){
		"hooks":        func(s *load.Schema) { s.Hooks = append(s.Hooks, new(load.Position)) },
		"interceptors": func(s *load.Schema) { s.Interceptors = append(s.Interceptors, new(load.Position)) },
		"a policy":     func(s *load.Schema) { s.Policy = append(s.Policy, new(load.Position)) },
	} {
		node, _ := lamp(t, column, change)
		if _, err := OnlyDefaults(node); err == nil || !strings.Contains(err.Error(), "Lamp has "+name) {
			t.Errorf("%s: got the error %v", name, err)
		}
	}
}
