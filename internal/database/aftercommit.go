package database

import "context"

// AfterCommit has f called once all that has been written with ctx is committed for good: at once, or in a joint
// transaction after its commit. Where that is undone, f is not called.
//
// It is for what is remembered, counted or sent outside the database. Call it when the own transaction is over;
// transaction.AfterCommit does so from within one.
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

// AfterRefusal has f called where the joint transaction of ctx is undone because what it was for is refused,
// with a context of its own. Without a joint transaction f is not called.
func AfterRefusal(ctx context.Context, f func()) {
	if j := jointOf(ctx); j != nil {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.refused = append(j.refused, f)
	}
}

// Joined reports whether ctx works in a joint transaction: what it reads may be undone.
func Joined(ctx context.Context) bool { return jointOf(ctx) != nil }

// committed calls what waited for the commit.
func (j *Joint) committed() { j.call(&j.after) }

// Refuse undoes the transaction, and does what is done all the same.
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
