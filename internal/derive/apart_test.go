package derive_test

import (
	"testing"

	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/derive"
	"storefront/internal/store"
)

// TestTitlesApart migrates search texts that have both titles in one piece.
func TestTitlesApart(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		a := newShop(t, s, "a")
		for i, p := range a.products {
			a.variant(p, p.Slug+"-1", 5, true)
			a.products[i] = p.Update().SetTitleFa("کتاب\u200cخانه").SetTitleEn("Ça & là – 12%").SaveX(a.ctx)
		}
		p := a.products[0]
		p.Update().SetSearchText("کتابخانهcala12").ExecX(a.ctx)
		s.Client.Variant.Update().Where(variant.ProductID(p.ID)).SetSearchText("کتابخانهcala12 one1").ExecX(a.ctx)
		a.products[1].Update().SetSearchText(derive.SearchText("other", "text")).ExecX(a.ctx) // written by a newer version

		tx, err := s.DB.Driver().Tx(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := derive.TitlesApart(s.Dialect).Run(t.Context(), tx); err != nil {
			t.Fatal(err)
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{"کتابخانه cala12", "other text"} {
			got := s.Client.Product.Query().Where(product.ID(a.products[i].ID)).OnlyX(a.ctx).SearchText
			if got != want {
				t.Errorf("product %d has %q, want %q", i, got, want)
			}
		}
		if got := s.Client.Variant.Query().Where(variant.ProductID(p.ID)).OnlyX(a.ctx).SearchText; got != "کتابخانه cala12 one1" {
			t.Errorf("its variant has %q", got)
		}
	})
}
