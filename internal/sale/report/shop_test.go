package report_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/internal/content/bundle"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/event/outbox"
	"storefront/internal/record"
	"storefront/internal/sale/cart"
	"storefront/internal/sale/order"
	"storefront/internal/sale/report"
)

// shop is a shop with made-up orders, and the service that makes its reports.
type shop struct {
	*store.Store
	*rand.Rand
	id        uuid.UUID
	here      context.Context // of the shop
	reports   *report.Service
	orders    *order.Service
	customers []uuid.UUID
	products  []uuid.UUID
	now       time.Time
}

// today is the time of the tests' clock.
var today = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// shops holds the shops "tools" and "mugs", which have the same slugs and SKUs.
var shops = storetest.NewTemplate(func(ctx context.Context, s *store.Store) error {
	for _, name := range []string{"tools", "mugs"} {
		file := "../../contract/shoptest/testdata/" + name + ".bundle.json"
		if _, err := bundle.Import(ctx, s, bundle.File(file), nil); err != nil {
			return err
		}
	}
	return nil
})

// eachShop runs f with the tool shop, and some customers, on both databases.
func eachShop(t *testing.T, f func(t *testing.T, s *shop)) {
	t.Parallel()
	shops.Each(t, func(t *testing.T, url string) {
		db := storetest.Open(t, url)
		s := &shop{Store: db, Rand: newRand(9), now: today,
			id: db.Client.Tenant.Query().Where(tenant.Slug("tools")).OnlyIDX(t.Context())}
		s.here = tenancy.In(t.Context(), s.id)
		clock := func() time.Time { return s.now }
		s.reports = report.New(db.Client, clock, slog.New(slog.DiscardHandler))
		s.orders = order.New(db.Client, cart.New(db.Client, clock), clock)
		for i := range 30 {
			who := db.Client.User.Create().SetCellNumber(fmt.Sprintf("+98912000%04d", i)).SaveX(t.Context())
			s.customers = append(s.customers, who.ID)
		}
		s.products = db.Client.Product.Query().IDsX(s.here)
		s.products = append(s.products, uuid.New()) // a deleted product
		f(t, s)
	})
}

// borders are moments at which a day or month begins, or clocks change, somewhere.
var borders = []string{"2025-03-20T20:30:00Z", "2026-03-20T20:30:00Z", "2025-12-31T20:30:00Z", "2025-10-26T01:00:00Z",
	"2026-03-29T01:00:00Z", "2026-04-23T22:00:00Z", "2026-01-01T00:00:00Z", "2026-11-01T06:00:00Z",
	"2026-11-15T00:00:00Z"}

// moment returns a random time before today: often at one of borders.
func (s *shop) moment() time.Time {
	if s.IntN(3) > 0 {
		return today.Add(-time.Duration(s.Int64N(int64(700 * 24 * time.Hour)))).Truncate(time.Microsecond)
	}
	at, err := time.Parse(time.RFC3339, pick(s, borders))
	if err != nil {
		panic(err)
	}
	return at.Add(time.Duration(s.IntN(3)-1) * time.Microsecond)
}

func pick[T any](s *shop, of []T) T { return of[s.IntN(len(of))] }

// places are provinces as customers type them.
var places = []string{"Tehran", "تهران", "tehran ", "البرز", "alborz", "Nowhere", "call 09120000000", ""}

// place places a random order at a moment.
func (s *shop) place(t testing.TB, shop uuid.UUID, at time.Time) {
	t.Helper()
	here := tenancy.In(t.Context(), shop)
	err := transaction.Run(here, s.Client, func(tx *ent.Tx) error { return s.placeIn(here, tx, at) })
	if err != nil {
		t.Fatal(err)
	}
}

func (s *shop) placeIn(here context.Context, tx *ent.Tx, at time.Time) error {
	lines, units, total := 1+s.IntN(3), 0, int64(0)
	status := record.OrderStatus(pick(s, record.OrderStatus("").Values()))
	o := tx.Order.Create().SetOrderNumber(order.Number()).SetCreatedAt(at).SetUpdatedAt(at).
		SetStatus(status).
		SetPriceCurrency(pick(s, []string{"IRR", "IRR", "USD"})).SetDiscount(s.Int64N(1000)).
		SetShippingAddress(record.ShippingAddress{Province: pick(s, places), City: "c", Address: "a"})
	if s.IntN(10) > 0 {
		o.SetUserID(pick(s, s.customers))
	}
	var items []*ent.OrderItemCreate
	for range lines {
		n, price := 1+s.IntN(3), s.Int64N(1_000_000)
		units, total = units+n, total+int64(n)*price
		items = append(items, tx.OrderItem.Create().SetStoreItemVariantID(uuid.New()).
			SetProductID(pick(s, s.products)).SetProductSlug("p").SetTitleFa("پ").SetSku("S").SetQuantity(n).
			SetUnitPrice(price).SetLineTotal(int64(n)*price))
	}
	payment, refunded := record.PaymentState(pick(s, record.PaymentStatus("").Values())), int64(0)
	switch {
	case payment == record.StateRefunded:
		refunded = total
	case payment == record.StatePaid && s.IntN(2) == 0:
		refunded = s.Int64N(total + 1)
	}
	if payment == record.StatePaid && status == record.OrderCancelled {
		o.SetRefundDue(total - refunded)
	}
	made, err := o.SetTotalQuantity(units).SetSubtotal(total + 5).SetChargeTotal(-5).SetTotal(total).Save(here)
	if err != nil {
		return err
	}
	err = tx.OrderCharge.Create().SetOrderID(made.ID).SetKind(record.ChargeOrderDiscount).SetName("Autumn").
		SetAmount(-5).Exec(here)
	if err != nil {
		return err
	}
	for _, item := range items {
		if err := item.SetOrderID(made.ID).Exec(here); err != nil {
			return err
		}
	}
	err = tx.Payment.Create().SetOrderID(made.ID).SetType(record.PayInCash).SetAmount(total).
		SetStatus(payment).SetRefunded(refunded).Exec(here)
	if err != nil {
		return err
	}
	return outbox.Put(here, tx.Raw(), made.TenantID, outbox.Event{ID: uuid.New(), Type: record.OrderPlaced,
		Subject: made.ID, At: at, Placed: at})
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(3, seed)) }
