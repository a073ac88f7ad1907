package database

import "context"

// AfterCommit calls f once everything written with ctx is committed: at once outside a joint transaction,
// else after its commit. It does not call f if the joint transaction is rolled back.
//
// Use it for whatever is cached, counted or sent outside the database. Call it after the caller's own
// transaction has ended; within one, use transaction.AfterCommit.
func AfterCommit(ctx context.Context, f func()) {
	j := jointOf(ctx)
	if j == nil {
		f()
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.after = append(j.after, f)
}

// AfterRefusal registers f to be called, with a context of its own, if the joint transaction of ctx is
// rolled back by Refuse. Without a joint transaction it does nothing.
func AfterRefusal(ctx context.Context, f func()) {
	if j := jointOf(ctx); j != nil {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.refused = append(j.refused, f)
	}
}

// Joined reports whether ctx works in a joint transaction, whose writes may still be rolled back.
func Joined(ctx context.Context) bool { return jointOf(ctx) != nil }

// committed calls the functions registered by AfterCommit.
func (j *Joint) committed() { j.call(&j.after) }

// Refuse rolls the transaction back and calls the functions registered by AfterRefusal.
func (j *Joint) Refuse() {
	j.Rollback()
	j.call(&j.refused)
}

func (j *Joint) call(list *[]func()) {
	j.mu.Lock()
	all := *list
	*list = nil
	j.mu.Unlock()
	for _, f := range all {
		f()
	}
}
