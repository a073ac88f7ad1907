package customer

import (
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"storefront/cmd/internal/must"
)

// TestTally counts answers, before a fault and after it.
func TestTally(t *testing.T) {
	for name, c := range map[string]struct {
		before, after []int // statuses, a second each
		slowest       time.Duration
		refused       string // the verdict on answers of 5 s
		fails         bool   // since the fault
	}{
		"nothing":                    {},
		"all is well":                {before: []int{200, 201}, after: []int{200, 404, 429}},
		"503 is what may be":         {before: []int{200}, after: []int{503, 200}, fails: true},
		"a failure before is over":   {before: []int{503}, after: []int{200}},
		"500 must not be":            {before: []int{500}, refused: "500"},
		"502 must not be":            {after: []int{200, 502}, refused: "502"},
		"no answer must not be":      {after: []int{0}, refused: "no answer", fails: true},
		"an answer that is too slow": {after: []int{200}, slowest: 6 * time.Second, refused: "took 6s"},
	} {
		tally := &Tally{}
		for _, status := range c.before {
			tally.Add(Answer{Request: "GET /", Status: status, Took: time.Second})
		}
		tally.Mark()
		for _, status := range c.after {
			tally.Add(Answer{Request: "GET /", Status: status, Took: max(time.Second, c.slowest)})
		}
		if n := tally.Requests(); n != len(c.before)+len(c.after) {
			t.Errorf("%s: got %d requests, want %d", name, n, len(c.before)+len(c.after))
		}
		count := tally.Now()
		from, until := count.Gap()
		if (until > 0) != c.fails || from > until || count.LastFailure.IsZero() == c.fails {
			t.Errorf("%s: failures from %v to %v, the last at %v", name, from, until, count.LastFailure)
		}
		err := count.Verdict(5 * time.Second)
		if (err != nil) != (c.refused != "") || err != nil && !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%s: got %v, want %q", name, err, c.refused)
		}
	}
}

// TestTogether checks the sum of the tallies of one group, and the name of the slowest.
func TestTogether(t *testing.T) {
	var all Tallies
	all.Of("honest: list").Add(Answer{Status: 200, Took: time.Second})
	all.Of("honest: cart").Add(Answer{Status: 503, Took: 3 * time.Second})
	all.Of("attack").Add(Answer{Status: 500, Took: time.Minute})
	sum, slowest := all.Together("honest")
	if sum.Requests() != 2 || sum.Share(503) != 0.5 || sum.Quantile(0.99) != time.Second || slowest != "honest: cart" {
		t.Errorf("got %v, half of it 503, %v, the slowest %q", sum, sum.Quantile(0.99), slowest)
	}
	if n := len(all.Of("attack").Now().Broken); n != 1 {
		t.Errorf("got %d broken requests, want 1", n)
	}
	if all.Clear(); len(all.Names()) != 0 {
		t.Error("what is cleared is still there")
	}
}

// TestRead checks that refusals and lost answers are distinguished.
func TestRead(t *testing.T) {
	failed := func(code string) []byte { return []byte(`{"errors":[{"extensions":{"code":"` + code + `"}}]}`) }
	for name, c := range map[string]struct {
		answer Answer
		code   string
		lost   bool
		ok     bool
	}{
		"done":                {answer: Answer{Status: 201, Body: []byte(`{"id": "1"}`)}, ok: true},
		"no answer":           {answer: Answer{}, lost: true},
		"unavailable":         {answer: Answer{Status: 503}, lost: true},
		"unavailable, by 200": {answer: Answer{Status: 200, Body: failed("UNAVAILABLE")}, lost: true},
		"refused": {answer: Answer{Status: 409, Body: []byte(`{"code":"CONFLICT","errors":[{"field":"a"}]}`)},
			code: "CONFLICT"},
		"refused, by 200": {answer: Answer{Status: 200, Body: failed("NOT_FOUND")}, code: "NOT_FOUND"},
	} {
		var got struct{ ID string }
		err := c.answer.Read(&got)
		if (err == nil) != c.ok || errors.Is(err, ErrLost) != c.lost || Code(err) != c.code || c.ok && got.ID != "1" {
			t.Errorf("%s: got %v with the code %q and %+v", name, err, Code(err), got)
		}
	}
}

