package main

import (
	"strings"
	"testing"

	"storefront/internal/database/store/storetest"
)

const staffHeader = "CELL ROLE SINCE PROVEN NAME"

func TestStaffCommand(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		s := on(database)
		s.succeed(t, "tenant", "add", "shop.example", "Shop", "فروشگاه")
		known(t, database, "+989121234567", false)
		known(t, database, "+989121234568", true)

		s.refuse(t, []string{"staff", "add", "shop.example", "0912 123 4567", "owner"}, "proved", "-unproven")
		s.succeed(t, "staff", "add", "-unproven", "shop.example", "0912 123 4567", "owner")
		s.succeed(t, "staff", "add", "shop.example", "+989121234568", "editor")
		s.succeed(t, "staff", "add", "+989121234568", "operator")
		rows := table(t, staffHeader, s.succeed(t, "staff", "list", "Shop.example"))
		if len(rows) != 2 || rows[0][0] != "+989121234567" || rows[0][1] != "owner" || rows[0][3] != "false" ||
			rows[1][1] != "editor" || strings.Join(rows[1][4:], " ") != "Sara Karimi" {
			t.Errorf("listed %q", rows)
		}
		if rows := table(t, staffHeader, s.succeed(t, "staff", "list")); len(rows) != 1 || rows[0][1] != "operator" {
			t.Errorf("operators %q", rows)
		}
		s.refuse(t, []string{"staff", "remove", "shop.example", "+989121234567"}, "at least one owner")
		s.succeed(t, "staff", "add", "shop.example", "+989121234568", "owner")
		s.succeed(t, "staff", "remove", "shop.example", "+989121234567")
		s.succeed(t, "staff", "remove", "+989121234568")
		if rows := table(t, staffHeader, s.succeed(t, "staff", "list", "shop.example")); len(rows) != 1 ||
			rows[0][1] != "owner" {
			t.Errorf("left %q", rows)
		}
		s.refuse(t, []string{"staff", "remove", "shop.example", "+989121234567"}, "not among them")
		s.refuse(t, []string{"staff", "add", "shop.example", "+989121234569", "editor"}, "no account")
		s.refuse(t, []string{"staff", "add", "nowhere.example", "+989121234568", "editor"}, "no tenant")
		s.refuse(t, []string{"staff", "add", "shop.example", "12", "editor"}, "no cell number")
		s.refuse(t, []string{"staff", "add", "shop.example", "+989121234568", "operator"}, "no role here")
		s.refuse(t, []string{"staff", "add", "+989121234568", "owner"}, "no role here")
		for _, words := range [][]string{{}, {"add"}, {"remove"}, {"list", "a", "b"}, {"hire", "x"}} {
			s.refuse(t, append([]string{"staff"}, words...), "staff add DOMAIN CELL ROLE", "staff remove DOMAIN CELL")
		}
	})
}

// known makes an account.
func known(t testing.TB, database, cell string, proven bool) {
	t.Helper()
	s := storetest.Open(t, database)
	err := s.Client.User.Create().SetCellNumber(cell).SetCellVerified(proven).SetVouched(proven).
		SetFirstName("Sara").SetLastName("Karimi").Exec(t.Context())
	if err != nil {
		t.Fatal(err)
	}
}
