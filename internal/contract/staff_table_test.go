package contract_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront"
	"storefront/internal/record"
	"storefront/internal/staff"
)

// TestEveryStaffOperationAsksForItsPermission calls each operation with @staff of the schema as everybody: who may not
// gets the documented error, and nothing changes; who may gets another answer than that. The arguments are made
// from the schema; they name records that are not there.
func TestEveryStaffOperationAsksForItsPermission(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: storefront.Schema})
	eachCrew(t, func(t *testing.T, c *crew) {
		callers := map[string]worker{"nobody": {door: c.graphQL()}, "customer": c.customer(t),
			"owner of another shop": c.staff(t, c.mugs, record.Owner)}
		roles := map[string]record.StaffRole{}
		for _, role := range record.StaffRole("").Values() {
			callers[role], roles[role] = c.staff(t, c.tools, record.StaffRole(role)), record.StaffRole(role)
		}
		checked := 0
		for _, root := range []*ast.Definition{schema.Query, schema.Mutation} {
			for _, field := range root.Fields {
				directive := field.Directives.ForName("staff")
				if directive == nil {
					continue
				}
				checked++
				may := staff.Permission(directive.Arguments.ForName("may").Value.Raw)
				document := staffDocument(schema, root, field, c.tools)
				for name, caller := range callers {
					role, works := roles[name]
					allowed := works && staff.May(role, may)
					if allowed && slices.Contains([]string{"removeStaff"}, field.Name) {
						continue // it would find nobody to remove, which is another test
					}
					before := c.version(t)
					got := caller.ask(t, document, nil)
					want := "FORBIDDEN"
					if name == "nobody" {
						want = "UNAUTHENTICATED"
					}
					if is := got.code(); allowed == (is == "FORBIDDEN" || is == "UNAUTHENTICATED") || !allowed && is != want {
						t.Errorf("%s as %s: %q %v, allowed: %v", field.Name, name, is, got.Errors, allowed)
					}
					if !allowed && c.version(t) != before {
						t.Errorf("%s as %s: the content has changed", field.Name, name)
					}
				}
			}
		}
		if checked < 40 {
			t.Errorf("only %d operations were checked", checked)
		}
		entries, err := c.store.Client.AuditEntry.Query().All(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.UserID == nil || e.Role == nil || slices.Contains([]uuid.UUID{uuid.MustParse(callers["customer"].id),
				uuid.MustParse(callers["owner of another shop"].id)}, *e.UserID) {
				t.Errorf("%s was done by %v", e.Action, e.UserID)
			}
		}
	})
}

// staffDocument writes a document that calls one operation, with the least that its types ask for.
func staffDocument(schema *ast.Schema, root *ast.Definition, field *ast.FieldDefinition, business string) string {
	var arguments []string
	for _, a := range field.Arguments {
		if a.Name == "businessId" {
			arguments = append(arguments, fmt.Sprintf("businessId: %q", business))
		} else if a.Type.NonNull && a.DefaultValue == nil {
			arguments = append(arguments, a.Name+": "+leastValue(schema, a.Type))
		}
	}
	call := field.Name
	if len(arguments) > 0 {
		call += "(" + strings.Join(arguments, ", ") + ")"
	}
	if schema.Types[field.Type.Name()].IsCompositeType() {
		call += " { __typename }"
	}
	return strings.ToLower(root.Name) + " { " + call + " }"
}

// leastValue writes a value of a type.
func leastValue(schema *ast.Schema, of *ast.Type) string {
	if of.Elem != nil {
		return "[" + leastValue(schema, of.Elem) + "]"
	}
	definition := schema.Types[of.NamedType]
	switch {
	case definition.Kind == ast.Enum:
		return definition.EnumValues[0].Name
	case definition.Kind == ast.InputObject:
		var members []string
		for _, m := range definition.Fields {
			if m.Name == "cellNumber" {
				members = append(members, `cellNumber: "+989121112233"`)
			} else if m.Type.NonNull && m.DefaultValue == nil {
				members = append(members, m.Name+": "+leastValue(schema, m.Type))
			}
		}
		return "{" + strings.Join(members, ", ") + "}"
	}
	switch of.NamedType {
	case "Int", "Decimal", "Float":
		return "1"
	case "Boolean":
		return "true"
	case "ID":
		return `"` + nobodys + `"`
	case "Time":
		return `"2026-11-15T12:00:00Z"`
	}
	return `"https://none.example/09120000000"`
}

// TestPermissionsAreDocumented compares the table of roles with the schema and the contract.
func TestPermissionsAreDocumented(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: storefront.Schema})
	shown := schema.Types["Permission"].EnumValues
	if len(shown) != len(staff.Grants) {
		t.Errorf("the schema has %d permissions, the table %d", len(shown), len(staff.Grants))
	}
	for _, grant := range staff.Grants {
		var roles []string
		for _, role := range grant.Roles {
			roles = append(roles, string(role))
		}
		words := strings.Join(roles, ", ")
		if words == "" {
			words = "operator alone"
		}
		value := shown.ForName(string(grant.Permission))
		if value == nil || !strings.HasPrefix(value.Description, words+": ") {
			t.Errorf("the schema does not say of %s: %s", grant.Permission, words)
		}
	}
}
