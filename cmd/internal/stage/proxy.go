package stage

import (
	"io"
	"net"
	"sync"
	"time"

	"storefront/cmd/internal/must"
)

// Fault is what a proxy does to what goes through it.
type Fault string

// The faults of a network.
const (
	None      Fault = "none"
	Latency   Fault = "latency"   // each piece comes 40 ms later
	Blackhole Fault = "blackhole" // connections stand, and are made, but nothing more comes through
	Reset     Fault = "reset"     // connections are cut, new ones at once
	Drip      Fault = "drip"      // a byte comes through every 2 ms
)

// Proxy stands between our servers and a database.
type Proxy struct {
	Addr     string
	listener net.Listener
	server   string

	mu    sync.Mutex
	fault Fault
	conns map[net.Conn]bool
}

// Proxy starts a proxy to a server, which the stage closes at its end with its connections.
func (s *Stage) Proxy(server string) *Proxy {
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))
	p := &Proxy{Addr: listener.Addr().String(), listener: listener, server: server, fault: None,
		conns: map[net.Conn]bool{}}
	go p.accept()
	s.OnClose(func() error {
		err := listener.Close()
		p.Become(Reset)
		return err
	})
	return p
}

// Become makes a fault, or with None ends it. Connections that lost something are of no use from then on.
func (p *Proxy) Become(fault Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault = fault
	if fault == Reset {
		for c := range p.conns {
			c.Close()
		}
	}
}

func (p *Proxy) accept() {
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
		p.conns[client], p.conns[server] = true, true
		if p.fault == Reset {
			client.Close()
			server.Close()
		}
		p.mu.Unlock()
		lost := new(bool) // guarded by mu: something was swallowed
		go p.pass(client, server, lost)
		go p.pass(server, client, lost)
	}
}

// pass copies until an end closes.
func (p *Proxy) pass(from, to net.Conn, lost *bool) {
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.conns, from)
		from.Close()
		to.Close()
	}()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		p.mu.Lock()
		fault := p.fault
		*lost = *lost || fault == Blackhole
		swallow := *lost
		p.mu.Unlock()
		if swallow {
			continue
		}
		if err := p.write(to, buffer[:n], fault); err != nil {
			return
		}
	}
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
