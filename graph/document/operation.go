package document

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/fault"
	"storefront/internal/locale/bilingual"
)

// Operation is one operation of a parsed and valid document, ready to run with variables.
type Operation struct {
	*Document
	Definition *ast.OperationDefinition
	Fields     string // a short name for the fields it asks for, for logs and metrics: "tenant.products+"

	SignIn     SignIn // whether it needs a signed-in customer
	NeedsKey   bool   // it answers only a partner's server
	HasSecret  bool   // among its values (@secret)
	ShopDomain string // the variable that names the shop (@ofShop), if any
	Once       Once   // what an Idempotency-Key means for it

	valueRules

	uncached   bool            // an argument is given that prevents caching (@uncached)
	uncachedBy map[string]bool // variables that stand for such arguments

	inRequested   bool               // it shows a text in the language that the request asks for
	inRequestedBy []bilingual.Choice // the same, if a variable says so

	uses         map[string]int  // of each variable
	inConditions map[string]bool // variables of @skip and @include
	defaults     defaults
}

// valueRules are the rules that Read applies to the variables.
type valueRules struct {
	constraints     map[string][]*ast.Directive // by variable: from all places where it is used
	notNull         map[string]bool             // variables used where null is not allowed
	faults          fault.Fields                // values written in the document itself that break a constraint
	ordered         []orderedPair               // arguments of which one must not exceed the other
	shops           []namedShop                 // of the fields with @orDomain
	partnerDomains  []string                    // literals; they must be the calling partner's
	partnerDomainIn map[string]bool             // variables that hold such a domain
}

// Operation returns the operation of a name; the name may be empty when there is only one. It fails with BAD_REQUEST
// if there is no such operation.
func (d *Document) Operation(name string) (*Operation, error) {
	definition := d.AST.Operations.ForName(name)
	if definition == nil {
		return nil, fault.New(fault.BadRequest, "say in operationName which of the document's operations to run")
	}
	if known, ok := d.operations.Load(definition); ok {
		return known.(*Operation), nil
	}
	op := d.newOperation(definition)
	op.Fields = d.reader.fieldsOf(definition.SelectionSet)
	op.SignIn = signInBy(definition.Directives)
	for _, variable := range definition.VariableDefinitions {
		if rule := variable.Directives.ForName("constraint"); rule != nil {
			op.constraints[variable.Variable] = []*ast.Directive{rule} // beside those of where it is used
		}
	}
	op.collectDirectives(definition.SelectionSet, map[string]bool{})
	if definition.Operation == ast.Mutation {
		op.collectIdempotency(definition.SelectionSet, map[string]int{})
	}
	known, _ := d.operations.LoadOrStore(definition, op)
	return known.(*Operation), nil
}

// newOperation returns an operation before its rules are collected.
func (d *Document) newOperation(definition *ast.OperationDefinition) *Operation {
	return &Operation{
		Document: d, Definition: definition,
		valueRules: valueRules{constraints: map[string][]*ast.Directive{}, notNull: map[string]bool{},
			partnerDomainIn: map[string]bool{}},
		uncachedBy: map[string]bool{},
		uses:       map[string]int{}, inConditions: map[string]bool{}, defaults: defaults{},
	}
}

// fieldsOf returns a short name for a selection: its first field, with the first field of a shop, and "+" if
// there are others. Unlike the names that clients choose these are few, so they can label metrics.
func (r *Reader) fieldsOf(fields ast.SelectionSet) string {
	field, more := firstField(fields)
	if field == nil {
		return ""
	}
	name := field.Name
	if below, others := firstField(field.SelectionSet); r.rules(field.Definition).leadsToShop != "" && below != nil {
		name, more = name+"."+below.Name, more || others
	}
	if more {
		name += "+"
	}
	return name
}

// HasOneField reports whether the operation asks for one field of its root.
func (op *Operation) HasOneField() bool {
	_, more := firstField(op.Definition.SelectionSet)
	return !more
}

// firstField returns the first field, and whether there are others. It visits no more fields than it needs,
// so that fragments which spread each other many times cost no more than others.
func firstField(fields ast.SelectionSet) (first *ast.Field, more bool) {
	for _, selection := range fields {
		p := partOf(selection)
		field, others := p.field, false
		if field == nil {
			field, others = firstField(p.below)
		}
		if first == nil {
			first = field
		} else if field != nil {
			more = true
		}
		if more = more || others; more {
			return first, true
		}
	}
	return first, more
}

// Public reports whether the operation's answer is the same for everybody.
func (op *Operation) Public() bool { return op.SignIn == SignInIgnored && !op.NeedsKey }

// IsUncached reports whether an answer must not be cached, although anybody may ask for it (@uncached). variables are
// those that were read.
func (op *Operation) IsUncached(variables map[string]any) bool {
	for name := range op.uncachedBy {
		if variables[name] != nil {
			return true
		}
	}
	return op.uncached
}

// DependsOnLanguage reports whether an answer shows texts in the language that Accept-Language asks for. variables are
// those that were read.
func (op *Operation) DependsOnLanguage(variables map[string]any) bool {
	return op.inRequested || slices.ContainsFunc(op.inRequestedBy, func(c bilingual.Choice) bool {
		return c.IsRequested(variables)
	})
}
