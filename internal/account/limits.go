package account

import (
	"context"
	"errors"
	"time"

	"storefront/ent"
	"storefront/internal/auth"
	"storefront/internal/bulkhead"
	"storefront/internal/cores"
	"storefront/internal/fault"
	"storefront/internal/ratelimit"
)

// limit is a limit with the words for a client that meets it.
type limit struct {
	ratelimit.Limit
	full   fault.Text
	hint   string // for the operator, logged when it is full; empty: nothing
	name   string // of the counter of refusals; empty: none
	client bool   // it limits who asks: an SMS that could not be sent counts all the same
}

// limits are the limits that one request counts against. A request reads them without a lock before it locks
// anything, and counts in a transaction afterwards.
type limits []limit

func (l limits) counted() []ratelimit.Limit {
	counted := make([]ratelimit.Limit, len(l))
	for i, one := range l {
		counted[i] = one.Limit
	}
	return counted
}

// narrow returns the limits of one cell and one client, which count few events.
func (l limits) narrow() (few limits) {
	for _, one := range l {
		if one.name == refusedCell || one.name == refusedClient {
			few = append(few, one)
		}
	}
	return few
}

// ofMessages returns the keys under which messages count, and not those who ask for them.
func (l limits) ofMessages() (keys []string) {
	for _, one := range l {
		if !one.client {
			keys = append(keys, one.Key)
		}
	}
	return keys
}

// peek fails with RATE_LIMITED when one of the limits is full. It takes no lock.
func (s *Service) peek(ctx context.Context, l limits) error {
	full, err := ratelimit.Peek(ctx, s.store, s.now(), l.counted()...)
	if err != nil {
		return err
	}
	return s.refusal(ctx, l, full)
}

// take counts an event against all limits. It fails with RATE_LIMITED.
func (s *Service) take(ctx context.Context, tx *ent.Tx, l limits) (ratelimit.Booking, error) {
	booked, full, err := ratelimit.Take(ctx, tx, s.now, l.counted()...)
	if err != nil {
		return nil, err
	}
	return booked, s.refusal(ctx, l, full)
}

// refusal returns the error of the limit that is full; nil if there is none.
func (s *Service) refusal(ctx context.Context, l limits, full ratelimit.Full) error {
	for _, one := range l {
		if full.Wait == 0 || one.Limit != full.Limit {
			continue
		}
		if one.name != "" {
			s.refused(one.name)
		}
		if one.hint != "" {
			s.log.WarnContext(ctx, one.hint, "client", auth.ClientAddress(ctx))
		}
		return tooMany(full.Wait, one.full)
	}
	return nil
}

// tooMany returns RATE_LIMITED, which says what ran out and when to try again.
func tooMany(wait time.Duration, what fault.Text) error {
	full := fault.New(fault.RateLimited, "%s; try again in %d seconds", what, fault.Seconds(wait))
	full.RetryAfter = wait
	return full
}

const (
	mostWaiting = 50 // requests for codes, and as many for passwords
	waitingTime = 3 * time.Second
)

// newBulkhead returns a bulkhead for one kind of request, which runs so many for each core at once, and so many of
// strangers. The database has four connections for each core; what is left of them serves requests of other kinds.
func newBulkhead(perCore, strangers int) *bulkhead.Bulkhead {
	return bulkhead.New(max(2, perCore*cores.Count()), max(2, strangers*cores.Count()), mostWaiting)
}

// enter waits in a bulkhead for the turn of the request. It fails with RATE_LIMITED when too many requests
// wait.
func enter(
	ctx context.Context, b *bulkhead.Bulkhead, standing bulkhead.Standing, busy fault.Text,
) (leave func(), err error) {
	waiting, stop := context.WithTimeout(ctx, waitingTime)
	defer stop()
	leave, err = b.Enter(waiting, auth.ClientAddress(ctx), standing)
	if errors.Is(err, bulkhead.ErrFull) || err != nil && ctx.Err() == nil {
		return nil, tooMany(time.Second, busy)
	}
	return leave, err
}

// enterPasswords waits until a password may be compared or hashed for the request. Customers who are known at their
// address, or signed in, go first, so that they do not queue behind guesses that come from thousands of addresses.
func (s *Service) enterPasswords(ctx context.Context, standing bulkhead.Standing) (leave func(), err error) {
	return enter(ctx, s.passwords, standing, fault.Say("too many passwords are being checked right now"))
}

// enterCodes waits until a code may be sent or compared for the request.
func (s *Service) enterCodes(ctx context.Context) (leave func(), err error) {
	return enter(ctx, s.codes, bulkhead.Stranger, fault.Say("too many codes are being sent and checked right now"))
}
