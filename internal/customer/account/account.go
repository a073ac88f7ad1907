// Package account holds the rules of customers' accounts (contract 3.2): registration, sign-in by password
// and by SMS code, sessions, and the profile. There is one account for a cell number in the whole service;
// a membership (internal/customer/member) ties it to a shop.
//
// The resolvers in graph call it with input that has been checked: cells are in E.164 form, passwords have an
// allowed length. A sign-in goes through these steps:
//
//   - it waits for its turn among the requests of its kind (internal/platform/share), and exhausted limits refuse
//     it before it locks anything: limits.go;
//   - a password is counted as a failed guess (internal/platform/ratelimit), compared (internal/platform/password),
//     and the count taken back when it was right: guess.go, called by login.go, register.go and profile.go;
//   - a code is counted, compared and used up: code.go; what it proves is applied to the account: proof.go; whose the
//     account is then: handover.go;
//   - either begins a session and issues its tokens (internal/platform/token): session.go. Staff get a notice of a
//     sign-in from a new origin: origin.go.
//
// Everything that one call writes is one transaction (internal/database/transaction). SMS are sent after it, by the
// outbox, so that a slow provider delays no answer.
package account

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"log/slog"
	"time"

	"storefront/ent"
	"storefront/internal/customer/secondfactor"
	"storefront/internal/database/transaction"
	"storefront/internal/message/sms"
	"storefront/internal/platform/keylock"
	"storefront/internal/platform/password"
	"storefront/internal/platform/share"
	"storefront/internal/platform/token"
	"storefront/internal/request"
)

// Times are the lifetimes of what the service issues; contract 4.2 gives their defaults.
type Times struct {
	Access      time.Duration // an access token
	RefreshIdle time.Duration // a refresh token
	RefreshMax  time.Duration // a session, however often it is refreshed
	Code        time.Duration // a code
	Resend      time.Duration // between two codes for one cell
	Unused      time.Duration // until an unverified, unused account without orders is erased; 0: never
	Closed      time.Duration // until a closed account is erased; 0: at once
}

const day = 24 * time.Hour

// sitting is how long a client that has registered or verified a cell is taken for the same one at its address, and how
// long a link to another shop waits.
const sitting = 30 * time.Minute

// Defaults are the times of contract 4.2.
var Defaults = Times{
	Access:      15 * time.Minute,
	RefreshIdle: 720 * time.Hour,
	RefreshMax:  2160 * time.Hour,
	Code:        300 * time.Second,
	Resend:      60 * time.Second,
}

// Limits are how many codes may be sent.
type Limits struct {
	CodesInMinute  int // by the whole service
	CodesToAddress int // for one client address in 10 minutes
	CodesInHour    int // to one cell
	CodesInDay     int // to one cell
}

// UsualLimits are the limits of contract 4.2.
var UsualLimits = Limits{CodesInMinute: 600, CodesToAddress: 60, CodesInHour: 5, CodesInDay: 10}

// Options are what a Service needs. All but Times.Unused, Times.Closed, RegistrationsInHour and
// RefuseCommonPasswords are required.
type Options struct {
	Store  *ent.Client
	Clock  func() time.Time
	Times  Times
	Key    []byte     // secret, at least 32 bytes; the keys of tokens and codes are derived from it
	Sender sms.Sender // of codes

	Factors *secondfactor.Factors
	Notices sms.Sender // sends notices to staff

	OtherKey []byte // a second key whose tokens and codes are accepted too; nil: none

	Checked func(right bool) // called for each code that a client tries
	Refused func(by string)  // called with one of Refusals for each code that a limit refuses
	Log     *slog.Logger

	Limits
	RegistrationsInHour   int  // of one home network (internal/platform/ratelimit, Crowded); 0: any number
	RefuseCommonPasswords bool // as new passwords
	PasswordCost          password.Cost
}

// Service registers customers and signs them in. It is safe for concurrent use.
type Service struct {
	Options
	hasher    *password.Hasher
	tokens    *token.Issuer
	codeKey   []byte
	otherCode []byte // the key of codes from servers with the other key; nil: none
	outbox    *outbox

	passwords *share.Slots // requests that compare or hash a password
	codes     *share.Slots // requests that send or compare a code

	// guessing limits the passwords of one cell that are compared at once. A guess counts as a failure until
	// it has been compared, so without this limit many devices of one customer could lock each other out.
	guessing *keylock.Locks
}

// keys are derived from a secret of the operator.
type keys struct{ tokens, codes []byte }

// keysOf returns the keys of a secret, none for nil.
func keysOf(secret []byte) (k keys, err error) {
	if secret == nil {
		return k, nil
	}
	if k.tokens, err = hkdf.Key(sha256.New, secret, nil, "storefront access tokens", 32); err == nil {
		k.codes, err = hkdf.Key(sha256.New, secret, nil, "storefront one-time codes", 32)
	}
	return k, err
}

// New returns a service. The caller must call Close when it is done with it.
func New(o Options) (*Service, error) {
	own, err := keysOf(o.Key)
	if err != nil {
		return nil, err
	}
	other, err := keysOf(o.OtherKey)
	if err != nil {
		return nil, err
	}
	return &Service{
		Options:   o,
		hasher:    password.NewHasher(o.PasswordCost),
		tokens:    token.NewIssuer(own.tokens, other.tokens, o.Times.Access, o.Clock),
		codeKey:   own.codes,
		otherCode: other.codes,
		outbox:    newOutbox(o.Sender, o.Notices, o.Clock, o.Log),

		passwords: newTurns(3), // they mostly wait for the database; s.hasher limits the hashing
		codes:     newTurns(1),
		guessing:  keylock.New(comparedAtOnce),
	}, nil
}

// Close waits until all queued codes are sent, or ctx ends.
func (s *Service) Close(ctx context.Context) { s.outbox.close(ctx) }

// now returns the time in microseconds, which is what both databases store.
func (s *Service) now() time.Time { return s.Clock().UTC().Truncate(time.Microsecond) }

// inTx runs f in a transaction of the service's store, which may end the caller's own session.
func (s *Service) inTx(ctx context.Context, f func(tx *ent.Tx) error) error {
	return transaction.Run(request.With(ctx, func(r *request.Request) { r.Caller = nil }), s.Store, f)
}
