package orders

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"time"

	"storefront/internal/cart"
	"storefront/internal/demo/chance"
	"storefront/internal/order"
	"storefront/internal/record"
)

// draft is an order that is not written yet.
type draft struct {
	number  string
	of      customer
	lines   []*cart.Line
	notes   *string // of the customer
	history []step  // the last one is the order's status
	payment payment
}

// step is a change of an order's status; the first is the placing of the order.
type step struct {
	status record.OrderStatus
	at     time.Time
	note   *string
}

// payment is how an order is paid, and the status of its payment.
type payment struct {
	kind                                                            record.PaymentType
	status                                                          record.PaymentStatus
	posType, transferAccount, transferRefNumber, gatewayType, notes *string
}

var paymentTypes = []record.PaymentType{record.PayAtGateway, record.PayByTransfer, record.PayByPOS,
	record.PayInCash}

// draw makes up the orders of a shop, the oldest first. The oldest has fifty lines; the first customer has
// the oldest order of each status, and so orders of every payment type.
func (s shop) draw(r *rand.Rand, people []customer, goods []*good) []draft {
	drafts := make([]draft, s.orders)
	had := map[record.OrderStatus]bool{}
	for i, at := range chance.Times(r, s.orders, opening, chance.Now.Add(-time.Hour)) {
		d := &drafts[i]
		d.number = numberOf(r)
		path := statusesUpTo(i, s.orders)
		status := path[len(path)-1]
		d.of = chance.Pick(r, people)
		kind := chance.Pick(r, paymentTypes)
		if !had[status] {
			d.of, kind = people[0], paymentTypes[len(had)%len(paymentTypes)]
			had[status] = true
		}
		lines := 1 + r.IntN(2)*r.IntN(4)
		if i == 0 {
			lines = 50
		}
		d.lines = s.take(r, goods, lines, status != record.OrderCancelled)
		d.notes = s.words.ofCustomers(r)
		d.history = s.historyOf(r, at, path)
		d.payment = s.paymentOf(r, kind, path)
	}
	return drafts
}

func numberOf(r *rand.Rand) string {
	var random [8]byte
	binary.LittleEndian.PutUint64(random[:], r.Uint64())
	return order.NumberOf(random)
}

// statusesUpTo returns the statuses that the ith of n orders went through: the newest are still in progress,
// and some of the others are cancelled.
func statusesUpTo(i, n int) []record.OrderStatus {
	whole := []record.OrderStatus{
		record.OrderPending, record.OrderConfirmed, record.OrderProcessing, record.OrderShipped,
		record.OrderDelivered,
	}
	newer := n - 1 - i
	switch {
	case newer < n/40:
		return whole[:1]
	case newer < n/20:
		return whole[:2]
	case newer < n/12:
		return whole[:3]
	case newer < n/8:
		return whole[:4]
	case i%9 == 4:
		return append(whole[:1+i/9%3:1+i/9%3], record.OrderCancelled)
	}
	return whole
}

// take returns n random lines. If they are bought, their quantities are not available to later calls.
func (s shop) take(r *rand.Rand, goods []*good, n int, bought bool) (lines []*cart.Line) {
	for _, i := range r.Perm(len(goods)) {
		if len(lines) == n {
			break
		}
		g := goods[i]
		quantity := min(chance.Between(r, 1, s.most), g.left, g.most)
		if quantity == 0 {
			continue
		}
		if bought {
			g.left -= quantity
		}
		lines = append(lines, g.of(quantity))
	}
	return lines
}

// historyOf returns a history with up to thirty hours for each step, all before chance.Now.
func (s shop) historyOf(r *rand.Rand, at time.Time, path []record.OrderStatus) []step {
	history := make([]step, len(path))
	for i, status := range path {
		if i > 0 {
			longest := min(30*time.Hour, chance.Now.Sub(at)/time.Duration(len(path)-i+1))
			at = at.Add(time.Duration(1 + r.Int64N(int64(longest)))).Truncate(time.Second)
		}
		history[i] = step{status, at, s.words.of(r, status)}
	}
	return history
}

// paymentOf returns the payment of an order that went through path: gateways and transfers are paid before
// the shop confirms an order, the others on delivery.
func (s shop) paymentOf(r *rand.Rand, kind record.PaymentType, path []record.OrderStatus) payment {
	p := payment{kind: kind, status: record.PaymentPending}
	before := kind == record.PayAtGateway || kind == record.PayByTransfer
	switch last := path[len(path)-1]; {
	case last == record.OrderCancelled && before && len(path) > 2:
		p.status = record.PaymentRefunded
	case last == record.OrderCancelled && kind == record.PayAtGateway:
		p.status = record.PaymentFailed
	case last == record.OrderCancelled:
		p.status = record.PaymentCancelled
	case last == record.OrderDelivered, before && last != record.OrderPending:
		p.status = record.PaymentPaid
	}
	switch kind {
	case record.PayByPOS:
		p.posType = textPointer(chance.Pick(r, []string{"mobile", "store"}))
	case record.PayInCash:
		p.notes = textPointer(chance.Pick(r, s.words.cash))
	case record.PayByTransfer:
		p.transferAccount = &s.words.account
		p.transferRefNumber = textPointer(fmt.Sprintf("%012d", r.Int64N(1e12)))
	case record.PayAtGateway:
		p.gatewayType = textPointer(chance.Pick(r, s.words.gateways))
	}
	return p
}

func textPointer(text string) *string { return &text }
