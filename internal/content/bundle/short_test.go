package bundle_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"storefront/ent"
	"storefront/ent/category"
	"storefront/ent/listing"
	"storefront/internal/content/bundle"
	"storefront/internal/content/derive"
	"storefront/internal/content/stored"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/tenancy"
)

// counted is a database that counts the rows that each transaction changes by plain SQL.
type counted struct {
	dialect.Driver
	rows *[]int64 // of the committed transactions
}

func (c counted) Tx(ctx context.Context) (dialect.Tx, error) {
	tx, err := c.Driver.Tx(ctx)
	return &countedTx{mortalTx: mortalTx{Tx: tx}, to: c.rows}, err
}

type countedTx struct {
	mortalTx
	rows int64
	to   *[]int64
}

func (t *countedTx) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	result, err := t.mortalTx.ExecContext(ctx, text, args...)
	if err == nil {
		n, _ := result.RowsAffected()
		t.rows += n
	}
	return result, err
}

func (t *countedTx) Commit() error {
	*t.to = append(*t.to, t.rows)
	return t.Tx.Commit()
}

// largeShop returns a bundle of 400 products with two variants each, all in one category two levels below
// another.
func largeShop(title string) string {
	products := make([]string, 400)
	for i := range products {
		products[i] = fmt.Sprintf(`{"slug":"large-%d","titleFa":"%s %[1]d","category":"leaf","tags":["a","b"],
			"publishedAt":"2026-01-01T00:00:00Z","variants":[{"sku":"L-%[1]d-1","price":%[1]d,"priceCurrency":"USD"},
			{"sku":"L-%[1]d-2","price":7,"priceCurrency":"USD","stock":5}]}`, i, title)
	}
	return change(`"categories":[{"entityType":"product","slug":"root","name":"R","nameFa":"R"},
		{"entityType":"product","slug":"other","name":"O","nameFa":"O"},
		{"entityType":"product","slug":"branch","parentSlug":"root","name":"B","nameFa":"B"},
		{"entityType":"product","slug":"leaf","parentSlug":"branch","name":"L","nameFa":"L"}],
		"products":[` + strings.Join(products, ",") + `]`)
}

// TestTransactionsAreShort checks that each transaction of an import writes few rows, however large the shop
// and the bundle, and that customers get a turn between two of them. Only an atomic import writes all at
// once.
func TestTransactionsAreShort(t *testing.T) {
	const (
		share  = 40 // records in a transaction
		rowsOf = 12 // rows of a record: it may leave five lists and enter five others
	)
	moved := change(`"categories":[{"entityType":"product","slug":"branch","parentSlug":"other"}]`)
	storetest.Migrated.Each(t, func(t *testing.T, url string) {
		s, customers := storetest.Open(t, url), storetest.Open(t, url)
		tenant := mustImport(t, s, text(shop)).Tenant
		var rows []int64
		counting := *s
		counting.Client = tenancy.Guard(ent.NewClient(ent.Driver(counted{s.Driver(), &rows})))
		for _, c := range []struct {
			name, text string
			least      int // transactions
			share      int
		}{
			{"new", largeShop("Large"), 1200 / share, share},
			{"changed", largeShop("Larger"), 1200 / share, share},
			{"moved", moved, 2 * 400 * 2 / stored.StepSize, stored.StepSize / 2}, // of branch and leaf
			{"unchanged", moved, 0, 0},
		} {
			rows = nil
			turns := 0
			buy := func() {
				turns++
				if err := derive.Raise(t.Context(), customers.Client, tenant); err != nil {
					t.Errorf("%s: a customer's write: %v", c.name, err)
				}
			}
			if _, err := bundle.Import(t.Context(), &counting, text(c.text), nil, bundle.Share(share),
				bundle.FromSheet(bundle.Sheet{Resting: buy})); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if len(rows) < c.least || c.least == 0 && len(rows) > 0 {
				t.Errorf("%s: there were %d transactions, want at least %d", c.name, len(rows), c.least)
			}
			if s.Dialect == dialect.SQLite && turns != len(rows) {
				t.Errorf("%s: got %d turns of customers, want %d, one for each transaction", c.name, turns, len(rows))
			}
			for i, n := range rows {
				if n > int64(c.share*rowsOf) {
					t.Errorf("%s: transaction %d of %d changed %d rows", c.name, i, len(rows), n)
				}
			}
			checkConsistent(t, s, "shop.ir", len(rows))
		}
		checkMoved(t, s, "other", "root")
		rows = nil
		if _, err := bundle.Import(t.Context(), &counting, text(largeShop("Largest")), nil, bundle.Share(share),
			bundle.Atomic); err != nil || len(rows) != 1 || rows[0] < 1200 {
			t.Errorf("in one transaction: %d rows, %v", rows, err)
		}
		checkMoved(t, s, "root", "other")
	})
}

// TestStepsOf500Records counts the transactions of a file of 1,001 small records: contract 6.1 allows 500 in each.
func TestStepsOf500Records(t *testing.T) {
	brands := make([]string, 1001)
	for i := range brands {
		brands[i] = fmt.Sprintf(`{"slug":"b-%d","name":"B","nameFa":"B"}`, i)
	}
	eachStore(t, func(t *testing.T, s *store.Store) {
		mustImport(t, s, text(shop))
		transactions := 0
		_, err := bundle.Import(t.Context(), s, text(change(`"brands":[`+strings.Join(brands, ",")+`]`)), nil,
			bundle.FromSheet(bundle.Sheet{Resting: func() { transactions++ }}))
		if err != nil || transactions != 3 {
			t.Errorf("got %d transactions, %v, want 3", transactions, err)
		}
	})
}

// checkMoved checks that all products of largeShop are listed under the category to which theirs was moved.
func checkMoved(t *testing.T, s *store.Store, to, from string) {
	t.Helper()
	ctx := tenancy.In(t.Context(), s.Client.Tenant.Query().OnlyIDX(t.Context()))
	for slug, want := range map[string]int{to: 400, from: 0, "branch": 400, "leaf": 400} {
		of := s.Client.Category.Query().Where(category.Slug(slug)).OnlyX(ctx)
		got := s.Client.Listing.Query().Where(listing.Facet("category:" + of.ID.String())).CountX(ctx)
		if got != want ||
			of.Moving {
			t.Errorf("%d products stand under %s, want %d; it is moving: %v", got, slug, want, of.Moving)
		}
	}
}
