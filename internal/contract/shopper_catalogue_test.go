package contract_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/variant"
	"storefront/internal/bundle"
	"storefront/internal/derive"
	"storefront/internal/tenancy"
	"storefront/internal/transaction"
)

// amends imports members of a product of the tool shop anew, as its staff would.
func (s shopper) amends(t testing.TB, slug string, members map[string]any) {
	t.Helper()
	product := map[string]any{"slug": slug, "titleFa": slug}
	maps.Copy(product, members)
	data, err := json.Marshal(map[string]any{
		"format": "storefront-bundle/1",
		"tenant": map[string]any{"domain": toolsShop, "slug": "tools", "name": "Tool House", "nameFa": "ابزارسرا",
			"defaultLocale": "fa"},
		"products": []any{product},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bundle.Import(t.Context(), s.store, bundle.Bytes(data), nil); err != nil {
		t.Fatal(err)
	}
	s.place.names = names{} // new records have names, too
}

// variant changes a variant of the tool shop.
func (s shopper) variant(t testing.TB, sku string, change func(*ent.VariantUpdate)) {
	t.Helper()
	ctx := tenancy.In(t.Context(), uuid.MustParse(s.named(t, "<tenant:tools>")))
	err := transaction.Run(ctx, s.store.Client, func(tx *ent.Tx) error {
		update := tx.Variant.Update().Where(variant.Sku(sku))
		change(update)
		if n, err := update.Save(derive.Alone(ctx)); n != 1 || err != nil {
			return fmt.Errorf("%s: %d, %w", sku, n, err)
		}
		return derive.Raise(ctx, tx, uuid.MustParse(s.named(t, "<tenant:tools>")))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// priced and stocked change a variant's price, and its stock.
func (s shopper) priced(t testing.TB, sku string, minor int64) {
	t.Helper()
	s.variant(t, sku, func(u *ent.VariantUpdate) { u.SetPrice(minor) })
}

func (s shopper) stocked(t testing.TB, sku string, units int) {
	t.Helper()
	s.variant(t, sku, func(u *ent.VariantUpdate) { u.SetStock(units) })
}

// stock is how many units of a variant of the tool shop there are.
func (a *accounts) stock(t testing.TB, sku string) int {
	t.Helper()
	ctx := tenancy.In(t.Context(), uuid.MustParse(a.named(t, "<tenant:tools>")))
	return must(a.store.Client.Variant.Query().Where(variant.Sku(sku)).Only(ctx))(t).Stock
}
