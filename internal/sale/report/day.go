package report

import (
	"encoding/binary"
	"errors"

	"github.com/google/uuid"
)

// day holds the figures of the orders that were placed on a day (UTC), or in a part of it.
type day struct {
	currencies, provinces []string
	orders                []placed // in the order in which they were placed
	sales                 []sale   // of the orders that count as sold
}

// placed is an order in a day. Amounts are in the smallest unit of its currency.
type placed struct {
	at        int64 // microseconds since 1970
	customer  uuid.UUID
	known     bool // the customer is known; else they were erased
	before    bool // the customer had ordered here before
	cancelled bool
	payment   payment
	currency  int // index in day.currencies
	province  int // index in day.provinces
	units     int64
	total     int64
	refunded  int64 // of the payment
	refunds   int64 // of all its payments
	due       int64 // to be refunded
	discount  int64
}

// payment is the status of an order's payment, as far as it matters here.
type payment byte

const (
	open payment = iota // or failed or cancelled
	paid
	refunded
)

// counts reports whether the order counts as sold.
func (p *placed) counts() bool { return !p.cancelled && p.payment != refunded }

// sale is the quantity of a product in those orders of a day that count as sold.
type sale struct {
	product  uuid.UUID
	currency int // index in day.currencies
	units    int64
	revenue  int64
}

// indexOf returns the index of a text in a list, to which it adds the text if necessary.
func indexOf(text string, list *[]string, places map[string]int) int {
	i, ok := places[text]
	if !ok {
		i = len(*list)
		places[text] = i
		*list = append(*list, text)
	}
	return i
}

// form is the version of the encoding of a day's figures: numbers of variable length, texts preceded by
// their length.
const form = 3

// The bits of an order's first byte; its payment is in the higher bits.
const (
	isKnown = 1 << iota
	isBefore
	isCancelled
	paymentShift = iota
)

// append encodes the figures of a day that begins at begin, in microseconds since 1970.
func (d *day) append(b []byte, begin int64) []byte {
	b = append(b, form)
	for _, list := range [][]string{d.currencies, d.provinces} {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, text := range list {
			b = binary.AppendUvarint(b, uint64(len(text)))
			b = append(b, text...)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(d.orders)))
	last := begin
	for i := range d.orders {
		o := &d.orders[i]
		b = append(b, o.bits())
		for _, n := range []int64{o.at - last, int64(o.currency), int64(o.province), o.units, o.total, o.refunded,
			o.refunds, o.due, o.discount} {
			b = binary.AppendVarint(b, n)
		}
		if last = o.at; o.known {
			b = append(b, o.customer[:]...)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(d.sales)))
	for _, s := range d.sales {
		b = append(b, s.product[:]...)
		for _, n := range []int64{int64(s.currency), s.units, s.revenue} {
			b = binary.AppendVarint(b, n)
		}
	}
	return b
}

// bits returns the properties of an order that fit one byte.
func (p *placed) bits() byte {
	bits := byte(p.payment) << paymentShift
	if p.known {
		bits |= isKnown
	}
	if p.before {
		bits |= isBefore
	}
	if p.cancelled {
		bits |= isCancelled
	}
	return bits
}

// errForm is the error for figures in another form than this version's.
var errForm = errors.New("report: figures of another form")

// read decodes the figures of a day that begins at begin into d, and reuses its memory.
func (d *day) read(b []byte, begin int64) error {
	if len(b) == 0 || b[0] != form {
		return errForm
	}
	r := reader{rest: b[1:]}
	d.currencies, d.provinces = r.texts(d.currencies[:0]), r.texts(d.provinces[:0])
	d.orders, d.sales = d.orders[:0], d.sales[:0]
	at := begin
	for range r.length(7) {
		bits := r.bytes(1)
		if bits == nil {
			break
		}
		at += r.number()
		o := placed{at: at, known: bits[0]&isKnown != 0, before: bits[0]&isBefore != 0,
			cancelled: bits[0]&isCancelled != 0, payment: payment(bits[0] >> paymentShift),
			currency: r.index(d.currencies), province: r.index(d.provinces),
			units: r.number(), total: r.number(), refunded: r.number(), refunds: r.number(),
			due: r.number(), discount: r.number()}
		if o.known {
			copy(o.customer[:], r.bytes(len(o.customer)))
		}
		d.orders = append(d.orders, o)
	}
	for range r.length(19) {
		var s sale
		copy(s.product[:], r.bytes(len(s.product)))
		s.currency, s.units, s.revenue = r.index(d.currencies), r.number(), r.number()
		d.sales = append(d.sales, s)
	}
	if r.bad || len(r.rest) > 0 {
		return errors.New("report: the figures of a day are damaged")
	}
	return nil
}

// reader decodes what append writes. After its first error it returns zeros.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) number() int64 {
	n, used := binary.Varint(r.rest)
	if used <= 0 {
		r.bad, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[used:]
	return n
}

// length reads a number of elements, each of which takes at least so many bytes.
func (r *reader) length(each int) int {
	n, used := binary.Uvarint(r.rest)
	if used <= 0 || n > uint64((len(r.rest)-used)/each) {
		r.bad, r.rest = true, nil
		return 0
	}
	r.rest = r.rest[used:]
	return int(n)
}

// index reads an index into a list.
func (r *reader) index(list []string) int {
	n := r.number()
	if n < 0 || n >= int64(len(list)) {
		r.bad = true
		return 0
	}
	return int(n)
}

func (r *reader) bytes(n int) []byte {
	if n > len(r.rest) {
		r.bad, r.rest = true, nil
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) texts(list []string) []string {
	for range r.length(1) {
		list = append(list, string(r.bytes(r.length(1))))
	}
	return list
}
