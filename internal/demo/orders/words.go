package orders

import (
	"math/rand/v2"

	"storefront/internal/demo/chance"
	"storefront/internal/record"
)

// words are the texts that the people of a shop write.
type words struct {
	customers []string                        // to the shop, with an order
	staff     map[record.OrderStatus][]string // with a move of an order
	cash      []string                        // about paying on delivery
	account   string                          // of the shop, for transfers
	gateways  []string
}

var farsi = words{
	customers: []string{"لطفاً پیش از ارسال تماس بگیرید.",
		"تخلیه با جرثقیل است؛ ساعت رسیدن را خبر دهید.",
		"فاکتور رسمی به نام شرکت می\u200cخواهم."},
	staff: map[record.OrderStatus][]string{
		record.OrderConfirmed: {"پیش\u200cفاکتور تأیید شد.", "با مشتری تماس گرفته شد."},
		record.OrderProcessing: {"آزمون کارگاهی انجام می\u200cشود.",
			"در حال بسته\u200cبندی در پالت چوبی."},
		record.OrderShipped: {"با باربری فرستاده شد؛ بارنامه پیوست است.",
			"تحویل راننده شد."},
		record.OrderDelivered: {"تحویل و راه\u200cاندازی شد.", "رسید امضا شد."},
		record.OrderCancelled: {"مشتری منصرف شد.", "مدل دیگری سفارش داده شد."},
	},
	cash:     []string{"هنگام تحویل", "در محل کارگاه"},
	account:  "IR580540105180021273113007",
	gateways: []string{"zarinpal", "mellat", "saman"},
}

var english = words{
	customers: []string{"Please leave it with the neighbour.",
		"It is a present: no prices in the parcel, please.", "Ring twice."},
	staff: map[record.OrderStatus][]string{
		record.OrderConfirmed:  {"Payment seen.", "All in stock."},
		record.OrderProcessing: {"Being packed.", "One copy was dented, taken from the next shelf."},
		record.OrderShipped:    {"Parcel PL-2026, two boxes.", "With the courier."},
		record.OrderDelivered:  {"Signed for.", "Left with the neighbour."},
		record.OrderCancelled:  {"Ordered twice by mistake.", "The customer changed their mind."},
	},
	cash:     []string{"Exact change ready.", "At the shop's counter."},
	account:  "GB33BUKB20201555555555",
	gateways: []string{"paypal", "stripe"},
}

// of returns the staff's note on a move; mostly none.
func (w words) of(r *rand.Rand, to record.OrderStatus) *string {
	said := w.staff[to]
	if len(said) == 0 || r.IntN(3) > 0 {
		return nil
	}
	return textPointer(chance.Pick(r, said))
}

// ofCustomers returns a customer's note on an order; mostly none.
func (w words) ofCustomers(r *rand.Rand) *string {
	if r.IntN(4) > 0 {
		return nil
	}
	return textPointer(chance.Pick(r, w.customers))
}
