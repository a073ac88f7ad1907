package payment

import (
	"context"
	"errors"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent/payment"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/platform/goroutine"
)

// dueLooks reads the tries to look at. The looks that any server has under way count toward the limit of an account.
var dueLooks = database.Statement(`SELECT tenant_id, id
	FROM (SELECT tenant_id, id, look_at, claimed_until, row_number() OVER (PARTITION BY gateway_account_id
			ORDER BY CASE WHEN claimed_until > $now THEN 0 ELSE 1 END, look_at) AS place
		FROM payments WHERE look_at <= $now) AS due
	WHERE place <= $each AND (claimed_until IS NULL OR claimed_until <= $now) ORDER BY place, look_at LIMIT $most`)

const (
	looksAtOnce = 40          // that one Watch starts
	looksOfOne  = 5           // under way with one account, so that a gateway which does not answer holds up no other
	looksAgain  = time.Minute // after a look that failed without an answer
)

// Watch asks the gateways about tries of all shops whose time has come, in goroutines of a group, and does not wait for
// them. Several servers may call it at the same time, and one server again before gateways have answered.
func (s *Service) Watch(ctx context.Context, looks *goroutine.Group) error {
	type try struct{ business, id uuid.UUID }
	var due []try
	values := database.Values{"now": s.clock.Now(), "each": looksOfOne, "most": looksAtOnce}
	err := dueLooks.Each(ctx, s.store.Raw(), values, func(row *sql.Rows) error {
		var one try
		err := row.Scan(&one.business, &one.id)
		due = append(due, one)
		return err
	})
	for _, one := range due {
		ctx := tenancy.In(ctx, one.business)
		p, failure := s.claim(ctx, one.id)
		if failure != nil {
			if !errors.Is(failure, errClaimed) {
				err = errors.Join(err, failure)
			}
			continue
		}
		looks.Start("asking a payment gateway", func() {
			err := s.lookAt(ctx, p)
			if err == nil || errors.Is(err, errClaimed) {
				return
			}
			err = errors.Join(err, s.store.Payment.Update().Where(payment.ID(p.ID), payment.LookAtNotNil()).
				SetLookAt(s.clock.Now().Add(s.pace.Of(looksAgain))).Exec(ctx))
			if ctx.Err() == nil {
				s.log.WarnContext(ctx, "a payment at a gateway was not looked at; it will be", "payment", p.ID,
					"error", err)
			}
		})
	}
	return err
}
