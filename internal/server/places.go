package server

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"storefront/internal/fault"
	"storefront/internal/wire"
)

const (
	defaultPlaces = 1024
	placeWait     = 5 * time.Second // how long a request waits for a place before it is refused
)

// places bounds the requests that run at once. A request holds a place only while it works: while it waits
// for the body, or for the client to take the answer, it holds none, so that slow clients cannot use up the
// places.
type places struct {
	taken chan struct{}
	wait  time.Duration
}

func newPlaces(most int) places {
	if most == 0 {
		most = defaultPlaces
	}
	return places{make(chan struct{}, most), placeWait}
}

// limit runs next in a place. When none is free in time the answer is 503 UNAVAILABLE with Retry-After.
func (p places) limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := p.take(r.Context(), p.wait); err != nil {
			wire.WriteError(w, r, err)
			return
		}
		held := &place{of: p, held: true}
		defer held.leave()
		if r.Body != nil && r.Body != http.NoBody {
			r.Body = &placedBody{r.Body, held, r.Context()}
		}
		next.ServeHTTP(&placedWriter{w, held}, r)
	})
}

// take waits for a place, and fails with UNAVAILABLE when ctx ends or wait is over first.
func (p places) take(ctx context.Context, wait time.Duration) error {
	select {
	case p.taken <- struct{}{}:
		return nil
	default:
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	select {
	case p.taken <- struct{}{}:
		return nil
	case <-ctx.Done():
		full := fault.Wrap(fault.Unavailable, ctx.Err(), "too many requests are running; try again shortly")
		full.RetryAfter = time.Second
		return full
	}
}

func (p places) free() { <-p.taken }

// place is the place of one request. The request leaves it for good once the answer begins.
type place struct {
	of   places
	mu   sync.Mutex
	held bool
	over bool
}

func (p *place) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	if p.held {
		p.held = false
		p.of.free()
	}
}

// pause gives the place up until resume, and reports whether there was one to give up.
func (p *place) pause() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.held {
		return false
	}
	p.held = false
	p.of.free()
	return true
}

func (p *place) resume(ctx context.Context) error {
	if err := p.of.take(ctx, requestTime); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		p.of.free()
		return nil
	}
	p.held = true
	return nil
}

// placedBody gives the place up while it waits for bytes. Read fails with UNAVAILABLE when no place becomes
// free again before the request's time is over.
type placedBody struct {
	io.ReadCloser
	place *place
	ctx   context.Context // of the request this is the body of
}

func (b *placedBody) Read(to []byte) (int, error) {
	if !b.place.pause() {
		return b.ReadCloser.Read(to)
	}
	n, err := b.ReadCloser.Read(to)
	if full := b.place.resume(b.ctx); full != nil {
		return n, full
	}
	return n, err
}

// placedWriter leaves the place when the answer begins.
type placedWriter struct {
	http.ResponseWriter
	place *place
}

func (w *placedWriter) WriteHeader(status int) {
	if status >= 200 {
		w.place.leave()
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *placedWriter) Write(b []byte) (int, error) {
	w.place.leave()
	return w.ResponseWriter.Write(b)
}

func (w *placedWriter) Flush() {
	w.place.leave()
	_ = http.NewResponseController(w.ResponseWriter).Flush()
}

func (w *placedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
