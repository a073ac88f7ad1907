package bundle_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"storefront/ent"
	"storefront/ent/category"
	"storefront/ent/tenant"
	"storefront/internal/content/bundle"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
	shops "storefront/internal/shop"
)

// changed is a bundle that changes the derived data of nearly every record of shop.
var changed = change(`"brands":[{"slug":"b3","name":"B3","nameFa":"ب۳"}],
	"categories":[{"entityType":"product","slug":"new","name":"N","nameFa":"N"},
		{"entityType":"product","slug":"sub","parentSlug":"new"}],
	"products":[{"slug":"p1","titleEn":"Tome","brand":"b3","tags":["new"],"publishedAt":"2026-02-02T00:00:00Z",
			"variants":[{"sku":"P1-S","price":9},{"sku":"P1-N","price":3,"priceCurrency":"USD","stock":4}]},
		{"slug":"p2","status":"published","publishedAt":"2026-02-03T00:00:00Z","category":"sub",
			"variants":[{"sku":"P1-L","options":{},"onSale":true,"price":7}]},
		{"slug":"p3","titleFa":"P3","publishedAt":"2026-02-04T00:00:00Z","category":"new","tags":["new"]}],
	"userProducts":[{"slug":"u1","description":null,"publishedAt":"2026-02-05T00:00:00Z"}],
	"blogs":[{"slug":"n1","category":null}],
	"specials":[{"key":"s","variants":["P1-N"]}],
	"expertReviews":[{"product":"p1","authorName":"B","rate":3,"positivePoints":[],"negativePoints":[],"text":"T",
		"createdAt":"2026-02-06T00:00:00Z"}]`)

// errKilled simulates the end of the process.
var errKilled = errors.New("killed")

// mortal is a database that fails at a transaction's commit, or just after it.
type mortal struct {
	dialect.Driver
	commits *int // commits that still succeed
	after   bool // the commit succeeds, and only its answer is lost
}

func (m mortal) Tx(ctx context.Context) (dialect.Tx, error) {
	tx, err := m.Driver.Tx(ctx)
	return mortalTx{Tx: tx, commits: m.commits, after: m.after}, err
}

type mortalTx struct {
	dialect.Tx
	commits *int
	after   bool
}

func (t mortalTx) Commit() error {
	if *t.commits == 0 && t.after {
		return errors.Join(errKilled, t.Tx.Commit())
	}
	if *t.commits == 0 {
		return errors.Join(errKilled, t.Tx.Rollback())
	}
	*t.commits--
	return t.Tx.Commit()
}

func (t mortalTx) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	return t.Tx.(interface {
		ExecContext(context.Context, string, ...any) (sql.Result, error)
	}).ExecContext(ctx, text, args...)
}

func (t mortalTx) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	return t.Tx.(interface {
		QueryContext(context.Context, string, ...any) (*sql.Rows, error)
	}).QueryContext(ctx, text, args...)
}

// mortalStore returns a database that fails at the commit after the given number of them.
func mortalStore(s *store.Store, commits int) *store.Store { return dyingStore(s, commits, false) }

func dyingStore(s *store.Store, commits int, after bool) *store.Store {
	dying := *s
	dying.Client = tenancy.Guard(ent.NewClient(ent.Driver(mortal{s.Driver(), &commits, after})))
	return &dying
}

// drawn matches the members that differ between imports: times and ids of images.
var drawn = regexp.MustCompile(`"publishedAt":"[^"]*"|"mediaId":"[^"]{36}"`)

// TestKilled checks that an import killed at any transaction leaves the shop consistent, and that importing
// again completes it.
func TestKilled(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store) {
		renamed := func(text string, n int) bundle.Opener {
			text = strings.Replace(text, `"domain":"shop.ir"`, fmt.Sprintf(`"domain":"shop%d.ir"`, n), 1)
			return bundle.Bytes([]byte(strings.Replace(text, `"slug":"shop"`, fmt.Sprintf(`"slug":"shop%d"`, n), 1)))
		}
		exported := func(n int) string {
			text := strings.ReplaceAll(string(export(t, s, fmt.Sprintf("shop%d.ir", n))),
				fmt.Sprintf("shop%d", n), "shop")
			return drawn.ReplaceAllString(text, "")
		}
		all := map[string]bundle.Summary{shop: mustImport(t, s, renamed(shop, 0))}
		want := map[string]string{shop: exported(0)}
		all[changed] = mustImport(t, s, renamed(changed, 0))
		want[changed] = exported(0)
		n := 0
		for _, text := range []string{shop, changed} {
			for commits := 0; ; commits++ {
				n++
				if text == changed {
					mustImport(t, s, renamed(shop, n))
				}
				done, err := bundle.Import(t.Context(), mortalStore(s, commits), renamed(text, n), nil, bundle.OneByOne)
				if err != nil && !errors.Is(err, errKilled) {
					t.Fatal(err)
				}
				checkConsistent(t, s, fmt.Sprintf("shop%d.ir", n), commits)
				rest := mustImport(t, s, renamed(text, n))
				if err != nil && !strings.Contains(err.Error(), "its last part may be written") {
					t.Errorf("killed after %d transactions: %v", commits, err)
				}
				for section, c := range all[text].Sections {
					first, then := done.Sections[section], rest.Sections[section]
					if first.Created+then.Created != c.Created || first.Updated+then.Updated != c.Updated {
						t.Errorf("killed after %d transactions: %s: got %v, then %v, want %v in all", commits, section,
							first, then, c)
					}
				}
				if got := exported(n); got != want[text] {
					t.Errorf("killed after %d transactions and imported again: %s", commits,
						firstDifference([]byte(got), []byte(want[text])))
				}
				if err == nil {
					if commits < 8 {
						t.Errorf("there were only %d transactions to be killed at", commits)
					}
					break
				}
			}
		}
	})
}

// TestALostAnswerIsNoAnswer loses the answer to the first commit of an import after the database has
// committed. The import must not report that nothing was written.
func TestALostAnswerIsNoAnswer(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store) {
		_, err := bundle.Import(t.Context(), dyingStore(s, 0, true), text(shop), nil)
		stopped, _ := errors.AsType[*bundle.Stopped](err)
		if stopped == nil || !stopped.Maybe || !errors.Is(err, errKilled) ||
			!strings.Contains(err.Error(), "its last part may be written") || !strings.Contains(err.Error(), "stock") {
			t.Errorf("got %v", err)
		}
		if _, err := shops.Find(t.Context(), s.Client, "shop.ir"); err != nil {
			t.Error("the commit was not done")
		}
		// An import that ends before its first commit reports that nothing is written.
		ended := errors.New("ended")
		_, err = bundle.Import(t.Context(), s, text(`{"format":"storefront-bundle/1","tenant":{"domain":"shop.ir"},
			"brands":[{"slug":"b1","name":"Another"}]}`), nil, bundle.FromSheet(bundle.Sheet{
			Allowed: func(context.Context, *ent.Client) error { return ended }}))
		stopped, _ = errors.AsType[*bundle.Stopped](err)
		if stopped == nil || stopped.Maybe || !errors.Is(err, ended) {
			t.Errorf("got %v", err)
		}
	})
}

// checkConsistent checks that the derived data of a shop are the same as if they were computed again.
func checkConsistent(t *testing.T, s *store.Store, domain string, commits int) {
	t.Helper()
	found, err := s.Client.Tenant.Query().Where(tenant.Domain(domain)).Only(t.Context())
	if ent.IsNotFound(err) && commits == 0 {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if found.ContentVersion == 0 {
		t.Errorf("after %d transactions the version is not raised", commits)
	}
	if s.Client.Category.Query().Where(category.Moving(true)).ExistX(tenancy.In(t.Context(), found.ID)) {
		deriveAll(t, s, found.ID) // the lists of a moved category may not be updated yet
	}
	before := content(t, s, domain)
	deriveAll(t, s, found.ID)
	if after := content(t, s, domain); after != before {
		t.Errorf("after %d transactions deriving all changes %s", commits,
			firstDifference([]byte(after), []byte(before)))
	}
}

// TestAtomic checks that an atomic import writes all or nothing.
func TestAtomic(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store) {
		mustImport(t, s, text(shop))
		before := content(t, s, "shop.ir")
		_, err := bundle.Import(t.Context(), mortalStore(s, 0), text(changed), nil, bundle.OneByOne, bundle.Atomic)
		if after := content(t, s, "shop.ir"); !errors.Is(err, errKilled) || after != before {
			t.Errorf("killed with %v it changes %s", err, firstDifference([]byte(after), []byte(before)))
		}
		if _, err := bundle.Import(t.Context(), mortalStore(s, 1), text(changed), nil, bundle.OneByOne,
			bundle.Atomic); err != nil {
			t.Errorf("in one transaction: %v", err)
		}
		checkConsistent(t, s, "shop.ir", 1)
	})
}
