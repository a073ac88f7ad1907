package staff_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/schema/field"

	"storefront/ent"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// What a person's data is stands in ent/schema, as the annotation Personal. The test fails for a new table or column
// until its rows are exported and erased, or the schema says why not.

// reachedBy returns the condition that finds the customer's rows in a table, or "" if nothing leads from it to a
// customer.
func reachedBy(table ent.Table) string {
	p := table.Personal
	switch {
	case p == nil:
		return ""
	case table.Name == "contact_submissions":
		return "name = $name"
	case p.Of == "cell_number":
		return "cell_number = $cell"
	case p.Of == "id", p.Of == "customer_id":
		return p.Of + " = $id"
	}
	for _, r := range table.References {
		if r.Column != p.Of {
			continue
		}
		for _, parent := range ent.Tables {
			if parent.Name == r.To {
				return fmt.Sprintf("%s IN (SELECT id FROM %s WHERE %s)", r.Column, r.To, reachedBy(parent))
			}
		}
	}
	return ""
}

// impersonal holds the tables without personal data of customers, with the reason.
var impersonal = map[string]string{
	"tenants": "a shop", "business_profiles": "a shop", "locations": "of all shops", "installations": "of all shops",
	"products": "a shop's", "variants": "a shop's", "categories": "a shop's", "brands": "a shop's", "blogs": "a shop's",
	"portfolios": "a shop's", "sliders": "a shop's", "category_groups": "a shop's", "brand_groups": "a shop's",
	"file_removals":  "names of files",
	"store_specials": "a shop's", "delivery_methods": "a shop's", "tax_rates": "a shop's",
	"domain_aliases": "a shop's", "moved_slugs": "a shop's",
	"order_days": "figures; those with the id of a customer are deleted with it (outbox.PutErased)",
	"listings":   "facets of published records by their ids",
	"partners":   "a server", "partner_keys": "a server's",
	"partner_messages":  "numbers are masked, texts are not kept",
	"access_tokens":     "a shop's; created_by is null once the account is erased",
	"webhook_endpoints": "a shop's", "webhook_deliveries": "ids and figures: outbox.Event.Data",
	"gateway_accounts": "a shop's", "gateway_events": "ids",
	"shop_events": "ids and figures: outbox.Event.Data",
	"rate_events": "counters of a day (contract 3.10)", "rate_keys": "counters of a day (contract 3.10)",
}

// sayNothing are columns that no export has.
var sayNothing = []string{"id", "tenant_id", "updated_at", "user_id", "order_id", "cart_id", "search_text"}

// withheld reports whether an export omits a path: a column, or a member of its JSON.
func withheld(path string) bool {
	table, column := columnOf(path)
	p := table.Personal
	return p.As == "" || slices.Contains(p.Withheld, column) ||
		p.Named[column] == "" && slices.Contains(sayNothing, column)
}

// stays reports whether a path stays when the customer is erased.
func stays(path string) bool {
	table, column := columnOf(path)
	for _, member := range table.Personal.Reduced[column] {
		if path == table.Name+"."+column+"."+member {
			return true
		}
	}
	return slices.Contains(table.Personal.Kept, column)
}

func columnOf(path string) (ent.Table, string) {
	name, rest, _ := strings.Cut(path, ".")
	column, _, _ := strings.Cut(rest, ".")
	return ent.Tables[slices.IndexFunc(ent.Tables, func(t ent.Table) bool { return t.Name == name })], column
}

// exportedAs returns the path of a table's objects in an export.
func exportedAs(table ent.Table) string {
	p := table.Personal
	if table.Name == "users" {
		return p.As
	}
	for _, r := range table.References {
		parent, _ := columnOf(r.To + ".id")
		if r.Column == p.Of && r.To != "users" && parent.Personal.As != "" {
			return exportedAs(parent) + "." + p.As
		}
	}
	for _, r := range table.References {
		if r.To == "tenants" && !p.OfAccount {
			return "shops." + p.As
		}
	}
	return p.As
}

// unmarked holds the text columns that the test does not change.
var unmarked = map[string]string{
	"users.cell_number": "sought by its value", "one_time_codes.cell_number": "sought by its value",
	"staff_invitations.cell_number":   "sought by its value",
	"contact_submissions.cell_number": "sought by its value", "contact_submissions.name": "sought by its value",
	"users.email": "sought by its value", "user_products.price_currency": "a code", "orders.price_currency": "a code",
	"audit_entries.action": "of the service", "audit_entries.kind": "of the service",
	"idempotency_keys.id": "a digest", "media_files.address": "ids and a size", "media_files.kind": "a word",
}

