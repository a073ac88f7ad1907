package account

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"storefront/ent"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/sweep"
	"storefront/internal/message/sms"
	"storefront/internal/platform/password"
)

// swept is a service whose clock is set by hand, with a shop.
type swept struct {
	service *Service
	store   *ent.Client
	shop    *ent.Tenant
	now     time.Time
}

func openPlace(t *testing.T, url string) *swept {
	t.Helper()
	s := storetest.Open(t, url)
	p := &swept{store: s.Client, now: time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)}
	none, _ := sms.New(sms.Settings{}) // none needs no settings
	var err error
	p.service, err = New(Options{
		Store:  s.Client,
		Clock:  func() time.Time { return p.now },
		Times:  Defaults,
		Key:    make([]byte, 32),
		Sender: none, Notices: none,
		Log: slog.New(slog.DiscardHandler),

		Checked: func(bool) {},
		Refused: func(string) {},

		Limits:       Limits{CodesInMinute: 1, CodesToAddress: 1},
		PasswordCost: password.Cost{Memory: 8, Passes: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.service.Close(context.Background()) })
	p.shop = s.Client.Tenant.Create().
		SetDomain("shop.example").
		SetSlug("shop").
		SetName("Shop").
		SetNameFa("فروشگاه").
		SetDefaultLocale("fa").
		SaveX(t.Context())
	return p
}

func (p *swept) registered(t *testing.T, cell string) *Registered {
	t.Helper()
	made, err := p.service.Register(t.Context(), p.shop, Registration{
		Cell: cell, Password: new("correct horse"), FirstName: "Sara", LastName: "Karimi",
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// TestSweep checks that expired rows are deleted and that live ones still work.
func TestSweep(t *testing.T) {
	storetest.Migrated.Each(t, func(t *testing.T, url string) {
		p := openPlace(t, url)
		ctx, service := t.Context(), p.service
		old := p.registered(t, "+989120000001")
		p.now = p.now.Add(60 * 24 * time.Hour)
		kept := p.registered(t, "+989120000002")
		p.store.Membership.Update().SetPendingUntil(p.now).ExecX(ctx)
		for n, cell := range []string{"+989120000001", "+989120000002"} {
			p.store.OneTimeCode.Create().
				SetCellNumber(cell).SetParty("stranger").
				SetMAC([]byte("mac")).
				SetExpiresAt(p.now.Add(time.Duration(n-2) * 20 * time.Hour)).
				ExecX(ctx)
		}
		if err := sweep.Run(ctx, service.Store.Raw(), service.Old(), nil); err != nil {
			t.Fatal(err)
		}
		left := counts(ctx, p.store)
		// The old session may still be within its 90 days, its token is not.
		if want := [5]int{2, 2, 0, 1, 1}; left != want {
			t.Errorf("users, sessions, memberships, codes and addresses: %v, want %v", left, want)
		}
		if _, _, err := service.Refresh(ctx, kept.Tokens.Refresh); err != nil {
			t.Error(err)
		}
		if _, _, err := service.Refresh(ctx, old.Tokens.Refresh); err == nil {
			t.Error("an old token is good again")
		}
		p.now = p.now.Add(30 * 24 * time.Hour)
		if err := sweep.Run(ctx, service.Store.Raw(), service.Old(), nil); err != nil {
			t.Fatal(err)
		}
		if left, want := counts(ctx, p.store), [5]int{2, 1, 0, 0, 0}; left != want {
			t.Errorf("later: %v, want %v", left, want)
		}
	})
}

func counts(ctx context.Context, c *ent.Client) [5]int {
	return [5]int{
		c.User.Query().CountX(ctx), c.Session.Query().CountX(ctx),
		c.Membership.Query().CountX(ctx), c.OneTimeCode.Query().CountX(ctx),
		c.SignInAddress.Query().CountX(ctx),
	}
}
