package isolation

import (
	"context"
	"errors"
	"strings"
	"testing"

	entsql "entgo.io/ent/dialect/sql"

	"storefront/internal/database"
	"storefront/internal/testkit/testdb"
)

// TestHook checks that a statement without a shop is refused in every way of sending it, and that one with a
// shop is not.
func TestHook(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w := &watch{shops: someTables, used: map[string]bool{}, refused: map[string]string{}}
		database.Inspect(w.look)
		defer database.Inspect(nil)
		db, err := database.Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		ways := map[string]func(ctx context.Context, text string) error{
			"query": func(ctx context.Context, text string) error {
				return db.Driver().Query(ctx, text, []any{}, new(entsql.Rows))
			},
			"statement": func(ctx context.Context, text string) error {
				return db.Driver().Exec(ctx, text, []any{}, nil)
			},
			"transaction": func(ctx context.Context, text string) error {
				tx, err := db.Driver().Tx(ctx)
				if err != nil {
					return err
				}
				defer tx.Rollback()
				return tx.Exec(ctx, text, []any{}, nil)
			},
			"prepared": func(ctx context.Context, text string) error {
				st, err := db.ShortReads().PrepareContext(ctx, text)
				if err == nil {
					err = errors.Join(errors.New("it is prepared"), st.Close())
				}
				return err
			},
			"short read": func(ctx context.Context, text string) error {
				return db.ShortReads().QueryRowContext(ctx, text).Err()
			},
		}
		for way, send := range ways {
			clear(w.refused)
			for range 2 { // the second time it is known
				err := send(t.Context(), "SELECT id FROM orders WHERE id = 'one'")
				if err == nil || !strings.Contains(err.Error(), "does not say of which shop: orders") {
					t.Errorf("%s: got %v, want that it is refused", way, err)
				}
			}
			for _, got := range w.refused {
				if !strings.HasPrefix(got, t.Name()+": ") {
					t.Errorf("%s: got %q, want that it names %s", way, got, t.Name())
				}
			}
			if len(w.refused) != 1 {
				t.Errorf("%s: got %d refusals, want one for both times", way, len(w.refused))
			}
			err := send(t.Context(), "SELECT id FROM orders WHERE tenant_id = 'one'")
			if err == nil || strings.Contains(err.Error(), "which shop") { // there is no such table
				t.Errorf("%s: got %v, want that the database answers", way, err)
			}
		}
	})
}

// TestUnused checks that an exception is reported for each table that it was not used for.
func TestUnused(t *testing.T) {
	w := &watch{used: map[string]bool{}}
	const from = "internal/event/webhook.(*Service).Backlog"
	missing := func() (n int) {
		for _, one := range w.unused("internal/contract/service") {
			if strings.Contains(one, from) {
				n++
			}
		}
		return n
	}
	for _, one := range []struct {
		used string
		want int
	}{{"", 3}, {"shop_events", 2}, {"shop_events webhook_deliveries", 1}, {"webhook_endpoints", 0}} {
		w.use(from, one.used)
		if got := missing(); got != one.want {
			t.Errorf("after %q: got %d unused, want %d", one.used, got, one.want)
		}
	}
	if got := w.unused("no suite"); got != nil {
		t.Errorf("got %q for a suite without exceptions, want none", got)
	}
	for tables, want := range map[string]bool{"shop_events": true, "shop_events webhook_endpoints": true,
		"payments": false, "shop_events payments": false, "not understood: what is done with shop_events": false} {
		if got := isException(from, tables); got != want {
			t.Errorf("%s: got %v, want %v", tables, got, want)
		}
	}
}
