package service_test

import (
	"net"
	"net/url"
	"sync"
	"testing"
)

// link is a proxy between the service and PostgreSQL that can fail as a network does.
type link struct {
	listener net.Listener
	server   string

	mu    sync.Mutex
	state linkState
	conns []net.Conn
}

type linkState int

const (
	up     linkState = iota
	silent           // connections stand, and are made, but nothing more comes through
	down             // connections are cut, new ones at once
)

// linked returns a link to the database of a URL, and the URL that leads through it.
func linked(t testing.TB, address string) (*link, string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &link{listener: listener, server: u.Host}
	var group sync.WaitGroup
	group.Go(func() { l.accept(&group) })
	t.Cleanup(func() {
		listener.Close()
		l.become(down)
		group.Wait()
	})
	u.Host = listener.Addr().String()
	return l, u.String()
}

func (l *link) accept(group *sync.WaitGroup) {
	for {
		client, err := l.listener.Accept()
		if err != nil {
			return
		}
		l.mu.Lock()
		server, err := net.Dial("tcp", l.server)
		if l.state == down || err != nil {
			client.Close()
			l.mu.Unlock()
			continue
		}
		l.conns = append(l.conns, client, server)
		lost := l.state == silent // for ever, also when others are let through again
		l.mu.Unlock()
		group.Go(func() { l.pass(client, server, &lost) })
		group.Go(func() { l.pass(server, client, &lost) })
	}
}

// pass copies until an end closes. Once something was lost on a connection, nothing comes through it again.
func (l *link) pass(from, to net.Conn, lost *bool) {
	defer from.Close()
	defer to.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		l.mu.Lock()
		*lost = *lost || l.state == silent
		swallow := *lost
		l.mu.Unlock()
		if swallow {
			continue
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// become changes the state of the link.
func (l *link) become(state linkState) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state = state
	if state == down {
		for _, c := range l.conns {
			c.Close()
		}
		l.conns = nil
	}
}

// leadTo makes the link end at another server, for connections from now on; those before are cut.
func (l *link) leadTo(server string) {
	l.become(down)
	l.mu.Lock()
	l.server = server
	l.mu.Unlock()
	l.become(up)
}
