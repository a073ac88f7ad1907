package staff_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront"
	"storefront/ent/comment"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
	"storefront/internal/shop/staff"
)

// TestEveryStaffOperationAsksForItsPermission calls each operation with @staff in the schema as every kind
// of person, and with tokens: one with only its permission, one with all others, and some with all
// permissions that are of another shop, expired or revoked. Callers without the permission get the
// documented error and change no table; others get another answer. The arguments are made from the schema,
// and name existing records so that an operation has an effect. Fields with @staff below these operations
// are selected, too.
func TestEveryStaffOperationAsksForItsPermission(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: storefront.Schema})
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		nobody, customer := shoptest.Worker{API: c.GraphQL()}, c.Customer(t)
		foreigner := c.Staff(t, c.Mugs, record.Owner)
		crew := map[record.StaffRole]shoptest.Worker{}
		for _, role := range record.StaffRole("").Values() {
			crew[record.StaffRole(role)] = c.Staff(t, c.Tools, record.StaffRole(role))
		}
		programs, there := programsOf(t, c), things(t, c)
		checked := 0
		for _, root := range []*ast.Definition{schema.Query, schema.Mutation} {
			for _, field := range root.Fields {
				directive := field.Directives.ForName("staff")
				if directive == nil {
					continue
				}
				checked++
				may := permissionOf(directive)
				asking := append(programs.asking(may), asker{"nobody", nobody, "UNAUTHENTICATED"},
					asker{"customer", customer, "FORBIDDEN"}, asker{"owner of another shop", foreigner, "FORBIDDEN"})
				for role, worker := range crew {
					asking = append(asking, asker{string(role), worker, refusedUnless(staff.May(role, may))})
				}
				there[ofDomain] = ""
				if checked%2 == 0 {
					there[ofDomain] = `"tools.example"`
				}
				document := staffDocument(schema, root, field, "", there)
				before := dump(t, c.Accounts, counters...)
				for _, allowed := range []bool{false, true} {
					for _, one := range asking {
						if allowed != (one.refused == "") {
							continue
						}
						got := one.Ask(t, document, nil)
						if is := got.Code(); allowed && (is == "FORBIDDEN" || is == "UNAUTHENTICATED") ||
							!allowed && is != one.refused {
							t.Errorf("%s as %s: %q %v, allowed: %v", field.Name, one.name, is, got.Errors, allowed)
						}
					}
					if !allowed {
						after := dump(t, c.Accounts, counters...)
						for table, rows := range before {
							if after[table] != rows {
								t.Errorf("%s changes %s for who may not", field.Name, table)
							}
						}
					}
				}
			}
		}
		if checked < 70 {
			t.Errorf("only %d operations were checked", checked)
		}
		entries, err := c.Store.Client.AuditEntry.Query().All(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		done, byProgram := map[string]bool{}, map[string]bool{}
		for _, e := range entries {
			done[e.Action] = true
			if e.TokenID != nil {
				byProgram[e.Action] = true
				if e.UserID != nil || e.Role != nil || !slices.Contains(programs.good, *e.TokenID) {
					t.Errorf("%s was done by %v and the token %v", e.Action, e.UserID, e.TokenID)
				}
				continue
			}
			if e.UserID == nil || e.Role == nil || slices.Contains([]uuid.UUID{uuid.MustParse(customer.ID),
				uuid.MustParse(foreigner.ID)}, *e.UserID) {
				t.Errorf("%s was done by %v", e.Action, e.UserID)
			}
		}
		if len(done) < 15 || len(byProgram) < 5 { // otherwise the documents prove little
			t.Errorf("only these changed something: %v, by programs %v", done, byProgram)
		}
	})
}

// TestEveryStaffFieldAsksForItsPermission selects each field with @staff below an operation that returns
// its type, as every role that may call the operation.
func TestEveryStaffFieldAsksForItsPermission(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: storefront.Schema})
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		there, checked, refused := things(t, c), 0, 0
		for _, of := range schema.Types {
			if of.Kind != ast.Object || of == schema.Query || of == schema.Mutation || of == schema.Subscription {
				continue
			}
			for _, field := range of.Fields {
				directive := field.Directives.ForName("staff")
				if directive == nil {
					continue
				}
				i := slices.IndexFunc(schema.Query.Fields, func(q *ast.FieldDefinition) bool {
					return q.Type.Name() == of.Name && q.Directives.ForName("staff") != nil
				})
				if i < 0 {
					t.Errorf("no operation of staff answers a %s, so its field %s is not tested", of.Name, field.Name)
					continue
				}
				operation := schema.Query.Fields[i]
				within := field.Name
				if schema.Types[field.Type.Name()].IsCompositeType() {
					within += " { __typename }"
				}
				document := staffDocument(schema, schema.Query, operation, within, there)
				has := permissionOf(operation.Directives.ForName("staff"))
				for _, permissions := range [][]staff.Permission{{has, permissionOf(directive)}, {has}} {
					want := refusedUnless(slices.Contains(permissions, permissionOf(directive)))
					_, program := token(t, c, c.Tools, permissions, nil)
					got := program.Ask(t, document, nil)
					if got.Code() != want || string(got.Data[operation.Name]) == "null" {
						t.Errorf("%s.%s by a token with %v: got %+v", of.Name, field.Name, permissions, got)
					}
				}
				for _, role := range record.StaffRole("").Values() {
					if !staff.May(record.StaffRole(role), has) {
						continue
					}
					checked++
					got := c.Staff(t, c.Tools, record.StaffRole(role)).Ask(t, document, nil)
					want := ""
					if !staff.May(record.StaffRole(role), permissionOf(directive)) {
						want, refused = "FORBIDDEN", refused+1
					}
					if got.Code() != want || string(got.Data[operation.Name]) == "null" {
						t.Errorf("%s.%s as %s: got %+v", of.Name, field.Name, role, got)
					}
				}
			}
		}
		if checked == 0 || refused == 0 {
			t.Errorf("%d were checked, %d refused", checked, refused)
		}
	})
}

