package shoptest

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/variant"
	"storefront/internal/content/bundle"
	"storefront/internal/content/derive"
	"storefront/internal/content/edit"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
)

// Amends imports changed members of a product of the tool shop, as its staff would.
func (s Shopper) Amends(t testing.TB, slug string, members map[string]any) {
	t.Helper()
	product := map[string]any{"slug": slug, "titleFa": slug}
	maps.Copy(product, members)
	ImportProducts(t, s.Store, []any{product})
	s.Place.Names = Names{} // new records have names too
}

// ImportProducts imports products of the tool shop.
func ImportProducts(t testing.TB, to *store.Store, products []any) {
	t.Helper()
	data, err := json.Marshal(map[string]any{
		"format": "storefront-bundle/1",
		"tenant": map[string]any{"domain": ToolsShop, "slug": "tools", "name": "Tool House",
			"nameFa":        "ابزارسرا",
			"defaultLocale": "fa"},
		"products": products,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bundle.Import(t.Context(), to, bundle.Bytes(data), nil); err != nil {
		t.Fatal(err)
	}
}

// Variant changes a variant of the tool shop.
func (s Shopper) Variant(t testing.TB, sku string, change func(*ent.VariantUpdate)) {
	t.Helper()
	ctx := tenancy.In(t.Context(), uuid.MustParse(s.Named(t, "<tenant:tools>")))
	err := transaction.Run(ctx, s.Store.Client, func(tx *ent.Tx) error {
		update := tx.Variant.Update().Where(variant.Sku(sku))
		change(update)
		if n, err := update.Save(derive.Alone(ctx)); n != 1 || err != nil {
			return fmt.Errorf("%s: %d, %w", sku, n, err)
		}
		return derive.Raise(ctx, tx, uuid.MustParse(s.Named(t, "<tenant:tools>")))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Priced changes a variant's price.
func (s Shopper) Priced(t testing.TB, sku string, minor int64) {
	t.Helper()
	s.Variant(t, sku, func(u *ent.VariantUpdate) { u.SetPrice(minor) })
}

// Stocked sets the stock of a variant by an import.
func (s Shopper) Stocked(t testing.TB, sku string, units int) {
	t.Helper()
	s.Variant(t, sku, func(u *ent.VariantUpdate) { u.SetStock(units) })
}

// Stock returns how many units of a variant of the tool shop there are.
func (a *Accounts) Stock(t testing.TB, sku string) int {
	t.Helper()
	ctx := tenancy.In(t.Context(), uuid.MustParse(a.Named(t, "<tenant:tools>")))
	return Must(a.Store.Client.Variant.Query().Where(variant.Sku(sku)).Only(ctx))(t).Stock
}

// Delete deletes a record of the tool shop as its staff would: a variant by its SKU, others by their slug.
func (s Shopper) Delete(t testing.TB, section, key string) {
	t.Helper()
	member := map[bool]string{true: "sku", false: "slug"}[section == "variants"]
	gone := edit.Remove{Action: "delete", Section: section, Key: map[string]string{member: key}}
	_, err := gone.Apply(t.Context(), s.Store.Client, uuid.MustParse(s.Named(t, "<tenant:tools>")))
	if err != nil {
		t.Errorf("delete %s: %v", key, err)
	}
}
