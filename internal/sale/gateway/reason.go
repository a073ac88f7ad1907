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
	blameRefund                // nothing is given back
)

// reason returns the words for staff: what is wrong, and what to do.
func (h host) reason(b blame, code string) fault.Text {
	switch b {
	case blameAccount:
		return fault.Say("%s does not accept this account (code %s); compare it with the gateway's panel, where it "+
			"must be active and, if it names servers, have the address of this one", h.title, code)
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
	case blameRefund:
		return fault.Say("%s does not give this back (code %s); its panel shows the balance, disputes and what has "+
			"gone back before", h.title, code)
	}
	return fault.Say("%s refuses this (code %s); its support knows what that means", h.title, code)
}

func (h host) silent() fault.Text {
	return fault.Say("%s cannot be reached from this server at the moment; try again later", h.title)
}

// blames says of a gateway's codes who can do something about them. Others may pass.
type blames map[string]blame

// begun returns what Begin does for an answer; accepted is the code of success.
func (h host) begun(got Begun, err error, code, accepted string, table blames) (Begun, error) {
	switch {
	case errors.Is(err, errUnsent):
		return Begun{}, &Refused{Reason: h.silent()}
	case err != nil:
		return Begun{}, err
	case code == accepted && got.Theirs != "":
		return got, nil
	case code == accepted || code == "":
		return Begun{}, errNoState
	}
	return Begun{}, &Refused{h.reason(table[code], code), code}
}

// failed returns the outcome of a call that found no state: it failed, or was answered by a code.
func (h host) failed(a Attempt, err error, code string, table blames) Outcome {
	b, ok := table[code]
	switch {
	case errors.Is(err, errNotBegun):
		return a.unpaid()
	case err != nil:
		return unknown(err)
	case !ok:
		return unknown(errNoState)
	}
	return Outcome{Kind: Config, Reason: h.reason(b, code)}
}

// checked returns what Check does for an answer; the codes of accepted are those of a right account.
func (h host) checked(err error, code string, table blames, accepted ...string) (wrong fault.Text) {
	if err != nil || code == "" {
		return h.silent()
	}
	for _, one := range accepted {
		if code == one {
			return wrong
		}
	}
	return h.reason(table[code], code)
}

func unknown(err error) Outcome { return Outcome{Kind: Unknown, Err: err} }

// unpaid returns the outcome of an attempt that is not paid, at a gateway that does not say when it is over.
func (a Attempt) unpaid() Outcome {
	if a.Now.After(a.PayableUntil) {
		return Outcome{Kind: Dead}
	}
	return Outcome{Kind: Payable}
}

// mismatch returns the outcome for a payment that is not the attempt's.
func (h host) mismatch(o Outcome) Outcome {
	o.Kind = Mismatch
	o.Reason = fault.Say("%s has a payment here whose amount or number is not ours; look at it in the gateway's panel",
		h.title)
	return o
}

var shortCode = regexp.MustCompile(`^-?[0-9A-Za-z_]{1,40}$`)

// code returns a gateway's code as it may be shown and logged; empty: there is none.
func (t text) code() string { return matching(shortCode, t) }

// matching returns a text if it has a form, else nothing.
func matching(form *regexp.Regexp, t text) string {
	if form.MatchString(string(t)) {
		return string(t)
	}
	return ""
}
