package app

import (
	"time"

	"storefront/ent/accesstoken"
	"storefront/ent/auditentry"
	"storefront/ent/cart"
	"storefront/ent/contactsubmission"
	"storefront/ent/schema"
	"storefront/internal/sweep"
)

// Keep says how long an operator keeps what no rule ends; 0: for ever. Times.Closed of account says it of
// closed accounts.
type Keep struct {
	Carts    time.Duration // customers' carts, after their last change
	Contacts time.Duration // messages to businesses
	Audit    time.Duration // entries of the audit log
}

// old are the rows that are not to be kept any longer.
func (k Keep) old(now time.Time) (jobs []sweep.Job) {
	now = now.UTC().Truncate(time.Microsecond)
	if k.Carts > 0 { // guests' carts have an end of their own
		jobs = append(jobs, sweep.ByDay(cart.Table, schema.UsedOn.Column, cart.FieldUpdatedAt, now.Add(-k.Carts),
			cart.UserIDNotNil()))
	}
	if k.Contacts > 0 {
		jobs = append(jobs,
			sweep.Before(contactsubmission.Table, contactsubmission.FieldCreatedAt, now.Add(-k.Contacts)))
	}
	if k.Audit > 0 {
		jobs = append(jobs, sweep.Before(auditentry.Table, auditentry.FieldCreatedAt, now.Add(-k.Audit)),
			// no entry names those any more
			sweep.Before(accesstoken.Table, accesstoken.FieldExpiresAt, now.Add(-k.Audit)),
			sweep.Before(accesstoken.Table, accesstoken.FieldRevokedAt, now.Add(-k.Audit)))
	}
	return jobs
}
