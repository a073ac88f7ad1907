// Package sms sends text messages through a provider chosen by the settings. New returns the Sender;
// internal/customer/account sends codes with it and internal/message/partner the messages of partners. All providers
// but "log" and "none" share one caller (call.go), which makes the HTTP request as a template says (format.go): that
// of providers.go or of the operator (template.go). Package smstest is a stand-in for the providers.
package sms

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
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

// terminal prints messages for a developer, and sends none.
type terminal struct {
	mu    sync.Mutex
	to    io.Writer
	shown int
}

func (*terminal) Reaches(to string) bool { return reachable(to) }

// Send prints number and text. Its ids are log-1, log-2 and so on.
func (t *terminal) Send(_ context.Context, m Message) (string, error) {
	if !t.Reaches(m.To) {
		return "", &Error{Kind: Recipient, Provider: "log", To: Masked(m.To)}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	id := fmt.Sprintf("log-%d", t.shown+1)
	if _, err := fmt.Fprintf(t.to, "SMS %s to %s:\n    %s\n", id, m.To, harmless(m.Text)); err != nil {
		return "", &Error{Kind: Unreachable, Provider: "log", To: Masked(m.To), Cause: err}
	}
	t.shown++
	return id, nil
}

// harmless removes control characters, and indents every line so that none looks like another message.
func harmless(text string) string {
	shown := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return '?'
		}
		return r
	}, text)
	return strings.ReplaceAll(shown, "\n", "\n    ")
}

// Kind is a kind of failure, by what to do about it.
type Kind string

// The kinds of failure. Only after Unknown may the message still arrive.
const (
	Recipient   Kind = "recipient"   // the number is wrong, or the provider cannot reach it
	Blacklisted Kind = "blacklisted" // the owner of the number takes no messages from this line
	Config      Kind = "config"      // key, line, account or text is wrong: the operator must act
	Credit      Kind = "credit"      // the account is empty
	Busy        Kind = "busy"        // the provider asks to retry later
	Unreachable Kind = "unreachable" // no connection, so the provider has not received the message
	Unknown     Kind = "unknown"     // the message was sent, and its outcome is not known
)

// IsOutage reports whether the message certainly was not sent, for a reason that lies with the provider or
// the account and will most likely stop the next message as well.
func (k Kind) IsOutage() bool { return k == Config || k == Credit || k == Busy || k == Unreachable }

// Kinds are all kinds of failure.
var Kinds = []Kind{Recipient, Blacklisted, Config, Credit, Busy, Unreachable, Unknown}

// Error describes why a message was not sent. It holds no key, no text and only a masked number, so it may
// be logged.
type Error struct {
	Kind     Kind
	Provider string
	Code     string // the provider's own code, else "HTTP 502"; empty where there was no answer
	To       string // masked
	Cause    error  // of the connection; nil if there is an answer
}

func (e *Error) Error() string {
	said := fmt.Sprintf("sms: %s to %s: %s", e.Provider, e.To, e.Kind)
	if e.Code != "" {
		said += ", code " + e.Code
	}
	if e.Cause != nil {
		said += ": " + e.Cause.Error()
	}
	return said
}

func (e *Error) Unwrap() error { return e.Cause }
