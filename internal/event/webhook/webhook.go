// Package webhook sends the events of a shop to addresses that its staff have registered.
//
// Package outbox numbers the events that are committed, and makes a row of each for each endpoint that wants it.
// Every server has it do so twice a second. A server leases an endpoint with due rows (claim.go; the server
// renews the lease, which expires if the server dies) and sends to it (runner.go): the oldest waiting event of
// each subject, many subjects at once, so that the events of one order arrive in order. A row is marked only
// after the receiver has accepted it, so each event is delivered at least once; events that were under way when
// a server died are sent again.
//
// A failed event is retried with growing delays. An endpoint that keeps failing is paused, then
// tried with one event at a time, and disabled after three days; a dead or slow receiver uses a bounded
// number of connections and delays no other endpoint's events. Addresses inside the service's own network
// are never called, whatever a name resolves to (address.go).
//
// Bodies are signed by the Standard Webhooks scheme (attempt.go). endpoints.go and deliveries.go are what staff
// can do.
package webhook

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/event/outbox"
	"storefront/internal/platform/goroutine"
	"storefront/internal/platform/share"
	"storefront/internal/record"
	"storefront/internal/request"
)

// Options are the settings of the service.
type Options struct {
	Store   *ent.Client // guarded by tenancy.Guard
	Clock   record.Clock
	Log     *slog.Logger
	Private bool // endpoints may have private addresses, and plain http

	Attempted func(outcome string) // called for each attempt with Delivered, or why it failed; may be nil
}

// Delivered is the outcome of a successful attempt.
const Delivered = "delivered"

// Service manages the endpoints of businesses and sends events to them.
type Service struct {
	Options
	client *http.Client
	server uuid.UUID    // this server, among those that share the work
	places *share.Slots // of endpoints that it sends to: of a shop and of a host only a part
	wanted atomic.Int64 // when an endpoint was last refused a place, in nanoseconds
}

// New makes the service.
func New(o Options) *Service {
	if o.Attempted == nil {
		o.Attempted = func(string) {}
	}
	return &Service{Options: o, client: newClient(o.Private), server: uuid.New(),
		places: share.NewForClients(mostRunners, mostRunners/4)}
}

func (s *Service) raw() database.Executor { return s.Store.Raw() }

const (
	pollEvery     = 500 * time.Millisecond // between two checks for due events
	warnEvery     = time.Minute            // between two log lines about failed checks
	mostRunners   = 256                    // endpoints that a server sends to at once
	claimedAtOnce = 32                     // endpoints
	refusedRest   = 2 * time.Second        // before an endpoint whose host or shop has its share is tried again
)

// Run prepares and sends due events until ctx is done, and returns when the running attempts have ended, within
// StopTime.
func (s *Service) Run(ctx context.Context) {
	var running goroutine.Group
	defer running.Wait()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	var warned time.Time
	for {
		prepared := s.Prepare(ctx)
		free := mostRunners - s.places.Stats().Taken
		if free == 0 {
			s.wanted.Store(time.Now().UnixNano())
		}
		claimed, err := s.claim(ctx, min(claimedAtOnce, free))
		err = errors.Join(prepared, err)
		if err != nil && ctx.Err() == nil && time.Since(warned) >= warnEvery {
			s.Log.Warn("not all events were numbered, or looked for to send them to webhooks", "error", err)
			warned = time.Now()
		}
		for _, e := range claimed {
			host := request.Client{Name: hostOf(e.url)}
			release, ok := s.places.TakeAtOnce(request.WithClient(tenancy.In(ctx, e.tenant), host))
			if !ok { // its host or shop has its share; no other one's place would help it
				rests := s.ofLease(e.id, e.tenant)
				rests["now"] = s.Clock.Now().Add(refusedRest)
				_, err := givingBack.Exec(ctx, s.raw(), rests)
				if err != nil && ctx.Err() == nil {
					s.Log.Warn("a webhook was not given back; its lease ends by itself", "endpoint", e.id, "error", err)
				}
				continue
			}
			running.Start("sending events", func() {
				defer release()
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

// hostOf returns the host of an endpoint's address, which was checked when it was stored.
func hostOf(address string) string {
	to, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.ToLower(to.Hostname())
}

// Prepare numbers the events that are committed, for all their readers, and makes their deliveries.
func (s *Service) Prepare(ctx context.Context) error {
	now := s.Clock.Now()
	return errors.Join(outbox.Number(ctx, s.Store, now), outbox.Deliver(ctx, s.Store, now))
}
