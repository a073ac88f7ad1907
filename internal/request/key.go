package request

import "sync/atomic"

// Key is the Idempotency-Key of a request that its handler itself makes idempotent. Messages of partners need this:
// an SMS cannot be undone with a transaction.
type Key struct {
	Text string // empty: there is none
	Done error  // not nil: the mutation was done already, and only the permissions of the caller are checked again

	replayed atomic.Bool
}

// Replay notes that the answer is that of an earlier request.
func (k *Key) Replay() { k.replayed.Store(true) }

// Replayed reports whether the answer is that of an earlier request.
func (k *Key) Replayed() bool { return k.replayed.Load() }
