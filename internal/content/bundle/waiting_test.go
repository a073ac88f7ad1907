package bundle_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"storefront/internal/content/bundle"
	"storefront/internal/content/shopfile"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
	"storefront/internal/request"
	shops "storefront/internal/shop"
)

// TestImportWaitsForAnother checks that an import waits until another import of its shop ends, unless it only
// checks the bundle.
func TestImportWaitsForAnother(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store) {
		mustImport(t, s, text(shop))
		unlock, err := s.Lock(t.Context(), "import", "shop.ir")
		if err != nil {
			t.Fatal(err)
		}
		hurried, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer stop()
		if _, err := bundle.Import(hurried, s, text(changed), nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("while another one runs: %v", err)
		}
		unlock()
		mustImport(t, s, text(changed))
	})
}

// TestImportWaitsByAnyDomain checks that no other import or export of a shop runs beside an import, whichever
// domain the bundle names and even if the shop's domain changes meanwhile.
func TestImportWaitsByAnyDomain(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store) {
		tenant := mustImport(t, s, text(shop)).Tenant
		staff := request.WithStaff(t.Context(), request.Staff{Business: tenant})
		if err := shops.AddAlias(staff, s.Client, tenant, "alias.ir"); err != nil {
			t.Fatal(err)
		}
		brand := func(domain string) bundle.Opener {
			twice := change(`"brands":[{"slug":"twice","name":"B","nameFa":"B"}]`)
			return text(strings.ReplaceAll(twice, "shop.ir", domain))
		}
		met := false
		_, err := bundle.Import(t.Context(), s, brand("alias.ir"), func(p bundle.Progress) {
			if met = met || p.Writing; met {
				return
			}
			met = true
			if err := shops.ChangeDomain(staff, s.Client, tenant, "newer.ir", true); err != nil {
				t.Error(err)
			}
			others := map[string]func(ctx context.Context) error{"an export": func(ctx context.Context) error {
				_, err := shopfile.Export(ctx, s, tenant, io.Discard)
				return err
			}}
			for _, domain := range []string{"alias.ir", "shop.ir", "newer.ir"} {
				others["an import by "+domain] = func(ctx context.Context) error {
					_, err := bundle.Import(ctx, s, brand(domain), nil)
					return err
				}
			}
			hurried, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer stop()
			var all sync.WaitGroup
			for what, other := range others {
				all.Go(func() {
					if err := other(hurried); err == nil || hurried.Err() == nil {
						t.Errorf("%s: got %v, want a wait", what, err)
					}
				})
			}
			all.Wait()
		})
		if err != nil || !met {
			t.Errorf("got %v, met %t", err, met)
		}
	})
}

// TestImportTakesVariantsInOrder checks that an import that waits for a variant holds no lock on variants
// with higher ids. So a checkout that continues in the order of ids does not wait for the import.
func TestImportTakesVariantsInOrder(t *testing.T) {
	eachStore(t, func(t *testing.T, s *store.Store) {
		if s.Dialect != dialect.Postgres {
			return // its transactions lock the whole file
		}
		many := change(`"products":[{"slug":"many","titleFa":"M","publishedAt":"2026-01-01T00:00:00Z","variants":[` +
			`{"sku":"A","price":1,"priceCurrency":"USD"},{"sku":"B","price":1,"priceCurrency":"USD"},` +
			`{"sku":"C","price":1,"priceCurrency":"USD"}]}]`)
		backwards := change(`"products":[{"slug":"many","titleFa":"N","variants":[` +
			`{"sku":"C","price":2},{"sku":"B","price":2},{"sku":"A","price":2}]}]`)
		mustImport(t, s, text(shop))
		tenant := mustImport(t, s, text(many)).Tenant
		ctx := tenancy.In(t.Context(), tenant)
		tx, err := s.Client.Tx(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Rollback()
		// In a deadlock this transaction must fail, not the import, which would only try again.
		if _, err := tx.ExecContext(ctx, "SET LOCAL deadlock_timeout = '1ms'"); err != nil {
			t.Fatal(err)
		}
		take := func(sku string) {
			t.Helper()
			hurried, stop := context.WithTimeout(ctx, 3*time.Second)
			defer stop()
			if _, err := tx.ExecContext(hurried,
				"UPDATE variants SET stock = stock + 1 WHERE sku = $1 AND tenant_id = $2",
				sku, tenant); err != nil {
				t.Fatalf("take %s: %v", sku, err)
			}
		}
		take("A")
		done := make(chan error, 1)
		go func() {
			_, err := bundle.Import(t.Context(), s, text(backwards), nil)
			done <- err
		}()
		for waiting := 0; waiting == 0; { // until the import waits for this transaction
			rows, err := s.Client.QueryContext(ctx, `SELECT count(*) FROM pg_stat_activity
				WHERE datname = current_database() AND wait_event_type = 'Lock'`)
			if err != nil {
				t.Fatal(err)
			}
			for rows.Next() {
				if err := rows.Scan(&waiting); err != nil {
					t.Fatal(err)
				}
			}
			rows.Close()
			select {
			case err := <-done:
				t.Fatalf("the import did not wait: %v", err)
			default:
			}
		}
		take("B")
		take("C")
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
