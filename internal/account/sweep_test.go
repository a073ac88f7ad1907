package account

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"storefront/ent"
	"storefront/internal/password"
	"storefront/internal/sms"
	"storefront/internal/store"
	"storefront/internal/testdb"
)

// TestSweep checks that expired rows are deleted and that live ones still work.
func TestSweep(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		ctx := t.Context()
		s, err := store.Open(ctx, url)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		if err := s.Migrate(ctx); err != nil {
			t.Fatal(err)
		}
		now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
		none, _ := sms.New(sms.Settings{}) // none needs no settings
		service, err := New(Options{
			Store:  s.Client,
			Clock:  func() time.Time { return now },
			Times:  Defaults,
			Key:    make([]byte, 32),
			Sender: none,
			Log:    slog.New(slog.DiscardHandler),

			CodesInMinute:  1,
			CodesToAddress: 1,
			PasswordCost:   password.Cost{Memory: 8, Passes: 1},
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { service.Close(context.Background()) })
		shop := s.Client.Tenant.Create().
			SetDomain("shop.example").
			SetSlug("shop").
			SetName("Shop").
			SetNameFa("فروشگاه").
			SetDefaultLocale("fa").
			SaveX(ctx)

		registered := func(cell string) *Registered {
			t.Helper()
			made, err := service.Register(ctx, shop, Registration{
				Cell: cell, Password: "correct horse", FirstName: "Sara", LastName: "Karimi",
			})
			if err != nil {
				t.Fatal(err)
			}
			return made
		}
		old := registered("+989120000001")
		now = now.Add(60 * 24 * time.Hour)
		kept := registered("+989120000002")
		s.Client.Membership.Update().SetPendingUntil(now).ExecX(ctx)
		for n, cell := range []string{"+989120000001", "+989120000002"} {
			s.Client.OneTimeCode.Create().
				SetCellNumber(cell).
				SetMAC([]byte("mac")).
				SetExpiresAt(now.Add(time.Duration(n-2) * 20 * time.Hour)).
				ExecX(ctx)
		}
		if err := service.Sweep(ctx); err != nil {
			t.Fatal(err)
		}
		left := counts(ctx, s.Client)
		// The old session may still be within its 90 days, its token is not.
		if want := [6]int{2, 2, 1, 0, 1, 1}; left != want {
			t.Errorf("users, sessions, tokens, memberships, codes and addresses: %v, want %v", left, want)
		}
		if _, _, err := service.Refresh(ctx, kept.Tokens.Refresh); err != nil {
			t.Error(err)
		}
		if _, _, err := service.Refresh(ctx, old.Tokens.Refresh); err == nil {
			t.Error("an old token is good again")
		}
		now = now.Add(30 * 24 * time.Hour)
		if err := service.Sweep(ctx); err != nil {
			t.Fatal(err)
		}
		if left, want := counts(ctx, s.Client), [6]int{2, 1, 0, 0, 0, 0}; left != want {
			t.Errorf("later: %v, want %v", left, want)
		}
	})
}

func counts(ctx context.Context, c *ent.Client) [6]int {
	return [6]int{
		c.User.Query().CountX(ctx), c.Session.Query().CountX(ctx), c.RefreshToken.Query().CountX(ctx),
		c.Membership.Query().CountX(ctx), c.OneTimeCode.Query().CountX(ctx),
		c.SignInAddress.Query().CountX(ctx),
	}
}
