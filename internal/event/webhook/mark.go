package webhook

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"time"

	"storefront/internal/database"
	"storefront/internal/database/transaction"
)

// markDelivered marks several events as delivered.
var markDelivered = database.Texts{
	SQLite: database.Statement(delivered + ` AND id IN (SELECT value FROM json_each($ids))`),
	Postgres: database.Statement(delivered + `
		AND id IN (SELECT value::bigint FROM json_array_elements_text($ids::json))`),
}

const delivered = `UPDATE webhook_deliveries SET next_at = NULL, delivered_at = $at, attempted_at = $at,
	attempts = attempts + 1, status = $status, failure = NULL WHERE tenant_id = $tenant`

var markFailed = database.Statement(`UPDATE webhook_deliveries SET next_at = $next, attempted_at = $at,
	attempts = attempts + 1, status = $status, failure = $failure WHERE id = $id AND tenant_id = $tenant`)

// exec runs a statement, again after a conflict with changes by staff.
func (r *runner) exec(text database.Text, values database.Values) error {
	return transaction.Single(func() error {
		_, err := text.Exec(r.work, r.raw(), values)
		return err
	})
}

// mark records the outcomes of finished attempts.
func (r *runner) mark() error {
	taken := map[int][]int64{} // by status
	at := r.Clock.Now()
	for _, o := range r.over {
		if o.failure == "" {
			taken[o.status] = append(taken[o.status], o.event.id)
			continue
		}
		values := database.Values{
			"id": o.event.id, "tenant": r.tenant, "at": o.at, "next": nil, "status": nil,
			"failure": string(o.failure),
		}
		if o.status != 0 {
			values["status"] = o.status
		}
		if o.at.Before(o.event.giveUpAt) {
			next := o.at.Add(backoff(o.event.attempts + 1))
			if o.notBefore.After(next) {
				next = o.notBefore
			}
			values["next"] = next
		}
		if err := r.exec(markFailed, values); err != nil {
			return fmt.Errorf("mark an event that was not delivered: %w", err)
		}
	}
	for status, ids := range taken {
		list, err := json.Marshal(ids)
		if err != nil {
			return err
		}
		values := database.Values{"ids": string(list), "tenant": r.tenant, "at": at, "status": status}
		if err := r.exec(markDelivered.Of(r.raw()), values); err != nil {
			return fmt.Errorf("mark events that were delivered: %w", err)
		}
	}
	for _, o := range r.over {
		delete(r.known, o.event.id)
	}
	r.over = nil
	return nil
}

// release ends the lease, and stores what was learned of the endpoint. err is why sending stopped.
func (r *runner) release(err error) error {
	var until time.Time
	switch {
	case r.failures >= pauseAfter:
		until = r.Clock.Now().Add(backoff(r.failures - pauseAfter + 1))
	case err != nil: // not retried at once
		until = r.Clock.Now().Add(firstPause)
	}
	if r.notBefore.After(until) {
		until = r.notBefore
	}
	values := r.ofLease(r.id, r.tenant)
	maps.Copy(values, database.Values{"failures": r.failures, "since": r.failingSince, "paused": nil,
		"active": r.disabled == "", "reason": r.disabled, "restarts": r.restarts})
	if !until.IsZero() {
		values["paused"] = until
	}
	failed := transaction.Single(func() error {
		n, err := releasing.Exec(r.work, r.raw(), values)
		if err == nil && n == 0 {
			_, err = givingBack.Exec(r.work, r.raw(), r.ofLease(r.id, r.tenant))
		}
		return err
	})
	return cmp.Or(err, failed)
}

const (
	firstPause   = 5 * time.Second
	longestPause = 3 * time.Hour

	pauseAfter   = 5              // consecutive failures after which an endpoint is paused
	disableAfter = 72 * time.Hour // of failures only
)

// backoff returns the wait after so many failed attempts: three times as long after each, plus or minus a
// quarter, so that events that failed together are not retried together.
func backoff(failed int) time.Duration {
	pause := firstPause
	for i := 1; i < failed && pause < longestPause; i++ {
		pause *= 3
	}
	pause = min(pause, longestPause)
	return (pause - pause/4 + rand.N(pause/2)).Truncate(time.Microsecond)
}
