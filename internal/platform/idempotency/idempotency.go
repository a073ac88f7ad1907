// Package idempotency answers a repeated request with the same Idempotency-Key with its first answer
// (contract 3.3). The answer is stored in the transaction of the request's writes, so a crash leaves both or
// neither. graph/engine reads the key with ParseKey and runs the operation inside Do; the transactions of
// the packages below join the one that Do begins (internal/database).
package idempotency

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/platform/keylock"
	"storefront/internal/record"
)

// Times are how long answers are kept and requests wait.
type Times struct {
	Kept time.Duration // how long an answer is kept
	Wait time.Duration // how long a request waits for a running one with the same key
}

// Defaults are the times of contract 3.3. A request that reaches its deadline earlier stops waiting a
// second before it.
var Defaults = Times{Kept: 24 * time.Hour, Wait: 10 * time.Second}

// Store stores the answers.
type Store struct {
	client  *ent.Client
	db      *database.DB
	clock   record.Clock
	times   Times
	running *keylock.Locks // requests of this process, by the id of their key
}

// New returns the store of a database. client must work on db.
func New(client *ent.Client, db *database.DB, clock func() time.Time, times Times) *Store {
	return &Store{client: client, db: db, clock: clock, times: times, running: keylock.New(1)}
}

// tries is how often a request that conflicts with another transaction is run.
const tries = 5

// Do calls run for a request, unless the request has been answered before: then it returns the stored
// answer. stored is nil if run was called and its result is the answer. If run returns no error, its answer
// is stored.
//
// What run writes with its context is one transaction with the key and the answer. If run fails, all of it is
// undone, so that the request can be sent again; what transaction.Keep marks is kept without the key. The
// transaction of a request with a Private answer is committed by transaction.Written. After a deadlock run is called
// again.
//
// Do fails, without calling run, with IDEMPOTENCY_KEY_REUSED if the key was used for another request, and with
// CONFLICT if a request with the same key is still running after Times.Wait, or was answered before but its
// answer was not kept (IsRepeat).
func (s *Store) Do(
	ctx context.Context, r Request, run func(context.Context) (answer []byte, err error),
) (stored []byte, err error) {
	k := s.keyOf(r)
	unlock, err := s.queue(ctx, k)
	if err != nil {
		return nil, err
	}
	defer unlock()
	for try := 1; ; try++ {
		if stored, err := s.find(ctx, k); stored != nil || err != nil {
			return stored, err
		}
		stored, conflict, err := s.once(ctx, k, run)
		if !conflict || try == tries || ctx.Err() != nil {
			return stored, err
		}
	}
}

// once calls run once. conflict reports that it conflicted with another transaction and should be called
// again.
func (s *Store) once(
	ctx context.Context, k key, run func(context.Context) (answer []byte, err error),
) (stored []byte, conflict bool, err error) {
	acts := transaction.Acts{First: s.claim(k), Refused: s.free(k), Early: k.private}
	within, joint := transaction.Join(ctx, s.db, acts)
	defer joint.Rollback()
	answer, failure := run(within)
	if joint.Committed() {
		return nil, false, nil
	}
	if failure == nil && joint.Failed() == nil {
		if err := joint.Commit(s.keep(k, answer)); joint.Failed() == nil {
			return nil, database.IsRetryable(err), err
		}
	}
	joint.Rollback() // the connection is given back before another one is waited for
	if joint.Conflicted() || joint.Failed() == nil && database.IsRetryable(failure) {
		return nil, true, nil
	}
	stored, err = s.twin(ctx, k, failure, joint.Failed())
	return stored, false, err
}

// queue waits for requests with the same key in this process.
func (s *Store) queue(ctx context.Context, k key) (unlock func(), err error) {
	waiting, stop := s.patience(ctx)
	defer stop()
	if unlock, err = s.running.Lock(waiting, k.id); err != nil {
		return nil, stillRunning()
	}
	return unlock, nil
}

