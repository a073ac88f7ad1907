package document

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// fieldRules holds the rules that the directives of the schema set for a field.
type fieldRules struct {
	cost          int                           // @cost: added to 1 for each record with the field
	argumentCosts []argumentCost                // @cost of arguments
	sizedBy       []*ast.ArgumentDefinition     // the arguments that set the number of items
	items         int                           // @listSize; 0: not set
	oneInRequest  bool                          // @oneInRequest
	ofGuest       func(f *ast.Field) *ast.Value // @ofGuest: returns the token, nil for a new guest
	leadsToShop   string                        // the argument with @ofShop, if any
	shopID        string                        // the argument with @orDomain, if any
	shopDomain    string                        // the argument that may replace it
	shopOptional  bool                          // neither needs to be given
}

// argumentCost is the cost of an argument if it is given.
type argumentCost struct {
	name string
	cost int
}

// noRules are the rules for fields that no schema declares, such as __typename.
var noRules fieldRules

// readRules reads the directives of a field. sizes are the arguments that set the number of items of a list.
func readRules(field *ast.FieldDefinition, sizes []string) *fieldRules {
	rules := &fieldRules{
		cost:         numberIn(field.Directives.ForName("cost"), "weight"),
		items:        numberIn(field.Directives.ForName("listSize"), "assumedSize"),
		oneInRequest: field.Directives.ForName("oneInRequest") != nil,
	}
	for _, argument := range field.Arguments {
		if cost := numberIn(argument.Directives.ForName("cost"), "weight"); cost > 0 {
			rules.argumentCosts = append(rules.argumentCosts, argumentCost{name: argument.Name, cost: cost})
		}
		if slices.Contains(sizes, argument.Name) {
			rules.sizedBy = append(rules.sizedBy, argument)
		}
		if orDomain := argument.Directives.ForName("orDomain"); orDomain != nil {
			rules.shopID = argument.Name
			rules.shopDomain, _ = orDomain.ArgumentMap(nil)["in"].(string)
			rules.shopOptional = isSet(orDomain, "optional")
		}
		if argument.Directives.ForName("ofShop") != nil {
			rules.leadsToShop = argument.Name
		}
	}
	if guest := field.Directives.ForName("ofGuest"); guest != nil {
		token := argumentOf(guest, "token")
		rules.ofGuest = func(f *ast.Field) *ast.Value {
			if token == nil {
				return nil
			}
			if given := f.Arguments.ForName(token.Raw); given != nil {
				return given.Value
			}
			return nil
		}
	}
	return rules
}

// argumentOf returns an argument of a directive, or nil if either is absent.
func argumentOf(directive *ast.Directive, name string) *ast.Value {
	if directive == nil {
		return nil
	}
	if argument := directive.Arguments.ForName(name); argument != nil {
		return argument.Value
	}
	return nil
}

// isSet reports whether an argument of a directive is true.
func isSet(directive *ast.Directive, name string) bool {
	value := argumentOf(directive, name)
	return value != nil && value.Raw == "true"
}

// numberIn returns the number that is an argument of a directive, or 0 if either is absent.
func numberIn(directive *ast.Directive, name string) int {
	value := argumentOf(directive, name)
	if value == nil {
		return 0
	}
	n, _ := strconv.Atoi(value.Raw)
	return n
}

// Once is what an Idempotency-Key means for an operation, by the directive @once of its mutation.
type Once struct {
	Fields    int  // the mutations in the document, as they stand there
	Holds     bool // the engine makes sure that the mutation is done once
	AtGateway bool // the gateway of partners does
	Private   bool // the answer is for staff, or a value is secret: the answer is not stored
}

// collectIdempotency notes what the fields of a mutation mean for its Idempotency-Key. Fields that merge into one and
// those that are skipped count too. seen holds how many fields each fragment has.
func (op *Operation) collectIdempotency(fields ast.SelectionSet, seen map[string]int) {
	for _, selection := range fields {
		p := partOf(selection)
		n, visited := seen[p.spread]
		switch {
		case p.field != nil && strings.HasPrefix(p.field.Name, "__"):
		case p.field != nil:
			op.Once.Fields++
			once := p.field.Definition.Directives.ForName("once")
			op.Once.AtGateway = isSet(once, "atGateway")
			op.Once.Holds = once != nil && !op.Once.AtGateway
			op.Once.Private = op.Once.Private || !isSet(once, "stored")
		case p.spread != "" && visited:
			op.Once.Fields += n
		default:
			before := op.Once.Fields
			op.collectIdempotency(p.below, seen)
			seen[p.spread] = op.Once.Fields - before
		}
	}
}
