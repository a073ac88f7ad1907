package document

import (
	"cmp"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/fault"
)

// The limits of client documents (contract 3.5). The documents behind REST stay far below them.
const (
	maxTokens  = 2000
	maxName    = 256 // bytes
	maxDepth   = 15
	maxAliases = 30
	maxCost    = 50_000 // fields of the answer, as far as known before it runs; costly ones count for many
)

// guessedItems is the assumed length of a list without @listSize or arguments that set it. Lists of objects
// have these.
const guessedItems = 10

// WithinLimits fails with LIMIT_EXCEEDED for an operation that asks for too much. Fields that @skip and @include
// leave out count as well.
func (op *Operation) WithinLimits(variables map[string]any) error {
	m := measure{reader: op.reader, variables: variables}
	m.selections(op.Definition.SelectionSet, 1, level{depth: 1})
	switch {
	case m.depth > maxDepth:
		return fault.New(fault.LimitExceeded, "fields must be nested at most %d deep", maxDepth)
	case m.aliases > maxAliases:
		return fault.New(fault.LimitExceeded, "an operation must have at most %d aliases", maxAliases)
	case m.oneInRequest > 1:
		return fault.New(fault.LimitExceeded, "ask for one of these in a request: %s", m.reader.oneInRequest)
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
	reader               *Reader
	variables            map[string]any
	depth, aliases, cost int
	oneInRequest         int // fields with @oneInRequest
	guests               int // guests whose carts are created or added to
	guest                any // the token of the last of them; nil: a new one
}

// level describes where selections stand.
type level struct {
	depth    int // of fields, from 1
	pageSize int // of the page or connection they are of, else 0
}

// selections measures a selection that is resolved for each of `times` objects.
func (m *measure) selections(selections ast.SelectionSet, times int, at level) {
	for _, selection := range selections {
		if m.cost > maxCost {
			return // also keeps products of page sizes within an int
		}
		p := partOf(selection)
		if p.field != nil {
			m.field(p.field, times, at)
			continue
		}
		if p.spread != "" {
			m.cost++ // otherwise fragments that only spread each other twice would take exponential time
		}
		m.selections(p.below, times, at)
	}
}

func (m *measure) field(f *ast.Field, times int, at level) {
	rules := m.reader.rules(f.Definition)
	m.cost += times * (1 + rules.cost + m.argumentCost(f, rules))
	if f.Alias != f.Name {
		m.aliases++
	}
	if rules.oneInRequest {
		m.oneInRequest++
	}
	if rules.ofGuest != nil {
		m.guestOf(rules.ofGuest(f))
	}
	below := level{depth: at.depth + 1}
	if hundredths, ok := m.reader.introspection[f.ObjectDefinition.Name+"."+f.Name]; ok {
		m.selections(f.SelectionSet, max(times*hundredths/100, 1), below)
		return
	}
	if !isIntrospection(f) { // validation bounds the depth of introspection
		m.depth = max(m.depth, at.depth)
	}
	size := m.pageSize(f, rules)
	if f.Definition.Type.Elem == nil {
		below.pageSize = size
	} else {
		times *= cmp.Or(size, at.pageSize, rules.items, guessedItems)
	}
	m.selections(f.SelectionSet, times, below)
}

// guestOf counts the guests whose carts a mutation may create. argument takes the guest's token; it is nil or
// without a value for a new guest.
func (m *measure) guestOf(argument *ast.Value) {
	var token any
	if argument != nil {
		token, _ = argument.Value(m.variables)
	}
	if token == nil || token == "" || m.guests == 0 || m.guest != token {
		m.guests++
	}
	m.guest = token
}

// argumentCost returns the cost of the given arguments of a field.
func (m *measure) argumentCost(f *ast.Field, rules *fieldRules) (cost int) {
	for _, costly := range rules.argumentCosts {
		given := f.Arguments.ForName(costly.name)
		if given == nil {
			continue
		}
		if value, err := given.Value.Value(m.variables); err == nil && value != nil {
			cost += costly.cost
		}
	}
	return cost
}

// pageSize returns how many items a field's arguments ask for, or 0 if it has no such argument. If they are
// null or absent, with no default, it returns the maximum.
func (m *measure) pageSize(f *ast.Field, rules *fieldRules) (size int) {
	for _, defined := range rules.sizedBy {
		// Only size arguments are evaluated: others may be out of range, and their own checks report that.
		if n, ok := valueOf(f.Arguments.ForName(defined.Name), defined, m.variables).(int64); ok {
			size = max(size, int(min(max(n, 1), int64(m.reader.MaxPageSize))))
		}
	}
	if len(rules.sizedBy) > 0 && size == 0 {
		return m.reader.MaxPageSize
	}
	return size
}

// valueOf returns the value of an argument as given, else its default, else nil. A value that cannot be read
// gives nil: the check of its type refuses it.
func valueOf(argument *ast.Argument, defined *ast.ArgumentDefinition, variables map[string]any) any {
	value := defined.DefaultValue
	if argument != nil && argument.Value.Kind != ast.Variable {
		value = argument.Value
	} else if argument != nil {
		if set, ok := variables[argument.Value.Raw]; ok {
			return set
		}
	}
	read, _ := value.Value(variables)
	return read
}

// introspectionSizes are the average lengths of the lists of introspection, in hundredths, by type and field,
// such as "__Type.fields".
type introspectionSizes map[string]int

// measureIntrospection returns the sizes for a schema.
func measureIntrospection(schema *ast.Schema) introspectionSizes {
	var types, fields, arguments, inputs, values, interfaces, members, ofDirectives int
	for _, t := range schema.Types {
		types++
		interfaces += len(t.Interfaces)
		values += len(t.EnumValues)
		members += len(schema.PossibleTypes[t.Name])
		if t.Kind == ast.InputObject {
			inputs += len(t.Fields)
			continue
		}
		for _, f := range t.Fields {
			fields++
			arguments += len(f.Arguments)
		}
	}
	for _, d := range schema.Directives {
		ofDirectives += len(d.Arguments)
	}
	directives := len(schema.Directives)
	return introspectionSizes{
		"__Schema.types":       types * 100,
		"__Schema.directives":  directives * 100,
		"__Directive.args":     ofDirectives * 100 / directives,
		"__Field.args":         arguments * 100 / fields,
		"__Type.fields":        fields * 100 / types,
		"__Type.inputFields":   inputs * 100 / types,
		"__Type.enumValues":    values * 100 / types,
		"__Type.interfaces":    interfaces * 100 / types,
		"__Type.possibleTypes": members * 100 / types,
		"__Type.ofType":        50, // a reference is wrapped once or twice; queries ask for nine
	}
}

// isIntrospection reports whether a field is one of introspection.
func isIntrospection(f *ast.Field) bool {
	return strings.HasPrefix(f.ObjectDefinition.Name, "__") || f.Name == "__schema" || f.Name == "__type"
}
