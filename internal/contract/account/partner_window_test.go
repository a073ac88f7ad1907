package account_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"storefront/ent/partnerkey"
	"storefront/internal/contract/shoptest"
	"storefront/internal/message/partner"
)

// number returns the nth number; the fake delivers to all of them.
func number(n int) string { return fmt.Sprintf("0912%03d%04d", n/1000, 1000+n%1000) }

// full returns the refusal of a call that may be repeated after some seconds.
func full(seconds int) outcome { return outcome{status: 429, code: "RATE_LIMITED", wait: seconds} }

// TestPartnerWindowOfAPartner fills a partner's window within 29 microseconds and lets its calls expire one
// by one.
func TestPartnerWindowOfAPartner(t *testing.T) {
	eachGateway(t, func(t *testing.T, g *gateway) {
		call := func(n int) outcome {
			t.Helper()
			return smsAPIs[n%2].send(g, t, g.key, message(apex, number(n), hello))
		}
		for n := range 30 {
			if got := call(n); !got.ok() {
				t.Fatalf("the %dth: got %+v", n, got)
			}
			g.clock.move(time.Microsecond)
		}
		for n := range 100 { // refused calls do not count
			if got := call(100 + n); got != full(60) {
				t.Fatalf("got %+v", got)
			}
		}
		g.clock.set(shoptest.Today.Add(time.Second)) // 59 s to go
		if got := call(200); got != full(59) {
			t.Errorf("got %+v", got)
		}
		g.clock.move(time.Microsecond) // a little less
		if got := call(200); got != full(59) {
			t.Errorf("got %+v", got)
		}
		g.clock.set(shoptest.Today.Add(time.Minute - time.Microsecond))
		if got := call(200); got != full(1) {
			t.Errorf("got %+v", got)
		}
		for n := range 30 { // each call that turns 60 s old frees one place
			g.clock.move(time.Microsecond)
			if got := call(300 + n); !got.ok() {
				t.Errorf("place %d: got %+v", n, got)
			}
			want := full(1)
			if n == 29 {
				want = full(60) // the window is one of new calls
			}
			if got := call(400 + n); got != want {
				t.Errorf("beyond place %d: %+v, want %+v", n, got, want)
			}
		}
	})
}

// TestPartnerWindowOfANumber checks that a number's window covers all partners and spellings, and counts
// messages that the provider refused.
func TestPartnerWindowOfANumber(t *testing.T) {
	eachGateway(t, func(t *testing.T, g *gateway) {
		other := g.keyOf(t, "other.example")
		const refused = "09127650003" // for want of credit
		calls := []func() outcome{
			func() outcome { return g.byREST(t, g.key, message(apex, refused, hello)) },
			func() outcome { return g.byGraphQL(t, other, message("other.example", "+98"+refused[1:], hello)) },
			func() outcome { return g.byLiterals(t, g.key, message(apex, refused[1:], hello)) },
			func() outcome { return g.byREST(t, other, message("www.other.example", "98"+refused[1:], hello)) },
			func() outcome { return g.byVariables(t, other, message("other.example", refused, hello)) },
		}
		for i, call := range calls {
			if got := call(); got != notSent {
				t.Fatalf("the %dth: got %+v", i, got)
			}
			g.clock.move(10 * time.Second)
		}
		for i, call := range calls {
			if got := call(); got != full(10) {
				t.Errorf("the %dth beyond: got %+v", i, got)
			}
		}
		if got := g.text(t, mobile); !got.ok() {
			t.Errorf("another number: got %+v", got)
		}
		if n := g.provider.Requests(); n != 6 {
			t.Errorf("%d calls of the provider", n)
		}
		g.clock.set(shoptest.Today.Add(time.Minute))
		if got := calls[3](); got != notSent {
			t.Errorf("after the minute: got %+v", got)
		}
		if got := calls[1](); got != full(10) {
			t.Errorf("after the minute: got %+v", got)
		}
	})
}

