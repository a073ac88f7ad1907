package account

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/session"
	"storefront/ent/signinaddress"
	"storefront/ent/user"
	"storefront/internal/fault"
	"storefront/internal/platform/convert"
	"storefront/internal/platform/cores"
	"storefront/internal/platform/ratelimit"
	"storefront/internal/platform/share"
	"storefront/internal/request"
)

// limit is a limit with its message for clients that exceed it.
type limit struct {
	ratelimit.Limit
	full fault.Text
	hint string // for the operator, logged when the limit is exhausted; may be empty
	name string // of the counter of refusals; empty: none
}

func limitOf(key string, window time.Duration, most int, full fault.Text) limit {
	return limit{Limit: ratelimit.Limit{Key: key, Window: window, Most: most}, full: full}
}

func (l limit) as(name, hint string) limit {
	l.name, l.hint = name, hint
	return l
}

// limits are the limits that one request counts against. A request reads them without a lock before it locks
// anything, and counts in a transaction afterwards.
type limits []limit

func (l limits) counted() []ratelimit.Limit {
	return convert.All(l, func(one limit) ratelimit.Limit { return one.Limit })
}

// narrow returns the limits of a single cell or client.
func (l limits) narrow() limits {
	return slices.DeleteFunc(slices.Clone(l), func(one limit) bool {
		return one.name != refusedCell && one.name != refusedClient
	})
}

// ofMessages returns the keys of the limits that count messages. Those of clients also count an SMS that could not be
// sent.
func (l limits) ofMessages() (keys []string) {
	for _, one := range l {
		if one.name != refusedClient && one.name != refusedNetwork {
			keys = append(keys, one.Key)
		}
	}
	return keys
}

// peek fails with RATE_LIMITED if one of the limits is exhausted. It takes no lock.
func (s *Service) peek(ctx context.Context, l limits) error {
	full, err := ratelimit.Peek(ctx, s.Store, s.now(), l.counted()...)
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

// refusal returns the error of an exhausted limit, or nil if none is.
func (s *Service) refusal(ctx context.Context, l limits, full ratelimit.Full) error {
	for _, one := range l {
		if full.Wait == 0 || one.Limit != full.Limit {
			continue
		}
		if one.name != "" {
			s.Refused(one.name)
		}
		if one.hint != "" {
			s.Log.WarnContext(ctx, one.hint, "client", request.ClientAddress(ctx))
		}
		return tooMany(full.Wait, one.full)
	}
	return nil
}

func tooMany(wait time.Duration, what fault.Text) error {
	return fault.New(fault.RateLimited, "%s; try again in %d seconds", what, fault.Seconds(wait)).After(wait)
}

const (
	mostWaiting = 50 // waiting requests for codes, and as many for passwords
	waitingTime = 3 * time.Second
)

// How a request for passwords waits: as a client that is known, or as a stranger.
const asKnown, asStranger = true, false

// newTurns returns the turns of one kind of request: perCore at once for each core, one of them for strangers. The
// database has four connections for each core; the rest of them serves other requests.
func newTurns(perCore int) *share.Slots {
	return share.NewBounded(max(2, perCore*cores.Count()), max(2, cores.Count()), mostWaiting)
}

// enter waits for the turn of the request. It fails with RATE_LIMITED when too many requests wait, and this is of those
// that sent the most, and with UNAVAILABLE when its turn does not come in time.
func enter(ctx context.Context, turns *share.Slots, isKnown bool, busy fault.Text) (leave func(), err error) {
	waiting, stop := context.WithTimeout(ctx, waitingTime)
	defer stop()
	if isKnown {
		waiting = request.With(waiting, func(r *request.Request) { r.Client.Known = true })
	}
	leave, err = turns.Take(waiting)
	switch {
	case errors.Is(err, share.ErrFull):
		return nil, tooMany(time.Second, busy)
	case err != nil && ctx.Err() == nil:
		return nil, fault.New(fault.Unavailable, "%s; try again in %d seconds", busy, 1).After(time.Second)
	}
	return leave, err
}

// enterPasswords waits until a password may be compared or hashed for the request. Known or signed-in
// customers go first, so that they do not wait behind guesses from thousands of addresses.
func (s *Service) enterPasswords(ctx context.Context, isKnown bool) (leave func(), err error) {
	return enter(ctx, s.passwords, isKnown, fault.Say("too many passwords are being checked right now"))
}

func (s *Service) enterCodes(ctx context.Context) (leave func(), err error) {
	return enter(ctx, s.codes, asStranger, fault.Say("too many codes are being sent and checked right now"))
}

// standing is the kind of client that sends a request about a cell. Limits of the cell, and codes sent to it, are
// separate for each device of its customer, for known addresses, and for strangers, so that a stranger uses up no limit
// of the customer.
type standing struct {
	party  party
	device uuid.UUID // the session of a device
}

type party string

const (
	stranger party = "stranger"
	knownAt  party = "known"  // at an address from which the proven account has signed in within 30 days
	device   party = "device" // with an access token of the proven account, even an expired one
)

// counts returns the end of the keys under which a request's events for its cell are counted.
func (at standing) counts() string {
	if at.party == device {
		return ":" + at.device.String()
	}
	return ":" + string(at.party)
}

// place returns the end of a key for what is counted at a client address. A device counts wherever it is.
func (at standing) place(ctx context.Context) string {
	if at.party == device {
		return at.counts()
	}
	return "@" + request.ClientAddress(ctx) + at.counts()
}

func (at standing) trusted() bool { return at.party != stranger }

func (s *Service) standingOf(ctx context.Context, on *ent.Client, cell string) (standing, error) {
	if claims, ok := s.bearer(ctx); ok {
		own, err := on.Session.Query().Where(session.ID(claims.Session), session.UserID(claims.User),
			session.EndedAtIsNil(), session.HasUserWith(user.CellNumber(cell), user.Vouched(true))).Exist(ctx)
		if err != nil || own {
			return standing{device, claims.Session}, err
		}
	}
	here, err := on.SignInAddress.Query().
		Where(s.here(ctx), signinaddress.HasUserWith(user.CellNumber(cell), user.Vouched(true))).Exist(ctx)
	if err != nil || !here {
		return standing{party: stranger}, err
	}
	return standing{party: knownAt}, nil
}
