package service_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"storefront/ent/tenant"
	"storefront/internal/app"
	"storefront/internal/content/bundle"
	"storefront/internal/content/derive"
	"storefront/internal/content/locations"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/migration"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/versions"
	"storefront/internal/record"
)

// compared holds two services that cache answers and one that does not, over one database. Commands change
// the database through their own store.
type compared struct {
	*shoptest.Accounts
	keeping [2]*shoptest.Accounts
	plain   *shoptest.Accounts
	command *store.Store
	reads   []publicRead
}

// publicRead is a GET of a public answer or, with a body, a POST of a document.
type publicRead struct{ path, accept, body string }

func eachCompared(t *testing.T, f func(t *testing.T, c *compared)) {
	t.Helper()
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		c := &compared{Accounts: a, keeping: [2]*shoptest.Accounts{a, a.Instance(t)},
			command: storetest.Open(t, a.Database)}
		c.plain = a.Instance(t, func(o *app.Options) { o.CacheSize = 0 })
		c.readRoutes(t)
		f(t, c)
	})
}

// readRoutes adds the reads of all routes: the examples over REST, and the first of each also compressed
// and as a GraphQL document by GET and POST.
func (c *compared) readRoutes(t *testing.T) {
	t.Helper()
	_, operations := shoptest.Operations(t)
	for _, route := range publicRoutes() {
		if route.Method != http.MethodGet {
			continue
		}
		for i, example := range slices.Concat(examples[route.Operation], moreReads[route.Operation]) {
			request := c.Named(t, example)
			_, path, _ := strings.Cut(request, " ")
			read := publicRead{"/api/v1" + shoptest.Ascii(path), "identity", ""}
			if strings.HasPrefix(read.get(t, c.plain), "400") {
				continue
			}
			c.reads = append(c.reads, read)
			if i > 0 {
				continue
			}
			operation := operations.Operations.ForName(route.Operation)
			values, err := json.Marshal(variables(t, route, operation, request))
			if err != nil {
				t.Fatal(err)
			}
			text := written(operations, operation)
			document := url.Values{"query": {text}, "variables": {string(values)}}
			body, err := json.Marshal(map[string]any{"query": text + "# by POST",
				"variables": json.RawMessage(values)})
			if err != nil {
				t.Fatal(err)
			}
			c.reads = append(c.reads, publicRead{read.path, "gzip", ""},
				publicRead{"/graphql?" + document.Encode(), "gzip", ""}, publicRead{"/graphql", "gzip", string(body)})
		}
	}
}

// moreReads holds further reads by operation, for what the examples do not show.
var moreReads = map[string][]string{
	"Tenant": {"GET /tenants/new.example", "GET /tenants/mugs.example"},
	"StoreVariant": {"GET " + shoptest.ToolsPath + "/store-items/<tools:variant:D-13>", "GET " +
		shoptest.ToolsPath + "/store-items/<tools:variant:F-1>"},
	"Products": {"GET " + shoptest.ToolsPath + "/products?inStore=1", "GET /tenants/mugs.example/products"},
	"StoreItems": {"GET " + shoptest.ToolsPath + "/store-items?inStock=1", "GET " + shoptest.ToolsPath +
		"/store-items?pageSize=100&inStock=false"},
	"Product": {"GET " + shoptest.ToolsPath + "/products/future-drill"},
}

// get sends a read and returns the whole answer except its time.
func (r publicRead) get(t *testing.T, p *shoptest.Accounts) string {
	t.Helper()
	headers := []string{"Accept-Encoding", r.accept, "X-Request-Id", "same", "Accept", "*/*"}
	var got shoptest.Answer
	if r.body == "" {
		got = p.At(t, http.MethodGet, r.path, headers...)
	} else {
		got = p.Send(t, http.MethodPost, r.path, r.body, headers...)
	}
	got.Header.Del("Date")
	var text bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(got.Header)) {
		fmt.Fprintln(&text, name, got.Header[name])
	}
	return fmt.Sprintf("%d\n%s\n%s", got.Status, text.String(), got.Body)
}

