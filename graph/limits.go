package graph

import (
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/fault"
)

// What a document of others may ask for, at most (contract 3.5). REST's own documents are ours and stay far below.
const (
	maxTokens  = 2000
	maxDepth   = 15
	maxAliases = 30
	maxCost    = 50_000 // fields of the answer, as far as they can be told before
)

// alone are the mutations of which an operation may ask for one: more would be many guesses at a secret, or many costs, in
// one request.
var alone = map[string]bool{
	"register": true, "login": true, "loginOtp": true, "sendOtp": true, "verifyOtp": true, "resetPassword": true, "refreshTokens": true,
	"changePassword": true, "checkout": true, "sendPartnerSms": true,
}

// guessedItems is how many items a list that is not paged is taken to have.
const guessedItems = 10

// withinLimits refuses an operation that asks for too much, before anything runs. What introspection asks is bounded by a
// rule of its own, at validation.
func (op *Operation) withinLimits(variables map[string]any) error {
	m := measure{variables: variables}
	m.selections(op.Definition.SelectionSet, 1, 1, 0)
	switch {
	case m.depth > maxDepth:
		return fault.New(fault.LimitExceeded, "fields must be nested at most %d deep", maxDepth)
	case m.aliases > maxAliases:
		return fault.New(fault.LimitExceeded, "an operation must have at most %d aliases", maxAliases)
	case m.alone > 1:
		return fault.New(fault.LimitExceeded, "ask for one of these in a request: %s", strings.Join(slices.Sorted(maps.Keys(alone)), ", "))
	case m.cost > maxCost:
		return fault.New(fault.LimitExceeded, "the operation asks for about %d fields, at most %d are answered; ask for smaller pages or less of each item", m.cost, maxCost)
	}
	return nil
}

// measure adds up what an operation asks for.
type measure struct {
	variables            map[string]any
	depth, aliases, cost int
	alone                int // fields of those that must be alone
}

// selections measures what is asked of each of `times` objects, which stand at a depth. pageSize is that of the page the
// selections are of, else 0.
func (m *measure) selections(selections ast.SelectionSet, times, depth, pageSize int) {
	for _, selection := range selections {
		if m.cost > maxCost {
			return
		}
		switch s := selection.(type) {
		case *ast.Field:
			m.field(s, times, depth, pageSize)
		case *ast.InlineFragment:
			m.selections(s.SelectionSet, times, depth, pageSize)
		case *ast.FragmentSpread:
			m.cost++ // or fragments that spread one another twice, and nothing else, would be walked for ever
			m.selections(s.Definition.SelectionSet, times, depth, pageSize)
		}
	}
}

func (m *measure) field(f *ast.Field, times, depth, pageSize int) {
	if strings.HasPrefix(f.Name, "__") {
		return
	}
	m.depth = max(m.depth, depth)
	m.cost += times
	if f.Alias != f.Name {
		m.aliases++
	}
	if depth == 1 && alone[f.Name] {
		m.alone++
	}
	if len(f.SelectionSet) == 0 {
		return
	}
	size := 0
	if f.Definition.Arguments.ForName("pageSize") != nil {
		size = m.asked(f, "pageSize")
	}
	switch {
	case f.Definition.Arguments.ForName("first") != nil:
		times *= m.asked(f, "first")
	case f.Definition.Type.Elem != nil && pageSize > 0:
		times *= pageSize
	case f.Definition.Type.Elem != nil:
		times *= guessedItems
	}
	m.selections(f.SelectionSet, times, depth+1, size)
}

// asked is how many items an argument asks for.
func (m *measure) asked(f *ast.Field, argument string) int {
	n, _ := f.ArgumentMap(m.variables)[argument].(int64)
	return int(min(max(n, 1), maxPageSize))
}
