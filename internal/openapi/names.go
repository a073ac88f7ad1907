package openapi

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// shapes are the ways in which operations select the fields of objects: by type, as texts that are equal where the
// selections are. An object that one fragment selects has the fragment's name instead.
type shapes map[string][]string

// add notes the selections of an operation or a fragment, and of what is below them.
func (s shapes) add(selections ast.SelectionSet) {
	for _, selection := range selections {
		switch selection := selection.(type) {
		case *ast.Field:
			if len(selection.SelectionSet) > 0 && !isFragment(selection.SelectionSet) {
				name, text := selection.Definition.Type.Name(), selectionText(selection)
				if !slices.Contains(s[name], text) {
					s[name] = append(s[name], text)
				}
			}
			s.add(selection.SelectionSet)
		case *ast.InlineFragment:
			s.add(selection.SelectionSet)
		case *ast.FragmentSpread:
			name := componentOf(selection.Definition.Name)
			if text := "fragment " + name; !slices.Contains(s[name], text) {
				s[name] = append([]string{text}, s[name]...) // the name is its own
			}
			s.add(selection.Definition.SelectionSet)
		}
	}
}

// isFragment reports whether a selection is that of one fragment.
func isFragment(selections ast.SelectionSet) bool {
	if len(selections) != 1 {
		return false
	}
	_, is := selections[0].(*ast.FragmentSpread)
	return is
}

// selectionText writes what a field selects of its object, and which of those are never null there.
func selectionText(field *ast.Field) string {
	var text strings.Builder
	if rule := field.Definition.Directives.ForName("semanticNonNull"); rule != nil {
		text.WriteString(strings.Join(namesIn(rule, "fields"), " "))
	}
	writeSelection(&text, field.SelectionSet)
	return text.String()
}

func writeSelection(text *strings.Builder, selections ast.SelectionSet) {
	text.WriteString("{")
	for _, selection := range selections {
		switch selection := selection.(type) {
		case *ast.Field:
			text.WriteString(selection.Alias + ":" + selection.Name)
			if len(selection.SelectionSet) > 0 {
				writeSelection(text, selection.SelectionSet)
			}
		case *ast.InlineFragment:
			text.WriteString("..." + selection.TypeCondition)
			writeSelection(text, selection.SelectionSet)
		case *ast.FragmentSpread:
			text.WriteString("..." + selection.Name)
		}
		text.WriteString(" ")
	}
	text.WriteString("}")
}

// componentOf returns the name of a fragment's component: ProductCard for productCard.
func componentOf(fragment string) string { return strings.ToUpper(fragment[:1]) + fragment[1:] }

// nameOf returns the name of the component for what a field selects of its object: for the first selection of a type in
// the order of the routes the type's own, for others with that of the operation or fragment which selects it.
func (b *builder) nameOf(d *ast.Definition, field *ast.Field) string {
	switch {
	case b.shapes[d.Name][0] == selectionText(field):
		return d.Name
	case field.Alias == answerAlias:
		return b.answerName()
	}
	return b.within + d.Name
}

// answerName is the name of the component for the answer of an operation that is no whole record.
func (b *builder) answerName() string { return b.within + "Answer" }
