package describe

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// shapes maps a type to the different selections of its fields in all operations, as texts. An object whose
// selection is a single fragment is left out, as it has the fragment's name.
type shapes map[string][]string

// add records the selections of an operation or fragment, and those nested in them.
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

// isFragment reports whether a selection is a single fragment.
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

// nameOf returns the name of the component for the object that a field selects. For the first selection of a
// type, in the order of the routes, it is the type's own name; for others the name of the operation or
// fragment is added.
func (b *builder) nameOf(d *ast.Definition, field *ast.Field) string {
	switch {
	case b.shapes[d.Name][0] == selectionText(field):
		return d.Name
	case field.Alias == answerAlias:
		return b.answerName()
	}
	return b.within + d.Name
}

// answerName is the name of the component for the answer of an operation that is not a whole record.
func (b *builder) answerName() string { return b.within + "Answer" }
