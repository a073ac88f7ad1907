package server

import (
	"context"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// arrivals records when the requests of a connection arrive. A request has arrived when the last bytes of
// its head were read from the connection; later it may wait for a core, for a slot or for the body. A
// pipelined request arrives while an earlier one is being answered.
type arrivals struct {
	last  atomic.Int64 // when bytes were read; nanoseconds of the Unix time
	early atomic.Int64 // when the first byte of the next request came during an earlier one; 0: it has not
}

// read records that bytes were read into a buffer of some size. During a request net/http reads a single
// byte ahead, to notice a client that leaves: that byte is the first of the next request.
func (a *arrivals) read(size int, now time.Time) {
	if size == 1 {
		a.early.CompareAndSwap(0, now.UnixNano())
		return
	}
	a.last.Store(now.UnixNano())
}

// take returns when the request whose head was just read arrived. The time of a first byte is used only for
// as long as reading a head may take.
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
	return s.o.Clock() // the listener is not a connections
}
