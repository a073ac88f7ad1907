package database

import (
	"context"
	"errors"
	"net"
	"os"
	"sync/atomic"
	"time"
)

// cancelGrace is how long the server may take, after a context's end, to confirm that it cancelled the
// statement.
const cancelGrace = 500 * time.Millisecond

// wire is a network connection that fails if the other side is silent while an answer is due. lib/pq alone
// would wait for ever, even after the context has ended.
type wire struct {
	net.Conn
	silence  time.Duration // 0: unbounded
	lastLost *atomic.Int64 // Unix nanoseconds when a wire of this pool was last found silent
	lastMute *atomic.Int64 // Unix nanoseconds when one of these was last found while it waited for an answer
	opened   time.Time
	bound    time.Time // no answer is waited for longer; zero: unbounded
	written  int64     // bytes
}

// until bounds what follows by the deadline of ctx.
func (w *wire) until(ctx context.Context) {
	if w == nil {
		return
	}
	w.bound = time.Time{}
	if end, ok := ctx.Deadline(); ok {
		w.bound = end.Add(cancelGrace)
	}
}

func (w *wire) sent() int64 {
	if w == nil {
		return 0
	}
	return w.written
}

// usable reports whether an idle connection can be used for a statement: nothing was received unasked (as
// from a server that shuts down), and no other connection was found silent since this one was opened.
func (w *wire) usable() bool {
	return w == nil || w.lastLost.Load() < w.opened.UnixNano() && isQuiet(w.Conn)
}

// renewAfter is how old a connection must be for renew to end it, so that not every request to a read-only
// database opens a new connection.
const renewAfter = 5 * time.Second

// renew ends all connections of the pool that were opened before now, once they are idle: another server may
// be the primary now, or the same one may accept changes in new sessions.
func (w *wire) renew() {
	if w != nil && time.Since(w.opened) > renewAfter {
		w.lastLost.Store(time.Now().UnixNano())
	}
}

func (w *wire) deadline() time.Time {
	if w.silence == 0 {
		return w.bound
	}
	end := time.Now().Add(w.silence)
	if !w.bound.IsZero() && w.bound.Before(end) {
		return w.bound
	}
	return end
}

// SetDeadline bounds the first messages of a connection, as lib/pq asks.
func (w *wire) SetDeadline(t time.Time) error {
	w.bound = t
	return nil
}

// Read waits in steps: if another connection of the pool was found silent meanwhile, this one most likely
// is, too.
func (w *wire) Read(b []byte) (int, error) {
	began, end := time.Now(), w.deadline()
	for {
		step := time.Now().Add(readStep)
		if !end.IsZero() && end.Before(step) {
			step = end
		}
		if err := w.SetReadDeadline(step); err != nil {
			return 0, err
		}
		n, err := w.Conn.Read(b)
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
		over := !end.IsZero() && !time.Now().Before(end)
		if over || w.silence > 0 && w.lastMute.Load() > began.UnixNano() {
			w.lastLost.Store(time.Now().UnixNano())
			w.lastMute.Store(time.Now().UnixNano())
			return n, err
		}
	}
}

// readStep is the time between two checks, during a read, whether another connection was lost.
const readStep = time.Second

func (w *wire) Write(b []byte) (int, error) {
	if err := w.SetWriteDeadline(w.deadline()); err != nil {
		return 0, err
	}
	n, err := w.Conn.Write(b)
	w.written += int64(n)
	return n, err
}

// dialer makes the wires of one connection: the first one, and one for each request to cancel a statement.
type dialer struct {
	silence   time.Duration
	lastLost  *atomic.Int64
	lastMute  *atomic.Int64
	connected atomic.Bool
	wire      *wire // the connection's own
}

func (d *dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if d.connected.Load() {
		ctx, stop := context.WithTimeout(ctx, cancelLimit)
		defer stop()
		c, err := new(net.Dialer).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &wire{Conn: c, silence: cancelLimit, lastLost: new(atomic.Int64), lastMute: new(atomic.Int64),
			opened: time.Now()}, nil
	}
	opened := time.Now()
	c, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	d.wire = &wire{Conn: c, silence: d.silence, lastLost: d.lastLost, lastMute: d.lastMute, opened: opened}
	return d.wire, nil
}

// Dial and DialTimeout complete pq.Dialer, of which lib/pq uses DialContext.
func (d *dialer) Dial(network, address string) (net.Conn, error) {
	return d.DialContext(context.Background(), network, address)
}

func (d *dialer) DialTimeout(network, address string, _ time.Duration) (net.Conn, error) {
	return d.Dial(network, address)
}
