package app

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"storefront/internal/blob"
)

const (
	reachEvery = 10 * time.Second // a request costs money in some buckets
	reachTime  = time.Second
)

// imagesReach checks whether images can be kept: whether their bucket can be reached, or their folder written to.
type imagesReach struct {
	of    blob.Store // nil: no images
	clock func() time.Time
	log   *slog.Logger

	mu   sync.Mutex
	next time.Time // the time of the next check
	err  error
}

// look returns the error of the last check; nil if images can be kept, or if there is no place for them.
func (r *imagesReach) look(ctx context.Context) error {
	if r.of == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := r.clock(); now.After(r.next) && ctx.Err() == nil {
		asking, stop := context.WithTimeout(ctx, reachTime)
		defer stop()
		r.err, r.next = r.of.Reach(asking), now.Add(reachEvery)
		if r.err != nil {
			r.log.WarnContext(ctx, "images cannot be kept at the moment", "error", r.err)
		}
	}
	return r.err
}
