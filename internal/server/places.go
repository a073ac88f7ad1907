package server

import (
	"cmp"
	"context"
	"net/http"
	"sync"
	"time"

	"storefront/internal/fault"
	"storefront/internal/platform/share"
	"storefront/internal/platform/wire"
)

const (
	defaultPlaces = 1024
	placeWait     = 5 * time.Second // how long a request waits for a place before it is refused
)

// places bounds the requests that run at once, and shares them out between clients (package share). A
// request holds a place only while it works, not while it waits for the body or for the client to read the
// response, so slow clients cannot use up the places.
type places struct {
	slots *share.Slots
	wait  time.Duration
}

func newPlaces(most int) places {
	return places{slots: share.New(cmp.Or(most, defaultPlaces), cmp.Or(most, defaultPlaces)), wait: placeWait}
}

// limit runs next in a place. If none becomes free in time the response is 503 UNAVAILABLE with Retry-After.
func (p places) limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		free, err := p.take(r.Context(), p.wait)
		if err != nil {
			wire.WriteError(w, r, err)
			return
		}
		held := &place{of: p, ctx: r.Context(), free: free}
		defer held.leave()
		w.(*answer).hold(held)
		next.ServeHTTP(w, r)
	})
}

// take waits for a place, and fails with UNAVAILABLE when ctx ends or after wait.
func (p places) take(ctx context.Context, wait time.Duration) (free func(), err error) {
	if free, ok := p.slots.TakeAtOnce(ctx); ok { // needs no timer
		return free, nil
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	free, err = p.slots.Take(ctx)
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "too many requests are running; try again shortly").
			After(time.Second)
	}
	return free, nil
}

// place is the place of one request. The request gives it up for good when the response begins.
type place struct {
	of   places
	ctx  context.Context // of the request
	mu   sync.Mutex
	free func() // nil while no place is held
	over bool
}

func (p *place) leave() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	p.giveUp()
}

// pause gives the place up until resume, and reports whether the request held one.
func (p *place) pause() bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.giveUp()
}

func (p *place) giveUp() bool {
	if p.free == nil {
		return false
	}
	p.free()
	p.free = nil
	return true
}

// resume takes a place again. It fails with UNAVAILABLE if none becomes free before the request's time is over.
func (p *place) resume() error {
	free, err := p.of.take(p.ctx, requestTime)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		free()
		return nil
	}
	p.free = free
	return nil
}
