// Package config reads the settings of the service from flags and environment variables.
//
// settings.go lists every setting with its default and the commands that read it; values.go has one reader
// for each form of value (a duration, an address, a list of networks). Load runs the readers, then check
// looks at settings that must fit together. Only cmd/storefront uses this package; the others are given
// values.
package config

import (
	"io"

	"storefront/internal/app"
	"storefront/internal/message/sms"
)

// Config holds every setting of contract 4.2. The settings that a command does not read keep their zero value.
type Config struct {
	app.Settings // what the service obeys; MediaURL is PUBLIC_URL where MEDIA_URL is not set

	Unusual []Unusual // settings whose values may be mistakes

	DatabaseURL       string // may hold a password
	DatabaseByDefault bool   // DATABASE_URL is not set

	ListenAddr  string // host:port the service answers on
	MetricsAddr string // host:port of /metrics; empty: none

	MediaDir    string // folder of uploaded images; empty: beside the SQLite file
	MediaBucket string // where they are kept instead; empty: in a folder
	MediaRegion string // of the bucket, with the key to it
	MediaKeyID  string
	MediaKey    Secret

	TracesTo     string // OTEL_EXPORTER_OTLP_ENDPOINT: where spans are sent; empty: nowhere
	TraceHeaders Secret // OTEL_EXPORTER_OTLP_HEADERS: of requests to it

	SigningKey Secret // TOKEN_SIGNING_KEY: signs access tokens; empty: read SigningKey's file
	OtherKey   Secret // TOKEN_SIGNING_KEY_OTHER: tokens signed with it are valid as well; empty: none

	SMS SMS
}

// SMS is the provider that sends codes and partners' messages.
type SMS struct {
	Provider string // -sms-provider, SMS_PROVIDER: one of sms.Names; "none" sends nothing
	BaseURL  string // -sms-base-url, SMS_BASE_URL: where to call it; empty: its own address
	APIKey   Secret // SMS_API_KEY
	Sender   string // -sms-sender, SMS_SENDER: the line it sends from; empty: the account's own
	Template string // -sms-http-template, SMS_HTTP_TEMPLATE: the text of the file it names; only "http" reads it
}

// Sender returns the sender that the settings choose. Provider log writes to the terminal.
func (c Config) Sender(terminal io.Writer) (sms.Sender, error) {
	return sms.New(sms.Settings{
		Provider: c.SMS.Provider, BaseURL: c.SMS.BaseURL, APIKey: string(c.SMS.APIKey), Sender: c.SMS.Sender,
		Template: c.SMS.Template, Terminal: terminal,
	})
}

// Secret is text that never shows in a log or a message; string(s) is the text itself.
type Secret string

const hidden = "(secret)"

func (Secret) String() string { return hidden }

func (Secret) GoString() string { return hidden }

// MarshalText hides the text in JSON as well.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }
