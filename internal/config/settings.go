package config

import (
	"slices"
	"time"

	"storefront/internal/app"
	"storefront/internal/customer/account"
	"storefront/internal/message/sms"
	"storefront/internal/sale/gateway"
)

// setting is a row of the table in contract 4.2: a variable and, unless it is secret, the flag of the same
// name.
type setting struct {
	name   string // name of the environment variable
	preset string // used when it is unset or empty
	help   string
	secret bool
	read   func(string) error // checks and stores the value; the error's text follows the name: "must be …"
	usual  usual              // other values are allowed, with a warning
}

const defaultDatabase = "sqlite://storefront.db"

// database returns the setting of the database of a server.
func database(c *Config) []setting {
	return []setting{
		{name: "DATABASE_URL", preset: defaultDatabase,
			help: "sqlite://FILE or postgres://USER:PASSWORD@HOST/NAME", read: checked(&c.DatabaseURL, databaseURL)},
	}
}

// beside returns the settings of a command that opens the database of a server. The command never creates one,
// because a forgotten or misspelt setting would then lead it to an empty database.
func beside(c *Config) []setting {
	settings := database(c)
	url := &settings[0]
	url.preset = ""
	url.help += "; empty: the storefront.db of a server in this folder"
	url.read = orServers(url.read)
	return settings
}

// images returns the settings of the place of uploaded images and of their addresses.
func images(c *Config) []setting {
	return []setting{
		{name: "PUBLIC_URL",
			help: "where clients reach the service, for the addresses of images: https://api.example; " +
				"empty: those are paths, and those of the demo at LISTEN_ADDR",
			read: optional(checked(&c.PublicURL, webURL))},
		{name: "MEDIA_DIR",
			help: "folder of the images that shops upload, which servers share; empty: storefront-media beside the " +
				"SQLite file; with PostgreSQL none, and nothing can be uploaded",
			read: checked(&c.MediaDir, text)},
		{name: "MEDIA_BUCKET",
			help: "bucket that speaks S3 for them instead, with a folder in it, if any: " +
				"https://s3.eu-central-1.amazonaws.com/shop-images/media",
			read: optional(checked(&c.MediaBucket, bucketURL))},
		{name: "MEDIA_BUCKET_REGION", preset: "us-east-1", help: "its region", read: checked(&c.MediaRegion, text)},
		{name: "MEDIA_BUCKET_KEY_ID", help: "the id of the key to it", read: checked(&c.MediaKeyID, text)},
		{name: "MEDIA_BUCKET_KEY", secret: true, help: "the key to it, which its provider calls secret",
			read: checked(&c.MediaKey, text)},
		{name: "MEDIA_URL",
			help: "what their addresses begin with, such as a CDN before the service: https://cdn.example; " +
				"empty: PUBLIC_URL",
			read: optional(checked(&c.MediaURL, webURL))},
		{name: "MEDIA_QUOTA", preset: "2GiB", help: "of them for each shop; 0: any number", read: size(&c.MediaQuota)},
	}
}

