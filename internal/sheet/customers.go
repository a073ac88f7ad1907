package sheet

import (
	"context"
	"errors"
	"io"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/membership"
	"storefront/ent/order"
	"storefront/ent/user"
	"storefront/internal/money"
	"storefront/internal/store"
	"storefront/internal/tenancy"
)

// ExportCustomers writes the customers who belong to a shop, and returns how many there are.
func ExportCustomers(ctx context.Context, db *store.Store, shop *ent.Tenant, to io.Writer) (n int, err error) {
	w, err := newWriter(to, "id", "cellNumber", "firstName", "lastName", "email", "createdAt")
	if err != nil {
		return 0, err
	}
	after := uuid.Nil
	for {
		rows, err := db.Client.User.Query().Where(user.IDGT(after), user.ClosedAtIsNil(), func(s *sql.Selector) {
			m := sql.Table(membership.Table)
			s.Where(sql.In(s.C(user.FieldID), sql.Dialect(s.Dialect()).Select(m.C(membership.FieldUserID)).From(m).
				Where(sql.And(
					sql.EQ(m.C(membership.FieldBusinessID), shop.ID), sql.IsNull(m.C(membership.FieldPendingUntil))))))
		}).Order(user.ByID()).Limit(atOnce).All(ctx)
		if err != nil {
			return n, err
		}
		for _, u := range rows {
			if err := w.write(u.ID, u.CellNumber, u.FirstName, u.LastName, u.Email, moment(u.CreatedAt)); err != nil {
				return n, err
			}
		}
		if n += len(rows); len(rows) < atOnce {
			return n, w.end(nil)
		}
		after = rows[len(rows)-1].ID
	}
}

func moment(at time.Time) string { return at.UTC().Format(time.RFC3339) }

// ExportOrders writes the orders of a shop, a row for each line. What is of the order as a whole, such as its total,
// stands in the row of its first line alone, so that columns add up. It returns how many orders there are.
func ExportOrders(ctx context.Context, db *store.Store, shop *ent.Tenant, to io.Writer) (n int, err error) {
	w, err := newWriter(to, "orderNumber", "createdAt", "status", "sku", "title", "quantity", "unitPrice",
		"lineTotal", "currency", "total", "paymentType", "paymentStatus", "customerName", "customerCell", "province",
		"city", "address", "postalCode", "notes")
	if err != nil {
		return 0, err
	}
	ctx = tenancy.In(ctx, shop.ID)
	after := uuid.Nil
	for {
		rows, err := db.Client.Order.Query().Where(order.IDGT(after)).Order(order.ByID()).Limit(atOnce).
			WithUser().WithItems().WithPayments().All(ctx)
		if err != nil {
			return n, err
		}
		for _, o := range rows {
			if err := writeOrder(w, shop, o); err != nil {
				return n, err
			}
		}
		if n += len(rows); len(rows) < atOnce {
			return n, w.end(nil)
		}
		after = rows[len(rows)-1].ID
	}
}

func writeOrder(w *writer, shop *ent.Tenant, o *ent.Order) error {
	amount := func(minor int64) string {
		return string(money.Amount{Minor: minor, Currency: o.PriceCurrency}.AppendJSON(nil))
	}
	number := func(minor int64) any { return plain(amount(minor)) }
	whole := []any{number(o.Total), nil, nil, nil, nil, o.ShippingAddress.Province, o.ShippingAddress.City,
		o.ShippingAddress.Address, o.ShippingAddress.PostalCode, o.CustomerNotes}
	for _, p := range o.Edges.Payments {
		whole[1], whole[2] = string(p.Type), string(p.Status)
	}
	if u := o.Edges.User; u != nil {
		whole[3], whole[4] = nameOf(u), u.CellNumber
	}
	var err error
	for _, line := range o.Edges.Items {
		title := line.TitleFa
		if shop.DefaultLocale == "en" && line.TitleEn != nil {
			title = *line.TitleEn
		}
		cells := append([]any{o.OrderNumber, moment(o.CreatedAt), string(o.Status), line.Sku, title, line.Quantity,
			number(line.UnitPrice), number(line.LineTotal), o.PriceCurrency}, whole...)
		err = errors.Join(err, w.write(cells...))
		whole = nil
	}
	return err
}

// plain is a number as it is written.
type plain string

func nameOf(u *ent.User) string {
	name := ""
	for _, part := range []*string{u.FirstName, u.LastName} {
		if part != nil && *part != "" {
			if name != "" {
				name += " "
			}
			name += *part
		}
	}
	return name
}
