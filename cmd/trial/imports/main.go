// Package imports measures imports of a generated shop on each kind of database: the time of each, its
// resources, and how long customers wait for their writes meanwhile. `make imports` runs it; it needs
// TEST_POSTGRES_URL, Linux and the built server.
//
// The shop is imported first, then unchanged, then with another title for every product, and then with all of
// its categories moved below a new one. Finally staff change stock and prices of 1,000 variants by a mutation,
// ten times. The customers fill carts, order and add favorites over HTTP, in another small shop while the large
// one is new, and in the large one afterwards. The speed of a machine varies: compare results of one run, or
// let two programs take turns with -server.
package imports

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"strings"
	"time"

	"storefront/cmd/bench/catalog"
	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// Trial is the trial that `go run ./cmd/trial imports` runs.
var Trial = stage.Trial{Name: "imports", About: "import a large shop while customers write", Kinds: stage.Databases,
	Flags: func(f *flag.FlagSet) stage.Work {
		var t trial
		f.StringVar(&t.steps, "steps", "new,again,changed,moved,offers",
			"what is measured; what comes before the last one is done in any case")
		f.IntVar(&t.products, "products", 10_000, "products of the shop")
		f.IntVar(&t.customers, "customers", 4, "customers who write meanwhile; 0: nobody, and no server runs")
		return func(ctx context.Context, s *stage.Stage) {
			s.New(ctx)
			s.Env = []string{"CLIENT_LIMITS=off"}
			one := t
			one.Stage = s
			one.run(ctx)
		}
	}}

// trial is a database into which the shop is imported.
type trial struct {
	*stage.Stage
	steps               string
	products, customers int
	served              *stage.Server
	registered          int // customers
	slow                []error
}

func (t *trial) run(ctx context.Context) {
	t.Say("%d products, %d customers\n%-8s %8s %7s %8s | %7s %8s %8s %8s  %s", t.products, t.customers,
		"IMPORT", "SECONDS", "CPU s", "PEAK MB", "WRITES", "P50 ms", "P99 ms", "MOST ms", "WHICH")
	files := t.write()
	must.Get(t.Run(ctx, "import", files["beside"]))
	if t.customers > 0 {
		t.served = t.Serve(ctx)
	}
	domain := beside
	steps := strings.Split(t.steps, ",")
	for _, step := range []string{"new", "again", "changed", "moved"} {
		if strings.Contains(t.steps, step) {
			must.In(step, func() { t.measure(ctx, step, domain, files[step]) })
			if step == steps[len(steps)-1] {
				break
			}
		} else {
			must.Get(t.Run(ctx, "import", files[step]))
		}
		domain = large
	}
	if strings.Contains(t.steps, "offers") && t.customers > 0 {
		must.In("offers", func() { t.offers(ctx, large) })
	}
	must.Do(t.slow...)
}

// measure measures one import while the customers write in a shop.
func (t *trial) measure(ctx context.Context, step, domain, file string) {
	t.during(ctx, step, domain, func() string {
		spent := must.Get(t.Run(ctx, "import", file))
		return fmt.Sprintf("%8.1f %7.1f %8d", spent.Time.Seconds(), spent.CPU.Seconds(), spent.Peak>>20)
	})
}

// during runs work while the customers write in a shop. It prints the resources of the work and how long
// customers waited, and records waits that were too long.
func (t *trial) during(ctx context.Context, step, domain string, work func() (spent string)) {
	var waited customer.Tallies
	var all []*customer.Customer
	for i := range t.customers {
		all = append(all, t.enter(ctx, fmt.Sprintf("127.1.0.%d", 1+i), domain))
	}
	crowd := customer.Go(ctx, all, func(ctx context.Context, c *customer.Customer, n int) { write(ctx, c, n, &waited) })
	defer crowd.Stop()
	spent := work()
	must.Do(crowd.Stop())
	writes, which := waited.Together("")
	fmt.Fprintf(t.Out, "%-8s %s | %7d", step, spent, writes.Requests())
	if writes.Requests() > 0 {
		fmt.Fprintf(t.Out, " %8.0f %8.0f %8.0f  %s", ms(writes.Quantile(0.5)), ms(writes.Quantile(0.99)),
			ms(writes.Slowest.Took), which)
	}
	fmt.Fprintln(t.Out)
	if most := writes.Slowest.Took; most > longest {
		t.slow = append(t.slow, fmt.Errorf("%s: a customer waited %v for %s", step, most, which))
	}
}

