package sheet

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/membership"
	"storefront/ent/user"
)

// customersOf returns a query of the memberships of a shop's customers.
func customersOf(client *ent.Client, business uuid.UUID) *ent.MembershipQuery {
	return client.Membership.Query().Where(membership.BusinessID(business), membership.PendingUntilIsNil(),
		membership.HasUserWith(user.ClosedAtIsNil()))
}

// customers writes the customers of the shop.
func (e *export) customers(ctx context.Context, to io.Writer) error {
	if err := e.w.begin(to, "id", "cellNumber", "firstName", "lastName", "email", "memberSince"); err != nil {
		return err
	}
	return pages(ctx, e.w.still, func(ctx context.Context, after uuid.UUID) ([]*ent.Membership, error) {
		return customersOf(e.client, e.shop.ID).Where(membership.IDGT(after)).Order(membership.ByID()).
			Limit(atOnce).WithUser().All(ctx)
	}, func(m *ent.Membership) uuid.UUID { return m.ID }, func(m *ent.Membership) error {
		u := m.Edges.User
		return e.w.write(u.ID, dialled(u.CellNumber), u.FirstName, u.LastName, u.Email, moment(m.CreatedAt))
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
