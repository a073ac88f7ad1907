package money

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
	"storefront/internal/contract/money/audit"
)

// books is the auditor: it reads the database by its own connection, the ledgers of the gateways, the diary of the
// lives, what a webhook received, and both APIs.
type books struct {
	*town
	db     *sql.DB
	unread error // why checks were left out
	window audit.Window

	mu     sync.Mutex
	known  map[string]bool // by webhook-id
	events []audit.Event
}

func (t *town) books() *books {
	driver, source := "postgres", t.Database
	if t.Kind == stage.SQLite {
		driver, source = "sqlite", "file:"+strings.TrimPrefix(t.Database, "sqlite://")+"?_pragma=busy_timeout(20000)"
	}
	b := &books{town: t, db: must.Get(sql.Open(driver, source)), known: map[string]bool{}}
	// A look at a slow gateway takes up to 20 seconds, and a payment stays claimed for 25 after its server was killed,
	// whatever the pace is; then come two minutes and two sweeps.
	slow := 10 * time.Second
	if t.isSlow {
		slow = 45 * time.Second
	}
	b.window = audit.Window{Grace: t.pace.of(4*time.Minute) + slow, Silent: t.pace.of(24 * time.Hour)}
	t.OnClose(func() error { _ = b.db.Close(); return nil }) // of connections that a crash has broken
	return b
}

// listen subscribes to the events of all shops.
func (b *books) listen(ctx context.Context) {
	url := b.Receive(b.receive)
	for _, s := range b.shops {
		must.Do(s.owner.Listen(ctx, url, "order_placed", "order_moved", "payment_marked", "payment_refunded"))
	}
}

func (b *books) receive(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Type string
		Data struct {
			OrderID, Status, PriceCurrency string
			Total                          json.Number
			Payment                        *struct{ Status string }
			Refund                         *struct{ ID, Status string }
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil { // the sender was killed
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if id := r.Header.Get("webhook-id"); !b.known[id] {
		b.known[id] = true
		e := audit.Event{Type: body.Type, Order: body.Data.OrderID, Status: body.Data.Status,
			Total: minor(body.Data.PriceCurrency, body.Data.Total)}
		if body.Data.Payment != nil {
			e.Payment = body.Data.Payment.Status
		}
		if body.Data.Refund != nil {
			e.Refund, e.Payment = body.Data.Refund.ID, body.Data.Refund.Status
		}
		b.events = append(b.events, e)
	}
	w.WriteHeader(http.StatusNoContent)
}

// minor returns an amount in the smallest unit.
func minor(currency string, amount json.Number) *big.Int {
	return must.Get(audit.Minor(currency, amount.String()))
}

// meanwhile checks what must hold at any moment, in one snapshot. An error that is not a fault of the books means that
// the database could not be read.
func (b *books) meanwhile(ctx context.Context) error {
	options := &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
	if b.Kind == stage.SQLite {
		options = nil // any transaction reads a snapshot
	}
	tx, err := b.db.BeginTx(ctx, options)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	unpaid, err := audit.UnpaidOrders(ctx, tx)
	if err != nil {
		return err
	}
	return errors.Join(audit.Check(ctx, tx, b.Initial), audit.Priced(ctx, tx), audit.Held(unpaid, time.Now(), b.window))
}

// watch checks the books every two seconds until ctx is done, and returns the faults.
func (b *books) watch(ctx context.Context) (checks int, err error) {
	for customer.Wait(ctx, 2*time.Second) == nil {
		err := b.meanwhile(ctx)
		if _, broken := errors.AsType[audit.Fault](err); broken {
			return checks, err
		}
		if err == nil {
			checks++
		} else if ctx.Err() == nil {
			b.unread = errors.Join(b.unread, err)
		}
	}
	return checks, nil
}

const (
	openRefunds  = `SELECT COUNT(*) FROM refunds WHERE status IN ('asked', 'sent', 'unknown')`
	askedRefunds = `SELECT COUNT(*) FROM refunds WHERE status = 'asked'`
	openTries    = `SELECT COUNT(*) FROM payments WHERE look_at IS NOT NULL`
	openOrders   = `SELECT COUNT(*) FROM payments p JOIN orders o ON o.id = p.order_id
		WHERE p.status = 'pending' AND p.due_at IS NOT NULL AND o.status = 'pending'`
)

// until settles what is pending at the gateways, and waits until each of the queries counts zero.
func (b *books) until(ctx context.Context, limit time.Duration, queries ...string) {
	customer.Until(ctx, limit, func(ctx context.Context) error {
		b.settleRefunds(ctx, "refundDone", "")
		for _, query := range queries {
			var n int
			if err := b.db.QueryRowContext(ctx, query).Scan(&n); err != nil {
				return err
			}
			if n > 0 {
				return audit.Fault{Rule: 7, Says: fmt.Sprintf("%d are still under way: %s", n, query)}
			}
		}
		return nil
	})
}

// rest waits until the service watches no payment any more.
func (b *books) rest(ctx context.Context) {
	for _, gateway := range names {
		b.control(ctx, gateway, map[string]any{"do": "clear"}, nil)
	}
	b.until(ctx, b.pace.of(72*time.Hour)/6+b.window.Grace, openRefunds, openTries, openOrders)
}

// shown is an order as an API shows it.
type shown struct {
	ID, OrderNumber, Status, PriceCurrency string
	Total                                  json.Number
	Payment                                struct {
		Status                  string
		Amount, RefundDueAmount json.Number
	}
}

// seen returns what the auditor compares.
func (s shown) seen(where string) audit.Seen {
	return audit.Seen{Where: where, Order: s.ID, Status: s.Status, Payment: s.Payment.Status,
		Total: minor(s.PriceCurrency, s.Total), Amount: minor(s.PriceCurrency, s.Payment.Amount)}
}

// settled checks what must hold when all is over.
func (b *books) settled(ctx context.Context, diary string, buyers []*customer.Customer) error {
	faults := []error{b.meanwhile(ctx)}
	settled := audit.Settled{Accounts: map[string]audit.Account{}, Due: map[string]*big.Int{},
		Cancelled: must.Get(audit.Cancelled(ctx, b.db))}
	must.Do(audit.Orders(ctx, b.db, func(o audit.Order) { settled.Orders = append(settled.Orders, o) }))
	var seen []audit.Seen
	for _, s := range b.shops {
		for gateway, accounts := range s.accounts {
			for _, a := range accounts {
				settled.Accounts[a.row] = audit.Account{Gateway: gateway, ID: a.merchant}
			}
		}
		ids := map[string]string{}
		for _, o := range s.list(ctx) {
			seen = append(seen, o.seen("GraphQL"))
			settled.Due[o.ID] = minor(o.PriceCurrency, o.Payment.RefundDueAmount)
			ids[o.OrderNumber] = o.ID
		}
		for _, o := range s.sheet(ctx) {
			o.ID = ids[o.OrderNumber]
			seen = append(seen, o.seen("the sheet"))
		}
		faults = append(faults, audit.Reported(s.id, settled.Orders, s.report(ctx)))
		for _, buyer := range buyers {
			path := "/businesses/" + s.id + "/orders?"
			for _, o := range customer.Listed[shown](ctx, &buyer.Client, path, 20) {
				seen = append(seen, o.seen("REST"))
			}
		}
	}
	for _, gateway := range names {
		file := must.Get(os.Open(b.gateways[gateway].ledger))
		settled.Effects = append(settled.Effects, must.Get(audit.Effects(file))...)
		must.Do(file.Close())
	}
	entries := must.Get(audit.Diary(bufio.NewReader(must.Get(os.Open(diary)))))
	faults = append(faults, settled.Check(), audit.Told(entries, settled.Orders), audit.Shown(settled.Orders, seen),
		b.told(ctx, settled.Orders), b.leaks(ctx))
	return errors.Join(faults...)
}

// told waits until the events of all orders have come.
func (b *books) told(ctx context.Context, orders []audit.Order) (err error) {
	limit := 40
	if b.isSlow {
		limit = 300
	}
	for range limit {
		b.mu.Lock()
		err = audit.Events(orders, b.events)
		b.mu.Unlock()
		if err == nil || customer.Wait(ctx, 100*time.Millisecond) != nil {
			return err
		}
	}
	return err
}

// sheet returns the orders of the shop as their sheet has them.
func (s *shop) sheet(ctx context.Context) (all []shown) {
	var got struct {
		Data struct{ CreateOrderExport struct{ URL string } }
	}
	must.Do(s.owner.Ask(ctx, `mutation($b: ID!) { createOrderExport(businessId: $b) { url } }`,
		map[string]any{"b": s.id}).Read(&got))
	sent := s.owner.Send(ctx, http.MethodGet, "/"+got.Data.CreateOrderExport.URL, nil)
	must.Do(sent.Read(nil))
	read := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(sent.Body, []byte("\ufeff"))))
	read.FieldsPerRecord = -1 // only the first line of an order has cells of the whole order
	rows := must.Get(read.ReadAll())
	for _, row := range rows[1:] {
		cell := func(name string) string { return row[slices.Index(rows[0], name)] }
		if len(row) == len(rows[0]) {
			total := json.Number(cell("total"))
			o := shown{OrderNumber: strings.Trim(cell("orderNumber"), `="`), Status: cell("status"),
				PriceCurrency: cell("currency"), Total: total}
			o.Payment.Status, o.Payment.Amount = cell("paymentStatus"), total
			all = append(all, o)
		}
	}
	return all
}

