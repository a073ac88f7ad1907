package crash

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNothingIsLost lets the server crash a few times on each kind of database; `make crash` does so many
// times, and lets PostgreSQL crash too.
func TestNothingIsLost(t *testing.T) {
	server := filepath.Join(t.TempDir(), "storefront")
	if said, err := exec.CommandContext(t.Context(), "go", "build", "-o", server, "storefront/cmd/storefront").
		CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	t.Setenv("TEST_POSTGRES_CRASH", "") // other tests use that server
	var out strings.Builder
	if err := Run(t.Context(), []string{"-kills", "3", "-hangups", "80", "-server", server}, &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	t.Log(out.String())
}

// TestPurchaseHolds makes sure that each fault would be found.
func TestPurchaseHolds(t *testing.T) {
	made := func(change func(*order)) *order {
		o := &order{ID: "1", Status: "pending", Items: []line{{Sku: "A", Quantity: 2, UnitPrice: 5, LineTotal: 10}},
			TotalQuantity: 2, Subtotal: 10, Total: 10}
		o.Payment.Amount = 10
		change(o)
		return o
	}
	same := func(*order) {}
	for _, c := range []struct {
		name     string
		purchase purchase
		made     []*order
		fault    string // "": none
	}{
		{"acknowledged", purchase{order: made(same)}, []*order{made(same)}, ""},
		{"acknowledged, then cancelled in doubt", purchase{order: made(same), cancel: true},
			[]*order{made(func(o *order) { o.Status = "cancelled" })}, ""},
		{"in doubt, made", purchase{doubtful: true}, []*order{made(same)}, ""},
		{"in doubt, not made", purchase{doubtful: true}, nil, ""},
		{"refused", purchase{refused: errLost}, nil, ""},
		{"lost", purchase{order: made(same)}, nil, "is lost"},
		{"twice", purchase{doubtful: true}, []*order{made(same), made(same)}, "2 orders"},
		{"refused, yet made", purchase{refused: errLost}, []*order{made(same)}, "was made, though the answer"},
		{"made of nothing", purchase{}, []*order{made(same)}, "nobody was told"},
		{"another line", purchase{order: made(same)}, []*order{made(func(o *order) { o.Items[0].Sku = "B" })},
			"acknowledged as"},
		{"a line too dear", purchase{doubtful: true}, []*order{made(func(o *order) { o.Items[0].LineTotal = 11 })},
			"cost 11"},
		{"another total", purchase{doubtful: true}, []*order{made(func(o *order) { o.Total = 11 })},
			"the order says"},
		{"another payment", purchase{doubtful: true}, []*order{made(func(o *order) { o.Payment.Amount = 9 })},
			"its payment 9"},
		{"still there after its end", purchase{order: made(same), cancel: true, cancelled: true},
			[]*order{made(same)}, "was cancelled, and is pending"},
		{"cancelled by nobody", purchase{order: made(same)},
			[]*order{made(func(o *order) { o.Status = "cancelled" })}, "by itself"},
	} {
		err := c.purchase.holds(c.made)
		if (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
