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

// imagesReach checks whether the bucket of images can be reached. Folders are not checked: a network share
// that hangs would make the check hang too.
type imagesReach struct {
	of interface {
		Reach(ctx context.Context) error
	} // nil: no bucket
	clock func() time.Time
	log   *slog.Logger

	mu   sync.Mutex
	next time.Time // the time of the next check
	err  error
}

func newImagesReach(images blob.Store, clock func() time.Time, log *slog.Logger) *imagesReach {
	r := &imagesReach{clock: clock, log: log}
	r.of, _ = images.(interface {
		Reach(ctx context.Context) error
	})
	return r
}

// look returns the error of the last check; nil if the bucket can be reached, or if there is none.
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
			r.log.WarnContext(ctx, "the bucket of images cannot be reached", "error", r.err)
		}
	}
	return r.err
}
