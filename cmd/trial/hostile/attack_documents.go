package hostile

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"storefront/cmd/bench/catalog"
	"storefront/cmd/internal/customer"
)

// askForFacets asks for the facets of a large shop 29 times in one document, each time with another filter.
func askForFacets(ctx context.Context, w *attacker) {
	document := `query($domain: String!) { tenant(domain: $domain) {` + repeated(29,
		`a%d: products(name: "`+fmt.Sprint(w.random.IntN(1000))+` %d", pageSize: 1) {
			facets { categories { category { id } count } brands { brand { id } count } prices { currency buckets { count } } } } `) + `} }`
	w.Ask(ctx, document, map[string]any{"domain": catalog.Domain})
}

// askForCounts asks for 29 counts, each of which could be kept under a filter of 200 KB.
func askForCounts(ctx context.Context, w *attacker) {
	if w.wanted == nil { // written once: the processors are the service's
		values := make([]int, 20_000)
		for i := range values {
			values[i] = 100_000_000 + w.random.IntN(900_000_000)
		}
		w.wanted = json.RawMessage(strings.ReplaceAll(strings.Trim(fmt.Sprint(values), "[]"), " ", `","`))
		w.wanted = append(append([]byte(`["`), w.wanted...), `"]`...)
	}
	document := `query($domain: String!, $values: [TechnicalFilter!]) { tenant(domain: $domain) {` +
		repeated(29, `a%d: products(values: $values, name: "%d") { total } `) + `} }`
	w.Ask(ctx, document, map[string]any{"domain": market,
		"values": []any{map[string]any{"key": fmt.Sprint("k", w.random.IntN(1000)), "anyOf": w.wanted}}})
}

// askForLongTexts asks for all articles of 100,000 letters, a few times in one document.
func askForLongTexts(ctx context.Context, w *attacker) {
	document := `query($domain: String!) { tenant(domain: $domain) {` +
		repeated(1+w.random.IntN(29), `a%d: blogs(pageSize: 100) { items { body slug } } `) + `} }`
	w.Ask(ctx, document, map[string]any{"domain": longTexts})
	wait(ctx, 10*time.Millisecond)
}

// sendHugeBodies sends bodies that are longer, deeper or of more members than any request needs.
func sendHugeBodies(ctx context.Context, w *attacker) {
	target := pick(w.random, []string{"/graphql", "/api/v1/auth/login", "/api/v1/tenants/" + market +
		"/comments"})
	if w.huge == nil { // written once: the processors are the service's
		for n := 1 << 10; n <= 4<<20; n *= 4 {
			w.huge = append(w.huge, hugeBodies(n)...)
		}
	}
	w.Send(ctx, "POST", target, pick(w.random, w.huge))
}

// hugeBodies are bodies of about n bytes.
func hugeBodies(n int) [][]byte {
	return [][]byte{
		[]byte(`{"query": "` + strings.Repeat("x", n) + `"}`),
		[]byte(strings.Repeat(`{"a":`, n/8) + "1" + strings.Repeat("}", n/8)),
		[]byte(strings.Repeat("[", n)),
		[]byte(`{` + repeated(min(n, 1<<17)/16, `"a%d": 1, `) + `"b": 1}`),
		[]byte(`{"query": "{ ` + strings.Repeat("a{", min(n, 1<<17)/2) + `"}`),
		[]byte(`{"query": "{ ` + strings.Repeat("__typename ", min(n, 1<<17)/11) + ` }"}`),
	}
}

// importAgain imports the large shop, every product of which has changed since the last time.
func importAgain(ctx context.Context, w *attacker) {
	w.rounds++
	spent, err := w.trial.Run(ctx, "import", w.trial.large(w.rounds))
	if ctx.Err() != nil {
		return // it was interrupted
	}
	a := customer.Answer{Request: "import", Status: 200, Took: spent.Time}
	if err != nil {
		a.Status, a.Body = 500, []byte(err.Error())
	}
	w.Tally.Add(a)
	wait(ctx, time.Second)
}
