package main

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/99designs/gqlgen/codegen"
)

// texts writes how the two texts of the fields with @inLanguage of a type are read.
func (t *table) texts(o *codegen.Object) error {
	for _, f := range o.Fields {
		of, ok := t.pairs[o.Name+"."+f.Name]
		if !ok {
			continue
		}
		en, fa := textOf(o, of.en), textOf(o, of.fa)
		if en == "" || fa == "" {
			return fmt.Errorf("%s.%s: @inLanguage names a field that is no text, or is not read from the record",
				o.Name, f.Name)
		}
		const line = "%q: func(found any) (en, fa *string) {\nof := found.(*%s)\nreturn %s, %s\n},\n"
		fmt.Fprintf(&t.inBoth, line, o.Name+"."+f.Name, t.name(o.Type), en, fa)
	}
	return nil
}

// textOf returns the expression of a text of the record in the variable "of", as a pointer, or "" if it has
// none.
func textOf(o *codegen.Object, name string) string {
	i := slices.IndexFunc(o.Fields, func(f *codegen.Field) bool { return f.Name == name })
	if i < 0 || o.Fields[i].TypeReference.GQL.NamedType != "String" {
		return ""
	}
	f := o.Fields[i]
	_, pointer := f.TypeReference.GO.(*types.Pointer)
	switch {
	case f.IsVariable() && pointer:
		return "of." + f.GoFieldName
	case f.IsVariable():
		return "&of." + f.GoFieldName
	case f.IsMethod() && !f.IsResolver && !f.MethodHasContext && f.NoErr && pointer:
		return "of." + f.GoFieldName + "()"
	}
	return ""
}
