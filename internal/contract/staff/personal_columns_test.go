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

// The tables and columns that may hold personal data, based on ent/schema. The test fails for a new table
// or column until its rows are exported and erased, or it is listed here with the reason why not.

// foundBy holds conditions that find a customer's rows in tables without a foreign key to the customer.
var foundBy = map[string]string{
	"comments":            "LOWER(author_email) = $email",
	"expert_reviews":      "LOWER(author_email) = $email",
	"contact_submissions": "name = $name",
	"one_time_codes":      "cell_number = $cell",
	"staff_invitations":   "cell_number = $cell",
	"audit_entries":       "customer_id = $id",
}

// impersonal holds the tables without personal data of customers, with the reason.
var impersonal = map[string]string{
	"tenants": "a shop", "business_profiles": "a shop", "locations": "of all shops", "installations": "of all shops",
	"products": "a shop's", "variants": "a shop's", "categories": "a shop's", "brands": "a shop's", "blogs": "a shop's",
	"portfolios": "a shop's", "sliders": "a shop's", "category_groups": "a shop's", "brand_groups": "a shop's",
	"file_removals":  "names of files",
	"store_specials": "a shop's", "domain_aliases": "a shop's", "moved_slugs": "a shop's",
	"order_days": "figures; the ids of customers in them go with the change of their orders (internal/report)",
	"listings":   "facets of published records by their ids",
	"partners":   "a server", "partner_keys": "a server's",
	"partner_messages":  "numbers are masked, texts are not kept",
	"access_tokens":     "a shop's; created_by is null once the account is erased",
	"webhook_endpoints": "a shop's", "webhook_deliveries": "ids and figures: outbox.Event.Data",
	"rate_events": "counters of a day (contract 3.10)", "rate_keys": "counters of a day (contract 3.10)",
}

// exportedAs holds the paths of tables in an export, and the names of columns that differ there.
var exportedAs = map[string]string{
	"users": "customer", "addresses": "addresses", "sessions": "sessions", "sign_in_addresses": "signInAddresses",
	"staff_members": "workplaces", "authenticators": "secondFactor",
	"staff_invitations": "invitations", "memberships": "shops", "orders": "shops.orders",
	"order_items": "shops.orders.items", "payments": "shops.orders.payments",
	"order_events": "shops.orders.history", "cart_items": "shops.cart",
	"favorites": "shops.favorites", "user_products": "shops.listings", "media_files": "shops.uploads",
	"comments": "shops.comments", "receipts": "shops.orders.receipts",
	"expert_reviews": "shops.reviews", "contact_submissions": "shops.messages",

	"sessions.created_at": "beganAt", "memberships.created_at": "memberSince", "memberships.business_id": "domain",
	"cart_items.variant_id": "sku", "favorites.product_id": "product", "expert_reviews.product_id": "product",
	"user_products.category_id": "category", "user_products.city_id": "city", "user_products.province_id": "province",
	"user_products.country_id": "country",
}

// withheld holds the tables and columns that an export omits. A column without a table applies to all
// tables.
var withheld = map[string]string{
	"id": "says nothing", "tenant_id": "the shop under which it stands", "updated_at": "changes with everything",
	"user_id": "the customer", "search_text": "made of other columns",
	"users.password_hash": "a secret", "users.contested_by": "a secret, and of somebody else",
	"authenticators.secret": "a secret", "authenticators.last_step": "of a secret", "recovery_codes": "secrets",
	"sessions.mark": "a secret", "refresh_tokens": "secrets", "one_time_codes": "secrets of some minutes",
	"idempotency_keys": "copies of answers, for a day",
	"carts":            "nothing but its lines", "audit_entries": "what staff did, and wrote for each other",
	"contact_submissions.note":       "what staff wrote for each other",
	"contact_submissions.noted_at":   "what staff wrote for each other",
	"contact_submissions.replied_by": "a member of staff",
	"cart_items.cart_id":             "the cart", "order_items.order_id": "the order", "payments.order_id": "the order",
	"order_events.order_id": "the order", "payments.created_at": "that of the order",
	"order_items.created_at":            "that of the order",
	"order_items.store_item_variant_id": "as sku", "order_items.product_id": "as productSlug",
	"order_events.created_at": "as at", "memberships.pending_until": "no member yet",
	"media_files.hash": "of the file", "media_files.used_at": "of the sweep", "media_files.checked_at": "of the sweep",
	"receipts.order_id": "the order", "receipts.hash": "of the file",
	"sign_in_addresses.created_at": "only the last time is kept",
}