// agree sends all reads to all services, twice to those with a cache, compares the answers, and returns them.
func (c *compared) agree(t *testing.T, after string) map[publicRead]string {
	t.Helper()
	answers := map[publicRead]string{}
	for _, r := range c.reads {
		answers[r] = r.get(t, c.plain)
		for i, p := range []*shoptest.Accounts{c.keeping[0], c.keeping[1], c.keeping[0], c.keeping[1]} {
			if got := r.get(t, p); got != answers[r] {
				t.Errorf("after %s, %s (%s) by instance %d: got\n%s\nwant\n%s", after, r.path,
					r.accept, i%2, got, answers[r])
				break
			}
		}
	}
	return answers
}

// changes runs a change, which must change some answer, and compares all answers after it.
func (c *compared) changes(t *testing.T, what string, before map[publicRead]string,
	change func() error) map[publicRead]string {
	t.Helper()
	if err := change(); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	after := c.agree(t, what)
	if maps.Equal(before, after) {
		t.Errorf("%s changes no answer", what)
	}
	return after
}

// contentChanges are changes of each kind of record in a bundle of the tool shop.
var contentChanges = []struct{ kind, members string }{
	{"tenant", `"tenant": {"domain": "tools.example", "name": "Tool Hall"}`},
	{"profile", `"profile": {"about": "Tools since 1991."}`},
	{"brand", `"brands": [{"slug": "acme", "name": "Acme & Sons"}]`},
	{"category", `"categories": [{"entityType": "product", "slug": "tools", "name": "Things"}]`},
	{"category's place", `"categories": [{"entityType": "product", "slug": "drills", "parentSlug": "tools"}]`},
	{"form", `"categories": [{"entityType": "product", "slug": "tools", "form": {"title": "Thing", "titleFa": "چیز",
		"fields": [{"key": "power", "label": "Power", "labelFa": "توان", "type": "number", "unit": "kW",
		"unitFa": "کیلووات"}]}}]`},
	{"product", `"products": [{"slug": "drill", "titleEn": "Hammer"}]`},
	{"product's status", `"products": [{"slug": "mallet", "status": "archived"}]`},
	{"variant", `"products": [{"slug": "drill", "variants": [{"sku": "D-10", "price": 77}]}]`},
	{"variant's stock", `"products": [{"slug": "drill", "variants": [{"sku": "D-13", "stock": 3}]}]`},
	{"second-hand product", `"userProducts": [{"slug": "lathe", "titleEn": "Old lathe"}]`},
	{"approval of a second-hand product", `"userProducts": [{"slug": "pending", "status": "published"}]`},
	{"article", `"blogs": [{"slug": "hello", "titleEn": "Good morning"}]`},
	{"work", `"portfolios": [{"slug": "house", "clientName": "Somebody"}]`},
	{"slider", `"sliders": [{"key": "second", "title": "Second"}]`},
	{"choice of categories", `"categoryGroups": [{"key": "popular", "categories": ["tools"]}]`},
	{"choice of brands", `"brandGroups": [{"key": "top", "brands": ["acme"]}]`},
	{"special", `"specials": [{"key": "always", "variants": ["D-10"]}]`},
	{"approval of a comment", `"comments": [{"entityType": "blog", "entity": "hello",
		"authorName": "Bot", "text": "buy",
		"status": "approved", "createdAt": "2026-10-06T00:00:00Z"}]`},
	{"approval of a review", `"expertReviews": [{"product": "drill", "authorName": "Hidden",
		"rate": 1, "positivePoints": [],
		"negativePoints": [], "text": "Bad", "status": "approved", "createdAt": "2026-11-13T12:00:00Z"}]`},
}

