// Package sms sends text messages through a provider chosen by the settings. New returns the Sender;
// internal/customer/account sends codes with it and internal/message/partner the messages of partners. All providers
// but "log" and "none" share one caller (call.go), which makes the HTTP request as a template says (format.go): that
// of providers.go or of the operator (template.go). Package smstest is a stand-in for the providers.
package sms

import (
	"context"
	"io"
)

// Sender sends one message at a time and is safe for many callers at once.
type Sender interface {
	// Send hands m to the provider, once, and returns the provider's id of it: opaque text, never empty. It
	// waits for 8 seconds at most, or until ctx ends. Every error is an *Error.
	Send(ctx context.Context, m Message) (serverID string, err error)

	// Reaches reports whether the provider can send to a number in E.164 form. Without a provider it is
	// always false.
	Reaches(to string) bool
}

// Message is a text to one phone.
type Message struct {
	To   string // E.164: +989121234567
	Text string
	// Ref is the service's own number of the message; 0: the sender makes up a random one. A provider may
	// drop a second message with the same number as a repetition, so numbers must be unique within one
	// account of the provider.
	Ref int64
}

// Settings choose a provider and say how to call it. They are the SMS_ variables of contract 4.2.
type Settings struct {
	Provider string    // none, log, kavenegar, smsir, magfa or http
	BaseURL  string    // SMS_BASE_URL; empty: the provider's own address
	APIKey   string    // SMS_API_KEY: the key; of magfa USERNAME/DOMAIN:PASSWORD
	Sender   string    // SMS_SENDER: the line it sends from
	Template string    // what the file SMS_HTTP_TEMPLATE holds: the JSON described at Template
	Terminal io.Writer // where "log" writes numbers and texts; never the log
}