// patience bounds the wait for another request, so that enough time is left to answer.
func (s *Store) patience(ctx context.Context) (context.Context, context.CancelFunc) {
	until := time.Now().Add(s.times.Wait)
	if end, ok := ctx.Deadline(); ok && end.Add(-toAnswer).Before(until) {
		until = end.Add(-toAnswer)
	}
	return context.WithDeadline(ctx, until)
}

// toAnswer is how much time a request has left when it stops waiting.
const toAnswer = time.Second

// twin looks for the answer of another request with the same key, after this one has failed or could not
// claim the key. If there is none it returns the failure of run, which says more than unbegun, the reason
// why the transaction did not begin.
func (s *Store) twin(ctx context.Context, k key, failure, unbegun error) ([]byte, error) {
	stored, err := s.find(ctx, k)
	switch {
	case stored != nil || err != nil:
		return stored, err
	case fault.Is(unbegun, fault.Conflict), database.IsHeldUp(unbegun):
		return nil, stillRunning()
	case failure == nil:
		return nil, unbegun
	}
	return nil, nil
}

// done is the error of a repeated request whose first answer was not kept.
type done struct{ error }

func (d done) Unwrap() error { return d.error }

// IsRepeat reports whether err says that a request was done before and its answer was not kept.
func IsRepeat(err error) bool {
	_, ok := errors.AsType[done](err)
	return ok
}

func stillRunning() error {
	return fault.New(fault.Conflict,
		"a request with this Idempotency-Key is still being worked on; send it again in a moment")
}

// Header is the name of the header that holds a key.
const Header = "Idempotency-Key"

// ReplayedHeader marks an answer that was given before; its value is "true".
const ReplayedHeader = "Idempotent-Replayed"

// longestKey is the most characters a key may have.
const longestKey = 255

// ParseKey returns the key in a request's headers of that name, or "" if there is none. It adds what is
// wrong with them to bad. A key is 1 to 255 visible ASCII characters.
func ParseKey(headers []string, bad *fault.Fields) string {
	if len(headers) == 0 {
		return ""
	}
	if len(headers) > 1 {
		bad.Add(Header, "must be given once")
		return ""
	}
	key := headers[0]
	invisible := func(c byte) bool { return c <= ' ' || c > '~' }
	if len(key) < 1 || len(key) > longestKey || slices.ContainsFunc([]byte(key), invisible) {
		bad.Add(Header, "must have 1 to 255 visible ASCII characters")
		return ""
	}
	return key
}

// Request is a request with a key.
type Request struct {
	User  uuid.UUID // the customer; uuid.Nil for a program
	Token uuid.UUID // the program's access token; uuid.Nil for a customer
	Path  string    // with its ids, without a trailing slash
	Key   string    // as returned by ParseKey
	What  any       // what is asked for, as JSON with numbers as json.Number

	Private bool // its answer is only for callers who are entitled to it at that moment, and is not stored
	Secret  bool // it holds a password or a token, which must not be guessable from the stored fingerprint
}

// key is the row of a request's key.
type key struct {
	id          string
	user, token *uuid.UUID // one of them is nil
	fingerprint []byte     // of what was asked for
	until       time.Time
	private     bool
}

// keyOf returns the row of a request's key.
func (s *Store) keyOf(r Request) key {
	k := key{until: s.clock.Now().Add(s.times.Kept), private: r.Private}
	name := sha256.New()
	if r.User != uuid.Nil {
		k.user = &r.User
		name.Write(r.User[:])
	} else {
		k.token = &r.Token
		name.Write(r.Token[:])
	}
	name.Write([]byte(r.Path))
	name.Write([]byte{0}) // a separator: a key cannot contain it
	name.Write([]byte(r.Key))
	what, _ := json.Marshal(r.What) // never fails for JSON, and sorts the members
	sum := sha256.Sum256(what)
	if r.Secret { // the key itself is not stored
		keyed := hmac.New(sha256.New, []byte(r.Key))
		keyed.Write(what)
		sum = [sha256.Size]byte(keyed.Sum(nil))
	}
	k.id, k.fingerprint = base64.RawURLEncoding.EncodeToString(name.Sum(nil)), sum[:]
	return k
}
