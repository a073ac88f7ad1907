package server

import (
	"net"
	"net/netip"
	"sync"

	"golang.org/x/net/netutil"
)

const (
	maxConnections = 8192
	maxOfOneClient = maxConnections / 4
)

// bounded holds at most maxConnections open, and at most share of them for one client address (an IPv6
// network of 64 bits counts as one), so that one client cannot use them all. A connection beyond the share is
// closed at once. Loopback and the trusted proxies stand for many clients and have no share.
func bounded(l net.Listener, share int, trusted []netip.Prefix) net.Listener {
	shares := &shareListener{Listener: l, share: share, trusted: trusted, open: map[netip.Addr]int{}}
	return netutil.LimitListener(shares, maxConnections)
}

type shareListener struct {
	net.Listener
	share   int
	trusted []netip.Prefix

	mu   sync.Mutex
	open map[netip.Addr]int // connections by client
}

func (l *shareListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		client, counts := l.client(conn.RemoteAddr())
		if !counts {
			return conn, nil
		}
		if l.enter(client) {
			return &sharedConn{Conn: conn, leave: sync.OnceFunc(func() { l.leave(client) })}, nil
		}
		_ = conn.Close()
	}
}

func (l *shareListener) client(remote net.Addr) (client netip.Addr, counts bool) {
	peer, err := netip.ParseAddrPort(remote.String())
	if err != nil {
		return netip.Addr{}, false
	}
	addr := peer.Addr().Unmap().WithZone("")
	if addr.IsLoopback() || within(l.trusted, addr) {
		return netip.Addr{}, false
	}
	if addr.Is6() {
		network, _ := addr.Prefix(64) // fails for more bits than an address has alone
		addr = network.Addr()
	}
	return addr, true
}

func (l *shareListener) enter(client netip.Addr) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[client] >= l.share {
		return false
	}
	l.open[client]++
	return true
}

func (l *shareListener) leave(client netip.Addr) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[client]--
	if l.open[client] == 0 {
		delete(l.open, client)
	}
}

type sharedConn struct {
	net.Conn
	leave func()
}

func (c *sharedConn) Close() error {
	c.leave()
	return c.Conn.Close()
}