// leaks looks for secrets, cards and persons in the database, in the logs, and in what gateways were asked.
func (b *books) leaks(ctx context.Context) error {
	var planted []audit.Canary
	persons := []audit.Canary{{Text: "Karimi"}, {Text: "خیابان آزادی"}}
	homes := []string{"users.cell_number", "rate_keys.id", "rate_events.key"}
	for n := range b.people.Load() {
		persons = append(persons, audit.Canary{Text: customer.Cell(int(n) + 1)[1:], Homes: homes})
	}
	homes = append(homes, // of staff
		"audit_entries.record_name", "audit_entries.search_text")
	for n := range b.shops {
		persons = append(persons, audit.Canary{Text: customer.Cell(owners + n)[1:], Homes: homes})
	}
	for _, secret := range b.planted {
		planted = append(planted, audit.Canary{Text: secret})
	}
	for n := range 20 {
		l := life{plan: plan{number: n}}
		planted = append(planted, audit.Canary{Text: l.card()})
	}
	faults := []error{audit.DatabaseLeaks(ctx, b.db, slices.Concat(planted, persons[2:]))}
	for pattern, planted := range map[string][]audit.Canary{"*.asked": persons,
		"log-*": slices.Concat(planted, persons)} {
		for _, file := range must.Get(filepath.Glob(filepath.Join(b.Folder, pattern))) {
			text := bytes.ReplaceAll(must.Get(os.ReadFile(file)), []byte("\n"), nil)
			faults = append(faults, audit.Leaks(filepath.Base(file), text, planted))
		}
	}
	return errors.Join(faults...)
}

// states counts how the tries and declared payments have ended.
func (b *books) states(ctx context.Context) (ends map[string]int, paid int) {
	ends = map[string]int{}
	must.Do(audit.Orders(ctx, b.db, func(o audit.Order) {
		isPaid := false
		for _, p := range o.Payments {
			ends[p.Status]++
			if p.IsTest {
				ends["of test money"]++
			}
			isPaid = isPaid || p.Status == "paid" || p.Status == "refunded"
		}
		if isPaid {
			paid++
		}
	}))
	return ends, paid
}

// text writes the states.
func text(ends map[string]int) string {
	var all []string
	for _, state := range slices.Sorted(maps.Keys(ends)) {
		all = append(all, fmt.Sprintf("%d %s", ends[state], state))
	}
	return strings.Join(all, ", ")
}

// report returns the figures of the shop's report.
func (s *shop) report(ctx context.Context) audit.Figures {
	type amount struct{ Amount json.Number }
	var got struct {
		Data struct {
			ShopReport struct {
				Total struct {
					Orders, CancelledOrders, RefundedOrders int
					Money                                   []struct {
						Currency                           string
						Revenue, Paid, Refunds, RefundsDue amount
					}
				}
			}
		}
	}
	must.Do(s.owner.Ask(ctx, `query($b: ID!, $from: Time) { shopReport(businessId: $b, from: $from) { total {
		orders cancelledOrders refundedOrders money { currency revenue { amount } paid { amount } refunds { amount }
		refundsDue { amount } } } } }`, map[string]any{"b": s.id, "from": time.Now().Add(-48 * time.Hour)}).Read(&got))
	total := got.Data.ShopReport.Total
	f := audit.Figures{Orders: total.Orders, Cancelled: total.CancelledOrders, Refunded: total.RefundedOrders,
		Revenue: new(big.Int), Paid: new(big.Int), Refunds: new(big.Int), RefundsDue: new(big.Int)}
	for _, m := range total.Money {
		f.Revenue.Add(f.Revenue, minor(m.Currency, m.Revenue.Amount))
		f.Paid.Add(f.Paid, minor(m.Currency, m.Paid.Amount))
		f.Refunds.Add(f.Refunds, minor(m.Currency, m.Refunds.Amount))
		f.RefundsDue.Add(f.RefundsDue, minor(m.Currency, m.RefundsDue.Amount))
	}
	return f
}
