package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/ent/tenant"
	"storefront/ent/user"
	"storefront/internal/personal"
	"storefront/internal/store/storetest"
)

// TestCustomerCommand exports a customer of two shops and erases it, in one shop and then in all.
func TestCustomerCommand(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		s := on(database)
		const cell = "+989121234567"
		s.succeed(t, "tenant", "add", "one.example", "One", "یک")
		s.succeed(t, "tenant", "add", "two.example", "Two", "دو")
		known(t, database, cell, true)
		join(t, database, cell, "one.example", "two.example")

		file := filepath.Join(t.TempDir(), "export.json")
		s.succeed(t, "customer", "export", "-o", file, "0912 123 4567")
		text, err := os.ReadFile(file)
		var found personal.Export
		if err != nil || json.Unmarshal(text, &found) != nil || found.Customer.CellNumber != cell ||
			len(found.Shops) != 2 {
			t.Errorf("%v: %s", err, text)
		}
		if out := s.succeed(t, "customer", "export", "one.example", cell); strings.Contains(out, "two.example") {
			t.Errorf("a shop's export names another: %s", out)
		}
		s.refuse(t, []string{"customer", "export", "one.example", "+989121234568"}, "no account")
		s.refuse(t, []string{"customer", "erase", "none.example", cell}, "no tenant")
		s.refuse(t, []string{"customer", "erase", "-o", file, cell}, "-o belongs")
		s.refuse(t, []string{"customer", "erase", "12"}, "no cell number")
		for _, words := range [][]string{{}, {"erase"}, {"export", "a", "b", "c"}, {"list", cell}} {
			s.refuse(t, append([]string{"customer"}, words...), "customer export DOMAIN CELL",
				"customer erase DOMAIN CELL")
		}
		s.succeed(t, "staff", "add", cell, "operator")
		s.refuse(t, []string{"customer", "erase", cell}, "works for a shop")
		s.succeed(t, "staff", "remove", cell)
		s.succeed(t, "customer", "erase", "one.example", cell)
		s.refuse(t, []string{"customer", "erase", "one.example", cell}, "no such customer")
		s.succeed(t, "customer", "erase", cell)
		for shop, want := range map[string]string{
			"one.example": "eraseCustomer customerExport customerExport addTenant",
			"two.example": "closeAccount customerExport addTenant",
		} {
			var got []string
			for _, row := range table(t, auditHeader, s.succeed(t, "audit", shop)) {
				got = append(got, row[3])
			}
			if strings.Join(got, " ") != want {
				t.Errorf("the audit log of %s: got %q", shop, got)
			}
		}
		known(t, database, cell, true)
		s.succeed(t, "customer", "erase", cell) // an account without a shop
		if rows := table(t, auditHeader, s.succeed(t, "audit", "-action", "closeAccount")); len(rows) != 1 {
			t.Errorf("the audit log of the service: %q", rows)
		}
		s.refuse(t, []string{"customer", "erase", cell}, "no account")
	})
}

// join makes an account a member of shops.
func join(t testing.TB, database, cell string, domains ...string) {
	t.Helper()
	s := storetest.Open(t, database)
	var shops []uuid.UUID
	for _, domain := range domains {
		shops = append(shops, s.Client.Tenant.Query().Where(tenant.Domain(domain)).OnlyIDX(t.Context()))
	}
	who := s.Client.User.Query().Where(user.CellNumber(cell)).OnlyIDX(t.Context())
	for _, shop := range shops {
		s.Client.Membership.Create().SetUserID(who).SetBusinessID(shop).ExecX(t.Context())
	}
}