// kept are the columns that stay when a customer is erased (contract 3.10), with members of JSON by their
// path.
var kept = map[string]string{
	"orders.order_number": "the books", "orders.price_currency": "the books",
	"orders.shipping_address.province": "figures", "orders.shipping_address.city": "figures",
	"order_items":       "the books: things as they were sold",
	"payments.pos_type": "the books", "payments.transfer_account": "the shop's own",
	"payments.transfer_ref_number": "the books",
	"payments.gateway_type":        "the books", "payments.reference": "the books",
	"comments.text": "stays without a name", "expert_reviews.text": "stays without a name",
	"expert_reviews.positive_points.0": "stays without a name",
	"expert_reviews.negative_points.0": "stays without a name",
}

// unmarked holds the text columns that the test does not change.
var unmarked = map[string]string{
	"users.cell_number": "sought by its value", "one_time_codes.cell_number": "sought by its value",
	"staff_invitations.cell_number": "sought by its value",
	"comments.author_email":         "sought by its value", "expert_reviews.author_email": "sought by its value",
	"contact_submissions.cell_number": "sought by its value", "contact_submissions.name": "sought by its value",
	"users.email": "sought by its value", "user_products.price_currency": "a code", "orders.price_currency": "a code",
	"audit_entries.action": "of the service", "audit_entries.kind": "of the service",
	"idempotency_keys.id": "a digest", "media_files.address": "ids and a size", "media_files.kind": "a word",
}

// shapes holds the Go types of JSON columns.
var shapes = map[string]any{
	"orders.shipping_address": record.ShippingAddress{}, "order_items.options": []record.VariantOption{},
	"user_products.images": []record.Media{}, "user_products.values": map[string]string{},
	"expert_reviews.positive_points": []string{}, "expert_reviews.negative_points": []string{},
	"audit_entries.before": map[string]string{}, "audit_entries.after": map[string]string{},
}

// digests holds the columns of bytes. None of them stores text that a person wrote.
var digests = []string{"authenticators.secret", "recovery_codes.hash", "one_time_codes.ticket_mac", "carts.token_hash",
	"carts.last_checkout", "sessions.mark",
	"refresh_tokens.hash", "one_time_codes.mac",
	"idempotency_keys.fingerprint", "media_files.hash", "receipts.hash"}

// personalTables returns, by table, the condition for rows of a customer.
func personalTables(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{"users": "id = $id"}
	for table, condition := range foundBy {
		found[table] = condition
	}
	for grown := true; grown; {
		grown = false
		for _, table := range ent.Tables {
			for _, r := range table.References {
				condition, reaches := found[r.To]
				if _, known := found[table.Name]; reaches && !known && impersonal[table.Name] == "" {
					found[table.Name] = fmt.Sprintf("%s IN (SELECT id FROM %s WHERE %s)", r.Column, r.To, condition)
					grown = true
				}
			}
		}
	}
	for _, table := range ent.Tables {
		if found[table.Name] == "" && impersonal[table.Name] == "" {
			t.Errorf("%s: say how a customer's rows are found, or that it has none", table.Name)
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

// isNamed returns the reason given for a path, its table or its column, or "".
func isNamed(reasons map[string]string, path string) string {
	table, column, _ := strings.Cut(path, ".")
	for _, name := range []string{path, table, column} {
		if reason := reasons[name]; reason != "" {
			return reason
		}
	}
	return ""
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
func columnsAreExported(t *testing.T, personal map[string]string, members map[string]bool) {
	t.Helper()
	for _, table := range ent.Tables {
		if personal[table.Name] == "" || withheld[table.Name] != "" {
			continue
		}
		for _, column := range table.Columns {
			name := table.Name + "." + column.Name
			if isNamed(withheld, name) != "" {
				continue
			}
			member, renamed := exportedAs[name]
			if !renamed {
				words := strings.Split(column.Name, "_")
				for i, word := range words[1:] {
					words[i+1] = strings.ToUpper(word[:1]) + word[1:]
				}
				member = strings.Join(words, "")
			}
			if !members[exportedAs[table.Name]+"."+member] {
				t.Errorf("%s is in no export as %s.%s", name, exportedAs[table.Name], member)
			}
		}
	}
}