// TestPartnerWindowsByChance makes 400 random calls of two partners to few numbers, and compares the
// answers with those of a simple model.
func TestPartnerWindowsByChance(t *testing.T) {
	eachGateway(t, func(t *testing.T, g *gateway) {
		chance := rand.New(rand.NewPCG(7, 11))
		domains := []string{apex, "other.example"}
		keys := map[string]string{apex: g.key, "other.example": g.keyOf(t, "other.example")}
		booked := map[string][]time.Time{}
		for n := range 400 {
			g.clock.move([]time.Duration{0, time.Microsecond, 700 * time.Millisecond,
				3 * time.Second}[chance.IntN(4)])
			domain, to := domains[min(chance.IntN(4), 1)], number(chance.IntN(9))
			now, wait := g.clock.now(), time.Duration(0)
			for name, most := range map[string]int{domain: 30, to: 5} {
				inside := slices.DeleteFunc(slices.Clone(booked[name]), func(at time.Time) bool {
					return now.Sub(at) >= time.Minute
				})
				if len(inside) >= most {
					wait = max(wait, inside[len(inside)-most].Add(time.Minute).Sub(now))
				}
			}
			got := smsAPIs[n%2].send(g, t, keys[domain], message(domain, to, hello))
			if wait > 0 {
				if want := full(int((wait + time.Second - 1) / time.Second)); got != want {
					t.Fatalf("call %d: %+v, want %+v", n, got, want)
				}
				continue
			}
			if !got.ok() {
				t.Fatalf("call %d: %+v, there is room", n, got)
			}
			booked[domain], booked[to] = append(booked[domain], now), append(booked[to], now)
		}
		if sent := len(booked[apex]) + len(booked["other.example"]); g.provider.Requests() != sent || sent == 400 {
			t.Errorf("got %d calls of the provider, want %d", g.provider.Requests(), sent)
		}
	})
}

// TestPartnerKeys uses two keys that share a window, and a third that is revoked between two calls.
func TestPartnerKeys(t *testing.T) {
	eachGateway(t, func(t *testing.T, g *gateway) {
		second, other := g.keyOf(t, "www."+apex), g.keyOf(t, "other.example")
		for n := range 30 {
			key := []string{g.key, second}[n%2]
			if got := g.byREST(t, key, message(apex, number(n), hello)); !got.ok() {
				t.Fatalf("got %+v", got)
			}
		}
		for _, key := range []string{g.key, second} {
			if got := g.byREST(t, key, message(apex, number(40), hello)); got != full(60) {
				t.Errorf("got %+v", got)
			}
		}
		if got := g.byREST(t, other, message("other.example", number(41), hello)); !got.ok() {
			t.Errorf("another partner: got %+v", got)
		}
		if got := g.byREST(t, other, message(apex, number(41), hello)); got != noCredentials {
			t.Errorf("another partner's key: got %+v", got)
		}
		g.clock.move(time.Minute)
		keys, err := g.Store.Client.PartnerKey.Query().Order(partnerkey.ByID()).All(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := partner.Revoke(t.Context(), g.Store.Client, keys[0].ID.String()); err != nil {
			t.Fatal(err)
		}
		for _, api := range smsAPIs {
			if got := api.send(g, t, g.key, message(apex, mobile, hello)); got != noCredentials {
				t.Errorf("%s, the revoked key: got %+v", api.name, got)
			}
			if got := api.send(g, t, second, message(apex, mobile, hello)); !got.ok() {
				t.Errorf("%s, the other key: got %+v", api.name, got)
			}
		}
	})
}

// TestPartnerWindowsOutliveTheService restarts the service with a full window.
func TestPartnerWindowsOutliveTheService(t *testing.T) {
	eachGateway(t, func(t *testing.T, g *gateway) {
		for n := range 30 {
			if got := g.text(t, number(n)); !got.ok() {
				t.Fatalf("got %+v", got)
			}
		}
		g.end()
		g.clock.move(time.Second)
		next := g.instance(t)
		if got := next.text(t, number(30)); got != full(59) {
			t.Errorf("got %+v", got)
		}
		g.clock.set(shoptest.Today.Add(time.Minute))
		if got := next.text(t, number(30)); !got.ok() {
			t.Errorf("got %+v", got)
		}
	})
}
