package order

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/event/outbox"
	"storefront/internal/platform/convert"
	"storefront/internal/record"
	"storefront/internal/sale/cart"
)

// write writes an order and empties its locked cart. It fails with errShort if the stock of something does
// not suffice, or if what was looked at has changed.
func (s *Service) write(
	ctx context.Context, tx *ent.Tx, c *checkout, kept cart.Kept, row *ent.Order, lines []*cart.Line,
) error {
	if tx.Raw().Dialect() == dialect.Postgres {
		seen := cart.Seen{ID: &kept.ID, Version: &kept.Version, Sale: kept.Sale, Lines: lines}
		placed, err := s.writeAtOnce(ctx, tx.Raw(), c, seen, row)
		if err == nil && !placed {
			err = errShort
		}
		return err
	}
	values, err := valuesOf(c, kept.ID, row)
	if err != nil {
		return err
	}
	if err := takeStock(ctx, tx, c.of.Business, unitsOf(row.Edges.Items), row.CreatedAt); err != nil {
		return err
	}
	values["now"] = time.Now()
	for _, text := range onSQLite {
		if _, err := text.Exec(ctx, tx.Raw(), values); err != nil {
			return fmt.Errorf("an order: %w", err)
		}
	}
	return nil
}

// writeAtOnce writes an order of lines and empties its cart on PostgreSQL, if the cart still has the version that was
// seen, the variants are as they were looked at, the shop is open and the stock suffices. Else nothing is written.
func (s *Service) writeAtOnce(
	ctx context.Context, on database.Executor, c *checkout, seen cart.Seen, row *ent.Order,
) (placed bool, err error) {
	values, err := valuesOf(c, *seen.ID, row)
	if err != nil {
		return false, err
	}
	values["sale"] = seen.Sale
	values["version"], values["shown"] = seen.Version, record.ShownStock
	values["arrived"] = c.request.Arrived
	sold := convert.All(seen.Lines, func(l *cart.Line) units { return units{l.Variant, -l.Quantity, &l.Looked} })
	text, err := json.Marshal(sold)
	if err != nil {
		return false, err
	}
	values["units"] = string(text)
	values["moment"] = row.CreatedAt.Format(time.RFC3339Nano)
	if _, err = onPostgres.Row(ctx, on, values, &placed); err != nil {
		err = fmt.Errorf("an order: %w", err)
	}
	return placed, err
}

// valuesOf returns the values of the statements that write an order and empty the cart with the given id.
func valuesOf(c *checkout, id uuid.UUID, placed *ent.Order) (database.Values, error) {
	lines := make([]soldLine, len(placed.Edges.Items))
	for n, i := range placed.Edges.Items {
		options, err := json.Marshal(i.Options)
		if err != nil {
			return nil, err
		}
		lines[n] = soldLine{
			ID: i.ID, Event: record.NewID(), Variant: i.StoreItemVariantID, Product: i.ProductID,
			Slug: i.ProductSlug, TitleFa: i.TitleFa, TitleEn: i.TitleEn, Options: string(options),
			Sku: i.Sku, ImageURL: i.ImageURL, Quantity: i.Quantity,
			UnitPrice: i.UnitPrice, LineTotal: i.LineTotal,
		}
	}
	sold, err := json.Marshal(lines)
	if err != nil {
		return nil, err
	}
	charges, err := json.Marshal(convert.All(placed.Edges.Charges, func(c *ent.OrderCharge) soldCharge {
		return soldCharge{ID: c.ID, Item: c.ItemID, Kind: c.Kind, Source: c.SourceID, Name: c.Name, NameFa: c.NameFa,
			Amount: c.Amount, Rate: c.Rate, Included: c.Included}
	}))
	if err != nil {
		return nil, err
	}
	address, err := json.Marshal(placed.ShippingAddress)
	if err != nil {
		return nil, err
	}
	var delivered *string
	if placed.Delivery != nil {
		text, err := json.Marshal(placed.Delivery)
		if err != nil {
			return nil, err
		}
		delivered = new(string(text))
	}
	paid, step := placed.Edges.Payments[0], placed.Edges.Events[0]
	data, err := eventOf(record.OrderPlaced, step.ID, placed.CreatedAt, placed).Payload()
	if err != nil {
		return nil, err
	}
	return database.Values{
		"tenant": c.of.Business, "user": c.of.User, "cart": id, "digest": c.request.digest(), "lines": string(sold),
		"charges": string(charges),

		"order": placed.ID, "at": placed.CreatedAt, "number": placed.OrderNumber,
		"pay_code": placed.PayCode, "status": placed.Status,
		"quantity": placed.TotalQuantity, "subtotal": placed.Subtotal, "charge_total": placed.ChargeTotal,
		"total": placed.Total, "discount": placed.Discount, "currency": placed.PriceCurrency,
		"delivery": delivered, "address": string(address), "notes": placed.CustomerNotes,

		"payment": paid.ID, "payment_type": paid.Type, "payment_status": paid.Status, "pos_type": paid.PosType,
		"transfer_account": paid.TransferAccount, "transfer_ref_number": paid.TransferRefNumber,
		"gateway_type": paid.GatewayType, "payment_notes": paid.Notes,
		"due": paid.DueAt, "received": paid.ReceivedAt,

		"event": step.ID, "data": data, "day": outbox.DayOf(placed.CreatedAt),
	}, nil
}