// TestKeptAnswersAreExact changes each kind of public record in every possible way, and moves the clock past
// changes without a write. Every public read of two services with a cache must at once be the same, including
// headers, as that of a service without one.
func TestKeptAnswersAreExact(t *testing.T) {
	eachCompared(t, func(t *testing.T, c *compared) {
		before := c.agree(t, "the start")
		for _, change := range contentChanges {
			if !strings.HasPrefix(change.members, `"tenant"`) {
				change.members = `"tenant": {"domain": "tools.example"}, ` + change.members
			}
			text := `{"format": "storefront-bundle/1", ` + change.members + `}`
			before = c.changes(t, "an import of a "+change.kind, before, func() error {
				_, err := bundle.Import(t.Context(), c.command, bundle.Bytes([]byte(text)), nil, bundle.Atomic)
				return err
			})
		}
		before = c.changes(t, "a new shop", before, func() error {
			return c.command.Client.Tenant.Create().SetDomain("new.example").SetSlug("new").SetName("New").
				SetNameFa("نو").Exec(t.Context())
		})
		before = c.changes(t, "another shop at the domain", before, func() error {
			_, err := c.command.Client.Tenant.Delete().Where(tenant.Domain("new.example")).Exec(t.Context())
			if err != nil {
				return err
			}
			return c.command.Client.Tenant.Create().SetDomain("new.example").SetSlug("new").SetName("Newer").
				SetNameFa("نو").Exec(t.Context())
		})
		before = c.changes(t, "a migration of the locations", before, func() error {
			step := locations.Step(c.command.Dialect)
			step.Name = "locations-anew"
			load := step.Run
			step.Run = func(ctx context.Context, tx dialect.Tx) error { // a newer version of the table
				if err := load(ctx, tx); err != nil {
					return err
				}
				return tx.Exec(ctx, "UPDATE locations SET name = 'Caraj' WHERE slug = 'karaj'", []any{}, nil)
			}
			return migration.Run(t.Context(), c.command.DB, versions.Files, step)
		})
		for _, at := range []time.Time{shoptest.Today.Add(time.Second - time.Microsecond),
			shoptest.Today.Add(time.Second),
			time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC).Add(-time.Microsecond), time.Date(2030, 1, 1, 0, 0, 0,
				0, time.UTC)} {
			c.Clock.At.Store(at.UnixMicro())
			after := c.agree(t, at.String())
			if at.Nanosecond() == 0 && maps.Equal(before, after) {
				t.Errorf("nothing changes at %v", at)
			}
			before = after
		}
	})
}

// TestKeptAnswersShowTheStock buys, cancels and moves orders at one service, and checks that the others at
// once show the right stock, both above and below the number up to which it is shown.
func TestKeptAnswersShowTheStock(t *testing.T) {
	eachCompared(t, func(t *testing.T, c *compared) {
		c.Clock.Ticks.Store(true)
		c.reads = slices.DeleteFunc(c.reads, func(r publicRead) bool {
			return !strings.Contains(r.path, "store-items") && !strings.Contains(r.path, "/products")
		})
		customer := shoptest.Crowd(t, 1, c.Accounts)[0]
		customer.Stocked(t, "D-13", record.ShownStock+3)
		c.agree(t, "the start")
		version := c.version(t)
		order := customer.Bought(t, "D-13", 1)
		if now := c.version(t); now != version {
			t.Errorf("an order that changes nothing that is shown raised the version")
		}
		c.agree(t, "an order that shows nothing")
		for range 3 { // to ten and below
			order = customer.Bought(t, "D-13", 1)
			c.agree(t, "an order")
		}
		c.changes(t, "a cancellation", c.agree(t, "an order"),
			func() error { customer.Cancel(t, order.ID); return nil })
		order = customer.Bought(t, "D-13", record.ShownStock)
		before := c.agree(t, "the last order")
		c.changes(t, "a cancellation by staff", before, func() error {
			if refused := customer.Moved(t, order.ID, record.OrderCancelled); refused != "" {
				return fmt.Errorf("the move is refused: %s", refused)
			}
			return nil
		})
	})
}

// version returns the content version of the tool shop.
func (c *compared) version(t *testing.T) int64 {
	t.Helper()
	return shoptest.Must(c.command.Client.Tenant.Query().Where(tenant.Domain(shoptest.ToolsShop)).
		Only(t.Context()))(t).ContentVersion
}

