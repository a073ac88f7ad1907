package edit

import (
	"context"
	"time"

	"github.com/google/uuid"

	"storefront/internal/database/transaction"
)

// stepTime is how long a request starts transactions; it may take 8 s.
const stepTime = 4 * time.Second

const mostFaults = 100 // faulty records, after which a request ends

// Steps changes many records in short transactions, in the order of their ids.
type Steps struct {
	After     uuid.UUID // the last record of an earlier request; uuid.Nil begins with the first
	CountOnly bool
	Clock     func() time.Time
	Step      func(after uuid.UUID) (Step, error) // changes the next records in one transaction
	Left      func(after uuid.UUID) (int, error)  // counts those that follow
}

// Stepped is what one request changed.
type Stepped struct {
	Changed int
	Faults  []Unchanged
	Left    *int       // the records that the request did not reach; nil if they were not counted
	Next    *uuid.UUID // the last record that it reached, if there are more
	Stopped error      // the error after which it stopped, if some were changed
}

// Run changes records until none is left, stepTime is over, or mostFaults is reached. With a key it makes one step, as
// all would be one transaction. What was changed before an error stays and is reported; an error before any change is
// returned.
func (s Steps) Run(ctx context.Context) (done Stepped, err error) {
	last := s.After
	defer func() {
		if err != nil && done.Changed > 0 {
			done.Next, done.Stopped, err = &last, err, nil
		}
	}()
	for began := s.Clock(); !s.CountOnly && s.Clock().Sub(began) < stepTime && len(done.Faults) < mostFaults; {
		step, err := s.Step(last)
		if err != nil {
			return done, err
		}
		if step.Last == uuid.Nil {
			break
		}
		last = step.Last
		done.Changed += step.Changed
		done.Faults = append(done.Faults, step.Faults...)
		if transaction.Joined(ctx) {
			break
		}
	}
	left, err := s.Left(last)
	if err != nil {
		return done, err
	}
	if done.Left = &left; left > 0 && last != uuid.Nil {
		done.Next = &last
	}
	return done, nil
}
