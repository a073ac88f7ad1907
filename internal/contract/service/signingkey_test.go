package service_test

import (
	"bytes"
	"strings"
	"testing"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
)

// TestSigningKeysAreCompared runs servers with different signing keys over one database. A server that does
// not accept the keys of the others must report it.
func TestSigningKeysAreCompared(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, first *shoptest.Accounts) {
		another, planned := bytes.Repeat([]byte("x"), 32), bytes.Repeat([]byte("p"), 32)
		alike := first.Instance(t)
		wrong := first.Instance(t, func(o *app.Options) { o.Key = another })
		for _, one := range []*shoptest.Accounts{first, alike, wrong} {
			one.Service.CompareKey(t.Context(), true)
		}
		keyDiffers(t, "the first server", first, false)
		keyDiffers(t, "a server of the same key", alike, false)
		keyDiffers(t, "a server of another key", wrong, true)
		log := wrong.Log.String()
		if !strings.Contains(log, "TOKEN_SIGNING_KEY") || strings.Contains(log, string(another)) {
			t.Errorf("the log of a server with another key: %s", log)
		}
		next := first.Instance(t, func(o *app.Options) { o.Key, o.OtherKey = planned, first.Key })
		next.Service.CompareKey(t.Context(), true)
		keyDiffers(t, "a server that takes the key of the others", next, false)
		first.Service.CompareKey(t.Context(), false)
		keyDiffers(t, "a server that does not take the new key", first, true)
	})
}

// keyDiffers checks whether a server reports that its key differs from the others'.
func keyDiffers(t *testing.T, which string, a *shoptest.Accounts, want bool) {
	t.Helper()
	families, err := a.Service.Registry().Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() == "signing_key_differs" {
			if got := family.Metric[0].Gauge.GetValue() == 1; got != want {
				t.Errorf("%s: its key differs: %v, want %v", which, got, want)
			}
			return
		}
	}
	t.Errorf("%s: no metric signing_key_differs", which)
}

// TestKeysAreExchanged runs servers of the three steps of replacing a signing key. Servers of neighbouring
// steps must accept what the others have signed.
func TestKeysAreExchanged(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, before *shoptest.Accounts) {
		fresh := bytes.Repeat([]byte("n"), 32)
		takes := before.Instance(t, func(o *app.Options) { o.OtherKey = fresh })
		signs := before.Instance(t, func(o *app.Options) { o.Key, o.OtherKey = fresh, before.Key })
		after := before.Instance(t, func(o *app.Options) { o.Key = fresh })
		customer := before.REST().Register(t, before.REST().Cell(1))
		before.REST().Lives(t, customer.Access, true)
		takes.REST().Lives(t, customer.Access, true)
		signs.REST().Lives(t, customer.Access, true)
		after.REST().Lives(t, customer.Access, false)

		anew := signs.REST().Login(t, signs.REST().Cell(1), shoptest.GoodPassword)
		for _, one := range []*shoptest.Accounts{takes, signs, after} {
			one.REST().Lives(t, anew.Access, true)
		}
		before.REST().Lives(t, anew.Access, false)

		code := signs.REST().Code(t, customer.Cell)
		takes.REST().Right(t, "loginOtp", shoptest.ByCode(customer.Cell, code))
	})
}
