package webhook

import (
	"context"
	"fmt"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/internal/database"
)

// The statements of sending are written by hand and cover all tenants; package tenancy does not check them.
// Only the holder of an endpoint's lease makes these changes.

// lease is how long an endpoint is leased to a server that does not renew it.
const lease = 10 * time.Second

type claimed struct {
	id, tenant     uuid.UUID
	url            string
	secret         []byte
	previousSecret []byte // nil: only one secret signs
	previousUntil  *time.Time
	failures       int
	failingSince   *time.Time
	restarts       int       // how often staff restarted sending
	until          time.Time // end of the lease
}

const claimedColumns = `id, tenant_id, url, secret, previous_secret, previous_until, failures, failing_since, restarts`

func (c *claimed) scan(row *sql.Rows) error {
	return row.Scan(&c.id, &c.tenant, &c.url, &c.secret, &c.previousSecret, &c.previousUntil,
		&c.failures, &c.failingSince, &c.restarts)
}

// secrets returns the secrets that sign at a moment, the newest first.
func (c *claimed) secrets(at time.Time) [][]byte {
	if c.previousSecret != nil && c.previousUntil != nil && at.Before(*c.previousUntil) {
		return [][]byte{c.secret, c.previousSecret}
	}
	return [][]byte{c.secret}
}

// ofOpenShop is the condition that an endpoint's shop is open. The events of a shop that has moved are sent
// from its new place.
const ofOpenShop = `NOT EXISTS (SELECT 1 FROM tenants WHERE tenants.id = endpoint.tenant_id AND closed_at IS NOT NULL)`

// isDue is the condition that an endpoint has events due and that no other server sends to it.
const isDue = `endpoint.active
		AND (endpoint.leased_until IS NULL OR endpoint.leased_until <= $now)
		AND (endpoint.paused_until IS NULL OR endpoint.paused_until <= $now)
		AND EXISTS (SELECT 1 FROM webhook_deliveries AS event
			WHERE event.endpoint_id = endpoint.id AND event.next_at IS NOT NULL AND event.next_at <= $now)
		AND ` + ofOpenShop + `
	`

// claimDue leases endpoints that are due, those whose last lease ended first.
var claimDue = database.Locking(`WITH due AS MATERIALIZED (
		SELECT endpoint.id FROM webhook_endpoints AS endpoint
		WHERE `+isDue+`ORDER BY endpoint.leased_until NULLS FIRST, endpoint.id LIMIT $most %s
	)
	UPDATE webhook_endpoints SET leased_by = $server, leased_until = $until
	WHERE id IN (SELECT id FROM due) RETURNING `+claimedColumns, "FOR NO KEY UPDATE OF endpoint SKIP LOCKED")

// anyDue selects a row if an endpoint may be due, without a lock.
var anyDue = database.Statement(`SELECT 1 FROM webhook_endpoints AS endpoint WHERE ` + isDue + `LIMIT 1`)

// claim leases up to most endpoints that have events due.
func (s *Service) claim(ctx context.Context, most int) (all []*claimed, err error) {
	now, any := s.Clock.Now(), 0
	found, err := anyDue.Row(ctx, s.raw(), database.Values{"now": now}, &any)
	if err != nil || !found || most == 0 {
		return nil, err
	}
	until := now.Add(lease)
	values := database.Values{"now": now, "until": until, "server": s.server, "most": most}
	err = claimDue.Of(s.raw()).Each(ctx, s.raw(), values, func(row *sql.Rows) error {
		c := &claimed{until: until}
		all = append(all, c)
		return c.scan(row)
	})
	if err != nil {
		return nil, fmt.Errorf("claim endpoints: %w", err)
	}
	return all, nil
}

var renew = database.Statement(`UPDATE webhook_endpoints AS endpoint SET leased_until = $until
	WHERE id = $endpoint AND tenant_id = $tenant AND leased_by = $server AND active AND ` + ofOpenShop + `
	RETURNING ` + claimedColumns)

