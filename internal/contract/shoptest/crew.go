package shoptest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/graph"
	"storefront/internal/app"
	"storefront/internal/content/bundle"
	"storefront/internal/record"
	"storefront/internal/shop/staff"
)

// Members are the members of an input, or variables of a document.
type Members = map[string]any

// Keyed sends a document with a key to GraphQL.
func (w Worker) Keyed(t testing.TB, key, document string, variables map[string]any) Reply {
	t.Helper()
	return w.Read(t, w.Send(t, "POST", "/graphql", GraphQLBody(document, string(Must(json.Marshal(variables))(t))),
		w.API.Key(key).Headers...))
}

// CloseAccount is the mutation that ends the caller's account.
const CloseAccount = `mutation($in: CloseAccountInput!) { closeAccount(input: $in) { message } }`

// Crew is the service with staff of the tool shop and others.
type Crew struct {
	*Accounts
	Tools, Mugs string // the ids of the shops
	Made        int    // customers
}

// EachCrew runs f on both databases.
func EachCrew(t *testing.T, f func(t *testing.T, c *Crew), settings ...func(*app.Options)) {
	t.Helper()
	EachAccounts(t, func(t *testing.T, a *Accounts) {
		f(t, &Crew{Accounts: a, Tools: a.Named(t, "<tenant:tools>"), Mugs: a.Named(t, "<tenant:mugs>")})
		wantKinds(t, a)
	}, settings...)
}

// wantKinds checks that the entries of the audit log can be found by their kinds and actions.
func wantKinds(t *testing.T, a *Accounts) {
	t.Helper()
	entries, err := a.Store.Client.AuditEntry.Query().All(t.Context())
	if err != nil {
		t.Error(err)
	}
	for _, e := range entries {
		if !graph.IsMutation(e.Action) && !slices.Contains(staff.OtherActions, e.Action) {
			t.Errorf("an entry of the audit log has the action %q, which staff.OtherActions lacks", e.Action)
		}
		if !slices.Contains(staff.AuditKinds, e.Kind) {
			t.Errorf("an entry of the audit log is of the kind %q, which staff.AuditKinds lacks", e.Kind)
		}
	}
}

// Worker is a customer who may work for a shop, at GraphQL.
type Worker struct {
	API
	Customer
}

// Customer registers a customer whose account is vouched for.
func (c *Crew) Customer(t testing.TB) Worker {
	t.Helper()
	c.Made++
	d := c.GraphQL()
	who := d.Register(t, fmt.Sprintf("+98935000%04d", c.Made))
	id := uuid.MustParse(who.ID)
	if err := c.Store.Client.User.UpdateOneID(id).SetCellVerified(true).SetVouched(true).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	return Worker{d.With(who.Access), who}
}

// Staff registers a customer and gives them a role in a shop. The role of operator is for the whole service.
func (c *Crew) Staff(t testing.TB, business string, role record.StaffRole) Worker {
	t.Helper()
	w := c.Customer(t)
	c.Employ(t, w, business, role)
	return w
}

// Employ gives a customer a role in a shop.
func (c *Crew) Employ(t testing.TB, w Worker, business string, role record.StaffRole) {
	t.Helper()
	create := c.Store.Client.StaffMember.Create().SetUserID(uuid.MustParse(w.ID)).SetRole(role)
	if role != record.Operator {
		create.SetBusinessID(uuid.MustParse(business))
	}
	if err := create.Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Answered is an answer of GraphQL to one operation.
type Answered struct {
	Data   map[string]json.RawMessage
	Errors []struct {
		Message    string
		Path       []any
		Extensions struct {
			Code    string
			MovedTo string
			Details any
			Errors  []struct{ Field, Message string }
		}
	}
}

// Code returns the code of the first error, empty for none.
func (a Answered) Code() string {
	if len(a.Errors) == 0 {
		return ""
	}
	return a.Errors[0].Extensions.Code
}

// Ask sends a document; names like <tenant:tools> may stand in it and in its variables.
func (w Worker) Ask(t testing.TB, document string, variables map[string]any) (got Answered) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": w.Named(t, document), "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	sent := w.Send(t, "POST", "/graphql", w.Named(t, string(body)), w.Headers...)
	if err := json.Unmarshal(sent.Body, &got); err != nil {
		t.Fatalf("%d %s", sent.Status, sent.Body)
	}
	return got
}