// serving returns the settings of a server beside those of its database and its images.
func serving(c *Config) []setting {
	c.Times = account.Defaults
	return slices.Concat([]setting{
		{name: "LISTEN_ADDR", preset: "127.0.0.1:8080", help: "host:port to answer on",
			read: checked(&c.ListenAddr, address)},
		{name: "METRICS_ADDR", help: "host:port to serve /metrics on; empty: nowhere",
			read: optional(checked(&c.MetricsAddr, address))},
		{name: "CORS_ORIGINS",
			help:  "further origins of pages that may call, with commas between: https://admin.example",
			read:  list(&c.Origins, webOrigin),
			usual: encrypted(&c.Origins)},
		{name: "CORS_HEADERS",
			help: "further request headers that pages may send, with commas between: x-client-version",
			read: list(&c.Headers, headerName)},
		{name: "TRUSTED_PROXIES",
			help:  "proxies whose X-Forwarded-For is believed, with commas between: 10.0.0.0/8",
			read:  list(&c.TrustedProxies, network),
			usual: narrow(&c.TrustedProxies)},
		{name: "GRAPHQL_EXPLORER", preset: "on", help: "on or off: introspection and the playground",
			read: word(&c.NoExplorer, "on", "off")},
		{name: "DRAIN_TIME", preset: "1s",
			help:  "after SIGTERM, how long /readyz is 503 while all else is answered; more than the probe's interval",
			read:  duration(&c.DrainTime),
			usual: atMost(&c.DrainTime, 5*time.Minute, "whoever stops the server may kill it before it has stopped")},
		{name: "CACHE_SIZE", preset: "64MiB", help: "memory for answers of public reads that are kept; 0: none is",
			read:  size(&c.CacheSize),
			usual: sizeUpTo(&c.CacheSize, 4<<30)},

		{name: "OTEL_EXPORTER_OTLP_ENDPOINT",
			help: "collector of OpenTelemetry that takes spans by HTTP: http://collector:4318; empty: none",
			read: optional(checked(&c.TracesTo, webURL))},
		{name: "OTEL_EXPORTER_OTLP_HEADERS", secret: true, help: "headers of requests to it: name=value,name=value",
			read: optional(otlpHeaders(&c.TraceHeaders))},
		{name: "CART_TTL", preset: "0s", help: "deletes customers' carts that were not changed for longer; 0: never",
			read:  duration(&c.Keep.Carts),
			usual: deletes(&c.Keep.Carts, 7*day, "customers lose what is in their carts")},
		{name: "CONTACT_TTL", preset: "0s", help: "deletes messages to businesses that are older; 0: never",
			read:  duration(&c.Keep.Contacts),
			usual: deletes(&c.Keep.Contacts, 30*day, "messages to businesses are deleted before somebody reads them")},
		{name: "AUDIT_TTL", preset: "0s", help: "deletes entries of the audit log that are older; 0: never",
			read:  duration(&c.Keep.Audit),
			usual: deletes(&c.Keep.Audit, 30*day, "entries of the audit log are deleted before somebody needs them")},
		{name: "CLOSED_ACCOUNT_TTL", preset: "0s",
			help:  "how long a closed account waits to be erased, and a code may open it again; 0: not at all",
			read:  duration(&c.Times.Closed),
			usual: atMost(&c.Times.Closed, 365*day, "what a person has closed is kept for that long")},
		{name: "UNPROVEN_ACCOUNT_TTL", preset: "720h",
			help:  "erases accounts without a proof or an order that nobody has used for so long; 0: never",
			read:  duration(&c.Times.Unused),
			usual: deletes(&c.Times.Unused, day, "accounts are erased whose holders have just made them")},
		{name: "WEBHOOK_PRIVATE_ADDRESSES", preset: "refuse",
			help:  "refuse or allow: webhooks at addresses inside this network, and by plain http; for development",
			read:  word(&c.PrivateWebhooks, "refuse", "allow"),
			usual: when(&c.PrivateWebhooks, "refuse", "shops can make this server call addresses inside its network")},
		{name: "GATEWAY_URLS",
			help: "where payment gateways are called instead of at their own addresses, with commas between: " +
				"zibal=https://relay.example",
			read: optional(gateways(&c.GatewayURLs)),
			usual: usual{"none of this machine", func() string {
				return unless(!gateway.Shown(c.GatewayURLs), "customers are sent to pay at an address of this machine")
			}, false}},
		{name: "GATEWAY_TIME",
			help: "1:600 for windows of payments that are 600 times shorter; for trials, with every gateway at an " +
				"address of this machine",
			read: optional(pace(&c.GatewayTime))},
	}, provider(c), sender(c), []setting{
		{name: "OTP_PER_MINUTE", preset: "600", help: "codes sent in a minute by the whole service",
			read:  count(&c.CodesInMinute, 1),
			usual: countUpTo(&c.CodesInMinute, 10_000, "strangers can make the service pay for so many SMS")},
		{name: "OTP_PER_ADDRESS", preset: "60", help: "codes for one client address in 10 minutes",
			read:  count(&c.CodesToAddress, 1),
			usual: countUpTo(&c.CodesToAddress, 1000, "one client can have so many SMS sent")},
		{name: "OTP_PER_HOUR", preset: "5", help: "codes for one cell in an hour", read: count(&c.CodesInHour, 1),
			usual: countUpTo(&c.CodesInHour, 20, "strangers can have so many SMS sent to one person")},
		{name: "OTP_PER_DAY", preset: "10", help: "codes for one cell in a day", read: count(&c.CodesInDay, 1),
			usual: countUpTo(&c.CodesInDay, 50, "strangers can have so many SMS sent to one person")},
		{name: "OTP_RESEND", preset: "60s", help: "time between two codes for one cell",
			read: duration(&c.Times.Resend),
			usual: usual{"15s to 10m", func() string {
				return unless(c.Times.Resend >= 15*time.Second && c.Times.Resend <= 10*time.Minute,
					"customers wait that long for another code, and strangers may ask for one so often")
			}, false}},
		{name: "SHOP_SMS_PER_DAY", preset: "100",
			help: "SMS in a day of a shop that invites staff or answers messages, a quarter of them in an hour; " +
				"0: none are sent",
			read:  count(&c.ShopSMSInDay, 0),
			usual: countUpTo(&c.ShopSMSInDay, 10_000, "each shop can have so many SMS sent")},
		{name: "CLIENT_LIMITS", preset: "on",
			help: "on or off: limits of guests' carts, comments, messages and accounts of one address; " +
				"off for load runs",
			read: clientLimits(&c.ClientLimits),
			usual: usual{"on", func() string {
				return unless(c.ClientLimits == app.UsualLimits, "a client may make any number of carts and accounts")
			}, false}},
		{name: "REFUSE_COMMON_PASSWORDS", preset: "off",
			help: "on or off: refuse the 10,000 most used passwords and the cell number as new ones",
			read: onOff(&c.RefuseCommonPasswords)},
		{name: "OPERATOR_SECOND_FACTOR", preset: "optional",
			help: "optional or required: operators of the service have a second factor",
			read: word(&c.OperatorsNeedFactor, "optional", "required")},
	}, keys(c))
}

