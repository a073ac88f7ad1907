package document

import "github.com/vektah/gqlparser/v2/ast"

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
