// Package submission stores what visitors send by public forms: comments, reviews and messages, within the limits of
// contract 3.1.
package submission

import (
	"cmp"
	"context"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/user"
	"storefront/internal/content/derive"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/event/outbox"
	"storefront/internal/fault"
	"storefront/internal/platform/ratelimit"
	"storefront/internal/record"
	"storefront/internal/request"
)

const (
	// MostPending is the number of pending records of a kind in a business from which on each client may send
	// only crowdedWrites an hour (contract 3.1).
	MostPending = 20_000
	// crowdedWrites is how many records of a kind one client address may then send in an hour.
	crowdedWrites = 10
)

// Service stores submissions.
type Service struct {
	Store    *ent.Client // guarded by tenancy.Guard
	Clock    func() time.Time
	InMinute int // submissions of one client address in a minute; 0: any number
}

// Form is how the submissions of a kind are stored.
type Form[T any] struct {
	Kind    string                                       // in the keys of its limits
	Pending func(context.Context, *ent.Tx) (bool, error) // reports whether MostPending wait for the shop's staff
	Store   func(context.Context, *ent.Tx) (T, error)
	Event   func(T) outbox.Event
}

// Send stores a visitor's submission to a tenant, with its event. It fails with RATE_LIMITED if the visitor's client
// address, or proven account, has sent too many in a minute, or in an hour while MostPending
// records of the kind wait.
func Send[T any](ctx context.Context, s *Service, tenant uuid.UUID, form Form[T]) (stored T, err error) {
	own, err := s.provenAccount(ctx)
	if err != nil {
		return stored, err
	}
	client := cmp.Or(own, request.ClientAddress(ctx))
	quota := ratelimit.Quota{Key: "public@" + client, Window: time.Minute, Most: s.InMinute}
	if s.InMinute > 0 {
		wait, err := quota.Peek(ctx, s.Store, s.Clock())
		if err != nil || wait > 0 {
			return stored, tooMany(wait, err)
		}
	}
	waiting := "pending:" + form.Kind + ":" + tenant.String()
	crowded := ratelimit.Crowded(waiting, request.Of(ctx).Credentials.Client, time.Hour, crowdedWrites)
	if own != "" {
		crowded = []ratelimit.Quota{{Key: waiting + "@" + own, Window: time.Hour, Most: crowdedWrites}}
	}
	err = transaction.Run(ctx, s.Store, func(tx *ent.Tx) error {
		if s.InMinute > 0 {
			wait, err := quota.Take(ctx, tx, s.Clock)
			if err != nil || wait > 0 {
				return tooMany(wait, err)
			}
		}
		ctx := derive.Unseen(tenancy.In(ctx, tenant))
		full, err := form.Pending(ctx, tx)
		if err != nil {
			return err
		}
		for _, network := range crowded {
			if !full {
				break
			}
			if wait, err := network.Take(ctx, tx, s.Clock); err != nil || wait > 0 {
				return tooMuchWaits(wait, err)
			}
		}
		if stored, err = form.Store(ctx, tx); err != nil {
			return err
		}
		return outbox.Put(ctx, tx.Raw(), tenant, form.Event(stored))
	})
	return stored, err
}

// provenAccount returns the id of the caller's account if it is proven, otherwise "". Such an account has limits of its
// own, which neighbours at the same client address do not use up.
func (s *Service) provenAccount(ctx context.Context) (string, error) {
	caller, err := request.CallerOf(ctx)
	if err != nil {
		return "", nil
	}
	proven, err := s.Store.User.Query().Where(user.ID(caller.User), user.Vouched(true)).Exist(ctx)
	if err != nil || !proven {
		return "", err
	}
	return caller.User.String(), nil
}

// Event returns the event of a submission. It has the id of the submitted record.
func Event(kind record.WebhookEvent, id uuid.UUID, at time.Time, data map[string]any) outbox.Event {
	return outbox.Event{ID: id, Type: kind, Subject: id, At: at, Data: data}
}

func tooMuchWaits(wait time.Duration, err error) error {
	if err != nil {
		return err
	}
	return fault.New(fault.RateLimited,
		"much waits for the staff of this shop, and a part of it is from here; try again in %d seconds",
		fault.Seconds(wait)).After(wait)
}

func tooMany(wait time.Duration, err error) error {
	if err != nil {
		return err
	}
	return fault.New(fault.RateLimited,
		"too many comments, reviews and messages from one client address; try again in %d seconds",
		fault.Seconds(wait)).After(wait)
}

// Filter selects submissions that meet all conditions given.
type Filter struct {
	Contains *string // a piece of a text, letter for letter
	Name     *string // the sender's whole name
	Email    *string // the sender's whole e-mail address
	Since    *time.Time
	Before   *time.Time
}

// Columns are the columns of a kind of submissions to which the conditions of a Filter refer.
type Columns struct {
	Name, Email string
	Texts       []string // searched beside name and e-mail
}

// Where returns the predicate of a filter. It notes a filter without a condition; path is where the filter stands.
func (f Filter) Where(path string, in Columns, bad *fault.Fields) func(*sql.Selector) {
	var all []func(*sql.Selector)
	if record.TextOf(f.Contains) != "" {
		all = append(all, holdsText(*f.Contains, append(in.Texts, in.Name, in.Email)))
	}
	if record.TextOf(f.Name) != "" {
		all = append(all, sql.FieldEQ(in.Name, *f.Name))
	}
	if record.TextOf(f.Email) != "" {
		all = append(all, sql.FieldEQ(in.Email, *f.Email))
	}
	if f.Since != nil {
		all = append(all, sql.FieldGTE("created_at", f.Since.UTC()))
	}
	if f.Before != nil {
		all = append(all, sql.FieldLT("created_at", f.Before.UTC()))
	}
	if len(all) == 0 {
		bad.Add(path, "must have at least one condition")
	}
	return sql.AndPredicates(all...)
}

// holdsText returns the predicate that one of the columns contains a text exactly, on both databases.
func holdsText(text string, columns []string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		position := "instr"
		if s.Dialect() == dialect.Postgres {
			position = "strpos"
		}
		var any []*sql.Predicate
		for _, column := range columns {
			any = append(any, sql.P(func(b *sql.Builder) {
				b.WriteString(position + "(").Ident(s.C(column)).WriteString(", ").Arg(text).WriteString(") > 0")
			}))
		}
		s.Where(sql.Or(any...))
	}
}
