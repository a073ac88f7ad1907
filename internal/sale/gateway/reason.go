package gateway

import (
	"errors"
	"regexp"

	"storefront/internal/fault"
)

// blame is a kind of refusal, by who can do what about it.
type blame int

const (
	blameCode     blame = iota // what the code means is not known here
	blameAccount               // the credentials are wrong, or the account is not active
	blameRights                // the account may not do this yet
	blameServer                // calls of this server are not accepted
	blameCallback              // the address for callbacks is not accepted
	blameAmount                // the amount is not taken
	blameAttempt               // the payment is not of this account
)

// reason returns the words for staff: what is wrong, and what to do.
func (h host) reason(b blame, code string) fault.Text {
	switch b {
	case blameAccount:
		return fault.Say("%s does not accept this account (code %s); compare it with the gateway's panel, where it "+
			"must be active", h.title, code)
	case blameRights:
		return fault.Say("%s does not allow this account to take payments here (code %s); its panel or its support "+
			"says what the account lacks", h.title, code)
	case blameServer:
		return fault.Say("%s does not accept calls from this server (code %s); register the server's address in the "+
			"gateway's panel", h.title, code)
	case blameCallback:
		return fault.Say("%s does not accept the address for callbacks (code %s); it must be on the domain that is "+
			"registered in the gateway's panel", h.title, code)
	case blameAmount:
		return fault.Say("%s does not take this amount (code %s); its panel shows the bounds", h.title, code)
	case blameAttempt:
		return fault.Say("%s does not know this payment in this account (code %s); look for it in the gateway's "+
			"panel", h.title, code)
	}
	return fault.Say("%s refuses this (code %s); its support knows what that means", h.title, code)
}

// config returns the outcome of a call that staff must do something about.
func (h host) config(b blame, code string) Outcome {
	return Outcome{Kind: Config, Reason: h.reason(b, code)}
}

// unbegun returns the error of Begin for one of call or post.
func (h host) unbegun(err error) error {
	if failed, ok := errors.AsType[*failure](err); ok && !failed.sent {
		return &Refused{Reason: h.silent()}
	}
	return err
}

func (h host) silent() fault.Text {
	return fault.Say("%s cannot be reached from this server at the moment; try again later", h.title)
}

// mismatch returns the outcome for a payment that is not the attempt's.
func (h host) mismatch(o Outcome) Outcome {
	o.Kind = Mismatch
	o.Reason = fault.Say("%s has a payment here whose amount or number is not ours; look at it in the gateway's panel",
		h.title)
	return o
}

var errNoState = errors.New("the answer names no state that is known")

var shortCode = regexp.MustCompile(`^-?[0-9A-Za-z_]{1,40}$`)

// code returns a gateway's code as it may be shown and logged; empty: the answer has none.
func (t text) code() string { return matching(shortCode, string(t)) }

// matching returns s if it has a form, else nothing.
func matching(form *regexp.Regexp, s string) string {
	if form.MatchString(s) {
		return s
	}
	return ""
}
