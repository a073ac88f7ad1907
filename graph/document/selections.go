package document

import (
	"iter"

	"github.com/vektah/gqlparser/v2/ast"
)

// part is a selection of a document, of any kind.
type part struct {
	field      *ast.Field // nil for a fragment
	directives ast.DirectiveList
	below      ast.SelectionSet
	spread     string // the name of the fragment that is spread here; "" for other selections
}

// partOf returns a selection as a part. Before validation a spread has nothing below it.
func partOf(selection ast.Selection) part {
	switch s := selection.(type) {
	case *ast.Field:
		return part{s, s.Directives, s.SelectionSet, ""}
	case *ast.InlineFragment:
		return part{nil, s.Directives, s.SelectionSet, ""}
	}
	s := selection.(*ast.FragmentSpread)
	if s.Definition == nil {
		return part{nil, s.Directives, nil, s.Name}
	}
	return part{nil, s.Directives, s.Definition.SelectionSet, s.Name}
}

// eachField returns the fields of a document, each once, however often its fragment is spread.
func eachField(document *ast.QueryDocument) iter.Seq[*ast.Field] {
	return func(yield func(*ast.Field) bool) {
		for _, operation := range document.Operations {
			if !fieldsIn(operation.SelectionSet, yield) {
				return
			}
		}
		for _, fragment := range document.Fragments {
			if !fieldsIn(fragment.SelectionSet, yield) {
				return
			}
		}
	}
}

func fieldsIn(selections ast.SelectionSet, yield func(*ast.Field) bool) bool {
	for _, selection := range selections {
		p := partOf(selection)
		if p.field != nil && !yield(p.field) || p.spread == "" && !fieldsIn(p.below, yield) {
			return false
		}
	}
	return true
}

// asksForSchema reports whether a document asks for the schema, even in an operation that would not run.
// `__typename` is not of it: it is about the answer.
func asksForSchema(document *ast.QueryDocument) bool {
	for field := range eachField(document) {
		if field.Name == "__schema" || field.Name == "__type" {
			return true
		}
	}
	return false
}