// enter registers a new customer at an address of its own. The customer reads what is on sale.
func (t *trial) enter(ctx context.Context, from, domain string) *customer.Customer {
	t.registered++
	by := customer.Client{Base: customer.At(t.served.Addr), Web: customer.Web(from)}
	return customer.Enter(ctx, by, t.registered, domain)
}

// longest is the most time that a customer's write may wait.
const longest = time.Second

// write fills the cart, adds a favorite or orders.
func write(ctx context.Context, c *customer.Customer, n int, waited *customer.Tallies) {
	v := c.Any()
	name := []string{"add to cart", "favorite", "checkout"}[n%3]
	c.Tally = waited.Of(name)
	var a customer.Answer
	switch name {
	case "add to cart":
		a = c.Add(ctx, v, 1)
	case "favorite":
		a = c.REST(ctx, http.MethodPost, c.Shop("/favorites"), map[string]any{"productId": v.ProductID})
	case "checkout":
		a = c.REST(ctx, http.MethodPost, c.Shop("/cart/checkout"), customer.CheckoutBody("imports"))
	}
	if a.Status != http.StatusConflict && a.Status != http.StatusBadRequest {
		must.In(fmt.Sprintf("%s, after %v", name, a.Took), func() { must.Do(a.Read(nil)) })
	}
	customer.Pause(ctx, 10*time.Millisecond) // between two clicks
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

const (
	offersAtOnce = 1000 // variants that one mutation changes
	offersTimes  = 10   // mutations
)

// offers measures mutations that change stock and price of many variants while customers write in the same shop.
func (t *trial) offers(ctx context.Context, domain string) {
	editor := t.enter(ctx, "", domain)
	must.Hold(len(editor.Variants) >= offersAtOnce,
		"the shop has %d variants in stock, fewer than one mutation changes", len(editor.Variants))
	must.Get(t.Run(ctx, "staff", "add", "-unproven", domain, editor.Cell, "editor"))
	t.during(ctx, "offers", domain, func() string {
		began := time.Now()
		for n := range offersTimes {
			offers := make([]any, offersAtOnce)
			for i := range offers {
				offers[i] = map[string]any{"sku": editor.Variants[i].Sku, "stock": 10_000 + n, "price": 100_000 + n}
			}
			must.Do(editor.Ask(ctx, `mutation($shop: ID!, $in: [OfferInput!]!) {
				updateOffers(businessId: $shop, input: $in) { message } }`,
				map[string]any{"shop": editor.Business, "in": offers}).Read(nil))
		}
		return fmt.Sprintf("%8.1f %7s %8s", time.Since(began).Seconds(), "", "")
	})
}

const (
	beside = "beside.example" // a small shop
	large  = catalog.Domain   // the shop that is imported
)

// write writes the bundles and returns their names by the kind of import.
func (t *trial) write() map[string]string {
	shop := catalog.Text(t.products)
	other := strings.NewReplacer(large, beside, `"slug":"bench"`, `"slug":"beside"`)
	files := map[string]string{}
	for name, text := range map[string]string{
		"beside": other.Replace(catalog.Text(100)), "new": shop, "again": shop,
		"changed": catalog.Retitled(shop), "moved": belowANewOne(shop),
	} {
		files[name] = t.File(name+".json", []byte(text))
	}
	return files
}

// belowANewOne returns a bundle that moves all categories of the first level below a new one.
func belowANewOne(shop string) string {
	var all struct {
		Categories []struct{ Slug, ParentSlug string }
	}
	must.Do(json.Unmarshal([]byte(shop), &all))
	moved := []any{map[string]any{"entityType": "product", "slug": "all", "name": "All", "nameFa": "همه"}}
	for _, c := range all.Categories {
		if c.ParentSlug == "" {
			moved = append(moved, map[string]any{"entityType": "product", "slug": c.Slug, "parentSlug": "all"})
		}
	}
	return string(customer.JSON(map[string]any{"format": "storefront-bundle/1",
		"tenant": map[string]any{"domain": large}, "categories": moved}))
}
