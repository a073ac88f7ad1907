package server

import (
	"cmp"
	"container/list"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"storefront/internal/request"
)

const (
	defaultConnections = 8192

	// lastCall is how long a connection that is to close still accepts a request that was sent before the
	// client could know. acceptCall is the same for connections that the system has already accepted.
	lastCall   = 100 * time.Millisecond
	acceptCall = 50 * time.Millisecond
)

// connections is the public listener with the connections it accepted. It holds at most `most` of them open,
// and at most a quarter of them for one client address (an IPv6 network of 64 bits counts as one), so that
// one client cannot use them all: a connection beyond the share is closed at once. Loopback and the trusted
// proxies stand for many clients and have no share.
//
// When all are in use, a new connection replaces the one that has waited longest for a request: otherwise
// idle connections could lock everybody out.
type connections struct {
	net.Listener
	clock       func() time.Time
	most, share int
	trusted     []netip.Prefix

	mu       sync.Mutex
	changed  sync.Cond // a connection closed or became idle, or the listener stops
	open     int
	leaving  int                // open ones that were dismissed
	byClient map[netip.Addr]int // open ones of clients that have a share
	idle     list.List          // *connection that wait for a request, the longest first
	stopping bool
}

// newConnections holds at most `most` connections open; 0 stands for defaultConnections.
func newConnections(l net.Listener, most int, trusted []netip.Prefix, clock func() time.Time) *connections {
	most = cmp.Or(most, defaultConnections)
	c := &connections{
		Listener: l, clock: clock, most: most, share: (most + 3) / 4, trusted: trusted, byClient: map[netip.Addr]int{},
	}
	c.changed.L = &c.mu
	return c
}

func (l *connections) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			if l.isStopping() {
				err = net.ErrClosed // not the timeout of acceptCall, after which net/http would try again
			}
			return nil, err
		}
		if c := l.admit(conn); c != nil {
			return c, nil
		}
		_ = conn.Close()
	}
}

// admit makes room for a connection. It returns nil for one beyond its client's share.
func (l *connections) admit(conn net.Conn) *connection {
	c := &connection{Conn: conn, of: l}
	c.client, c.counts = l.clientOf(conn.RemoteAddr())
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.counts && l.byClient[c.client] >= l.share {
		return nil
	}
	for l.open-l.leaving >= l.most && !l.stopping {
		if oldest := l.idle.Front(); oldest != nil {
			oldest.Value.(*connection).dismiss()
		} else {
			l.changed.Wait() // all are in the middle of a request
		}
	}
	l.open++
	if c.counts {
		l.byClient[c.client]++
	}
	c.awaitRequest()
	return c
}

func (l *connections) clientOf(remote net.Addr) (client netip.Addr, counts bool) {
	addr, counts := countedAddr(remote.String(), l.trusted)
	return request.ClientAt(addr).Addr, counts
}

func (l *connections) isStopping() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stopping
}

// stopAccepting makes Accept fail with net.ErrClosed, after the connections that the system has accepted already.
func (l *connections) stopAccepting() {
	l.mu.Lock()
	l.stopping = true
	l.changed.Broadcast()
	l.mu.Unlock()
	if waiting, ok := l.Listener.(interface{ SetDeadline(time.Time) error }); ok {
		_ = waiting.SetDeadline(time.Now().Add(acceptCall))
		return
	}
	_ = l.Listener.Close()
}

// drain closes the idle connections, and those with a request after its response, and waits until all are
// closed. It fails if ctx ends first.
func (l *connections) drain(ctx context.Context) error {
	defer context.AfterFunc(ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.changed.Broadcast()
	})()
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.open > 0 && ctx.Err() == nil {
		for oldest := l.idle.Front(); oldest != nil; oldest = l.idle.Front() {
			oldest.Value.(*connection).dismiss()
		}
		l.changed.Wait()
	}
	if l.open > 0 {
		return ctx.Err()
	}
	return nil
}

// note is http.Server.ConnState.
func (*connections) note(conn net.Conn, state http.ConnState) {
	c, ok := conn.(*connection)
	if !ok {
		return
	}
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	switch state {
	case http.StateIdle:
		c.awaitRequest()
	case http.StateActive:
		c.beginRequest()
	}
}

// connection is one of connections. Its fields are guarded by of.mu.
type connection struct {
	net.Conn
	of        *connections
	client    netip.Addr
	counts    bool          // for the share of client
	waiting   *list.Element // in of.idle; nil: it serves a request, or was dismissed
	dismissed bool          // it closes unless a request has come
	closed    bool

	quiet atomic.Bool // it is waiting or dismissed; saves reads within a request the lock

	arrivals arrivals
}

// awaitRequest notes that the connection waits for its next request. of.mu is held.
func (c *connection) awaitRequest() {
	if c.waiting == nil && !c.dismissed && !c.closed {
		c.waiting = c.of.idle.PushBack(c)
		c.quiet.Store(true)
		c.of.changed.Broadcast()
	}
}

// beginRequest notes that a request has come. of.mu is held.
func (c *connection) beginRequest() {
	if c.waiting != nil {
		c.of.idle.Remove(c.waiting)
		c.waiting = nil
	}
	if c.dismissed {
		c.dismissed = false
		c.of.leaving--
		_ = c.Conn.SetReadDeadline(time.Now().Add(readTime)) // replaces the past deadline of dismiss
	}
	c.quiet.Store(false)
}

// dismiss closes a waiting connection, unless a request has arrived by now. of.mu is held.
func (c *connection) dismiss() {
	c.of.idle.Remove(c.waiting)
	c.waiting = nil
	c.dismissed = true
	c.of.leaving++
	_ = c.Conn.SetReadDeadline(time.Unix(1, 0)) // wakes Read, which checks once more
}

// Read returns io.EOF, so that net/http closes the connection, if it was dismissed and no request has
// arrived.
func (c *connection) Read(to []byte) (int, error) {
	if c.isDismissed() {
		return c.lastRead(to)
	}
	n, err := c.Conn.Read(to)
	if n == 0 && errors.Is(err, os.ErrDeadlineExceeded) && c.isDismissed() {
		return c.lastRead(to)
	}
	if n > 0 {
		c.arrivals.read(len(to), c.of.clock())
	}
	if n > 0 && c.quiet.Load() {
		c.noteBytes()
	}
	return n, err
}

// lastRead reads what the client has sent, which may be a whole request. A deadline in the past would hide
// it.
func (c *connection) lastRead(to []byte) (int, error) {
	_ = c.Conn.SetReadDeadline(time.Now().Add(lastCall))
	n, _ := c.Conn.Read(to)
	if n == 0 {
		return 0, io.EOF
	}
	c.arrivals.read(len(to), c.of.clock())
	c.noteBytes()
	return n, nil
}

func (c *connection) isDismissed() bool {
	if !c.quiet.Load() {
		return false
	}
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	return c.dismissed
}

func (c *connection) noteBytes() {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.beginRequest()
}

// CloseWrite lets net/http send an answer to its end while the client is still sending.
func (c *connection) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

func (c *connection) Close() error {
	c.of.mu.Lock()
	if !c.closed {
		c.beginRequest() // it is no longer idle
		c.closed = true
		c.of.open--
		if c.counts {
			if c.of.byClient[c.client]--; c.of.byClient[c.client] == 0 {
				delete(c.of.byClient, c.client)
			}
		}
		c.of.changed.Broadcast()
	}
	c.of.mu.Unlock()
	return c.Conn.Close()
}

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
