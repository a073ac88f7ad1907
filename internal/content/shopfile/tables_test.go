package shopfile

import (
	"slices"
	"strings"
	"testing"

	"storefront/ent"
)

// staying are the tables whose rows are not moved, each with the reason.
var staying = map[string]string{
	"addresses":         "are of the account",
	"authenticators":    "are of the account",
	"file_removals":     "are of files that stay here",
	"idempotency_keys":  "are of the account",
	"installations":     "is of the installation",
	"locations":         "are of the installation, with the same ids everywhere",
	"order_days":        "are made anew of the orders",
	"one_time_codes":    "are worth something for minutes, and of a cell number",
	"partners":          "are of the installation",
	"partner_keys":      "are of the installation",
	"partner_messages":  "are of the installation",
	"recovery_codes":    "are of the account",
	"rate_events":       "begin anew",
	"rate_keys":         "begin anew",
	"sessions":          "are of the account",
	"shop_events":       "are delivered: what waits for webhooks travels as deliveries",
	"sign_in_addresses": "are of the account",
}

// TestEveryTableTravelsOrStays checks that every table is moved or named here, and that the file has a form for every
// column.
func TestEveryTableTravelsOrStays(t *testing.T) {
	all, err := tables()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, one := range all {
		names = append(names, one.name)
		for _, c := range one.columns {
			if forms[c.kind] == nil {
				t.Errorf("%s.%s: the file has no form for %v", one.name, c.name, c.kind)
			}
		}
	}
	for _, of := range ent.Tables {
		if slices.Contains(names, of.Name) == (staying[of.Name] != "") {
			t.Errorf("%s: travels %t, stays %q", of.Name, slices.Contains(names, of.Name), staying[of.Name])
		}
	}
	for _, name := range []string{"orders", "carts", "favorites", "memberships", "staff_members", "user_products",
		"audit_entries"} {
		if !strings.Contains(personsOf(all), "FROM "+name) {
			t.Errorf("the persons of %s do not travel", name)
		}
	}
}

// TestWhatOfAnAccountTravels checks that a file has nothing of an account but these columns.
func TestWhatOfAnAccountTravels(t *testing.T) {
	all, err := tables()
	if err != nil {
		t.Fatal(err)
	}
	users := all[slices.IndexFunc(all, func(t *table) bool { return t.name == "users" })]
	var got []string
	for _, c := range users.columns {
		got = append(got, c.name)
	}
	if strings.Join(got, " ") != "id created_at cell_number first_name last_name closed_at" {
		t.Errorf("got %q", got)
	}
}