// Do sends a document that must succeed, and reads its data.
func (w Worker) Do(t testing.TB, document string, variables map[string]any, data any) {
	t.Helper()
	got := w.Ask(t, document, variables)
	if len(got.Errors) > 0 {
		t.Fatalf("%s %v: got %+v", document, variables, got.Errors)
	}
	if data == nil {
		return
	}
	whole, _ := json.Marshal(got.Data) // it was read from JSON
	if err := json.Unmarshal(whole, data); err != nil {
		t.Fatalf("%v: %s", err, whole)
	}
}

// Refused sends a document that must fail with a code.
func (w Worker) Refused(t testing.TB, code, document string, variables map[string]any) Answered {
	t.Helper()
	got := w.Ask(t, document, variables)
	if got.Code() != code {
		t.Fatalf("%s %v: %q, want %s: %+v", document, variables, got.Code(), code, got.Errors)
	}
	return got
}

// AddStaff is the mutation that gives a cell a role.
const AddStaff = `mutation($shop: ID!, $in: StaffInput!) { addStaff(businessId: $shop, input: $in) {
		staffMember { id role firstName } invitation { id cellNumber role } } }`

// Exported returns the exported bundle of the tool shop.
func (c *Crew) Exported(t testing.TB) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := bundle.Export(t.Context(), c.Store, "tools.example", &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// ComesBack checks that importing an export of the tool shop changes nothing.
func (c *Crew) ComesBack(t testing.TB) {
	t.Helper()
	before := c.Exported(t)
	summary, err := bundle.Import(t.Context(), c.Store, bundle.Bytes(before), nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, before)
	}
	if after := c.Exported(t); summary.Changed() || !bytes.Equal(after, before) {
		t.Fatalf("importing the export: got %+v and\n%s\nwant\n%s", summary.Sections, after, before)
	}
}

// WrongIn returns the members that a refusal names.
func WrongIn(a Answered) string {
	var names []string
	for _, e := range a.Errors[0].Extensions.Errors {
		names = append(names, e.Field)
	}
	return strings.Join(names, " ")
}

// FormField returns a field of a form of categories, with an option if it is one to select from.
func FormField(key, kind string) map[string]any {
	field := map[string]any{"key": key, "label": key, "labelFa": key, "type": kind}
	if kind == "select" || kind == "multiselect" {
		field["options"] = []any{map[string]any{"value": "a", "label": "A", "labelFa": "A"}}
	}
	return field
}

// WithMachines makes a category with a form, and a product and a listing with values for it.
func (c *Crew) WithMachines(t testing.TB, owner Worker) {
	t.Helper()
	owner.Do(t, `mutation($shop: ID!, $fields: [FormFieldInput!], $values: [TechnicalValueInput!]) {
		createCategory(businessId: $shop, entityType: product, slug: "machines", input: {name: "M", nameFa: "م",
			form: {title: "F", titleFa: "ف", fields: $fields}}) { id }
		createProduct(businessId: $shop, slug: "lathe", input: {titleFa: "تراش", category: "machines",
			values: $values}) {
			id }
		createUserProduct(businessId: $shop, slug: "old-lathe", input: {titleFa: "تراش", category: "machines",
			condition: scrap, priceCurrency: "IRT", values: $values}) { id } }`,
		map[string]any{"shop": c.Tools,
			"fields": []any{FormField("year", "number"), FormField("maker", "text"), FormField("kind", "select")},
			"values": []any{map[string]any{"key": "year", "value": 2019},
				map[string]any{"key": "maker", "value": "TOS"},
				map[string]any{"key": "kind", "value": "a"}}}, nil)
}
