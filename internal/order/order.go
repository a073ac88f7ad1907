// Package order turns carts into orders and moves orders on (contract 3.3). An order takes its units from the stock in the
// transaction that writes it, so that a unit is in the stock or in one order and never in both.
package order

import (
	"crypto/rand"
	"time"

	"storefront/ent"
	"storefront/internal/cart"
)

// Service keeps the orders.
type Service struct {
	store *ent.Client // guarded by tenancy.Guard
	carts *cart.Service
	clock func() time.Time
	done  *recent // checkouts of this instance
}

// New makes the service. clock gives the time that requests see.
func New(store *ent.Client, carts *cart.Service, clock func() time.Time) *Service {
	return &Service{store, carts, clock, newRecent()}
}

// now is cut to microseconds, which is what both databases keep.
func (s *Service) now() time.Time { return s.clock().UTC().Truncate(time.Microsecond) }

// numberLetters leaves out what people take for one another: 0 and O, 1 and I.
const numberLetters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"

// Number makes an order number: eight letters and digits, 40 random bits.
func Number() string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails
	return NumberOf(random)
}

// NumberOf is the order number that some bytes make: five bits of each.
func NumberOf(random [8]byte) string {
	for i, b := range random {
		random[i] = numberLetters[int(b)%len(numberLetters)]
	}
	return string(random[:])
}
