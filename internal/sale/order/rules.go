package order

import (
	"context"

	"entgo.io/ent/dialect/sql"

	"storefront/ent"
	"storefront/ent/order"
	"storefront/ent/payment"
	"storefront/ent/user"
	"storefront/internal/fault"
	"storefront/internal/record"
	"storefront/internal/sale/cart"
)

// asksBuyer reports whether rules ask something of the customer, who then orders under the cart's lock.
func asksBuyer(rules record.OrderRules) bool { return rules.ProvenNumber || rules.MostUnpaid != nil }

// obeys fails with CONFLICT if the rules of a shop do not let a customer, whose cart is locked, place one more order.
func obeys(ctx context.Context, tx *ent.Tx, of cart.Owner, rules record.OrderRules) error {
	if rules.ProvenNumber {
		proven, err := tx.User.Query().Where(user.ID(of.User), user.Vouched(true)).Exist(ctx)
		if err != nil {
			return err
		}
		if !proven {
			return fault.New(fault.Conflict,
				"this shop takes orders from proven numbers alone; sign in once by a code that is sent to yours")
		}
	}
	if rules.MostUnpaid == nil {
		return nil
	}
	unpaid, err := tx.Order.Query().Where(order.UserID(of.User), order.StatusEQ(record.OrderPending),
		order.HasPaymentsWith(sql.FieldEQ(payment.FieldTenantID, of.Business),
			payment.StatusEQ(record.PaymentPending))).Count(ctx)
	if err == nil && unpaid >= *rules.MostUnpaid {
		err = fault.New(fault.Conflict, "orders of yours that are not paid yet: %d; pay or cancel one first", unpaid)
	}
	return err
}
