// Package webhook sends what happens in a shop to addresses that its staff has registered.
//
// Package outbox writes a row for each event and endpoint. Here an endpoint that has rows due is claimed by
// one of the servers (claim.go: a lease, which its holder renews and which ends by itself with a server that
// died), and sent to (runner.go): the oldest waiting event of each subject, many subjects at once, so that
// the events of one order come in their order. A row is marked when the receiver has taken it, and not
// before: each event comes at least once, and those that were under way when a server died come again.
//
// An event that fails is tried again, later each time (backoff.go). An endpoint that fails again and again is
// left alone for a while, then asked with one event at a time, and disabled after three days; a receiver that
// is dead or slow costs a bounded number of connections and delays nobody else's events. An address inside
// the service's own network is not called, whatever a name resolves to (dial.go).
//
// Bodies are signed by the Standard Webhooks scheme (sign.go). endpoints.go and deliveries.go are what staff does.
package webhook

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/goroutine"
)

// Options are the settings of the service.
type Options struct {
	Store   *ent.Client // guarded by tenancy.Guard
	Clock   func() time.Time
	Log     *slog.Logger
	Private bool // endpoints may have private addresses, and plain http

	Attempted func(outcome string) // is called for each attempt: Delivered, or why it failed; nil: nothing is
}

// Delivered is the outcome of an attempt that did not fail.
const Delivered = "delivered"

// Service keeps the endpoints of businesses and sends events to them.
type Service struct {
	store   *ent.Client
	clock   func() time.Time
	log     *slog.Logger
	private bool
	client  *http.Client
	server  uuid.UUID // this one, among those that share the work

	attempted func(outcome string)
}

// New makes the service.
func New(o Options) *Service {
	if o.Attempted == nil {
		o.Attempted = func(string) {}
	}
	return &Service{attempted: o.Attempted, store: o.Store, clock: o.Clock, log: o.Log, private: o.Private,
		client: newClient(o.Private), server: uuid.New()}
}

// now is cut to microseconds, which is what both databases keep.
func (s *Service) now() time.Time { return s.clock().UTC().Truncate(time.Microsecond) }

func (s *Service) raw() database.Executor { return s.store.Raw() }

const (
	pollEvery     = 500 * time.Millisecond // how often a server looks whether something is due
	warnEvery     = time.Minute            // how often the log says that a server cannot look
	mostRunners   = 256                    // endpoints that a server sends to at once
	claimedAtOnce = 32                     // endpoints
)

// Run sends what is due until ctx is done, and returns when what was under way then is over, within StopTime.
func (s *Service) Run(ctx context.Context) {
	var running goroutine.Group
	defer running.Wait()
	free := make(chan struct{}, mostRunners)
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	var warned time.Time
	for {
		claimed, err := s.claim(ctx, min(claimedAtOnce, cap(free)-len(free)))
		if err != nil && ctx.Err() == nil && time.Since(warned) >= warnEvery {
			s.log.Warn("events for webhooks were not looked for", "error", err)
			warned = time.Now()
		}
		for _, e := range claimed {
			free <- struct{}{}
			running.Start("sending events", func() {
				defer func() { <-free }()
				s.send(ctx, e)
			})
		}
		if len(claimed) == claimedAtOnce {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// SendDue sends what is due now, and returns when that is over.
func (s *Service) SendDue(ctx context.Context) error {
	for {
		claimed, err := s.claim(ctx, claimedAtOnce)
		if err != nil || len(claimed) == 0 {
			return err
		}
		var running goroutine.Group
		for _, e := range claimed {
			running.Start("sending events", func() { s.send(ctx, e) })
		}
		running.Wait()
	}
}