// shapes holds the Go types of JSON columns.
var shapes = map[string]any{
	"orders.shipping_address": record.ShippingAddress{}, "orders.delivery": &record.Delivery{},
	"order_items.options":  []record.VariantOption{},
	"cart_items.gone":      record.GoneVariant{},
	"user_products.images": []record.Media{}, "user_products.values": map[string]string{},
	"expert_reviews.positive_points": []string{}, "expert_reviews.negative_points": []string{},
	"audit_entries.before": map[string]string{}, "audit_entries.after": map[string]string{},
}

// digests holds the columns of bytes. None of them stores text that a person wrote.
var digests = []string{"authenticators.secret", "recovery_codes.hash", "one_time_codes.ticket_mac", "carts.token_hash",
	"carts.last_checkout", "sessions.mark",
	"one_time_codes.mac",
	"idempotency_keys.fingerprint", "media_files.hash", "media_files.sent_hash", "receipts.hash"}

// personalTables returns, by table, the condition for rows of a customer.
func personalTables(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, table := range ent.Tables {
		condition := reachedBy(table)
		if (condition == "") == (impersonal[table.Name] == "") {
			t.Errorf("%s: say in ent/schema how a customer's rows are found, or here that it has none", table.Name)
		}
		if condition != "" {
			found[table.Name] = condition
		}
	}
	return found
}

// fill sets all strings in a value to marks, and records the marks by their paths.
func fill(v reflect.Value, path string, marks map[string]string) {
	switch v.Kind() {
	case reflect.String:
		marks[path] = "zq." + path + ".qz"
		v.SetString(marks[path])
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), path, marks)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), path+".0", marks)
	case reflect.Map:
		one := reflect.New(v.Type().Elem()).Elem()
		fill(one, path+".member", marks)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("member"), one)
	case reflect.Struct:
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			fill(v.Field(i), path+"."+name, marks)
		}
	}
}

// markOf returns a value that marks a column, and its marks by path, or nil if the column holds no text.
func markOf(t *testing.T, table string, column ent.Column) (any, map[string]string) {
	name, marks := table+"."+column.Name, map[string]string{}
	switch {
	case unmarked[name] != "":
	case column.Type == field.TypeBytes:
		if !slices.Contains(digests, name) {
			t.Errorf("%s: bytes that may be something of a person; say that they are a digest, or mark them", name)
		}
	case column.Type == field.TypeJSON:
		shape, ok := shapes[name]
		if !ok {
			t.Errorf("%s: say what shape its JSON has", name)
			return nil, nil
		}
		value := reflect.New(reflect.TypeOf(shape)).Elem()
		fill(value, name, marks)
		return string(shoptest.Must(json.Marshal(value.Interface()))(t)), marks
	case column.Type == field.TypeString:
		marks[name] = "zq." + name + ".qz"
		return marks[name], marks
	}
	return nil, nil
}

// membersOf adds the paths of the members of a JSON value to into.
func membersOf(value any, path string, into map[string]bool) {
	switch value := value.(type) {
	case []any:
		for _, one := range value {
			membersOf(one, path, into)
		}
	case map[string]any:
		for name, one := range value {
			at := strings.TrimPrefix(path+"."+name, ".")
			into[at] = true
			membersOf(one, at, into)
		}
	}
}

// columnsAreExported checks that each personal column that is not withheld has a member in an export.
func columnsAreExported(t *testing.T, members map[string]bool) {
	t.Helper()
	for _, table := range ent.Tables {
		if table.Personal == nil {
			continue
		}
		for _, column := range table.Columns {
			name := table.Name + "." + column.Name
			if withheld(name) {
				continue
			}
			member := table.Personal.Named[column.Name]
			if member == "" {
				words := strings.Split(column.Name, "_")
				for i, word := range words[1:] {
					words[i+1] = strings.ToUpper(word[:1]) + word[1:]
				}
				member = strings.Join(words, "")
			}
			if at := exportedAs(table) + "." + member; !members[at] {
				t.Errorf("%s is in no export as %s", name, at)
			}
		}
	}
}
