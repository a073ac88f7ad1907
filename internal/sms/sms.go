// Package sms sends text messages through a provider chosen by the settings.
package sms

import (
	"context"
	"io"
)

// Sender sends one message at a time and is safe for many callers at once.
type Sender interface {
	// Send hands m to the provider, once, and gives the provider's id of it: opaque text, never empty. It waits at most
	// 8 seconds, or less where ctx ends before. Every error is an *Error.
	Send(ctx context.Context, m Message) (serverID string, err error)

	// Reaches tells whether the provider has a way to a number in E.164 form. Without a provider it is false for all.
	Reaches(to string) bool
}

// Message is a text to one phone.
type Message struct {
	To   string // E.164: +989121234567
	Text string
	// Ref is our number of the message, or 0 for none. A provider may take a second message with the number of an
	// earlier one for a repeat and send nothing, so no two may share one, nor two services with one account.
	Ref int64
}

// Settings choose the provider and say how it is reached. They are the SMS_ variables of contract 4.
type Settings struct {
	Provider string    // none, log, kavenegar, smsir, magfa or http
	BaseURL  string    // SMS_BASE_URL; empty: the provider's own address
	APIKey   string    // SMS_API_KEY: the key; of magfa USERNAME/DOMAIN:PASSWORD
	Sender   string    // SMS_SENDER: the line it sends from
	Template string    // what the file SMS_HTTP_TEMPLATE holds: the JSON described at Template
	Terminal io.Writer // where "log" writes numbers and texts; never the log
}
