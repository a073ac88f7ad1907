package ratelimit

import (
	"context"
	"net/netip"
	"time"

	"storefront/ent"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
)

// Quota allows Most uses of a key in a span of Window, which begins with the first use. It keeps a single
// row, while Limit keeps one for each event, so it suits large numbers. The row stores the uses as failures,
// and the end of the span as the time until which the key is locked.
type Quota struct {
	Key    string
	Window time.Duration
	Most   int
}

// Take counts a use. If the quota is used up, wait is above 0 and nothing is counted. As in the function
// Take, the clock is read once the key is locked, so that a span which begins with a delayed use does not
// end too early.
func (q Quota) Take(ctx context.Context, tx *ent.Tx, clock func() time.Time) (wait time.Duration, err error) {
	if err := lock(ctx, tx, clock(), []string{q.Key}); err != nil {
		return 0, err
	}
	now := record.Moment(clock()) // as both databases store it
	row, err := tx.RateKey.Get(ctx, q.Key)
	if err != nil {
		return 0, err
	}
	left := lockedFor(row, now)
	switch {
	case left == 0:
		return 0, tx.RateKey.UpdateOne(row).SetFailures(1).SetLockedUntil(now.Add(q.Window)).Exec(ctx)
	case row.Failures >= q.Most:
		return left, nil
	}
	return 0, tx.RateKey.UpdateOne(row).AddFailures(1).Exec(ctx)
}

// Peek returns how long the quota stays used up, without a lock and without counting anything.
func (q Quota) Peek(ctx context.Context, store *ent.Client, now time.Time) (wait time.Duration, err error) {
	row, err := store.RateKey.Get(ctx, q.Key)
	if err != nil || row.Failures < q.Most {
		return 0, ent.MaskNotFound(err)
	}
	return lockedFor(row, now), nil
}

// crowdOfIPv6 and crowdOfIPv4 are the networks wider than a client's own, and how many times as much as one
// home each may use in a crowd. A provider gives a home up to a /56, and a customer of a datacentre a /48.
// Thousands of phones share an IPv4 address.
var (
	crowdOfIPv6 = []crowd{{64, 1}, {56, 2}, {48, 8}}
	crowdOfIPv4 = []crowd{{32, 4}, {24, 32}}
)

// crowd is how many times as much as one home a network may use.
type crowd struct{ bits, homes int }

// Crowded returns the limits of one client while the limit that all clients share is used up, in the order
// in which they are taken: of the client's own network, and of the wider ones. most is what one home may use
// in a window. So a few addresses that use everything up keep nobody else out, and a datacentre counts as
// little more than a home.
func Crowded(key string, client netip.Addr, window time.Duration, most int) []Quota {
	networks := networksOf(client)
	if networks == nil {
		return []Quota{{Key: key + "@", Window: window, Most: most}}
	}
	return convert.All(networks, func(n Network) Quota {
		return Quota{Key: key + "@" + n.Prefix.String(), Window: window, Most: most * n.Times}
	})
}

// Network is a network wider than a client's own address, which may use Times as much.
type Network struct {
	Prefix netip.Prefix
	Times  int
}

// Wider returns the networks of a client that are wider than its own address, the narrowest first: the /56
// and the /48 of IPv6, the /24 of IPv4. An unknown client has none.
func Wider(client netip.Addr) []Network {
	all := networksOf(client)
	if all == nil {
		return nil
	}
	return convert.All(all[1:], func(n Network) Network { return Network{n.Prefix, n.Times / all[0].Times} })
}

// networksOf returns the networks of a client, the narrowest first, each with how many times as much as one home it may
// use. An unknown client has none.
func networksOf(client netip.Addr) []Network {
	client = client.Unmap().WithZone("")
	all := crowdOfIPv6
	switch {
	case !client.IsValid():
		return nil
	case client.Is4():
		all = crowdOfIPv4
	}
	return convert.All(all, func(c crowd) Network {
		network, _ := client.Prefix(c.bits) // fails if the address has fewer bits
		return Network{network, c.homes}
	})
}
