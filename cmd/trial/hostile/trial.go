package hostile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"storefront/cmd/bench/catalog"
	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
	"storefront/internal/demo"
	"storefront/internal/message/sms/smstest"
)

// honest begins the names of the tallies of honest customers, one for each step of their shopping.
const honest = "honest customers"

// trial is one service under attack.
type trial struct {
	*stage.Stage
	settings
	server  *stage.Server
	shops   shops
	codes   sync.Map      // the last unused code of a cell number
	clients atomic.Uint64 // created so far
	people  atomic.Int64  // newcomers so far
	senders sync.Map      // *http.Client by address

	newcomers []*newcomer
	tallies   customer.Tallies
}

func (t *trial) run(ctx context.Context) {
	t.fill(ctx)
	var fake smstest.Fake
	fake.OnArrival(func(m smstest.Message) {
		if code := sixDigits.FindString(m.Text); code != "" {
			t.codes.Store(m.To, code)
		}
	})
	t.server = t.Serve(ctx, "SMS_PROVIDER=kavenegar", "SMS_BASE_URL="+t.Receive(fake.ServeHTTP),
		"SMS_API_KEY="+smstest.KavenegarKey)
	customers := t.register(ctx)
	t.look(ctx, customers[0])
	last := len(customers) - 1
	t.shops.fuzzer = newFuzzer(&t.shops)
	t.shops.fuzzer.token, customers = customers[last].Token, customers[:last]
	must.In("before the attacks", func() { customer.For(ctx, t.alone, customers, visit) })
	before := t.server.Memory()
	flooded := t.withstand(ctx, wave{"floods", floods, t.requests, 3 * t.slowest}, customers, before)
	held := t.withstand(ctx, wave{"holds", holds, 0, t.slowest}, customers, before)
	must.Do(flooded, held)
}

// wave is attacks that run at once, until at least so many requests were sent.
type wave struct {
	name     string
	attacks  []attack
	requests int
	slowest  time.Duration // 99 of 100 honest requests that are answered take less
}

// withstand runs a wave while customers shop. It prints the figures, and returns those beyond their bounds as an error.
func (t *trial) withstand(ctx context.Context, w wave, customers []*shopper, before int64) error {
	t.tallies.Clear() // earlier requests do not count
	t.server.Forgive()
	t.newcomers = t.newNewcomers()
	v := verdict{trial: t, wave: w, before: before}
	start := time.Now()
	err := t.siege(ctx, w, customers)
	v.lasted, v.peak = time.Since(start), t.server.Peak()
	v.after, v.settled = t.comeBack(ctx, v.before)
	v.log, v.books = t.server.Log(), t.CheckBooks(ctx)
	t.Say("%s: %d requests in %s", w.name, t.tallies.Requests(), v.lasted.Round(time.Second))
	return errors.Join(err, v.print())
}

// siege lets the customers shop during a wave, until enough requests were sent.
func (t *trial) siege(ctx context.Context, w wave, customers []*shopper) error {
	ctx, stop := context.WithTimeout(ctx, t.atMost)
	defer stop()
	began := time.Now()
	attacking := customer.Go(ctx, t.newAttackers(w.attacks), func(ctx context.Context, w *attacker, n int) {
		w.strike(ctx, w, n)
	})
	signing := customer.Go(ctx, t.newcomers, signUp)
	shopping := customer.Go(ctx, customers, visit)
	enough := func() bool { return t.tallies.Requests() >= w.requests && time.Since(began) >= t.atLeast }
	for ctx.Err() == nil && !enough() && !shopping.Ended() { // they end if all got a wrong answer
		customer.Pause(ctx, 100*time.Millisecond)
	}
	stop()
	return errors.Join(shopping.Stop(), signing.Stop(), attacking.Stop())
}

// comeBack waits until the server's memory is within its bound again, and returns how long that took.
func (t *trial) comeBack(ctx context.Context, before int64) (after int64, took time.Duration) {
	for start := time.Now(); ; customer.Pause(ctx, 500*time.Millisecond) {
		after, took = t.server.Memory(), time.Since(start)
		must.Do(ctx.Err())
		if took > t.settle || float64(after) <= t.growth*float64(before) {
			return after, took
		}
	}
}

// market is the demo shop where honest customers buy; the others are attacked and imported.
const (
	market    = "paperlane.example"
	longTexts = "texts.example"
)

// shops holds the values of the content that clients use.
type shops struct {
	business string   // id of the market
	variants []string // ids of the market's variants in stock
	products []string // slugs of the market's products
	ids      []string // of products, articles and categories of the market
	fuzzer   *fuzzer
}

// fill imports all shops and counts their units.
func (t *trial) fill(ctx context.Context) {
	t.writeLarge()
	files := []string{"import", t.large(0), t.File("texts.json", articles(t.articles))}
	for _, d := range demo.Bundles() {
		name := d.Domain + ".json"
		if strings.HasPrefix(string(d.Data[:2]), "\x1f\x8b") {
			name += ".gz"
		}
		files = append(files, t.File(name, d.Data))
	}
	must.Get(t.Run(ctx, files...))
	t.Count(ctx)
}

// large returns the file of one of the two bundles of the large shop.
func (t *trial) large(n int) string {
	return filepath.Join(t.Folder, fmt.Sprintf("large-%d.json", n%2))
}

// writeLarge writes two bundles of the large shop with different titles, so that importing one changes every
// product of the other. The stock is the same in both.
func (t *trial) writeLarge() {
	text := catalog.Text(t.products)
	must.Do(os.WriteFile(t.large(0), []byte(text), 0o600))
	must.Do(os.WriteFile(t.large(1), []byte(catalog.Retitled(text)), 0o600))
}

// articles returns the bundle of a shop whose articles are long.
func articles(n int) []byte {
	var blogs []any
	for i := range n {
		blogs = append(blogs, map[string]any{"slug": fmt.Sprintf("article-%d", i), "type": "news",
			"titleFa": fmt.Sprintf("مقاله %d", i), "body": strings.Repeat("متن بلند ", 11_000),
			"publishedAt": "2026-01-01T00:00:00Z"})
	}
	return customer.Bundle(longTexts, "texts", map[string]any{"blogs": blogs})
}

// look reads the ids and slugs of the market that clients use.
func (t *trial) look(ctx context.Context, c *shopper) {
	type item struct {
		ID, Slug      string
		StockQuantity *int
	}
	s, at := &t.shops, "/tenants/"+market
	s.business = c.Business
	for _, p := range customer.Listed[item](ctx, &c.Client, at+"/products?", 1) {
		s.products, s.ids = append(s.products, p.Slug), append(s.ids, p.ID)
	}
	for _, path := range []string{"/blogs", "/categories", "/portfolios", "/user-products"} {
		var listed struct{ Items []item }
		must.Do(c.REST(ctx, "GET", at+path, nil).Read(&listed))
		for _, record := range listed.Items {
			s.ids = append(s.ids, record.ID)
		}
	}
	for _, v := range customer.Listed[item](ctx, &c.Client, at+"/store-items?inStock=true", 1) {
		if v.StockQuantity == nil { // more than a few
			s.variants = append(s.variants, v.ID)
		}
	}
	must.Hold(len(s.products) > 0 && len(s.variants) > 0, "%s has %d products and %d variants in stock", market,
		len(s.products), len(s.variants))
}
