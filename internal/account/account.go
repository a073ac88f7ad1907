// Package account holds the rules of customers' accounts (contract 3.2): registration, sign-in by password and by SMS code,
// sessions and profile. An account is one for the whole service; a membership ties it to a shop.
package account

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"log/slog"
	"time"

	"storefront/ent"
	"storefront/internal/fault"
	"storefront/internal/password"
	"storefront/internal/sms"
	"storefront/internal/token"
	"storefront/internal/transaction"
	"storefront/internal/turns"
)

// Times are how long things live; contract 4 gives their defaults.
type Times struct {
	Access      time.Duration // an access token
	RefreshIdle time.Duration // a refresh token
	RefreshMax  time.Duration // a session, however often it is refreshed
	Grace       time.Duration // a used refresh token is no replay yet
	Code        time.Duration // a code
	Resend      time.Duration // between two codes to one cell
	Link        time.Duration // a link to another shop's account that waits for its proof
	Unproven    time.Duration // after it, a first proof ends what an unproven registration began
}

// Defaults are the times of contract 4.
var Defaults = Times{
	Access: 15 * time.Minute, RefreshIdle: 720 * time.Hour, RefreshMax: 2160 * time.Hour,
	Code: 300 * time.Second, Resend: 60 * time.Second, Link: 30 * time.Minute, Unproven: 30 * time.Minute,
}

// Service keeps the accounts.
type Service struct {
	store     *ent.Client
	clock     func() time.Time
	times     Times
	hasher    *password.Hasher
	guessing  *turns.Turns // by cell. Guesses count as failures until they are known to be none: a customer's own devices could lock each other out
	flights   *flights
	tokens    *token.Issuer
	codeKey   []byte
	sender    sms.Sender
	perMinute int // codes sent in a minute by the whole service
	outbox    *outbox
}

// Options are what a Service is made of.
type Options struct {
	Store         *ent.Client
	Clock         func() time.Time
	Times         Times
	Key           []byte     // secret, 32 bytes at least; tokens and codes are signed with keys derived from it
	Sender        sms.Sender // of codes
	CodesInMinute int        // sent by the whole service
	Log           *slog.Logger
}

// New makes the service. Close ends it.
func New(o Options) (*Service, error) {
	signing, err := hkdf.Key(sha256.New, o.Key, nil, "storefront access tokens", 32)
	if err != nil {
		return nil, err
	}
	codes, err := hkdf.Key(sha256.New, o.Key, nil, "storefront one-time codes", 32)
	if err != nil {
		return nil, err
	}
	return &Service{
		store: o.Store, clock: o.Clock, times: o.Times, hasher: password.NewHasher(), guessing: turns.New(atOnce), flights: newFlights(),
		tokens: token.NewIssuer(signing, o.Times.Access, o.Clock), codeKey: codes,
		sender: o.Sender, perMinute: o.CodesInMinute, outbox: newOutbox(o.Sender, o.Log),
	}, nil
}

// Close waits for the codes that are being sent, until ctx ends.
func (s *Service) Close(ctx context.Context) { s.outbox.close(ctx) }

// now is cut to microseconds, which is what both databases keep.
func (s *Service) now() time.Time { return s.clock().UTC().Truncate(time.Microsecond) }

// inTx runs f in a transaction of the service's store.
func (s *Service) inTx(ctx context.Context, f func(tx *ent.Tx) error) error {
	return transaction.Run(ctx, s.store, f)
}

// tooMany says that a limit is full.
func tooMany(wait time.Duration, what fault.Text) error {
	full := fault.New(fault.RateLimited, "%s; try again in %d seconds", what, fault.Seconds(wait))
	full.RetryAfter = wait
	return full
}
