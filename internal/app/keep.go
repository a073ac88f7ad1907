package app

import (
	"time"

	"storefront/ent/accesstoken"
	"storefront/ent/auditentry"
	"storefront/ent/cart"
	"storefront/ent/contactsubmission"
	"storefront/internal/database/sweep"
	"storefront/internal/record"
)

// Keep is how long an operator keeps data that no other rule deletes; 0 is for ever. For closed accounts see
// account.Times.Closed.
type Keep struct {
	Carts    time.Duration // customers' carts, after their last change
	Contacts time.Duration // messages to businesses
	Audit    time.Duration // entries of the audit log
}

// old returns the jobs that delete rows older than that.
func (k Keep) old(now time.Time) (jobs []sweep.Job) {
	now = record.Moment(now)
	if k.Carts > 0 { // guests' carts expire by another rule
		jobs = append(jobs, sweep.ByDay(cart.Table, record.UsedOn.Column, cart.FieldUpdatedAt, now.Add(-k.Carts),
			cart.UserIDNotNil()))
	}
	if k.Contacts > 0 {
		jobs = append(jobs,
			sweep.Before(contactsubmission.Table, contactsubmission.FieldCreatedAt, now.Add(-k.Contacts)))
	}
	if k.Audit > 0 {
		jobs = append(jobs, sweep.Before(auditentry.Table, auditentry.FieldCreatedAt, now.Add(-k.Audit)),
			// no audit entry names these any more
			sweep.Before(accesstoken.Table, accesstoken.FieldExpiresAt, now.Add(-k.Audit)),
			sweep.Before(accesstoken.Table, accesstoken.FieldRevokedAt, now.Add(-k.Audit)))
	}
	return jobs
}
