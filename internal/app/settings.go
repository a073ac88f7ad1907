package app

import (
	"net/netip"
	"time"

	"storefront/ent/accesstoken"
	"storefront/ent/auditentry"
	"storefront/ent/cart"
	"storefront/ent/contactsubmission"
	"storefront/internal/customer/account"
	"storefront/internal/database/sweep"
	"storefront/internal/record"
	"storefront/internal/server/origin"
)

// Settings are those of contract 4.2 that the composed service obeys. Package config reads them.
type Settings struct {
	Origins        []origin.Origin // CORS_ORIGINS: allowed in addition to the tenants' own and loopback
	Headers        []string        // CORS_HEADERS: of requests, allowed in addition to the usual ones
	TrustedProxies []netip.Prefix  // TRUSTED_PROXIES: peers whose X-Forwarded-For is believed
	NoExplorer     bool            // GRAPHQL_EXPLORER=off: no playground, and no introspection
	DrainTime      time.Duration   // DRAIN_TIME: a service that stops still accepts requests, while /readyz is 503
	CacheSize      int64           // CACHE_SIZE: bytes of cached answers; 0: no cache

	MediaURL   string // MEDIA_URL or PUBLIC_URL: prefix of image addresses; empty: they are paths
	MediaQuota int64  // MEDIA_QUOTA: bytes of images that a shop may have; 0: any number

	Keep            Keep          // how long data that is not needed is kept
	FirstSweep      time.Duration // how long after the start old data is deleted, and orders cancelled, first
	PrivateWebhooks bool          // WEBHOOK_PRIVATE_ADDRESSES: webhooks may use them, and plain http

	PublicURL   string            // PUBLIC_URL: where clients reach the service; empty: not known
	GatewayURLs map[string]string // GATEWAY_URLS: where gateways are called, as gateway.All takes it
	GatewayTime record.Pace       // GATEWAY_TIME: how many times shorter the windows of payments are; 0: they are not

	Times                 account.Times // some have settings; zero: account.Defaults
	account.Limits                      // OTP_PER_…; zero: account.UsualLimits
	ClientLimits                        // CLIENT_LIMITS
	ShopSMSInDay          int           // SHOP_SMS_PER_DAY: SMS with which a shop invites or replies; 0: none
	OperatorsNeedFactor   bool          // OPERATOR_SECOND_FACTOR: operators of the service need one
	RefuseCommonPasswords bool          // REFUSE_COMMON_PASSWORDS: as new ones
}

// ClientLimits bound what those who need no account may write; 0: any number.
type ClientLimits struct {
	GuestCartsInHour     int // carts that one client address may make for guests
	ShopGuestCartsInHour int // carts that all guests of a shop may make before each may make few more
	PublicWritesInMinute int // comments, reviews and messages of one client address
	RegistrationsInHour  int // accounts that one home network may make (package ratelimit, Crowded)
}

// UsualLimits are the limits of contract 4.2.
var UsualLimits = ClientLimits{
	GuestCartsInHour: 600, ShopGuestCartsInHour: 10_000, PublicWritesInMinute: 600, RegistrationsInHour: 30,
}

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
