package graph

import "github.com/vektah/gqlparser/v2/ast"

// maxReach bounds reach: validation then takes some milliseconds.
const maxReach = 20_000

// reach is how much of a document validation looks at, in selections, arguments, values and directives: it follows each
// operation and each fragment through every fragment that is spread below it. It stops counting above maxReach.
func reach(document *ast.QueryDocument) int {
	r := reached{fragments: make(map[string]*ast.FragmentDefinition, len(document.Fragments))}
	for _, fragment := range document.Fragments {
		r.fragments[fragment.Name] = fragment
	}
	for _, operation := range document.Operations {
		r.from(operation.SelectionSet)
		r.n += len(operation.VariableDefinitions)
		for _, variable := range operation.VariableDefinitions {
			r.value(variable.DefaultValue)
		}
	}
	for _, fragment := range document.Fragments {
		r.from(fragment.SelectionSet)
	}
	return r.n
}

type reached struct {
	fragments map[string]*ast.FragmentDefinition
	seen      map[string]bool // by what is followed now
	n         int
}

func (r *reached) from(selections ast.SelectionSet) {
	r.seen = map[string]bool{}
	r.set(selections)
}

func (r *reached) set(selections ast.SelectionSet) {
	for _, selection := range selections {
		if r.n++; r.n > maxReach {
			return
		}
		switch s := selection.(type) {
		case *ast.Field:
			r.arguments(s.Arguments)
			r.directives(s.Directives)
			r.set(s.SelectionSet)
		case *ast.InlineFragment:
			r.directives(s.Directives)
			r.set(s.SelectionSet)
		case *ast.FragmentSpread:
			r.directives(s.Directives)
			if fragment := r.fragments[s.Name]; fragment != nil && !r.seen[s.Name] {
				r.seen[s.Name] = true
				r.set(fragment.SelectionSet)
			}
		}
	}
}

func (r *reached) directives(directives ast.DirectiveList) {
	r.n += len(directives)
	for _, directive := range directives {
		r.arguments(directive.Arguments)
	}
}

func (r *reached) arguments(arguments ast.ArgumentList) {
	for _, argument := range arguments {
		r.n++
		r.value(argument.Value)
	}
}

func (r *reached) value(value *ast.Value) {
	if value == nil {
		return
	}
	r.n += len(value.Children)
	for _, child := range value.Children {
		r.value(child.Value)
	}
}
