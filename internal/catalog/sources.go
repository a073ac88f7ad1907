package catalog

import (
	"context"
	"errors"
	"fmt"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/catalog/answercache"
	"storefront/internal/catalog/lookup"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/request"
)

// Sources returns what the answer to a request was read from, in which versions, and until when it is valid.
// It reports false if any of that is unknown.
func (r *Catalog) Sources(ctx context.Context) (answer answercache.Answer, known bool) {
	s := ScopeOf(ctx)
	answer.From = request.Of(ctx).Now
	for _, of := range s.tenants { // nothing of the request runs any more
		t := of.reached
		if t == nil {
			continue
		}
		if t.Domain == "" {
			return answer, false
		}
		answer.Sources = append(answer.Sources, answercache.Source{
			Domain: t.Domain, Tenant: t.ID, Version: t.ContentVersion,
		})
		if t.ID == uuid.Nil {
			continue
		}
		next, err := r.nextChange(ctx, t.ID)
		if err != nil {
			return answer, false // the answer itself is right
		}
		if !next.IsZero() && (answer.Until.IsZero() || next.Before(answer.Until)) {
			answer.Until = next
		}
	}
	return answer, true
}

// nextChangeText reads the times in one statement. Each is the first in an index, or in a table with few rows.
const nextChangeText = `
SELECT MIN(published_at) FROM products WHERE tenant_id = $1 AND status = 'published' AND published_at > $2
UNION ALL
SELECT MIN(published_at) FROM user_products WHERE tenant_id = $1 AND status = 'published' AND published_at > $2
UNION ALL
SELECT MIN(published_at) FROM blogs WHERE tenant_id = $1 AND status = 'published' AND published_at > $2
UNION ALL
SELECT MIN(published_at) FROM portfolios WHERE tenant_id = $1 AND status = 'published' AND published_at > $2
UNION ALL
SELECT MIN(starts_at) FROM store_specials WHERE tenant_id = $1 AND starts_at > $2
UNION ALL
SELECT MIN(ends_at) FROM store_specials WHERE tenant_id = $1 AND ends_at > $2`

// nextChange returns the next time at which content of a tenant becomes public, begins or ends without a write, or the
// zero time if it is not known.
func (r *Catalog) nextChange(ctx context.Context, tenant uuid.UUID) (time.Time, error) {
	type change struct{ after, next time.Time }
	read := func(ctx context.Context) (change, time.Time, error) {
		found := change{after: request.Of(ctx).Now}
		args := []any{tenant, found.after}
		err := database.EachRow(ctx, r.Store.Raw(), nextChangeText, args, func(row *sql.Rows) error {
			var at database.Moment
			err := row.Scan(&at)
			if !at.IsZero() && (found.next.IsZero() || at.Before(found.next)) {
				found.next = at.Time
			}
			return err
		})
		if err != nil {
			return change{}, time.Time{}, fmt.Errorf("find the next change: %w", err)
		}
		return found, found.next, nil
	}
	ctx = tenancy.In(ctx, tenant)
	found, err := countOnce(ctx, r, subject{tenant: tenant, what: "next change"}, read)
	if err == nil && request.Of(ctx).Now.Before(found.after) { // the clock was set back
		found, _, err = read(ctx)
	}
	return found.next, err
}

// ReadsLocations notes that the request will read the tree of locations.
func (r *Catalog) ReadsLocations(ctx context.Context) error {
	if !keeps(ctx) {
		return nil
	}
	found, err := r.tenants.FindAll(ctx, []string{lookup.Installation})
	if err == nil {
		ScopeOf(ctx).Reached(found[lookup.Installation])
	}
	return err
}

func (r *Catalog) currentVersion(ctx context.Context, t *ent.Tenant) (int64, error) {
	now, err := r.tenants.Find(ctx, t.Domain)
	if errors.Is(err, lookup.ErrUnknown) || err == nil && now.ID != t.ID {
		return -1, nil
	}
	if err != nil {
		return 0, err
	}
	return now.ContentVersion, nil
}
