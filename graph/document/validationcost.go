package document

import "github.com/vektah/gqlparser/v2/ast"

// maxValidationCost is the greatest cost of a document; it keeps validation within some milliseconds.
const maxValidationCost = 20_000

// validationCost returns how many selections, arguments, values and directives validation visits in a
// document. Validation follows each operation and each fragment through all fragments spread below it.
// Counting stops above maxValidationCost.
func validationCost(document *ast.QueryDocument) int {
	c := costCounter{fragments: make(map[string]*ast.FragmentDefinition, len(document.Fragments))}
	for _, fragment := range document.Fragments {
		c.fragments[fragment.Name] = fragment
	}
	for _, operation := range document.Operations {
		c.from(operation.SelectionSet)
		c.n += len(operation.VariableDefinitions)
		for _, variable := range operation.VariableDefinitions {
			c.value(variable.DefaultValue)
		}
	}
	for _, fragment := range document.Fragments {
		c.from(fragment.SelectionSet)
	}
	return c.n
}

// costCounter adds up what validation visits.
type costCounter struct {
	fragments map[string]*ast.FragmentDefinition
	seen      map[string]bool // fragments already followed from the current operation or fragment
	n         int
}

func (c *costCounter) from(selections ast.SelectionSet) {
	c.seen = map[string]bool{}
	c.set(selections)
}

func (c *costCounter) set(selections ast.SelectionSet) {
	for _, selection := range selections {
		if c.n++; c.n > maxValidationCost {
			return
		}
		p := partOf(selection)
		c.directives(p.directives)
		if p.field != nil {
			c.arguments(p.field.Arguments)
		}
		if fragment := c.fragments[p.spread]; fragment != nil && !c.seen[p.spread] {
			c.seen[p.spread] = true
			p.below = fragment.SelectionSet
		}
		c.set(p.below)
	}
}

func (c *costCounter) directives(directives ast.DirectiveList) {
	c.n += len(directives)
	for _, directive := range directives {
		c.arguments(directive.Arguments)
	}
}

func (c *costCounter) arguments(arguments ast.ArgumentList) {
	for _, argument := range arguments {
		c.n++
		c.value(argument.Value)
	}
}

func (c *costCounter) value(value *ast.Value) {
	if value == nil {
		return
	}
	c.n += len(value.Children)
	for _, child := range value.Children {
		c.value(child.Value)
	}
}
