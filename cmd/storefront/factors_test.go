package main

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"storefront/ent"
	"storefront/ent/user"
	"storefront/internal/customer/secondfactor"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/transaction"
)

// switchOn gives an account a second factor that is sealed under a key, and a session.
func switchOn(t testing.TB, database, cell, key string) {
	t.Helper()
	s := storetest.Open(t, database)
	factors, err := secondfactor.New(s.Client, time.Now, []byte(key), nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	who := s.Client.User.Query().Where(user.CellNumber(cell)).OnlyX(t.Context())
	err = transaction.Run(t.Context(), s.Client, func(tx *ent.Tx) error {
		if _, err := factors.Begin(t.Context(), tx, who); err != nil {
			return err
		}
		if _, err := tx.ExecContext(t.Context(), "UPDATE authenticators SET confirmed_at = created_at"); err != nil {
			return err
		}
		return tx.Session.Create().SetUserID(who.ID).SetExpiresAt(time.Now().Add(time.Hour)).Exec(t.Context())
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestLostSecondFactor(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		key, cell := strings.Repeat("k", 32), "+989121234568"
		s := on(database)
		s.succeed(t, "tenant", "add", "shop.example", "Shop", "فروشگاه")
		known(t, database, cell, true)
		known(t, database, "+989121234569", true)
		s.succeed(t, "staff", "add", "shop.example", cell, "owner")
		s.succeed(t, "staff", "add", cell, "operator")
		switchOn(t, database, cell, key)

		s.refuse(t, []string{"staff", "drop-factor", "+989121234567"}, "no account")
		s.refuse(t, []string{"staff", "drop-factor", "+989121234569"}, "no second factor")
		s.refuse(t, []string{"staff", "drop-factor", "shop.example", cell}, "staff drop-factor CELL")
		s.refuse(t, []string{"staff", "reseal"}, "TOKEN_SIGNING_KEY_OTHER")
		exchanged := on(database, "TOKEN_SIGNING_KEY", strings.Repeat("n", 32), "TOKEN_SIGNING_KEY_OTHER", key)
		for _, want := range []string{"1 second", "0 second"} {
			if out := exchanged.succeed(t, "staff", "reseal"); !strings.HasPrefix(out, want) {
				t.Errorf("sealed anew: %s, want %s", out, want)
			}
		}
		if out := s.succeed(t, "staff", "drop-factor", "0912 123 4568"); !strings.Contains(out, "no second factor") {
			t.Errorf("got %s", out)
		}
		s.refuse(t, []string{"staff", "drop-factor", cell}, "no second factor")
		for _, of := range []string{"shop.example", ""} {
			out := s.succeed(t, "graphql", "-domain", of, auditLog)
			if !strings.Contains(out, "removeSecondFactor") {
				t.Errorf("the log of %q: %s", of, out)
			}
		}
		st := storetest.Open(t, database)
		if one := st.Client.Session.Query().OnlyX(t.Context()); one.EndedAt == nil {
			t.Errorf("the session goes on: %v", one)
		}
	})
}
