package request

import (
	"context"
	"net/netip"
	"testing"
)

func TestClientAddress(t *testing.T) {
	for address, want := range map[string]string{
		"203.0.113.7":          "203.0.113.7",
		"::ffff:203.0.113.7":   "203.0.113.7",
		"2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
		"2001:db8:1:2::":       "2001:db8:1:2::/64",
		"fe80::1%eth0":         "fe80::/64",
		"::1":                  "::/64",
	} {
		ctx := With(t.Context(), func(r *Request) { r.Credentials.Client = netip.MustParseAddr(address) })
		if got := ClientAddress(ctx); got != want {
			t.Errorf("%s counts as %s, want %s", address, got, want)
		}
	}
	if got := ClientAddress(context.Background()); got == "" { // all unknown clients count as one
		t.Error("an unknown client has no address")
	}
}