// TestLedger checks that each fault of an order is found.
func TestLedger(t *testing.T) {
	made := func(change func(*Order)) *Order {
		o := &Order{ID: "1", Status: "pending", Items: []Line{{Sku: "A", Quantity: 2, UnitPrice: 5, LineTotal: 10}},
			TotalQuantity: 2, Subtotal: 10, Total: 10, CustomerNotes: "key"}
		o.Payment.Amount = 10
		change(o)
		return o
	}
	same := func(*Order) {}
	for _, c := range []struct {
		name     string
		purchase Purchase
		made     []*Order
		fault    string // "": none
	}{
		{"acknowledged", Purchase{Order: made(same)}, []*Order{made(same)}, ""},
		{"acknowledged, then cancelled in doubt", Purchase{Order: made(same), cancel: true},
			[]*Order{made(func(o *Order) { o.Status = "cancelled" })}, ""},
		{"in doubt, made", Purchase{Doubtful: true}, []*Order{made(same)}, ""},
		{"in doubt, not made", Purchase{Doubtful: true}, nil, ""},
		{"refused", Purchase{Refused: ErrLost}, nil, ""},
		{"lost", Purchase{Order: made(same)}, nil, "is lost"},
		{"twice", Purchase{Doubtful: true}, []*Order{made(same), made(same)}, "2 orders"},
		{"refused, yet made", Purchase{Refused: ErrLost}, []*Order{made(same)}, "was made, though the answer"},
		{"made of nothing", Purchase{}, []*Order{made(same)}, "nobody was told"},
		{"another line", Purchase{Order: made(same)}, []*Order{made(func(o *Order) { o.Items[0].Sku = "B" })},
			"acknowledged as"},
		{"another id", Purchase{Order: made(same)}, []*Order{made(func(o *Order) { o.ID = "2" })}, "acknowledged as"},
		{"a line too dear", Purchase{Doubtful: true}, []*Order{made(func(o *Order) { o.Items[0].LineTotal = 11 })},
			"cost 11"},
		{"another total", Purchase{Doubtful: true}, []*Order{made(func(o *Order) { o.Total = 11 })}, "the order says"},
		{"another payment", Purchase{Doubtful: true}, []*Order{made(func(o *Order) { o.Payment.Amount = 9 })},
			"its payment 9"},
		{"still there after its end", Purchase{Order: made(same), cancel: true, Cancelled: true},
			[]*Order{made(same)}, "was cancelled, and is pending"},
		{"cancelled by nobody", Purchase{Order: made(same)}, []*Order{made(func(o *Order) { o.Status = "cancelled" })},
			"by itself"},
		{"of another key", Purchase{Doubtful: true}, []*Order{made(func(o *Order) { o.CustomerNotes = "other" })},
			"nobody asked for"},
	} {
		c.purchase.Key = "key"
		err := compare([]*Purchase{&c.purchase}, c.made)
		if (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.fault)
		}
	}
}

// TestMetrics reads the metrics of a server, and checks that values other than numbers are refused.
func TestMetrics(t *testing.T) {
	for text, want := range map[string]map[string]float64{
		"# HELP go_goroutines Number\ngo_goroutines 46\nresident_bytes 1.19e+08\nlost{at=\"a b\"} 1\n": {
			"go_goroutines": 46, "resident_bytes": 119_000_000, `lost{at="a b"}`: 1},
		"": {}, "resident_bytes many\n": nil,
	} {
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(text))
		}))
		var got map[string]float64
		err := must.Run(func() { got = Metrics(t.Context(), web.Listener.Addr().String()) })
		web.Close()
		if (err != nil) != (want == nil) || !maps.Equal(got, want) {
			t.Errorf("%q: got %v, %v, want %v", text, got, err, want)
		}
	}
}
