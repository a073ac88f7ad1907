package sheet

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"storefront/ent"
	"storefront/internal/content/bundle"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/transaction"
	"storefront/internal/request"
	"storefront/internal/shop/audit"
)

// many gives the lamp shop products with long descriptions, and returns how many offers it has then.
func many(t *testing.T, s *store.Store, products, words int) int {
	t.Helper()
	var text strings.Builder
	text.WriteString(`{"format":"storefront-bundle/1","tenant":{"domain":"lamps.example"},"products":[`)
	for i := range products {
		if i > 0 {
			text.WriteString(",")
		}
		fmt.Fprintf(&text, `{"slug":"p-%d","titleFa":"ت","description":%q,
			"variants":[{"sku":"P-%d","priceCurrency":"IRR"}]}`, i, strings.Repeat("long ", words), i)
	}
	text.WriteString("]}")
	if _, err := bundle.Import(t.Context(), s, bundle.Bytes([]byte(text.String())), nil); err != nil {
		t.Fatal(err)
	}
	return products + 2
}

// taker is a writer that examines each part it receives.
type taker struct {
	look  func() error
	lines int
}

func (w *taker) Write(p []byte) (int, error) {
	w.lines += strings.Count(string(p), "\r\n")
	return len(p), w.look()
}

// openElsewhere fails while an open statement or transaction keeps SQLite from moving its -wal file into the
// database, or PostgreSQL from vacuuming.
func openElsewhere(ctx context.Context, s *store.Store) error {
	look := "PRAGMA wal_checkpoint(TRUNCATE)" // returns whether it was blocked, and two more figures
	if s.Dialect == dialect.Postgres {
		look = `SELECT count(*), 0, 0 FROM pg_stat_activity WHERE datname = current_database()
			AND pid <> pg_backend_pid() AND (backend_xmin IS NOT NULL OR xact_start IS NOT NULL)`
	}
	rows, err := s.Client.QueryContext(ctx, look)
	if err != nil {
		return err
	}
	defer rows.Close()
	var held, other int
	for rows.Next() {
		if err := rows.Scan(&held, &other, &other); err != nil {
			return err
		}
	}
	if held != 0 {
		return fmt.Errorf("%d transactions are open", held)
	}
	return rows.Err()
}

// TestSlowReadersHoldNothing reads a sheet slowly: meanwhile others can write, nothing is open in the
// database, and memory does not grow with the size of the output.
func TestSlowReadersHoldNothing(t *testing.T) {
	shops.Each(t, func(t *testing.T, url string) { // alone, as the memory is measured
		s := storetest.Open(t, url)
		of := tenant(t, s, "lamps.example")
		n, parts := many(t, s, 10*atOnce, 800), 0
		var first, most uint64
		w := &taker{look: func() error {
			if parts++; parts%100 != 5 {
				return nil
			}
			var stats runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&stats)
			if first == 0 {
				first = stats.HeapAlloc
			}
			most = max(most, stats.HeapAlloc)
			if err := openElsewhere(t.Context(), s); err != nil {
				return err
			}
			by := request.WithStaff(t.Context(), request.Staff{Business: of.ID})
			return transaction.Run(by, s.Client, func(tx *ent.Tx) error {
				return audit.Record(by, tx, "write", audit.Change{Kind: "a change beside"})
			})
		}}
		if err := Export(t.Context(), s, of, Products, w, nil); err != nil || w.lines < n || parts < 1000 {
			t.Errorf("got %d lines in %d parts, want %d: %v", w.lines, parts, n, err)
		}
		if grown := int64(most) - int64(first); grown > 2<<20 {
			t.Errorf("%d bytes more are in use than at the beginning", grown)
		}
	})
}

// TestExportsAskAgain ends an export when the right to it ends, at the next page.
func TestExportsAskAgain(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		of := tenant(t, s, "lamps.example")
		many(t, s, 3*atOnce, 1)
		gone, asked := errors.New("the right is gone"), 0
		w := &taker{look: func() error { return nil }}
		err := Export(t.Context(), s, of, Offers, w, func(context.Context) error {
			if asked++; asked == 3 {
				return gone
			}
			return nil
		})
		if !errors.Is(err, gone) || w.lines > 2*atOnce+1 {
			t.Errorf("got %d lines, %v", w.lines, err)
		}
	})
}
