package sheet

import (
	"context"
	"io"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/membership"
	"storefront/ent/user"
)

// customersOf restricts a query to the customers of a shop.
func customersOf(q *ent.UserQuery, business uuid.UUID) *ent.UserQuery {
	return q.Where(user.ClosedAtIsNil(), func(s *sql.Selector) {
		m := sql.Table(membership.Table)
		s.Where(sql.In(s.C(user.FieldID), sql.Dialect(s.Dialect()).Select(m.C(membership.FieldUserID)).From(m).
			Where(sql.And(
				sql.EQ(m.C(membership.FieldBusinessID), business), sql.IsNull(m.C(membership.FieldPendingUntil))))))
	})
}

// customers writes the customers of the shop.
func (e *export) customers(ctx context.Context, to io.Writer) error {
	if err := e.w.begin(to, "id", "cellNumber", "firstName", "lastName", "email", "createdAt"); err != nil {
		return err
	}
	return pages(ctx, e.w.still, func(ctx context.Context, after uuid.UUID) ([]*ent.User, error) {
		return customersOf(e.client.User.Query(), e.shop.ID).Where(user.IDGT(after)).Order(user.ByID()).
			Limit(atOnce).All(ctx)
	}, func(u *ent.User) uuid.UUID { return u.ID }, func(u *ent.User) error {
		return e.w.write(u.ID, dialled(u.CellNumber), u.FirstName, u.LastName, u.Email, moment(u.CreatedAt))
	})
}

// dialled returns a cell number as people dial it, 0912 123 4567 or 00 4479…, with blanks, so that
// spreadsheets take it neither for a number nor for a formula.
func dialled(cell string) unchanged {
	if local, ok := strings.CutPrefix(cell, "+98"); ok && len(local) == 10 {
		return unchanged("0" + local[:3] + " " + local[3:6] + " " + local[6:])
	}
	if other, ok := strings.CutPrefix(cell, "+"); ok {
		return unchanged("00 " + other)
	}
	return unchanged(cell) // of an erased account
}

func moment(at time.Time) unchanged { return unchanged(at.UTC().Format(time.RFC3339)) }
