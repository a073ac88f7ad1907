package orders

import (
	"context"

	"storefront/ent"
	"storefront/internal/order"
	"storefront/internal/record"
)

// write writes orders with their lines, payments and histories, in four statements.
func write(ctx context.Context, tx *ent.Tx, drafts []draft) error {
	heads := make([]*ent.OrderCreate, len(drafts))
	for i, d := range drafts {
		heads[i] = d.head(tx).SetID(record.StableID(i, "order "+d.number))
	}
	made, err := tx.Order.CreateBulk(heads...).Save(ctx)
	if err != nil {
		return err
	}
	var items []*ent.OrderItemCreate
	var payments []*ent.PaymentCreate
	var events []*ent.OrderEventCreate
	for i, d := range drafts {
		id, p := made[i].ID, d.payment
		for _, l := range d.lines {
			items = append(items, tx.OrderItem.Create().SetRecord(order.ItemOf(id, l)))
		}
		payments = append(payments, tx.Payment.Create().SetOrderID(id).SetType(p.kind).SetStatus(p.status).
			SetAmount(made[i].Total).
			SetNillablePosType(p.posType).SetNillableTransferAccount(p.transferAccount).
			SetNillableTransferRefNumber(p.transferRefNumber).
			SetNillableGatewayType(p.gatewayType).SetNillableNotes(p.notes))
		for _, s := range d.history {
			events = append(events, tx.OrderEvent.Create().SetOrderID(id).SetStatus(s.status).SetAt(s.at).
				SetNillableNote(s.note))
		}
	}
	if err := tx.OrderItem.CreateBulk(items...).Exec(ctx); err != nil {
		return err
	}
	if err := tx.Payment.CreateBulk(payments...).Exec(ctx); err != nil {
		return err
	}
	return tx.OrderEvent.CreateBulk(events...).Exec(ctx)
}

// head returns the order without its lines, payment and history.
func (d draft) head(tx *ent.Tx) *ent.OrderCreate {
	total, discount, quantity := int64(0), int64(0), 0
	for _, l := range d.lines {
		cost, _ := l.Total() // far below money.Max
		total += cost
		discount += l.Discount()
		quantity += l.Quantity
	}
	placed, last := d.history[0], d.history[len(d.history)-1]
	return tx.Order.Create().SetUserID(d.of.id).SetOrderNumber(d.number).SetStatus(last.status).
		SetTotalQuantity(quantity).SetSubtotal(total).SetTotal(total).SetDiscount(discount).
		SetPriceCurrency(d.lines[0].Currency).
		SetShippingAddress(d.of.home).SetNillableCustomerNotes(d.notes).SetCreatedAt(placed.at).
		SetUpdatedAt(last.at)
}
