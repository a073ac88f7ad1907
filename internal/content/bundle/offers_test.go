package bundle_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"storefront/ent"
	"storefront/internal/content/edit"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
)

// interrupted is a database that calls a function before its first transaction.
type interrupted struct {
	dialect.Driver
	before *func()
}

func (i interrupted) Tx(ctx context.Context) (dialect.Tx, error) {
	do := *i.before
	*i.before = func() {}
	do()
	tx, err := i.Driver.Tx(ctx)
	return mortalTx{Tx: tx, commits: new(1)}, err
}

// TestOffersOfOneProductStandAlone deletes a variant after many changes of its product were checked. The others are
// changed, unless they depend on each other.
func TestOffersOfOneProductStandAlone(t *testing.T) {
	const many = 120
	var variants []string
	for i := range many {
		variants = append(variants, fmt.Sprintf(`{"sku":"O-%d","price":1,"priceCurrency":"USD"}`, i))
	}
	eachStore(t, func(t *testing.T, s *store.Store) {
		shop := mustImport(t, s, text(shop)).Tenant
		for gone, c := range []struct {
			changed int
			more    map[string]any
		}{{many - 1, nil}, {0, map[string]any{"onSale": true}}} {
			mustImport(t, s, text(change(`"products":[{"slug":"o","titleFa":"O","variants":[`+
				strings.Join(variants, ",")+`]}]`)))
			var offers []map[string]any
			for i := range many {
				offer := map[string]any{"sku": fmt.Sprint("O-", i), "price": 5 + gone}
				for name, value := range c.more {
					offer[name] = value
				}
				offers = append(offers, offer)
			}
			deletes := func() {
				one := edit.Remove{Action: "deleteVariant", Section: "variants", Key: map[string]string{"sku": "O-7"}}
				if _, err := one.Apply(t.Context(), s.Client, shop); err != nil {
					t.Error(err)
				}
			}
			client := tenancy.Guard(ent.NewClient(ent.Driver(interrupted{s.Driver(), &deletes})))
			done, err := edit.Offers{Action: "updateOffers", Variants: offers, Now: time.Now()}.
				Apply(t.Context(), client, shop)
			if err != nil || done.Changed != c.changed || len(done.Faults) != many-c.changed || len(done.Left) > 0 {
				t.Fatalf("got %v and %+v, want %d changed", err, done, c.changed)
			}
			if c.changed > 0 && done.Faults[0].SKU != "O-7" {
				t.Errorf("got the fault %v", done.Faults[0])
			}
		}
	})
}
