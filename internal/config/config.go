// Package config reads the settings of the service from flags and environment variables.
//
// settings.go lists every setting with its default and the commands that read it; values.go has one reader
// for each form of value (a duration, an address, a list of networks). Load runs the readers, then check
// looks at settings that must fit together. Only cmd/storefront uses this package; the others are given
// values.
package config

import (
	"net/netip"
	"time"

	"storefront/internal/server/origin"
)

// Config holds every setting of contract 4.2. The settings that a command does not read keep their zero value.
type Config struct {
	DatabaseURL string // -database-url, DATABASE_URL: sqlite://FILE or postgres://…; may hold a password
	LogFormat   string // -log-format, LOG_FORMAT: "text", "json", or "" for text on a terminal and json elsewhere
	LogLevel    string // -log-level, LOG_LEVEL: "debug", "info", "warn" or "error"

	DatabaseByDefault bool // DATABASE_URL is not set

	DatabaseReplicas []string // -database-replica-url, DATABASE_REPLICA_URL: a URL for each; may hold passwords

	ListenAddr     string          // -listen-addr, LISTEN_ADDR: host:port the service answers on
	PublicURL      string          // -public-url, PUBLIC_URL: where clients reach the service; empty: not known
	MediaDir       string          // -media-dir, MEDIA_DIR: folder of uploaded images; empty: beside the SQLite file
	MediaBucket    string          // -media-bucket, MEDIA_BUCKET: where they are kept instead; empty: in a folder
	MediaRegion    string          // -media-bucket-region, MEDIA_BUCKET_REGION
	MediaKeyID     string          // -media-bucket-key-id, MEDIA_BUCKET_KEY_ID
	MediaKey       Secret          // MEDIA_BUCKET_KEY
	MediaURL       string          // -media-url, MEDIA_URL: what their addresses begin with; empty: PublicURL
	MediaQuota     int64           // -media-quota, MEDIA_QUOTA: bytes of them that a shop may have; 0: any number
	MetricsAddr    string          // -metrics-addr, METRICS_ADDR: host:port of /metrics; empty: none
	CORSOrigins    []origin.Origin // -cors-origins, CORS_ORIGINS: allowed in addition to tenants' and loopback
	CORSHeaders    []string        // -cors-headers, CORS_HEADERS: request headers allowed in addition to the usual ones
	TrustedProxies []netip.Prefix  // -trusted-proxies, TRUSTED_PROXIES: peers whose X-Forwarded-For is believed
	Explorer       bool            // -graphql-explorer, GRAPHQL_EXPLORER: introspection and playground
	DrainTime      time.Duration   // -drain-time, DRAIN_TIME: /readyz is 503 for it before a stop refuses connections
	StaleReads     time.Duration   // -stale-reads, STALE_READS: public reads go on for it without the primary; 0: none
	CacheSize      int64           // -cache-size, CACHE_SIZE: bytes of kept answers to public reads; 0: none

	UnpaidOrderTTL time.Duration // -unpaid-order-ttl, UNPAID_ORDER_TTL: orders wait so long for a gateway; 0: for ever

	CartTTL          time.Duration // -cart-ttl, CART_TTL: life of an unused cart of a customer; 0: for ever
	ContactTTL       time.Duration // -contact-ttl, CONTACT_TTL: life of a message to a business; 0: for ever
	AuditTTL         time.Duration // -audit-ttl, AUDIT_TTL: life of an entry of the audit log; 0: for ever
	ClosedAccountTTL time.Duration // -closed-account-ttl, CLOSED_ACCOUNT_TTL: closed accounts are erased after it

	UnprovenAccountTTL time.Duration // -unproven-account-ttl, UNPROVEN_ACCOUNT_TTL: life of an unused one; 0: for ever

	PrivateWebhooks bool // -webhook-private-addresses, WEBHOOK_PRIVATE_ADDRESSES: "allow" lets webhooks lead to them

	Tracing Tracing

	OtherKey   Secret // TOKEN_SIGNING_KEY_OTHER: tokens signed with it are valid as well; empty: none
	SigningKey Secret // TOKEN_SIGNING_KEY: signs access tokens; empty: read SigningKey's file

	SMS           SMS
	OTPPerMinute  int // -otp-per-minute, OTP_PER_MINUTE: codes sent in a minute by the whole service
	OTPPerAddress int // -otp-per-address, OTP_PER_ADDRESS: codes for one client address in 10 minutes
	OTPPerHour    int // -otp-per-hour, OTP_PER_HOUR: codes for one cell
	OTPPerDay     int // -otp-per-day, OTP_PER_DAY: codes for one cell
	ShopSMSPerDay int // -shop-sms-per-day, SHOP_SMS_PER_DAY: of a shop to those it invites or answers; 0: none

	GuestCartsPerHour     int  // -guest-carts-per-hour, GUEST_CARTS_PER_HOUR: of one client; 0: any number
	GuestCartsPerShop     int  // -guest-carts-per-shop, GUEST_CARTS_PER_SHOP: of one shop in an hour; 0: any number
	PublicWritesPerMinute int  // -public-writes-per-minute, PUBLIC_WRITES_PER_MINUTE: of one client; 0: any number
	RegistrationsPerHour  int  // -registrations-per-hour, REGISTRATIONS_PER_HOUR: from one home network; 0: any number
	RefuseCommonPasswords bool // -refuse-common-passwords, REFUSE_COMMON_PASSWORDS: as new passwords
	OperatorSecondFactor  bool // -operator-second-factor, OPERATOR_SECOND_FACTOR: operators need one

	AccessTTL      time.Duration // -access-ttl, ACCESS_TTL: life of an access token
	RefreshIdleTTL time.Duration // -refresh-idle-ttl, REFRESH_IDLE_TTL: an unused session ends after it
	RefreshMaxTTL  time.Duration // -refresh-max-ttl, REFRESH_MAX_TTL: every session ends after it
	RefreshGrace   time.Duration // -refresh-grace, REFRESH_GRACE: a used refresh token is no replay so long; 0: never
	OTPTTL         time.Duration // -otp-ttl, OTP_TTL: life of a code
	OTPResend      time.Duration // -otp-resend, OTP_RESEND: time between two codes for one cell
	LinkTTL        time.Duration // -link-ttl, LINK_TTL: life of a pending link to another site's account
	UnprovenTTL    time.Duration // -unproven-ttl, UNPROVEN_TTL: how long a code may come from whoever registered
	IdempotencyTTL time.Duration // -idempotency-ttl, IDEMPOTENCY_TTL: how long an Idempotency-Key is remembered
}

