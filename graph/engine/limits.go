package engine

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/fault"
)

// What a client document may ask for, at most (contract 3.5). REST's documents are the service's own and
// stay far below.
const (
	maxTokens  = 2000
	maxName    = 256 // bytes
	maxDepth   = 15
	maxAliases = 30
	maxCost    = 50_000 // fields of the answer, as far as they are known before; costly ones count for many
)

// onePerRequest are the mutations of which an operation may ask for one: more would be many guesses at a
// secret, or many costs, in one request.
var onePerRequest = map[string]bool{
	"register": true, "login": true, "loginOtp": true, "sendOtp": true, "verifyOtp": true, "resetPassword": true,
	"refreshTokens": true, "changePassword": true, "closeAccount": true, "checkout": true, "sendPartnerSms": true,
}

// guessedItems is how many items a list that is not paged is taken to have, and longLists how many those
// have that are longer, by field.
const guessedItems = 10

var longLists = map[string]int{
	"cities": 1000, "categories": 100, "brands": 100, "nodes": 100,
	"comments": 100, "blogComments": 100, "portfolioComments": 100, "expertReviews": 100,
}

// fieldCosts are what the fields cost that are more than a value that has been read: a facet reads all records of a
// list, and a text may be long.
var fieldCosts = map[string]int{
	"ProductFacets.categories": 2500, "ProductFacets.brands": 2500, "ProductFacets.prices": 2500,
	"ProductFacets.fields":     2500,
	"VariantFacets.categories": 2500, "VariantFacets.brands": 2500, "VariantFacets.prices": 2500,
	"ProductFacets.options": 2500, "VariantFacets.options": 2500,
	"Category.products": 30, "Brand.products": 30, // or many lists in one list would cost nothing
	"Suggestions.products": 300,
	"Query.node":           20, "Query.nodes": 20,
	"Blog.body": 40, "Portfolio.body": 40,
	"Product.description": 10, "UserProduct.description": 10,
}

// argumentCosts are what the arguments cost that narrow or sort a list by what no index finds at once.
var argumentCosts = map[string]int{"name": 300, "q": 300, "title": 300, "values": 600, "options": 600}

// withinLimits refuses an operation that asks for too much, before anything runs. What @skip and @include
// leave out counts as if it were asked for.
func (e *Engine) withinLimits(op *Operation, variables map[string]any) error {
	m := measure{variables: variables, introspection: e.introspection, maxPageSize: e.MaxPageSize}
	m.selections(op.Definition.SelectionSet, 1, level{depth: 1})
	switch {
	case m.depth > maxDepth:
		return fault.New(fault.LimitExceeded, "fields must be nested at most %d deep", maxDepth)
	case m.aliases > maxAliases:
		return fault.New(fault.LimitExceeded, "an operation must have at most %d aliases", maxAliases)
	case m.onePerRequest > 1:
		names := strings.Join(slices.Sorted(maps.Keys(onePerRequest)), ", ")
		return fault.New(fault.LimitExceeded, "ask for one of these in a request: %s", names)
	case m.guests > 1:
		return fault.New(fault.LimitExceeded, "an operation must be about the cart of one guest")
	case m.cost > maxCost:
		return fault.New(fault.LimitExceeded,
			"the operation asks for more than %d fields; ask for smaller pages or less of each item", maxCost)
	}
	return nil
}

// measure adds up what an operation asks for.
type measure struct {
	variables            map[string]any
	introspection        introspectionSizes
	maxPageSize          int
	depth, aliases, cost int
	onePerRequest        int // fields of those
	guests               int // whose carts are made or added to
	guest                any // the token of the last of them; nil: a new one
}

// level is where selections stand.
type level struct {
	depth    int // of fields, from 1
	pageSize int // of the page or connection they are of, else 0
}

// selections measures what is asked of each of `times` objects.
func (m *measure) selections(selections ast.SelectionSet, times int, at level) {
	for _, selection := range selections {
		if m.cost > maxCost {
			return // which also keeps products of page sizes within an int
		}
		switch s := selection.(type) {
		case *ast.Field:
			m.field(s, times, at)
		case *ast.InlineFragment:
			m.selections(s.SelectionSet, times, at)
		case *ast.FragmentSpread:
			m.cost++ // or fragments that spread one another twice, and nothing else, would be walked for ever
			m.selections(s.Definition.SelectionSet, times, at)
		}
	}
}

func (m *measure) field(f *ast.Field, times int, at level) {
	m.cost += times * (1 + fieldCosts[f.ObjectDefinition.Name+"."+f.Name] + m.argumentCost(f))
	if f.Alias != f.Name {
		m.aliases++
	}
	if at.depth == 1 && onePerRequest[f.Name] {
		m.onePerRequest++
	}
	if at.depth == 1 {
		m.guestOf(f)
	}
	below := level{depth: at.depth + 1}
	if hundredths, ok := m.introspection[f.ObjectDefinition.Name+"."+f.Name]; ok {
		m.selections(f.SelectionSet, max(times*hundredths/100, 1), below)
		return
	}
	if !isIntrospection(f) { // validation bounds the depth of introspection
		m.depth = max(m.depth, at.depth)
	}
	size := m.pageSize(f)
	if f.Definition.Type.Elem == nil {
		below.pageSize = size
	} else {
		times *= cmp.Or(size, at.pageSize, longLists[f.Name], guessedItems)
	}
	m.selections(f.SelectionSet, times, below)
}

// guestOf counts the guests whose carts a mutation may make.
func (m *measure) guestOf(f *ast.Field) {
	switch f.Name {
	case "createCart":
		m.guests++
	case "addGuestCartItem":
		token, err := f.Arguments.ForName("cartToken").Value.Value(m.variables)
		if err != nil || m.guests == 0 || m.guest != token {
			m.guests++
		}
		m.guest = token
	}
}

// argumentCost is what the arguments of a list add to its cost.
func (m *measure) argumentCost(f *ast.Field) (cost int) {
	if f.ObjectDefinition.Name != "Tenant" {
		return 0
	}
	for _, argument := range f.Arguments {
		if weight := argumentCosts[argument.Name]; weight > 0 {
			if value, err := argument.Value.Value(m.variables); err == nil && value != nil {
				cost += weight
			}
		}
	}
	return cost
}

// pageSize is how many items a field's arguments ask for; 0 if it has none of the kind. Where they are null
// or left out, with no default, it is the most there can be.
func (m *measure) pageSize(f *ast.Field) (size int) {
	paged := false
	for _, name := range []string{"pageSize", "first", "last"} {
		defined := f.Definition.Arguments.ForName(name)
		if defined == nil {
			continue
		}
		paged = true
		// Only these are evaluated: the value of another one may be out of every range, which is for its own
		// check to say.
		if n, ok := valueOf(f.Arguments.ForName(name), defined, m.variables).(int64); ok {
			size = max(size, int(min(max(n, 1), int64(m.maxPageSize))))
		}
	}
	if paged && size == 0 {
		return m.maxPageSize
	}
	return size
}

// valueOf returns the value of an argument as it is given, or its default; nil where there is neither. One
// that cannot be read is refused by the check of its type.
func valueOf(given *ast.Argument, defined *ast.ArgumentDefinition, variables map[string]any) any {
	value := defined.DefaultValue
	if given != nil && given.Value.Kind != ast.Variable {
		value = given.Value
	} else if given != nil {
		if set, ok := variables[given.Value.Raw]; ok {
			return set
		}
	}
	read, _ := value.Value(variables)
	return read
}
