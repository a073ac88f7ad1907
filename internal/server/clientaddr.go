package server

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// clientAddr returns the client's "address:port" in the form of http.Request.RemoteAddr. Behind a trusted
// proxy it is the last address in X-Forwarded-For that is not a trusted proxy itself, with port 0. The client
// may have written the addresses before that one, so they are not used.
func clientAddr(r *http.Request, trusted []netip.Prefix) string {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !within(trusted, peer.Addr().Unmap()) {
		return r.RemoteAddr
	}
	client := peer
	hops := strings.Split(strings.Join(r.Header["X-Forwarded-For"], ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		addr, ok := parseHop(strings.TrimSpace(hops[i]))
		if !ok {
			break
		}
		client = netip.AddrPortFrom(addr, 0)
		if !within(trusted, addr) {
			break
		}
	}
	return client.String()
}

// fromTrusted reports whether a request comes from a trusted proxy itself.
func (s *Server) fromTrusted(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && within(s.o.TrustedProxies, peer.Addr().Unmap())
}

// parseHop reads one element of X-Forwarded-For: an address, which some proxies write with a port.
func parseHop(hop string) (netip.Addr, bool) {
	addr, err := netip.ParseAddr(strings.Trim(hop, "[]"))
	if err != nil {
		withPort, err := netip.ParseAddrPort(hop)
		if err != nil {
			return netip.Addr{}, false
		}
		addr = withPort.Addr()
	}
	return addr.Unmap().WithZone(""), true
}

// countedAddr returns the address of a client ("address:port") that has a share of what the service can do. Loopback
// and the trusted proxies stand for many clients and have none.
func countedAddr(client string, trusted []netip.Prefix) (addr netip.Addr, ok bool) {
	peer, err := netip.ParseAddrPort(client)
	if err != nil {
		return netip.Addr{}, false
	}
	addr = peer.Addr().Unmap().WithZone("")
	return addr, !addr.IsLoopback() && !within(trusted, addr)
}

func within(prefixes []netip.Prefix, addr netip.Addr) bool {
	return slices.ContainsFunc(prefixes, func(p netip.Prefix) bool { return p.Contains(addr) })
}
