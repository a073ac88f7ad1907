package audit

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// n returns an amount.
func n(amount int64) *big.Int { return big.NewInt(amount) }

// broken returns the numbers of the rules that errors name, each once.
func broken(err error) (rules []int) {
	for _, one := range unjoin(err) {
		var f Fault
		if errors.As(one, &f) && !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	slices.Sort(rules)
	return rules
}

func unjoin(err error) []error {
	if joined, is := err.(interface{ Unwrap() []error }); is {
		return joined.Unwrap()
	}
	return []error{err}
}

// right returns an order of two lines with a discount, delivery and an included tax, paid at the second attempt, of
// which a part was given back.
func right() Order {
	return Order{ID: "o1", Shop: "s1", Status: "confirmed", Currency: "IRT",
		Quantity: n(3), Subtotal: n(2500), ChargeTotal: n(-100), Total: n(2400),
		Items: []Item{{"i1", "v1", n(2), n(1000), n(2000)}, {"i2", "v2", n(1), n(500), n(500)}},
		Charges: []Charge{{ID: "c1", Kind: "code", Item: "i1", Amount: n(-150)},
			{ID: "c2", Kind: "delivery", Amount: n(50)},
			{ID: "c3", Kind: "tax", Item: "i1", Amount: n(168), Included: true, Rate: n(100_000)}},
		Payments: []Payment{
			{ID: "p1", Status: "expired", Account: "a1", Theirs: "t1", Amount: n(2400), Refunded: n(0)},
			{ID: "p2", Status: "paid", Account: "a1", Theirs: "t2", Amount: n(2400), Refunded: n(300), Counts: true,
				Refunds: []Refund{{"r1", "done", n(300)}, {"r2", "failed", n(2400)}}},
			{ID: "p3", Status: "review", Account: "a2", Theirs: "t1", Amount: n(2400), Refunded: n(0)},
		},
		History: []string{"pending", "confirmed"}}
}

// add makes the sums of an order, and the amounts of its payments, those of its rows.
func (o *Order) add() {
	o.Quantity, o.Subtotal, o.ChargeTotal = n(0), n(0), n(0)
	for i := range o.Items {
		line := &o.Items[i]
		line.LineTotal = new(big.Int).Mul(line.Quantity, line.UnitPrice)
		o.Quantity.Add(o.Quantity, line.Quantity)
		o.Subtotal.Add(o.Subtotal, line.LineTotal)
	}
	for _, c := range o.Charges {
		if !c.Included {
			o.ChargeTotal.Add(o.ChargeTotal, c.Amount)
		}
	}
	o.Total = new(big.Int).Add(o.Subtotal, o.ChargeTotal)
	for i := range o.Payments {
		o.Payments[i].Amount = o.Total
	}
}

// TestOrderRules breaks a right order in one way at a time: the rule that should finds it.
func TestOrderRules(t *testing.T) {
	for name, step := range map[string]struct {
		change func(o *Order)
		rules  []int
	}{
		"right":                  {func(*Order) {}, nil},
		"a unit too many":        {func(o *Order) { o.Quantity = n(4) }, []int{1}},
		"a line that costs more": {func(o *Order) { o.Items[0].LineTotal = n(2001) }, []int{1}},
		"a line of no units": {func(o *Order) {
			o.Items[1].Quantity = n(0)
			o.add()
		}, []int{1}},
		"a line of 9,999 units": {func(o *Order) {
			o.Items[1].Quantity = n(9999)
			o.add()
		}, nil},
		"a line of 10,000 units": {func(o *Order) {
			o.Items[1].Quantity = n(10000)
			o.add()
		}, []int{1}},
		"a price of zero": {func(o *Order) {
			o.Items[1].UnitPrice = n(0)
			o.add()
		}, nil},
		"a price below zero": {func(o *Order) {
			o.Items[1].UnitPrice = n(-1)
			o.add()
		}, []int{1}},
		"a total of zero": {func(o *Order) {
			o.Charges[0].Amount, o.Charges, o.Payments = n(-2550), o.Charges[:2], o.Payments[:1]
			o.Payments[0].Counts = true
			o.add()
		}, nil},
		"a total below zero": {func(o *Order) {
			o.Charges[0].Amount, o.Payments = n(-2551), o.Payments[:1]
			o.Payments[0].Counts = true
			o.add()
		}, []int{1, 2}},
		"2^53-1": {func(o *Order) {
			o.Items[1].UnitPrice = n(1<<53 - 1 - 2000 + 100)
			o.add()
		}, nil},
		"2^53": {func(o *Order) {
			o.Items[1].UnitPrice = n(1<<53 - 2000 + 100)
			o.add()
		}, []int{1}},
		"charges of zero": {func(o *Order) {
			o.Charges[0].Amount, o.Charges[1].Amount, o.Charges[2].Amount = n(0), n(0), n(0)
			o.Charges[2].Rate = n(0)
			o.add()
		}, nil},
		"a discount that adds": {func(o *Order) {
			o.Charges[0].Amount = n(1)
			o.add()
		}, []int{1}},
		"a delivery below zero": {func(o *Order) {
			o.Charges[1].Amount = n(-1)
			o.add()
		}, []int{1}},
		"a tax below zero": {func(o *Order) {
			o.Charges[2].Amount = n(-1)
			o.add()
		}, []int{1}},
		"a tax that is added": {func(o *Order) {
			o.Charges[2].Included, o.Charges[2].Amount = false, n(185)
			o.add()
		}, nil},
		"half a unit is a whole one": {func(o *Order) {
			o.Charges[0].Amount = n(0)
			o.Charges[2].Included, o.Charges[2].Amount, o.Charges[2].Rate = false, n(1), n(250)
			o.add()
		}, nil},
		"a tax that is a unit less": {func(o *Order) { o.Charges[2].Amount = n(167) }, []int{1}},
		"a tax that is a unit more": {func(o *Order) { o.Charges[2].Amount = n(169) }, []int{1}},
		"a tax on delivery": {func(o *Order) {
			o.Charges[2] = Charge{ID: "c3", Kind: "tax", Amount: n(5), Rate: n(90_000)}
			o.add()
		}, nil},
		"a tax on nothing": {func(o *Order) {
			o.Charges[2], o.Charges = Charge{ID: "c3", Kind: "tax", Amount: n(1), Rate: n(90_000)}, o.Charges[1:]
			o.Charges[0].Amount = n(0)
			o.add()
		}, []int{1}},
		"an included discount": {func(o *Order) {
			o.Charges[0].Included = true
			o.add()
		}, []int{1}},
		"all of it refunded": {func(o *Order) {
			o.Payments[1].Status, o.Payments[1].Refunded = "refunded", n(2400)
			o.Payments[1].Refunds[0].Amount, o.Payments[2].Status = n(2400), "given_back"
		}, nil},
		"a variant twice":             {func(o *Order) { o.Items[1].Variant = "v1" }, []int{1}},
		"no lines":                    {func(o *Order) { o.Items = nil }, []int{1}},
		"another subtotal":            {func(o *Order) { o.Subtotal, o.ChargeTotal = n(2501), n(-101) }, []int{1}},
		"another sum of charges":      {func(o *Order) { o.ChargeTotal = n(-99) }, []int{1}},
		"an included tax that counts": {func(o *Order) { o.ChargeTotal, o.Total = n(81), n(2581) }, []int{1, 2}},
		"a charge that is lost":       {func(o *Order) { o.Charges = o.Charges[1:] }, []int{1}},
		"a charge of another's line":  {func(o *Order) { o.Charges[0].Item = "i9" }, []int{1}},
		"no such order":               {func(o *Order) { o.Status = "" }, []int{1, 8}},
		"more than 64 bits":           {func(o *Order) { o.Items[0].UnitPrice = n(1<<63 - 1) }, []int{1}},
		"two that are paid":           {func(o *Order) { o.Payments[2].Status = "paid" }, []int{2}},
		"two that count":              {func(o *Order) { o.Payments[0].Counts = true }, []int{2}},
		"none that counts":            {func(o *Order) { o.Payments[1].Counts = false }, []int{2}},
		"one that should not": {func(o *Order) {
			o.Payments[1].Counts, o.Payments[2].Counts = false, true
		}, []int{2}},
		"another amount":              {func(o *Order) { o.Payments[1].Amount = n(2399) }, []int{2}},
		"a refund that is not booked": {func(o *Order) { o.Payments[1].Refunded = n(0) }, []int{2}},
		"a refund beyond the amount": {func(o *Order) {
			o.Payments[1].Refunds[1].Status, o.Payments[1].Refunded = "unknown", n(2700)
		}, []int{2}},
		"a refund of nothing":       {func(o *Order) { o.Payments[1].Refunds[1].Amount = n(0) }, []int{2}},
		"refunded in part":          {func(o *Order) { o.Payments[1].Status = "refunded" }, []int{2}},
		"a refund of what was lost": {func(o *Order) { o.Payments[1].Status = "failed" }, []int{2}},
		"a reference twice":         {func(o *Order) { o.Payments[0].Theirs = "t2" }, []int{2}},
		"waiting": {func(o *Order) {
			o.Payments = []Payment{{ID: "p1", Status: "pending", Amount: n(2400), Refunded: n(0), Counts: true}}
		}, nil},
		"cancelled with its payment": {func(o *Order) {
			o.Status, o.History = "cancelled", []string{"pending", "cancelled"}
			o.Payments = []Payment{{ID: "p1", Status: "cancelled", Amount: n(2400), Refunded: n(0), Counts: true}}
		}, nil},
		"cancelled and waiting": {func(o *Order) {
			o.Status, o.History = "cancelled", []string{"pending", "cancelled"}
			o.Payments = []Payment{{ID: "p1", Status: "pending", Amount: n(2400), Refunded: n(0), Counts: true}}
		}, []int{2}},
		"a payment that was cancelled alone": {func(o *Order) {
			o.Payments = []Payment{{ID: "p1", Status: "cancelled", Amount: n(2400), Refunded: n(0), Counts: true}}
		}, []int{2}},
		"a step that is left out":  {func(o *Order) { o.History = []string{"confirmed"} }, []int{8}},
		"a step that is not taken": {func(o *Order) { o.History = []string{"pending"} }, []int{8}},
		"no history":               {func(o *Order) { o.History = nil }, []int{8}},
	} {
		t.Run(name, func(t *testing.T) {
			var b book
			o := right()
			step.change(&o)
			b.amounts(o)
			b.payments(o, map[string]string{})
			b.history(o)
			if got := broken(errors.Join(b.faults...)); !slices.Equal(got, step.rules) {
				t.Errorf("got %v, want %v: %v", got, step.rules, b.faults)
			}
		})
	}
}

// ledger is what the gateways of right have written. The card a has paid 1,000 rial that were given back, 24,000 at
// Zibal and 2,400 toman at Zarinpal; a refund of 3,000 was made, and one has failed.
func ledger() []Effect {
	var all []Effect
	for _, e := range []struct {
		gateway, operation, theirs, refund, currency string
		amount                                       int64
	}{
		{"zibal", "pay", "t0", "", "IRR", 1000},
		{"zibal", "given_back", "t0", "", "IRR", 1000},
		{"zibal", "pay", "t2", "", "IRR", 24000},
		{"zibal", "verify", "t2", "", "IRR", 24000},
		{"zarinpal", "pay", "t1", "", "IRT", 2400},
		{"zarinpal", "verify", "t1", "", "IRT", 2400},
		{"zibal", "refund", "t2", "r", "IRR", 3000},
		{"zibal", "refund", "t2", "f", "IRR", 100},
		{"zibal", "refund_failed", "t2", "f", "IRR", 100},
	} {
		all = append(all, Effect{e.gateway, "m", e.operation, e.theirs, e.refund, n(e.amount), e.currency, "a",
			time.Time{}})
	}
	return all
}

// TestSettledRules breaks right books of orders and gateways in one way at a time.
func TestSettledRules(t *testing.T) {
	line := func(operation, theirs, card string, amount int64) func(*Settled) {
		return func(s *Settled) {
			s.Effects = append(s.Effects, Effect{"zibal", "m", operation, theirs, "x", n(amount), "IRR", card,
				time.Time{}})
		}
	}
	for name, step := range map[string]struct {
		change func(s *Settled)
		rules  []int
	}{
		"right":                         {func(*Settled) {}, nil},
		"paid and got nothing":          {line("pay", "t3", "b", 5000), []int{4}},
		"verified and not booked":       {line("verify", "t3", "b", 5000), []int{3}},
		"reversed and booked":           {line("reverse", "t2", "a", 24000), []int{3, 4}},
		"given back and booked":         {line("given_back", "t2", "a", 24000), []int{4}},
		"refunded twice":                {line("refund", "t2", "a", 3000), []int{3, 4}},
		"another amount at the gateway": {func(s *Settled) { s.Effects[3].Amount = n(23000) }, []int{3}},
		"paid less than is booked":      {func(s *Settled) { s.Effects[2].Amount = n(23000) }, []int{4}},
		"booked and not verified": {func(s *Settled) {
			s.Effects = slices.Delete(s.Effects, 3, 4)
		}, []int{3}},
		"verified twice at once": {line("overlap", "t2", "", 0), []int{3}},
		"paid after the cancellation": {func(s *Settled) {
			s.Effects[2].At = time.Now()
			s.Cancelled = map[string]time.Time{"o1": time.Now().Add(-time.Minute)}
		}, []int{4}},
		"paid before the cancellation": {func(s *Settled) {
			s.Effects[2].At, s.Effects[4].At = time.Now(), time.Now()
			s.Cancelled = map[string]time.Time{"o1": time.Now().Add(time.Minute)}
		}, nil},
		"booked as given back": {func(s *Settled) {
			s.Orders[0].Payments[2].Status = "given_back"
		}, []int{3, 4, 5}},
		"a refund that nobody knows of": {func(s *Settled) {
			s.Orders[0].Payments[1].Refunds[0].Status = "unknown"
		}, []int{3, 4}},
		"a refund that was not made": {func(s *Settled) {
			s.Effects = slices.Delete(s.Effects, 6, 7)
		}, []int{3, 4}},
		"a failed refund that is done": {func(s *Settled) {
			s.Orders[0].Payments[1].Refunds[1].Status = "done"
		}, []int{3, 4}},
		"staff see nothing":                 {func(s *Settled) { s.Due = nil }, []int{5}},
		"staff see too much":                {func(s *Settled) { s.Due["o1"] = n(2401) }, []int{5}},
		"cancelled, and staff see one part": {func(s *Settled) { s.Orders[0].Status = "cancelled" }, []int{5}},
		"cancelled, and staff see all": {func(s *Settled) {
			s.Orders[0].Status, s.Due["o1"] = "cancelled", n(4500)
		}, nil},
		"what is due of a review": {func(s *Settled) {
			s.Effects = nil
			s.Orders[0].Payments = []Payment{{Status: "review", Amount: n(2400), Refunded: n(900), Counts: true}}
			s.Orders[0].Status, s.Due["o1"] = "cancelled", n(1500)
		}, nil},
		"a payment at no gateway that has a reference": {func(s *Settled) {
			s.Orders[0].Payments[2].Account = ""
		}, []int{3, 4}},
		"all given back": {func(s *Settled) {
			s.Orders, s.Effects, s.Due = s.Orders[:1], nil, nil
			s.Orders[0].Payments = []Payment{{Status: "refunded", Amount: n(2400), Refunded: n(2400), Counts: true}}
		}, nil},
		"unpaid": {func(s *Settled) {
			s.Effects, s.Due, s.Orders[0].Payments = nil, nil, s.Orders[0].Payments[:1]
		}, nil},
		"less than the price": {func(s *Settled) {
			s.Effects, s.Due = nil, nil
			s.Orders[0].Payments = []Payment{{Status: "paid", Amount: n(2000), Refunded: n(0), Counts: true}}
		}, []int{5}},
	} {
		t.Run(name, func(t *testing.T) {
			s := Settled{Orders: []Order{right()}, Effects: ledger(), Due: map[string]*big.Int{"o1": n(2400)},
				Accounts: map[string]Account{"a1": {"zibal", "m"}, "a2": {"zarinpal", "m"}}}
			step.change(&s)
			if err := s.Check(); !slices.Equal(broken(err), step.rules) {
				t.Errorf("got %v, want %v: %v", broken(err), step.rules, err)
			}
		})
	}
}

func TestEffects(t *testing.T) {
	const line = `{"seq":1,"gateway":"zibal","account":"m","operation":"pay","theirs":"t","amount":9007199254740993}`
	all, err := Effects(strings.NewReader(line + "\n" + line + "\n"))
	if err != nil || len(all) != 2 || all[1].Amount.String() != "9007199254740993" || all[1].Theirs != "t" {
		t.Errorf("got %v, %v", all, err)
	}
	if _, err := Effects(strings.NewReader(line[:20])); err == nil {
		t.Error("half a line is read")
	}
}

func TestHeld(t *testing.T) {
	at := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	w := Window{3 * time.Minute, time.Hour}
	until := []time.Time{at.Add(-time.Hour), at.Add(-3 * time.Minute), at.Add(-2 * time.Hour)}
	for name, step := range map[string]struct {
		unpaid Unpaid
		now    time.Time
		rules  []int
	}{
		"in the window":    {Unpaid{"o", until, false}, at, nil},
		"after the window": {Unpaid{"o", until, false}, at.Add(1), []int{7}},
		"silent":           {Unpaid{"o", until, true}, at.Add(time.Hour), nil},
		"silent for long":  {Unpaid{"o", until, true}, at.Add(time.Hour + 1), []int{7}},
	} {
		if got := broken(Held([]Unpaid{step.unpaid}, step.now, w)); !slices.Equal(got, step.rules) {
			t.Errorf("%s: got %v, want %v", name, got, step.rules)
		}
	}
}

func TestLeaks(t *testing.T) {
	planted := []Canary{{"sk_live_/9+k", []string{"accounts.key"}}, {"6219861012345678", nil}}
	for text, rules := range map[string][]int{
		"nothing, 621986******5678":                               nil,
		`{"key":"sk_live_/9+k"}`:                                  {12},
		"key=sk_live_%2F9%2Bk":                                    {12},
		fmt.Sprintf("%x", "sk_live_/9+k"):                         {12},
		base64.StdEncoding.EncodeToString([]byte("sk_live_/9+k")): {12},
		"paid with 6219861012345678.":                             {12},
	} {
		if got := broken(Leaks("the log", []byte(text), planted)); !slices.Equal(got, rules) {
			t.Errorf("%s: got %v, want %v", text, got, rules)
		}
	}
	if err := Leaks("accounts.key", []byte("sk_live_/9+k"), planted); err != nil {
		t.Errorf("at home: %v", err)
	}
}

// TestImports checks that the auditor shares no code with the service.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(string(out)) {
		if strings.HasPrefix(path, "storefront/") && path != "storefront/internal/contract/money/audit" {
			t.Errorf("it imports %s", path)
		}
	}
}
