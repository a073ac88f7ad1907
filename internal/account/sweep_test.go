package account

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"storefront/ent"
	"storefront/internal/fault"
	"storefront/internal/password"
	"storefront/internal/sms"
	"storefront/internal/store/storetest"
	"storefront/internal/sweep"
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
				SetCellNumber(cell).
				SetMAC([]byte("mac")).
				SetExpiresAt(p.now.Add(time.Duration(n-2) * 20 * time.Hour)).
				ExecX(ctx)
		}
		if err := sweep.Run(ctx, service.Store.Raw(), service.Old(), nil); err != nil {
			t.Fatal(err)
		}
		left := counts(ctx, p.store)
		// The old session may still be within its 90 days, its token is not.
		if want := [6]int{2, 2, 1, 0, 1, 1}; left != want {
			t.Errorf("users, sessions, tokens, memberships, codes and addresses: %v, want %v", left, want)
		}
		if _, _, err := service.Refresh(ctx, kept.Tokens.Refresh, p.now); err != nil {
			t.Error(err)
		}
		if _, _, err := service.Refresh(ctx, old.Tokens.Refresh, p.now); err == nil {
			t.Error("an old token is good again")
		}
		p.now = p.now.Add(30 * 24 * time.Hour)
		if err := sweep.Run(ctx, service.Store.Raw(), service.Old(), nil); err != nil {
			t.Fatal(err)
		}
		if left, want := counts(ctx, p.store), [6]int{2, 1, 0, 0, 0, 0}; left != want {
			t.Errorf("later: %v, want %v", left, want)
		}
	})
}

// TestSweepKeepsOneTokenOfASession refreshes a session for a day. Of 97 tokens one is left, yet each of the
// others ends the session if used again.
func TestSweepKeepsOneTokenOfASession(t *testing.T) {
	storetest.Migrated.Each(t, func(t *testing.T, url string) {
		p := openPlace(t, url)
		used := []string{p.registered(t, "+989120000001").Tokens.Refresh}
		for range 96 {
			p.now = p.now.Add(15 * time.Minute)
			_, next, err := p.service.Refresh(t.Context(), used[len(used)-1], p.now)
			if err != nil {
				t.Fatal(err)
			}
			used = append(used, next.Refresh)
		}
		p.now = p.now.Add(time.Minute)
		if err := sweep.Run(t.Context(), p.store.Raw(), p.service.Old(), nil); err != nil {
			t.Fatal(err)
		}
		if n := p.store.RefreshToken.Query().CountX(t.Context()); n != 1 {
			t.Errorf("%d tokens are left, want 1", n)
		}
		if _, _, err := p.service.Refresh(t.Context(), used[1], p.now); !fault.Is(err, fault.InvalidCredentials) {
			t.Errorf("a used token: %v", err)
		}
		if _, _, err := p.service.Refresh(t.Context(), used[96], p.now); !fault.Is(err, fault.InvalidCredentials) {
			t.Errorf("the newest token after a replay: %v", err)
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
