package sms

import "fmt"

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