// Tracing says where spans of OpenTelemetry are sent, by the names that the standard gives.
type Tracing struct {
	Endpoint string // -otel-exporter-otlp-endpoint, OTEL_EXPORTER_OTLP_ENDPOINT: the collector; empty: nowhere
	Headers  Secret // OTEL_EXPORTER_OTLP_HEADERS: of requests to it
	Service  string // -otel-service-name, OTEL_SERVICE_NAME: the name of the service in spans
	Sampler  string // -otel-traces-sampler, OTEL_TRACES_SAMPLER: a name of tracing.Samplers
	Ratio    string // -otel-traces-sampler-arg, OTEL_TRACES_SAMPLER_ARG: from 0 to 1
}

// SMS is the provider that sends codes and partners' messages.
type SMS struct {
	Provider string // -sms-provider, SMS_PROVIDER: a name of providers; "none" sends nothing
	BaseURL  string // -sms-base-url, SMS_BASE_URL: where to call it; empty: its own address
	APIKey   Secret // SMS_API_KEY
	Sender   string // -sms-sender, SMS_SENDER: the line it sends from; empty: the account's own
	Template string // -sms-http-template, SMS_HTTP_TEMPLATE: the text of the file it names; only "http" reads it
}

// Secret is text that never shows in a log or a message; string(s) is the text itself.
type Secret string

const hidden = "(secret)"

func (Secret) String() string { return hidden }

func (Secret) GoString() string { return hidden }

// MarshalText hides the text in JSON as well.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }
