package ratelimit

import (
	"fmt"
	"net/netip"
	"testing"
	"time"
)

// TestCrowded checks which networks of a client have limits, and that neighbours share only the wider ones.
func TestCrowded(t *testing.T) {
	for client, want := range map[string]string{
		"2001:db8:1:2:3::4": "[{k@2001:db8:1:2::/64 1m0s 10} {k@2001:db8:1::/56 1m0s 20} " +
			"{k@2001:db8:1::/48 1m0s 80}]",
		"2001:db8:1:2:9::4%en0": "[{k@2001:db8:1:2::/64 1m0s 10} {k@2001:db8:1::/56 1m0s 20} " +
			"{k@2001:db8:1::/48 1m0s 80}]",
		"2001:db8:1:102::4": "[{k@2001:db8:1:102::/64 1m0s 10} {k@2001:db8:1:100::/56 1m0s 20} " +
			"{k@2001:db8:1::/48 1m0s 80}]",
		"203.0.113.7":        "[{k@203.0.113.7/32 1m0s 40} {k@203.0.113.0/24 1m0s 320}]",
		"::ffff:203.0.113.7": "[{k@203.0.113.7/32 1m0s 40} {k@203.0.113.0/24 1m0s 320}]",
	} {
		if got := fmt.Sprint(Crowded("k", netip.MustParseAddr(client), time.Minute, 10)); got != want {
			t.Errorf("%s: got %s, want %s", client, got, want)
		}
	}
	if got := fmt.Sprint(Crowded("k", netip.Addr{}, time.Minute, 10)); got != "[{k@ 1m0s 10}]" {
		t.Errorf("an unknown client: got %s", got)
	}
}

// TestWider checks which networks beside its own address a client is counted in.
func TestWider(t *testing.T) {
	for client, want := range map[string]string{
		"2001:db8:1:2:3::4%en0": "[{2001:db8:1::/56 2} {2001:db8:1::/48 8}]",
		"203.0.113.7":           "[{203.0.113.0/24 8}]",
		"::ffff:203.0.113.7":    "[{203.0.113.0/24 8}]",
	} {
		if got := fmt.Sprint(Wider(netip.MustParseAddr(client))); got != want {
			t.Errorf("%s: got %s, want %s", client, got, want)
		}
	}
	if got := Wider(netip.Addr{}); len(got) > 0 {
		t.Errorf("an unknown client: got %v", got)
	}
}
