package shopfile

import (
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/schema/field"

	"storefront/ent"
)

// TestEveryTableTravelsOrStays checks that every table and type of column has a rule.
func TestEveryTableTravelsOrStays(t *testing.T) {
	all, err := tables()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, one := range all {
		names = append(names, one.name)
		for _, c := range one.columns {
			if _, _, err := cell(c.kind); err != nil {
				t.Errorf("%s.%s: %v", one.name, c.name, err)
			}
		}
	}
	for _, of := range ent.Tables {
		if slices.Contains(names, of.Name) == (staying[of.Name] != "") {
			t.Errorf("%s: travels %t, stays %q", of.Name, slices.Contains(names, of.Name), staying[of.Name])
		}
	}
	if len(names)+len(staying) != len(ent.Tables) {
		t.Errorf("%d tables travel and %d stay, of %d", len(names), len(staying), len(ent.Tables))
	}
	for _, name := range []string{"orders", "carts", "favorites", "memberships", "staff_members", "user_products"} {
		if !strings.Contains(personsOf(all), "FROM "+name) {
			t.Errorf("the persons of %s do not travel", name)
		}
	}
}

// TestATableWithoutARule adds a table that does not refer to shops.
func TestATableWithoutARule(t *testing.T) {
	gifts := ent.Table{Name: "gifts", Columns: []ent.Column{{Name: "id", Type: field.TypeUUID}}}
	_, err := traveling(append(slices.Clone(ent.Tables), gifts))
	if err == nil || !strings.Contains(err.Error(), "gifts") {
		t.Errorf("got the error %v, want one that names gifts", err)
	}
}
