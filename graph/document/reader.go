// Package document reads GraphQL documents, and says what is known of one before it runs. It knows no request, no
// caller and no database.
//
// A Reader parses a document, validates and measures it (document.go, validationcost.go, fieldmerging.go); a Cache
// keeps those of clients. An Operation of a document says who may call it, what an Idempotency-Key means for it and
// which shops it names, by the directives of the schema (declared.go, signin.go, once.go, shops.go). It reads the
// values of its variables by their declared types and constraints (variables.go, scalars.go, constraints.go,
// formats.go), and says what it costs with them (limits.go).
package document

import (
	"log/slog"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"storefront/graph/plan"
)

// Options are what a Reader works with.
type Options struct {
	Schema          *ast.Schema
	Planned         plan.Table   // the fields that plans can read; gqlgen reads the others
	Log             *slog.Logger // where plans note at debug level what they leave to gqlgen
	MaxPageSize     int          // items of a page at most; a greater number is read as this
	SizeArguments   []string     // the arguments that set the number of items of a page, connection or list
	NoIntrospection bool         // GRAPHQL_EXPLORER=off: client documents may not ask for the schema
}

// Reader reads documents of a schema. It has read the directives of the schema.
type Reader struct {
	Options
	fields        map[*ast.FieldDefinition]*fieldRules
	oneInRequest  string // the names of the fields with @oneInRequest, as a message lists them
	introspection introspectionSizes
}

// NewReader returns a reader of documents.
func NewReader(o Options) *Reader {
	r := &Reader{Options: o, fields: map[*ast.FieldDefinition]*fieldRules{},
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
