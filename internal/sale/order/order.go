// Package order turns carts into orders and moves orders through their statuses (contract 3.3).
//
// Checkout runs in one transaction: lock the cart, read today's prices, write the order with its lines,
// payment and history, empty the cart, and last take the units out of the stock. A unit is therefore in the
// stock or in one order and never in both, and any failure leaves cart and stock as they were. Move and
// Cancel change an order's status; a cancelled order returns its units. Rows of variants are always taken in
// the order of their ids, as imports take them, so that no two transactions wait for each other.
//
// The resolvers in graph call it. It reads carts through internal/sale/cart,
// raises the content's version through internal/content/derive where a variant comes into or goes out of stock, and
// leaves retries of deadlocks to internal/database/transaction.
package order

import (
	"context"
	"crypto/rand"
	"time"

	"entgo.io/ent/dialect/sql"

	"storefront/ent"
	"storefront/ent/order"
	"storefront/ent/payment"
	"storefront/ent/user"
	"storefront/internal/fault"
	"storefront/internal/record"
	"storefront/internal/sale/cart"
	"storefront/internal/sale/delivery"
)

// Service places and changes orders.
type Service struct {
	store *ent.Client // guarded by tenancy.Guard
	carts *cart.Service
	clock record.Clock

	delivery *delivery.Service

	// Ahead returns how far the clock of the database is ahead of the process's; nil: they are one.
	Ahead func() time.Duration

	Pace record.Pace // of the windows of payments

	// Placed is called after each placed order, Moved after each change of status, with the new one, and
	// Marked after each payment that staff marked, with its new status. They may be nil.
	Placed func()
	Moved  func(to record.OrderStatus)
	Marked func(to record.PaymentStatus)
}

// New returns a service. clock gives the time that requests see.
func New(store *ent.Client, carts *cart.Service, clock func() time.Time) *Service {
	return &Service{store: store, carts: carts, clock: clock, delivery: delivery.New()}
}

// numberLetters leaves out characters that are easily confused: 0 and O, 1 and I.
const numberLetters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"

// payCodeLetters is the length of Order.PayCode, which nobody guesses: 100 bits.
const payCodeLetters = 20

// Number makes an order number: eight letters and digits, 40 random bits.
func Number() string { return Letters(8) }

// Letters returns n random letters and digits, of five bits each.
func Letters(n int) string {
	random := make([]byte, n)
	_, _ = rand.Read(random) // never fails
	for i, b := range random {
		random[i] = numberLetters[int(b)%len(numberLetters)]
	}
	return string(random)
}

// rulesOf returns what a shop asks of orders.
func rulesOf(shop *ent.Tenant) record.OrderRules {
	if shop.OrderRules == nil {
		return record.UsualOrderRules
	}
	return *shop.OrderRules
}

// asksBuyer reports whether rules ask something of the customer, who then orders under the cart's lock.
func asksBuyer(rules record.OrderRules) bool { return rules.ProvenNumber || rules.MostUnpaid != nil }

// obeys fails with CONFLICT if the rules of a shop do not let a customer, whose cart is locked, place one more order.
func obeys(ctx context.Context, tx *ent.Tx, owner cart.Owner, rules record.OrderRules) error {
	if rules.ProvenNumber {
		proven, err := tx.User.Query().Where(user.ID(owner.User), user.Vouched(true)).Exist(ctx)
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
	unpaid, err := tx.Order.Query().Where(order.UserID(owner.User), order.StatusEQ(record.OrderPending),
		order.HasPaymentsWith(sql.FieldEQ(payment.FieldTenantID, owner.Business),
			payment.Counts(true), payment.StatusEQ(record.StatePending))).Count(ctx)
	if err == nil && unpaid >= *rules.MostUnpaid {
		err = fault.New(fault.Conflict, "orders of yours that are not paid yet: %d; pay or cancel one first", unpaid)
	}
	return err
}
