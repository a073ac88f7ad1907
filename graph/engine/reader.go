package engine

import (
	"log/slog"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront/graph/plan"
)

// ReaderOptions are what a Reader works with.
type ReaderOptions struct {
	Schema          *ast.Schema
	Planned         plan.Table   // the fields that plans can read; gqlgen reads the others
	Log             *slog.Logger // where plans note at debug level what they leave to gqlgen
	MaxPageSize     int          // items of a page at most; a greater number is read as this
	SizeArguments   []string     // the arguments that set the number of items of a page, connection or list
	NoIntrospection bool         // GRAPHQL_EXPLORER=off: client documents may not ask for the schema
}

// Reader reads documents of a schema. It has read the directives of the schema.
type Reader struct {
	ReaderOptions
	fields        map[*ast.FieldDefinition]*fieldRules
	oneInRequest  string // the names of the fields with @oneInRequest, as a message lists them
	introspection introspectionSizes
}

// NewReader returns a reader of documents.
func NewReader(o ReaderOptions) *Reader {
	r := &Reader{ReaderOptions: o, fields: map[*ast.FieldDefinition]*fieldRules{},
		introspection: measureIntrospection(o.Schema)}
	var one []string
	for _, definition := range o.Schema.Types {
		if definition.Kind != ast.Object && definition.Kind != ast.Interface {
			continue
		}
		for _, field := range definition.Fields {
			rules := readRules(field, o.SizeArguments)
			r.fields[field] = rules
			if rules.oneInRequest {
				one = append(one, field.Name)
			}
		}
	}
	slices.Sort(one)
	r.oneInRequest = strings.Join(one, ", ")
	return r
}

// rules returns the rules of a field.
func (r *Reader) rules(field *ast.FieldDefinition) *fieldRules {
	if rules := r.fields[field]; rules != nil {
		return rules
	}
	return &noRules
}
