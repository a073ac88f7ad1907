package transfer

import (
	"context"
	"slices"
	"sync"
	"time"

	"storefront/internal/fault"
)

// An uploaded sheet is held in memory, compressed, until it is processed. Most are small. There may be
// mostLarge large ones at once. If there are as many, one that has been held for fairTime, because of a slow
// client or a queue, gives way to a new one, so that every shop can soon begin an upload.
const (
	smallSheet = 1 << 20 // bytes, compressed
	mostLarge  = 16
	fairTime   = time.Minute
)

// large counts the large sheets.
type large struct {
	mu    sync.Mutex
	held  []*seat       // the oldest first
	freed chan struct{} // closed when a transfer ends; nil: nobody waits for that
}

type seat struct {
	since time.Time
	end   context.CancelCauseFunc
}

// take waits until one more large sheet may be held, or until ctx ends. kept ends when leave is called, or
// with UNAVAILABLE as its cause if the sheet must give way.
func (l *large) take(ctx context.Context) (kept context.Context, leave func(), err error) {
	kept, end := context.WithCancelCause(context.Background())
	one := &seat{end: end}
	for {
		wait, freed := l.tryTake(one)
		if wait <= 0 {
			return kept, func() {
				l.leave(one)
				end(nil)
			}, nil
		}
		select {
		case <-freed:
		case <-time.After(wait):
		case <-ctx.Done():
			end(nil)
			return nil, nil, ctx.Err()
		}
	}
}

// tryTake takes a place, if necessary that of the oldest sheet. If that may still stay, it returns for how
// long, and a channel that is closed when another transfer ends before.
func (l *large) tryTake(one *seat) (wait time.Duration, freed <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.held) >= mostLarge {
		oldest := l.held[0]
		if wait := fairTime - time.Since(oldest.since); wait > 0 {
			if l.freed == nil {
				l.freed = make(chan struct{})
			}
			return wait, l.freed
		}
		l.held = l.held[1:]
		oldest.end(gaveWay())
	}
	one.since = time.Now()
	l.held = append(l.held, one)
	return 0, nil
}

func (l *large) leave(one *seat) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.Index(l.held, one)
	if i < 0 { // it has given way
		return
	}
	l.held = slices.Delete(l.held, i, i+1)
	if l.freed != nil {
		close(l.freed)
		l.freed = nil
	}
}

func gaveWay() error {
	return fault.New(fault.Unavailable, "the sheet took longer than a minute while others waited; send it again, "+
		"or in parts").After(5 * time.Second)
}
