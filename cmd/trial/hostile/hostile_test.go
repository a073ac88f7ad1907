package hostile

import (
	"errors"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"storefront/cmd/internal/customer"
)

// TestShortSiege attacks the service for seconds on each kind of database, with few clients and without bounds
// on times and memory, which only `make hostile` checks.
func TestShortSiege(t *testing.T) {
	server := filepath.Join(t.TempDir(), "storefront")
	if said, err := exec.CommandContext(t.Context(), "go", "build", "-o", server, "storefront/cmd/storefront").
		CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	var out strings.Builder
	err := Trial.Run(t.Context(), []string{"-server", server, "-requests", "1000", "-at-least", "2s", "-at-most", "5s",
		"-alone", "500ms", "-settle", "0s", "-products", "100", "-articles", "3", "-idle", "100", "-p99", "1m",
		"-newcomers", "2", "-refused", "1", "-growth", "100", "-memory", "4096"}, &out)
	t.Log(out.String())
	if err != nil {
		t.Error(err)
	}
	for _, a := range slices.Concat(floods, holds) {
		if n := strings.Count(out.String(), "\n"+a.name+"  "); n < 2 {
			t.Errorf("%q shows %d times, want it for each database", a.name, n)
		}
	}
}

// TestVerdict checks that each kind of fault fails a trial.
func TestVerdict(t *testing.T) {
	served := customer.Answer{Status: 200, Took: time.Millisecond}
	for name, c := range map[string]struct {
		spoil func(*verdict, *customer.Tally)
		want  string // "": nothing fails
	}{
		"nothing": {func(*verdict, *customer.Tally) {}, ""},
		"500": {func(_ *verdict, h *customer.Tally) {
			h.Add(customer.Answer{Request: "GET /", Status: 500})
		}, "GET /"},
		"INTERNAL in GraphQL": {func(_ *verdict, h *customer.Tally) {
			h.Add(customer.Answer{Request: "{ me }", Status: 200,
				Body: []byte(`{"errors":[{"extensions":{"code":"INTERNAL"}}]}`)})
		}, "{ me }"},
		"slow": {func(_ *verdict, h *customer.Tally) {
			for range 20 {
				h.Add(customer.Answer{Status: 200, Took: 2 * time.Second})
			}
		}, "waited 2s"},
		"refused": {func(_ *verdict, h *customer.Tally) {
			for range 50 {
				h.Add(customer.Answer{Status: 429, Took: time.Hour})
			}
		}, "told to come again"},
		"lost": {func(_ *verdict, h *customer.Tally) {
			for range 10 {
				h.Add(customer.Answer{})
			}
		}, "no answer"},
		"memory":      {func(v *verdict, _ *customer.Tally) { v.after = 151 }, "1.51 times"},
		"most memory": {func(v *verdict, _ *customer.Tally) { v.peak = 769 * mb }, "used 769 MB"},
		"log": {func(v *verdict, _ *customer.Tally) {
			v.log = []byte("{\"level\":\"ERROR\"}\npanic: x\n")
		}, "2 errors"},
		"books": {func(v *verdict, _ *customer.Tally) { v.books = errors.New("a unit is lost") }, "a unit is lost"},
	} {
		of := &trial{}
		h := of.tallies.Of(honest)
		for range 300 {
			h.Add(served)
		}
		v := verdict{trial: of, before: 100, after: 150}
		v.wave.slowest, v.refused, v.growth, v.memory = time.Second, 0.1, 1.5, 768
		c.spoil(&v, h)
		err := v.judge()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestDocumentsAreOfTheSchema checks that the service runs most of the random documents.
func TestDocumentsAreOfTheSchema(t *testing.T) {
	f := newFuzzer(&shops{ids: []string{"x"}, products: []string{"y"}})
	if len(f.routes) < 58 {
		t.Errorf("%d routes", len(f.routes))
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		text := f.document(r)
		if _, err := parser.ParseQuery(&ast.Source{Input: text}); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
}
