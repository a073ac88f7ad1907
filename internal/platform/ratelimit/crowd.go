package ratelimit

import (
	"net/netip"
	"time"
)

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
func Crowded(key string, client netip.Addr, window time.Duration, most int) (limits []Quota) {
	client = client.Unmap().WithZone("")
	networks := crowdOfIPv6
	switch {
	case !client.IsValid():
		return []Quota{{Key: key + "@", Window: window, Most: most}}
	case client.Is4():
		networks = crowdOfIPv4
	}
	for _, n := range networks {
		network, _ := client.Prefix(n.bits) // fails if the address has fewer bits
		limits = append(limits, Quota{Key: key + "@" + network.String(), Window: window, Most: most * n.homes})
	}
	return limits
}

// Network is a network wider than a client's own address, which may use Times as much.
type Network struct {
	Prefix netip.Prefix
	Times  int
}

// Wider returns the networks of a client that are wider than its own address, the narrowest first: the /56
// and the /48 of IPv6, the /24 of IPv4. An unknown client has none.
func Wider(client netip.Addr) (networks []Network) {
	client = client.Unmap().WithZone("")
	if !client.IsValid() {
		return nil
	}
	all := crowdOfIPv6
	if client.Is4() {
		all = crowdOfIPv4
	}
	for _, n := range all[1:] {
		network, _ := client.Prefix(n.bits) // fails if the address has fewer bits
		networks = append(networks, Network{network, n.homes / all[0].homes})
	}
	return networks
}
