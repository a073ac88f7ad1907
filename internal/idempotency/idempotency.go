// Package idempotency answers a request that comes again with the same Idempotency-Key by the answer that it got the first
// time (contract 3.3). The answer is stored in the transaction of what the request did: after a crash both are there, or
// neither is.
package idempotency

import (
	"context"
	"time"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/turns"
)

// Times are how long things take.
type Times struct {
	Kept time.Duration // an answer
	Wait time.Duration // for a request with the same key that is being worked on
}

// Defaults are the times of contract 3.3. A request ends before it has waited so long, and gives up in time to say so.
var Defaults = Times{Kept: 24 * time.Hour, Wait: 10 * time.Second}

// Store keeps the answers.
type Store struct {
	client  *ent.Client
	db      *database.DB
	clock   func() time.Time
	times   Times
	running *turns.Turns // requests of this process, by the row of their key
}

// New makes the store of a database, which client works on.
func New(client *ent.Client, db *database.DB, clock func() time.Time, times Times) *Store {
	return &Store{client, db, clock, times, turns.New(1)}
}

// now is cut to microseconds, which is what both databases keep.
func (s *Store) now() time.Time { return s.clock().UTC().Truncate(time.Microsecond) }

// Do works on a request by run, unless it is answered already: then it gives the stored answer. It gives none when run was
// called and what came of it counts. The answer of a run without error is stored.
//
// What run writes with its context is one transaction with the answer. Where run fails with a refusal, what it committed by
// itself stays, as a counted guess must; where it fails for our own reasons, INTERNAL or UNAVAILABLE, all of it is undone,
// so that the request can be sent again. apart takes the transaction away from work that must not hold one: its answer is
// stored after it, and a crash in between loses the answer and keeps the work.
//
// Do fails with IDEMPOTENCY_KEY_REUSED when the key was used with another body, and with CONFLICT when a request of the same
// key is still being worked on after the time to wait for it. Nothing of this one is done then.
func (s *Store) Do(ctx context.Context, r Request, apart bool, run func(context.Context) (answer []byte, err error)) (stored []byte, err error) {
	k := s.keyOf(r)
	done, err := s.queue(ctx, k)
	if err != nil {
		return nil, err
	}
	defer done()
	if stored, err := s.find(ctx, k); stored != nil || err != nil {
		return stored, err
	}

	within, joint := s.db.Join(ctx, s.claim(k))
	defer joint.Rollback()
	if apart {
		within = ctx
	}
	answer, failure := run(within)
	if failure == nil && joint.Failed() == nil {
		if err := joint.Commit(s.keep(k, answer)); joint.Failed() == nil {
			return nil, err
		}
	}
	if joint.Kept() && !fault.Is(failure, fault.Internal) && !fault.Is(failure, fault.Unavailable) {
		if err := joint.Commit(s.forget(k)); err != nil {
			return nil, err
		}
	}
	joint.Rollback()
	return s.twin(ctx, k, failure, joint.Failed())
}

// queue waits for requests of the same key in this process.
func (s *Store) queue(ctx context.Context, k key) (done func(), err error) {
	waiting, stop := s.patience(ctx)
	defer stop()
	if done, err = s.running.Take(waiting, k.id); err != nil {
		return nil, stillRunning()
	}
	return done, nil
}

// patience bounds a wait for another request, so that there is time to answer.
func (s *Store) patience(ctx context.Context) (context.Context, context.CancelFunc) {
	until := time.Now().Add(s.times.Wait)
	if end, ok := ctx.Deadline(); ok && end.Add(-toAnswer).Before(until) {
		until = end.Add(-toAnswer)
	}
	return context.WithDeadline(ctx, until)
}

// toAnswer is the time that a request has left when it gives up waiting.
const toAnswer = time.Second

// twin looks for the answer to a request of the same key that came first, when this one has failed, or could not get the
// key. Where there is none, the failure of run counts, which says more than why the transaction did not begin.
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

func stillRunning() error {
	return fault.New(fault.Conflict, "a request with this Idempotency-Key is still being worked on; send it again in a moment")
}
