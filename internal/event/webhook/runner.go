package webhook

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/platform/goroutine"
	"storefront/internal/record"
)

const (
	mostUnderWay = 16  // attempts at once for one endpoint
	readAtOnce   = 100 // events
	markedAtOnce = 50  // events
	markEvery    = 250 * time.Millisecond
	readEvery    = time.Second     // while attempts take their time
	runTime      = 5 * time.Second // after which a run ends if others want its place
)

type event struct {
	id       int64
	eventID  uuid.UUID
	payload  string
	attempts int
	giveUpAt time.Time
}

type outcome struct {
	event     *event
	at        time.Time
	status    int                   // 0: there was no answer
	failure   record.WebhookFailure // empty: it was delivered
	notBefore time.Time             // until when the receiver asked to wait; zero: it did not
}

// runner sends to one endpoint, which is leased to this server.
type runner struct {
	*Service
	work     context.Context // of attempts and statements; ends with the lease
	queue    []*event
	known    map[int64]bool // that are queued, under way or not yet marked
	underWay int
	results  chan outcome
	over     []outcome // not yet marked

	mu       sync.Mutex
	endpoint *claimed // as last read

	id, tenant   uuid.UUID // of the endpoint
	restarts     int       // of the endpoint as it was claimed
	failures     int
	failingSince *time.Time
	notBefore    time.Time // the latest that the receiver asked for
	paused       bool      // no further attempts begin
	disabled     string    // why the endpoint is to be disabled; empty: it stays enabled
}

// send sends the due events of an endpoint, until there are none, the endpoint must be paused or disabled, others have
// waited for its place for some seconds, or ctx is done. Then it waits for the running attempts.
func (s *Service) send(ctx context.Context, c *claimed) {
	work, stop := context.WithCancel(tenancy.In(context.WithoutCancel(ctx), c.tenant))
	defer stop()
	r := &runner{
		Service: s, work: work, known: map[int64]bool{}, results: make(chan outcome, mostUnderWay),
		endpoint: c, id: c.id, tenant: c.tenant,
		restarts: c.restarts, failures: c.failures, failingSince: c.failingSince,
	}
	var renewing goroutine.Group
	renewing.Start("keeping a lease", func() { r.keepLease(stop) })
	err := r.run(ctx)
	held := work.Err() == nil
	if held {
		err = r.release(err)
	}
	stop()
	renewing.Wait()
	if err != nil && held {
		s.Log.Warn("events for a webhook were not sent or not marked", "endpoint", c.id, "error", err)
	}
}

// keepLease renews the lease until work ends, and ends work if the lease is lost.
func (r *runner) keepLease(stop context.CancelFunc) {
	defer stop()
	tick := time.NewTicker(lease / 3)
	defer tick.Stop()
	last := time.Now()
	for {
		select {
		case <-r.work.Done():
			return
		case <-tick.C:
		}
		asked := time.Now()
		ctx, cancel := context.WithTimeout(r.work, lease/3)
		now, ok, err := r.renewed(ctx, r.endpoint)
		cancel()
		switch {
		case err == nil && ok:
			last = asked
			r.mu.Lock()
			r.endpoint = now
			r.mu.Unlock()
		case err == nil || time.Since(last) >= lease*2/3: // another's, or too late to try once more
			return
		}
	}
}

func (r *runner) run(ctx context.Context) error {
	marking := time.NewTimer(markEvery)
	defer marking.Stop()
	more, began, lastRead := true, time.Now(), time.Time{}
	for {
		over := ctx.Err() != nil || r.paused ||
			time.Since(began) >= runTime && time.Since(time.Unix(0, r.wanted.Load())) < runTime
		if (more || time.Since(lastRead) >= readEvery) && len(r.queue) == 0 && !over {
			n, err := r.read()
			if err != nil {
				return r.end(err)
			}
			more, lastRead = n > 0, time.Now()
		}
		for len(r.queue) > 0 && r.mayBegin() && !over {
			next := r.queue[0]
			r.queue = r.queue[1:]
			r.underWay++
			goroutine.Start("sending an event", func() {
				result := outcome{event: next, at: r.Clock.Now(), failure: record.FailedConnection} // where it panics
				defer func() { r.results <- result }()
				result = r.attempt(next)
			})
		}
		if r.underWay == 0 || len(r.over) >= markedAtOnce {
			marked := len(r.over) > 0
			if err := r.mark(); err != nil {
				return r.end(err)
			}
			more = more || marked // events of the same subjects
			if r.underWay == 0 && (over || r.paused || ctx.Err() != nil || !more && len(r.queue) == 0) {
				return r.postpone()
			}
			if r.underWay == 0 {
				continue
			}
		}
		marking.Reset(markEvery)
		select {
		case o := <-r.results:
			r.underWay--
			r.note(o)
		case <-marking.C:
			if len(r.over) > 0 {
				if err := r.mark(); err != nil {
					return r.end(err)
				}
				more = true
			}
		case <-r.work.Done():
			return r.end(r.work.Err())
		}
	}
}

