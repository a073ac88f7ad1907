package hostile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/internal/sms/smstest"
)

// phones are the phones of all customers, behind a provider that takes every message.
type phones struct {
	mu    sync.Mutex
	codes map[string]string // the last that came, by cell number
}

func (p *phones) take(m smstest.Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for word := range strings.FieldsSeq(m.Text) {
		if word = strings.Trim(word, ".:"); len(word) == 6 && strings.Trim(word, "0123456789") == "" {
			p.codes[m.To] = word
		}
	}
}

// forget deletes a message, once its code was used.
func (p *phones) forget(cell string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.codes, cell)
}

func (p *phones) code(cell string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.codes[cell]
}

// newcomer is an honest person who signs up again and again, each time with another cell number, at an address that a
// stranger shares who knows the number.
type newcomer struct {
	*client
	trial         *trial
	from          string       // address
	cell          atomic.Value // string
	number, round int

	signedUp, refused int           // refused: told 429, though within every limit
	slowest           time.Duration // from the first wish for a code until it had been used
}

// The passwords of newcomers, and of the stranger who registers their numbers before them.
const (
	ownPassword      = "a password of the newcomer"
	strangerPassword = "a password of the stranger"
	strangerName     = "Mallory"
)

// betweenSignUps keeps a newcomer within what one address may do by itself.
const betweenSignUps = 12 * time.Second

// longestCode is the longest that anybody waits for a code.
const longestCode = time.Minute + time.Second // the pause between two codes, and the way

// newNewcomers makes the newcomers, each at an address of its own.
func (t *trial) newNewcomers() (all []*newcomer) {
	for i := range t.signingUp {
		from := fmt.Sprintf("127.2.%d.1", 1+i)
		n := &newcomer{client: t.newClient(from, t.tallies.Of(honest+": sign up")), trial: t, from: from, number: i}
		n.cell.Store("")
		all = append(all, n)
	}
	return all
}

// signUp does so, and fails where somebody else gets into an account or a code takes too long.
func signUp(ctx context.Context, n *newcomer, round int) error {
	n.Tally = n.trial.tallies.Of(honest + ": sign up")
	n.round = round
	cell := fmt.Sprintf("+98919%02d%05d", n.number, 1000+round)
	n.cell.Store(cell)
	wait(ctx, time.Duration(n.random.IntN(2000))*time.Millisecond) // in which the stranger may be first
	if err := n.one(ctx, cell); err != nil {
		return fmt.Errorf("a newcomer with %s: %w", cell, err)
	}
	return customer.Wait(ctx, betweenSignUps)
}

// one signs up with one number.
func (n *newcomer) one(ctx context.Context, cell string) error {
	registered := n.REST(ctx, "POST", "/auth/register", map[string]any{"cellNumber": cell, "password": ownPassword,
		"firstName": "Sara", "lastName": "Karimi", "domain": market})
	var in struct{ AccessToken string }
	switch registered.Status {
	case http.StatusCreated, http.StatusConflict:
		_ = json.Unmarshal(registered.Body, &in)
	case http.StatusTooManyRequests:
		n.refused++
	default:
		return registered.Read(&in)
	}
	// Who registered proves the number by signing in, with the registration's token or, as some clients do, without it.
	// Who was told that the number is registered, or forgot, sets a password.
	prover := *n.client
	path, body := "/auth/login-otp", map[string]any{"cellNumber": cell}
	switch {
	case registered.Status != http.StatusCreated || n.round%3 == 2:
		path, body["newPassword"] = "/auth/reset-password", ownPassword
	case n.round%3 == 0:
		prover.Token = in.AccessToken
	}
	if err := n.useCode(ctx, &prover, path, body); err != nil {
		return err
	}
	token, err := n.ownsIt(ctx, cell)
	if errors.Is(err, errWrongPassword) && path == "/auth/login-otp" && prover.Token == "" {
		// The stranger has contested the registration, so that its password is void.
		body = map[string]any{"cellNumber": cell, "newPassword": ownPassword}
		if err := n.useCode(ctx, n.client, "/auth/reset-password", body); err != nil {
			return err
		}
		token, err = n.ownsIt(ctx, cell)
	}
	if err != nil {
		return err
	}
	n.signedUp++
	own := *n.client
	own.Token = token
	var seen struct {
		Data struct{ Me struct{ FirstName *string } }
	}
	a := own.Ask(ctx, `{ me { firstName } }`, nil)
	if err := a.Read(&seen); err != nil && a.Status != http.StatusOK { // else it was told to come again
		return err
	}
	if name := seen.Data.Me.FirstName; name != nil && *name == strangerName {
		return errors.New("the stranger's name stands in the profile")
	}
	return nil
}

var errWrongPassword = errors.New("the own password does not open it")

// useCode asks for a code until one was taken.
func (n *newcomer) useCode(ctx context.Context, by *client, path string, body map[string]any) error {
	cell := body["cellNumber"].(string)
	for began := time.Now(); ctx.Err() == nil; wait(ctx, 50*time.Millisecond) {
		if time.Since(began) > longestCode {
			return errors.New("no code within a minute")
		}
		if n.trial.phones.code(cell) == "" {
			a := n.REST(ctx, "POST", "/auth/send-otp", map[string]any{"cellNumber": cell, "domain": market})
			if a.Status == http.StatusTooManyRequests { // one is on its way, or was asked for less than a minute ago
				wait(ctx, 200*time.Millisecond)
			}
			continue
		}
		body["code"] = n.trial.phones.code(cell)
		a := by.REST(ctx, "POST", path, body)
		switch a.Status {
		case http.StatusOK, http.StatusCreated:
			n.trial.phones.forget(cell)
			n.slowest = max(n.slowest, time.Since(began))
			return nil
		case http.StatusTooManyRequests:
			n.refused++
			wait(ctx, time.Second)
		case http.StatusBadRequest, http.StatusUnauthorized, http.StatusServiceUnavailable: // a newer one is on its way
		default:
			return a.Read(nil)
		}
	}
	return ctx.Err()
}

// ownsIt signs in with the own password and returns the token. It fails where the stranger's password opens
// the account.
func (n *newcomer) ownsIt(ctx context.Context, cell string) (token string, err error) {
	var in struct{ AccessToken string }
	for began := time.Now(); ctx.Err() == nil; wait(ctx, time.Second) {
		a := n.REST(ctx, "POST", "/auth/login", map[string]any{"cellNumber": cell, "password": ownPassword})
		if a.Status == http.StatusTooManyRequests && time.Since(began) < longestCode {
			n.refused++
			continue
		}
		if a.Status == http.StatusUnauthorized {
			return "", errWrongPassword
		}
		if err := a.Read(&in); err != nil {
			return "", err
		}
		break
	}
	tried := n.as(anywhereElse(n.random)).REST(ctx, "POST", "/auth/login",
		map[string]any{"cellNumber": cell, "password": strangerPassword})
	if tried.Status == http.StatusOK {
		return "", errors.New("it was taken over: the stranger's password opens it")
	}
	return in.AccessToken, ctx.Err()
}