// provider returns the setting that says who sends SMS, if anybody does.
func provider(c *Config) []setting {
	return []setting{
		{name: "SMS_PROVIDER", preset: "none", help: "none, log, kavenegar, smsir, magfa or http",
			read: checked(&c.SMS.Provider, oneOf(sms.Names...)),
			usual: usual{"not log", func() string {
				return unless(c.SMS.Provider != "log", "codes and messages are printed, and reach nobody")
			}, false}},
	}
}

// sender returns the settings of the provider of SMS.
func sender(c *Config) []setting {
	return []setting{
		{name: "SMS_BASE_URL", help: "where the provider is called; empty: its own address",
			read: optional(checked(&c.SMS.BaseURL, webURL)),
			usual: usual{"https", func() string {
				return unless(safe(c.SMS.BaseURL), "numbers, codes and the provider's key can be read on the way")
			}, false}},
		{name: "SMS_API_KEY", secret: true, help: "the provider's key", read: checked(&c.SMS.APIKey, text)},
		{name: "SMS_SENDER", help: "the line messages are sent from; empty: the account's own",
			read: checked(&c.SMS.Sender, text)},
		{name: "SMS_HTTP_TEMPLATE", help: "file that says how SMS_PROVIDER=http is spoken to, in JSON",
			read: optional(fileText(&c.SMS.Template))},
	}
}

// keys returns the settings of the keys that sign tokens and seal secrets.
func keys(c *Config) []setting {
	return []setting{
		{name: "TOKEN_SIGNING_KEY", secret: true,
			help:  "signs tokens, at least 32 bytes; with SQLite it is made when missing",
			read:  signingKey(&c.SigningKey),
			usual: random(&c.SigningKey)},
		{name: "TOKEN_SIGNING_KEY_OTHER", secret: true,
			help:  "what this key signed is taken as well, while keys are exchanged; empty: none",
			read:  signingKey(&c.OtherKey),
			usual: random(&c.OtherKey)},
	}
}

// commands maps each command to the settings it reads.
var commands = map[string][]func(*Config) []setting{
	"serve":       {database, serving, images},
	"graphql":     {beside, serving, images},
	"migrate":     {beside},
	"import":      {beside, keys, images},
	"export":      {beside, images},
	"tenant":      {beside},
	"partner":     {beside},
	"shop":        {beside, images, provider},
	"staff":       {beside, keys, provider, sender},
	"backup":      {beside},
	"restore":     {beside, keys, images},
	"healthcheck": {serving, images},
	"openapi":     {},
	"schema":      {},
	"version":     {},
}
