package pgserver

import (
	"errors"
	"io"
	"net"
	"sync"
	"time"
)

// Fault is what a proxy does to what goes through it.
type Fault string

// The faults of a network.
const (
	None      Fault = "none"
	Latency   Fault = "latency"   // each piece arrives 40 ms later
	Blackhole Fault = "blackhole" // connections that exist or are opened meanwhile never pass anything again
	Reset     Fault = "reset"     // connections are cut, new ones at once
	Drip      Fault = "drip"      // one byte passes every 2 ms
)

// Proxy forwards connections to a server, and can fail as a network does.
type Proxy struct {
	listener net.Listener
	server   string
	passing  sync.WaitGroup

	mu      sync.Mutex
	fault   Fault
	cutNext bool
	trips   int
	links   map[*link]bool
}

// link is a connection through the proxy.
type link struct {
	client, server net.Conn
	lost           bool // in a blackhole
	clientSpoke    bool // last
}

// NewProxy starts a proxy to a server's host:port.
func NewProxy(server string) (*Proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Proxy{listener: listener, server: server, fault: None, links: map[*link]bool{}}
	p.passing.Go(p.accept)
	return p, nil
}

// Addr returns the proxy's host:port.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Close refuses new connections, cuts the others, and waits until all have ended.
func (p *Proxy) Close() error {
	err := p.listener.Close()
	p.Become(Reset)
	p.passing.Wait()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// Refuse refuses new connections from now on, as if the server were down; existing ones stay.
func (p *Proxy) Refuse() { p.listener.Close() }

// Become starts a fault, or with None ends it.
func (p *Proxy) Become(fault Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault = fault
	for l := range p.links {
		l.lost = l.lost || fault == Blackhole
		if fault == Reset {
			l.close()
		}
	}
}

// CutNext drops the next bytes from the server, and closes the connection that they arrived on.
func (p *Proxy) CutNext() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cutNext = true
}

// Trips returns the number of round trips during some work: how often a client sent after the server did.
func (p *Proxy) Trips(work func()) int {
	count := func() int {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.trips
	}
	before := count()
	work()
	return count() - before
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		server, err := net.Dial("tcp", p.server)
		if err != nil || p.fault == Reset {
			client.Close()
			if err == nil {
				server.Close()
			}
			p.mu.Unlock()
			continue
		}
		l := &link{client: client, server: server, lost: p.fault == Blackhole}
		p.links[l] = true
		p.mu.Unlock()
		p.passing.Go(func() { p.pass(l, client, server) })
		p.passing.Go(func() { p.pass(l, server, client) })
	}
}

func (l *link) close() {
	l.client.Close()
	l.server.Close()
}

// pass copies until an end closes.
func (p *Proxy) pass(l *link, from, to net.Conn) {
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.links, l)
		l.close()
	}()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		fault, lost := p.heard(l, from == l.client)
		if lost {
			continue
		}
		if err := p.write(to, buffer[:n], fault); err != nil {
			return
		}
	}
}

// heard records that one end of a connection has sent something, and returns the fault to apply to it.
func (p *Proxy) heard(l *link, client bool) (fault Fault, lost bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if client && !l.clientSpoke {
		p.trips++
	}
	l.clientSpoke = client
	if p.cutNext && !client {
		p.cutNext = false
		l.lost = true
		l.close()
	}
	return p.fault, l.lost
}

func (p *Proxy) write(to io.Writer, piece []byte, fault Fault) error {
	switch fault {
	case Latency:
		time.Sleep(40 * time.Millisecond)
	case Drip:
		for len(piece) > 0 && p.has(Drip) {
			if _, err := to.Write(piece[:1]); err != nil {
				return err
			}
			piece = piece[1:]
			time.Sleep(2 * time.Millisecond)
		}
	}
	_, err := to.Write(piece)
	return err
}

func (p *Proxy) has(fault Fault) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fault == fault
}
