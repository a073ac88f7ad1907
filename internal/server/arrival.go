package server

import (
	"context"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// arrivals notes when the requests of a connection arrive. A request has arrived when the last bytes of its
// head were read from the connection: what comes afterwards may wait for a core, for a place or for the body.
// Requests that a client has sent before the answer to an earlier one count from then.
type arrivals struct {
	last  atomic.Int64 // when bytes were read; nanoseconds of the Unix time
	early atomic.Int64 // when the first byte of the next request came while one was being answered; 0: none has
}

// read notes that bytes were read into a buffer of some size. While a request is answered, net/http reads a single byte
// ahead, to hear of a client that leaves: that is the first of the next request.
func (a *arrivals) read(size int, now time.Time) {
	if size == 1 {
		a.early.CompareAndSwap(0, now.UnixNano())
		return
	}
	a.last.Store(now.UnixNano())
}

// take returns when the request arrived whose head was read just now. A first byte alone does not hold a
// moment for longer than a head may take.
func (a *arrivals) take() time.Time {
	at := a.last.Load()
	if early := a.early.Swap(0); early != 0 {
		at = max(min(at, early), at-int64(headerTime))
	}
	return time.Unix(0, at)
}

type connectionKey struct{}

// withConnection is http.Server.ConnContext.
func withConnection(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, conn)
}

// arrivalOf returns when a request arrived, by the server's clock.
func (s *Server) arrivalOf(r *http.Request) time.Time {
	if conn, ok := r.Context().Value(connectionKey{}).(*connection); ok {
		return conn.arrivals.take()
	}
	return s.clock() // it came by a listener of another kind
}