// TestAnswersAreKept changes a name directly in the database, and checks that the cached answer does not
// change. This shows that the other tests of this file use the cache.
func TestAnswersAreKept(t *testing.T) {
	eachCompared(t, func(t *testing.T, c *compared) {
		name := func(p *shoptest.Accounts) string {
			var shop struct{ Name string }
			p.Decode(t, shoptest.ToolsPath, &shop)
			var posted struct {
				Data struct{ Tenant struct{ Name string } }
			}
			p.Graph(t, shoptest.About(shoptest.ToolsShop, "name"), &posted)
			if posted.Data.Tenant.Name != shop.Name {
				t.Errorf("got the name %q by GET, want %q as by POST", shop.Name, posted.Data.Tenant.Name)
			}
			return shop.Name
		}
		rename := func(to string, raise int) {
			err := c.command.Client.Tenant.Update().Where(tenant.Domain(shoptest.ToolsShop)).SetName(to).
				AddContentVersion(int64(raise)).Exec(derive.Alone(t.Context()))
			if err != nil {
				t.Fatal(err)
			}
		}
		first := name(c.keeping[0])
		rename("Unheard of", 0)
		if got := name(c.keeping[0]); got != first {
			t.Errorf("the name is %q", got)
		}
		rename("Heard of", 1)
		for _, p := range []*shoptest.Accounts{c.keeping[0], c.keeping[1], c.plain} {
			if got := name(p); got != "Heard of" {
				t.Errorf("the name is %q", got)
			}
		}
	})
}

// TestKeptAnswersRace imports and buys at one service while many read at two others. No read may return a
// name or a stock older than the last commit before it.
func TestKeptAnswersRace(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		a.Clock.Ticks.Store(true)
		readers := []*shoptest.Accounts{a, a.Instance(t)}
		command := storetest.Open(t, a.Database)
		customer := shoptest.Crowd(t, 1, a)[0]
		customer.Stocked(t, "MUG-S", record.ShownStock)
		mug := a.Named(t, shoptest.ToolsPath+"/store-items/<tools:variant:MUG-S>")
		var named, bought atomic.Int64
		var over atomic.Bool
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				for !over.Load() && !t.Failed() {
					p := readers[i%2]
					leastNamed, leastBought := named.Load(), bought.Load()
					var answer struct {
						Product struct{ TitleEn string }
					}
					p.Decode(t, shoptest.ToolsPath+"/products/mallet", &answer)
					var number int64
					_, err := fmt.Sscanf(answer.Product.TitleEn, "Mallet %d", &number)
					if leastNamed > 0 && (err != nil || number < leastNamed) {
						t.Errorf("%q after mallet %d (%v)", answer.Product.TitleEn, leastNamed, err)
					}
					var shown struct {
						Variant struct{ StockQuantity *int64 }
					}
					p.Decode(t, mug, &shown)
					if left := shown.Variant.StockQuantity; left == nil || *left > record.ShownStock-leastBought {
						t.Errorf("%v are left after %d were bought", left, leastBought)
					}
				}
			})
		}
		for i := range int64(2 * record.ShownStock) {
			text := fmt.Sprintf(`{"format": "storefront-bundle/1", "tenant": {"domain": "tools.example"},
				"products": [{"slug": "mallet", "titleEn": "Mallet %d"}]}`, i)
			if _, err := bundle.Import(t.Context(), command, bundle.Bytes([]byte(text)), nil); err != nil {
				t.Error(err)
			}
			named.Store(i)
			if i%2 == 0 {
				customer.Bought(t, "MUG-S", 1)
				bought.Add(1)
			}
		}
		over.Store(true)
		all.Wait()
	})
}

// TestKeptAnswersNameTheirShop checks that the log line of a cached answer names the shop, for a document
// that names it.
func TestKeptAnswersNameTheirShop(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		var log bytes.Buffer
		service, err := app.New(p.Store, slog.New(slog.NewJSONHandler(&log, nil)), app.Options{
			Settings: app.Settings{CacheSize: 1 << 20}, Clock: func() time.Time { return shoptest.Today }})
		if err != nil {
			t.Fatal(err)
		}
		_, body, _ := strings.Cut(shoptest.AboutTools("name"), "/graphql ")
		for i := range 2 {
			log.Reset()
			request := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(body))
			request.Header.Set("Content-Type", "application/json")
			service.ServeHTTP(httptest.NewRecorder(), request)
			var line struct{ Tenant string }
			if err := json.Unmarshal(log.Bytes(), &line); err != nil || line.Tenant != shoptest.ToolsShop {
				t.Errorf("request %d: %s (%v)", i+1, log.Bytes(), err)
			}
		}
	})
}