// renewed renews the lease of an endpoint, and reads what staff may have changed. It reports false if the
// endpoint is deleted, inactive or leased to another server.
func (s *Service) renewed(ctx context.Context, c *claimed) (now *claimed, ok bool, err error) {
	now = &claimed{until: s.Clock.Now().Add(lease)}
	values := database.Values{"until": now.until, "endpoint": c.id, "tenant": c.tenant, "server": s.server}
	err = renew.Each(ctx, s.raw(), values, func(row *sql.Rows) error {
		ok = true
		return now.scan(row)
	})
	return now, ok, err
}

// giveBack ends a lease and stores when, because claimDue orders endpoints by it.
const giveBack = `UPDATE webhook_endpoints SET leased_by = NULL, leased_until = $now%s
	WHERE id = $endpoint AND tenant_id = $tenant AND leased_by = $server`

// releasing ends the lease and stores what was learned of the endpoint, unless staff restarted it meanwhile,
// by a new address or secret or by activating it. In that case givingBack only ends the lease.
var (
	releasing = database.Statement(fmt.Sprintf(giveBack, `,
		failures = $failures, failing_since = $since, paused_until = $paused,
		active = active AND $active, disabled_reason = CASE WHEN $active THEN disabled_reason ELSE $reason END`) +
		` AND restarts = $restarts`)

	givingBack = database.Statement(fmt.Sprintf(giveBack, ""))
)

// ofLease returns the values of givingBack.
func (s *Service) ofLease(endpoint, tenant uuid.UUID) database.Values {
	return database.Values{"endpoint": endpoint, "tenant": tenant, "server": s.server, "now": s.Clock.Now()}
}

var leaseEnds = database.Statement(`UPDATE webhook_endpoints SET leased_by = NULL, leased_until = NULL
	WHERE leased_by IS NOT NULL`)

// TakeOver ends the leases of servers that have died, on a database with a single server. On other databases
// leases just expire.
func (s *Service) TakeOver(ctx context.Context) error {
	if s.raw().Dialect() != dialect.SQLite {
		return nil
	}
	_, err := leaseEnds.Exec(ctx, s.raw(), database.Values{})
	return err
}

// Backlog describes the events that wait to be sent.
type Backlog struct {
	Events    int
	Endpoints int           // that they wait for
	Oldest    time.Duration // age of the oldest of them, or of those without a number; 0: there are none
}

// waiting counts the events that wait for working endpoints, and for those whose last attempt failed.
var waiting = database.Statement(`SELECT CASE WHEN endpoint.failures > 0 THEN 1 ELSE 0 END,
	count(*), count(DISTINCT endpoint.id), min(event.created_at)
	FROM webhook_deliveries AS event JOIN webhook_endpoints AS endpoint ON endpoint.id = event.endpoint_id
	WHERE event.next_at IS NOT NULL AND endpoint.active
	GROUP BY 1`)

// unnumbered finds the oldest event of all shops that waits for its number.
var unnumbered = database.Statement(`SELECT created_at FROM shop_events WHERE number IS NULL
	ORDER BY created_at LIMIT 1`)

// Backlog returns the events that wait for working endpoints, and for those whose last attempt failed. An event without
// a number may be for any endpoint: it counts as old, among the first.
func (s *Service) Backlog(ctx context.Context) (working, failing Backlog, err error) {
	err = waiting.Each(ctx, s.raw(), nil, func(row *sql.Rows) error {
		var fails, events, endpoints int
		var first database.Moment
		if err := row.Scan(&fails, &events, &endpoints, &first); err != nil {
			return err
		}
		found := Backlog{events, endpoints, max(s.Clock.Now().Sub(first.Time), 0)}
		if fails == 0 {
			working = found
		} else {
			failing = found
		}
		return nil
	})
	var first time.Time
	if err == nil {
		var found bool
		found, err = unnumbered.Row(ctx, s.raw(), nil, &first)
		if found {
			working.Oldest = max(working.Oldest, s.Clock.Now().Sub(first))
		}
	}
	if err != nil {
		return working, failing, fmt.Errorf("count the events that wait: %w", err)
	}
	return working, failing, nil
}
