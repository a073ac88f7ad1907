package audit

import (
	"database/sql"
	"math/big"
	"slices"
	"strings"
	"testing"
)

// TestToldRules breaks in one way at a time what people were told of a right order: the rule that should finds it.
func TestToldRules(t *testing.T) {
	const diary = `{"life":1,"do":"order","asks":true,"key":"k1"}
{"life":1,"do":"order","key":"k1","order":"o1","total":2400,"currency":"IRT"}
{"life":1,"do":"move confirmed","status":200,"order":"o1"}
{"life":1,"do":"cancel","status":200,"code":"CONFLICT","order":"o1"}
{"life":1,"do":"mark refunded","status":200,"order":"o1"}
`
	for name, step := range map[string]struct {
		change func(o *Order)
		more   string
		rules  []int
	}{
		"right":                  {func(*Order) {}, "", nil},
		"erased":                 {func(o *Order) { o.Note = "" }, "", nil},
		"another total":          {func(o *Order) { o.Total = n(2401) }, "", []int{8}},
		"lost":                   {func(o *Order) { o.ID = "o2" }, "", []int{8}},
		"of another request":     {func(o *Order) { o.Note = "k2" }, "", []int{8}},
		"moved by nobody":        {func(o *Order) { o.History = append(o.History, "processing") }, "", []int{8}},
		"refunded, and is not":   {func(o *Order) { o.Payments[1].Refunded = n(0) }, "", []int{8}},
		"cancelled, and is not":  {func(*Order) {}, `{"do":"cancel","status":200,"order":"o1"}`, []int{8}},
		"paid":                   {func(*Order) {}, `{"do":"mark paid","status":200,"order":"o1"}`, nil},
		"refused, and was made":  {func(*Order) {}, `{"do":"order","key":"k1","code":"CONFLICT"}`, []int{8}},
		"open, and was made":     {func(*Order) {}, `{"do":"order","key":"k1","code":"LOST"}`, nil},
		"refused, and left none": {func(*Order) {}, `{"do":"order","key":"k2","code":"CONFLICT"}`, nil},
		"paid, and is not": {func(o *Order) { o.Payments = o.Payments[:1] },
			`{"do":"mark paid","status":200,"order":"o1"}`, []int{8}},
	} {
		o := right()
		o.Note = "k1"
		step.change(&o)
		entries, err := Diary(strings.NewReader(diary + step.more))
		if err != nil {
			t.Fatal(err)
		}
		if err := Told(entries, []Order{o}); !slices.Equal(broken(err), step.rules) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	twice := right()
	twice.Note, twice.ID = "k1", "o2"
	first := right()
	first.Note = "k1"
	entries, _ := Diary(strings.NewReader(diary))
	if got := broken(Told(entries, []Order{first, twice})); !slices.Equal(got, []int{8}) {
		t.Errorf("one request that made two orders: got %v", got)
	}
	if _, err := Diary(strings.NewReader(diary[:20])); err == nil {
		t.Error("half a line is read")
	}
}

// TestShownRules breaks in one way at a time what APIs, events and reports say of a right order.
func TestShownRules(t *testing.T) {
	one := func(change func(s *Seen)) error {
		s := Seen{"GraphQL", "o1", "confirmed", "paid", n(2400), n(2400)}
		sheet := s
		sheet.Where = "the sheet"
		change(&s)
		return Shown([]Order{right()}, []Seen{s, sheet})
	}
	settled := right()
	settled.Payments = settled.Payments[:2]
	events := func(change func(all []Event) []Event) error {
		return Events([]Order{settled}, change([]Event{{"order.placed", "o1", "pending", "", "", n(2400)},
			{"payment.marked", "o1", "pending", "paid", "", n(2400)},
			{"order.moved", "o1", "confirmed", "", "", n(2400)},
			{"payment.refunded", "o1", "confirmed", "done", "r1", n(2400)},
			{"payment.refunded", "o1", "confirmed", "failed", "r2", n(2400)}}))
	}
	report := func(change func(f *Figures)) error {
		f := Figures{2, 0, 0, n(4500), n(2100), n(300), n(2400)}
		change(&f)
		o, test := right(), right()
		o.Due, test.Due = n(2400), n(2400)
		for i := range test.Payments {
			test.Payments[i].IsTest = true
		}
		return Reported("s1", []Order{o, test}, f)
	}
	for name, err := range map[string]error{
		"another status":  one(func(s *Seen) { s.Status = "pending" }),
		"another payment": one(func(s *Seen) { s.Payment = "refunded" }),
		"another total":   one(func(s *Seen) { s.Total = n(24) }),
		"another amount":  one(func(s *Seen) { s.Amount = n(24) }),
		"not at all":      one(func(s *Seen) { s.Where = "REST" }),
		"only in a sheet": one(func(s *Seen) { s.Where = "the sheet" }),
		"an event twice":  events(func(all []Event) []Event { return append(all, all[1]) }),
		"an event lost":   events(func(all []Event) []Event { return slices.Delete(all, 1, 2) }),
		"no step":         events(func(all []Event) []Event { return slices.Delete(all, 2, 3) }),
		"a refund lost":   events(func(all []Event) []Event { return all[:4] }),
		"a refund twice":  events(func(all []Event) []Event { return append(all, all[3]) }),
		"a total of an event": events(func(all []Event) []Event {
			all[0].Total = n(1)
			return all
		}),
		"an order too many": report(func(f *Figures) { f.Orders = 3 }),
		"doubled revenue":   report(func(f *Figures) { f.Revenue = n(9000) }),
		"a refund":          report(func(f *Figures) { f.Refunds = n(2400) }),
		"test money":        report(func(f *Figures) { f.Paid = n(4200) }),
	} {
		if got := broken(err); !slices.Equal(got, []int{9}) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := one(func(*Seen) {}); err != nil {
		t.Error(err)
	}
	if err := events(func(all []Event) []Event { return all }); err != nil {
		t.Error(err)
	}
	if err := report(func(*Figures) {}); err != nil {
		t.Error(err)
	}
}

func TestPrices(t *testing.T) {
	steps := []struct{ UpTo, Price int64 }{{1000, 5}, {2000, 7}}
	for grams, want := range map[int64]*big.Int{1: n(5), 1000: n(5), 1001: n(7), 2000: n(7), 2001: nil} {
		if got := priceOf(grams, steps, 0); got == nil != (want == nil) || want != nil && got.Cmp(want) != 0 {
			t.Errorf("%d g: got %v, want %v", grams, got, want)
		}
	}
	for charged, rules := range map[sql.NullInt64][]int{{Int64: 5, Valid: true}: nil, {Int64: 6, Valid: true}: {1},
		{}: {1}} {
		var b book
		b.delivery("o1", charged, n(5))
		if len(b.faults) != len(rules) {
			t.Errorf("%v: got %v", charged, b.faults)
		}
	}
	for _, step := range []struct {
		currency, amount, want string
	}{{"USD", "17.99", "1799"}, {"IRT", "1799", "1799"}, {"USD", "17.999", ""}, {"IRR", "1.5", ""}, {"IRR", "x", ""}} {
		got, err := Minor(step.currency, step.amount)
		if err == nil && got.String() != step.want || err != nil && step.want != "" {
			t.Errorf("%s %s: got %v, %v", step.amount, step.currency, got, err)
		}
	}
}
