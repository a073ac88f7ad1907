package database_test

import (
	"math"
	"net"
	"net/url"
	"sync"
	"testing"
)

// proxy stands between lib/pq and PostgreSQL.
type proxy struct {
	listener net.Listener
	server   string

	mu    sync.Mutex
	trips int // times that the client spoke after the server
	// the connections before this one, counted from 0, are silent: what the server says is swallowed
	mute    int
	cutNext bool // what the server says next is swallowed, and its connection closed
	conns   []net.Conn
}

// through returns a proxy and the URL that leads through it to the database of url.
func through(t testing.TB, address string) (*proxy, string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: listener, server: u.Host}
	var group sync.WaitGroup
	group.Go(func() { p.accept(&group) })
	t.Cleanup(func() {
		listener.Close()
		p.cutAll()
		group.Wait()
	})
	u.Host = listener.Addr().String()
	return p, u.String()
}

func (p *proxy) accept(group *sync.WaitGroup) {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.server)
		if err != nil {
			client.Close()
			continue
		}
		p.mu.Lock()
		number := len(p.conns)
		p.conns = append(p.conns, client)
		p.mu.Unlock()
		var clientSpokeLast bool // guarded by mu
		group.Go(func() {
			pass(client, server, func() bool {
				p.mu.Lock()
				defer p.mu.Unlock()
				if !clientSpokeLast {
					p.trips++
				}
				clientSpokeLast = true
				return true
			})
		})
		group.Go(func() {
			pass(server, client, func() bool {
				p.mu.Lock()
				defer p.mu.Unlock()
				clientSpokeLast = false
				if p.cutNext {
					p.cutNext = false
					client.Close()
				}
				return number >= p.mute
			})
		})
	}
}

// pass copies what allowed lets through, until an end closes.
func pass(from, to net.Conn, allowed func() bool) {
	defer from.Close()
	defer to.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 && allowed() {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (p *proxy) cutAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		c.Close()
	}
}

// silence makes all connections silent, or with false only the ones that were made before.
func (p *proxy) silence(all bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mute = len(p.conns)
	if all {
		p.mute = math.MaxInt
	}
}

func (p *proxy) set(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

// count returns the round trips that f makes.
func (p *proxy) count(f func()) int {
	p.mu.Lock()
	before := p.trips
	p.mu.Unlock()
	f()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.trips - before
}