// end waits for the running attempts after an error. Their outcomes are dropped.
func (r *runner) end(err error) error {
	for ; r.underWay > 0; r.underWay-- {
		<-r.results
	}
	return err
}

// mayBegin reports whether another attempt may begin: an endpoint that fails gets one at a time.
func (r *runner) mayBegin() bool {
	most := mostUnderWay
	if r.failures > 0 {
		most = 1
	}
	return !r.paused && r.underWay < most
}

// note counts a finished attempt.
func (r *runner) note(o outcome) {
	r.over = append(r.over, o)
	r.Attempted(cmp.Or(string(o.failure), Delivered))
	if o.failure == "" {
		r.failures, r.failingSince = 0, nil
		return
	}
	if r.failingSince == nil {
		r.failingSince = &o.at
	}
	if !r.paused { // else it ran together with attempts that were counted
		r.failures++
	}
	if o.notBefore.After(r.notBefore) { // it applies to all events
		r.notBefore, r.paused = o.notBefore, true
	}
	switch {
	case o.status == 410:
		r.paused, r.disabled = true, "the receiver has gone (410)"
	case r.failures >= 2*pauseAfter && o.at.Sub(*r.failingSince) >= disableAfter:
		r.paused, r.disabled = true, "nothing could be delivered for three days"
	case r.failures >= pauseAfter:
		r.paused = true
	}
}

// readDue reads due events that no earlier event of the same subject precedes.
var readDue = database.Statement(`SELECT event.id, event.event_id, event.payload, event.attempts, event.give_up_at
	FROM webhook_deliveries AS event
	WHERE event.endpoint_id = $endpoint AND event.tenant_id = $tenant AND event.next_at IS NOT NULL
		AND event.next_at <= $now AND NOT EXISTS (
			SELECT 1 FROM webhook_deliveries AS earlier
			WHERE earlier.endpoint_id = $endpoint AND earlier.tenant_id = $tenant
				AND earlier.subject_id = event.subject_id AND earlier.next_at IS NOT NULL AND earlier.id < event.id)
	ORDER BY event.next_at, event.id LIMIT $most`)

// read queues due events that are not queued yet, and returns their number.
func (r *runner) read() (n int, err error) {
	values := database.Values{
		"endpoint": r.id, "tenant": r.tenant, "now": r.Clock.Now(), "most": len(r.known) + readAtOnce,
	}
	err = readDue.Each(r.work, r.raw(), values, func(row *sql.Rows) error {
		e := new(event)
		if err := row.Scan(&e.id, &e.eventID, &e.payload, &e.attempts, &e.giveUpAt); err != nil {
			return err
		}
		if !r.known[e.id] {
			r.known[e.id] = true
			r.queue = append(r.queue, e)
			n++
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("read events: %w", err)
	}
	return n, nil
}

// putOff delays due events behind an earlier one of the same subject that has to wait, since they cannot be
// sent before it.
var putOff = database.Statement(`UPDATE webhook_deliveries SET next_at = (
		SELECT max(earlier.next_at) FROM webhook_deliveries AS earlier
		WHERE earlier.endpoint_id = $endpoint AND earlier.tenant_id = $tenant
			AND earlier.subject_id = webhook_deliveries.subject_id
			AND earlier.next_at IS NOT NULL AND earlier.id < webhook_deliveries.id)
	WHERE endpoint_id = $endpoint AND tenant_id = $tenant AND next_at IS NOT NULL AND next_at <= $now AND EXISTS (
		SELECT 1 FROM webhook_deliveries AS earlier
		WHERE earlier.endpoint_id = $endpoint AND earlier.tenant_id = $tenant
			AND earlier.subject_id = webhook_deliveries.subject_id
			AND earlier.next_at > $now AND earlier.id < webhook_deliveries.id)`)

// postpone ends a run by delaying the events that cannot be sent yet.
func (r *runner) postpone() error {
	err := r.exec(putOff, database.Values{"endpoint": r.id, "tenant": r.tenant, "now": r.Clock.Now()})
	if err != nil {
		return fmt.Errorf("put off events: %w", err)
	}
	return nil
}