func permissionOf(directive *ast.Directive) staff.Permission {
	return staff.Permission(directive.Arguments.ForName("may").Value.Raw)
}

// things are records of the tool shop, as documents name them by the arguments of operations.
func things(t *testing.T, c *shoptest.Crew) map[string]string {
	t.Helper()
	quoted := func(id any) string { return fmt.Sprintf("%q", fmt.Sprint(id)) }
	there := map[string]string{"businessId": quoted(c.Tools)}
	owner, who := c.Staff(t, c.Tools, record.Owner), leavesTraces(t, c, 7)
	there["customerId"] = quoted(who.ID)
	here := tenancy.In(t.Context(), uuid.MustParse(c.Tools))
	there["orderId"] = quoted(c.Store.Client.Order.Query().FirstIDX(here))
	there["commentIds"] = "[" + quoted(c.Store.Client.Comment.Query().Where(comment.StatusEQ(record.Pending)).
		FirstIDX(here)) + "]"
	there["commentId"] = strings.Trim(there["commentIds"], "[]")
	there["reviewId"] = quoted(c.Store.Client.ExpertReview.Query().FirstIDX(here))
	there["submissionId"] = quoted(c.Store.Client.ContactSubmission.Query().FirstIDX(here))
	there["submissionIds"] = "[" + there["submissionId"] + "]"
	there["webhookId"] = quoted(c.Listens(t, "tools").ID)
	there["locationId"] = quoted(c.Store.Client.Location.Query().FirstIDX(here))
	spare, _ := token(t, c, c.Tools, []staff.Permission{staff.SeeShop}, nil)
	there["tokenId"] = quoted(spare)
	editor := c.Staff(t, c.Tools, record.Editor)
	there["staffId"] = quoted(ownID(t, editor, c.Tools))
	for _, kind := range contentKinds {
		owner.Do(t, fmt.Sprintf(`mutation($shop: ID!) { create%s(businessId: $shop, %s, input: %s) { id } }`,
			kind.name, kind.key,
			kind.input), map[string]any{"shop": c.Tools}, nil)
		_, name, _ := strings.Cut(kind.key, `"`)
		there[kind.name] = `"` + name
	}
	there["StaffProduct"], there["StaffListing"], there["sku"] = there["Product"], there["UserProduct"], `"SAW-S"`
	c.Store.Client.AuditEntry.Delete().ExecX(t.Context())
	return there
}

// ofDomain is the key of the shop's domain in the values for staffDocument, which then writes it in place of the id.
const ofDomain = "domain of the shop"

// staffDocument returns a document that calls one operation with the values in there, and with minimal
// values for other required arguments. within is added to the selection of an object.
func staffDocument(
	schema *ast.Schema, root *ast.Definition, field *ast.FieldDefinition, within string, there map[string]string,
) string {
	var arguments []string
	for _, a := range field.Arguments {
		value, known := there[a.Name]
		if a.Directives.ForName("orDomain") != nil && there[ofDomain] != "" {
			arguments = append(arguments, "domain: "+there[ofDomain])
			continue
		}
		if a.Name == "slug" || a.Name == "key" {
			for _, kind := range []string{"Product", "UserProduct", "Category", "Brand", "Blog", "Portfolio",
				"Slider", "CategoryGroup",
				"BrandGroup", "StoreSpecial", "StaffProduct", "StaffListing"} {
				for _, does := range []string{"update", "delete", "staff"} {
					if strings.EqualFold(field.Name, does+kind) || strings.EqualFold(field.Name, kind) {
						value, known = there[kind], true
					}
				}
			}
		}
		switch {
		case known:
			arguments = append(arguments, a.Name+": "+value)
		case a.Type.NonNull && a.DefaultValue == nil:
			arguments = append(arguments, a.Name+": "+leastValue(schema, a.Type))
		}
	}
	call := field.Name
	if len(arguments) > 0 {
		call += "(" + strings.Join(arguments, ", ") + ")"
	}
	if schema.Types[field.Type.Name()].IsCompositeType() {
		call += " { __typename " + within + " }"
	}
	return strings.ToLower(root.Name) + " { " + call + " }"
}

// leastValue returns a minimal value of a type.
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
		return `"` + shoptest.NobodysID + `"`
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
		t.Errorf("got %d permissions in the schema, want the %d of the table", len(shown), len(staff.Grants))
	}
	for _, grant := range staff.Grants {
		var roles []string
		for _, role := range grant.Roles {
			roles = append(roles, string(role))
		}
		words := strings.Join(roles, ", ")
		if words == "" {
			words = "operator only"
		}
		value := shown.ForName(string(grant.Permission))
		if value == nil || !strings.HasPrefix(value.Description, words+": ") {
			t.Errorf("the schema does not say of %s: %s", grant.Permission, words)
		}
	}
}
