package sheet

import (
	"errors"
	"strings"
	"testing"

	"storefront/ent/variant"
	"storefront/internal/content/bundle"
	"storefront/internal/content/plan"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
)

// TestEditsAfterTheCheckStay changes the shop after a sheet was checked and before it is written: the edits
// of staff stay beside the sheet's, and what no longer fits is left out and reported.
func TestEditsAfterTheCheckStay(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		of := tenant(t, s, "lamps.example")
		ctx := tenancy.In(t.Context(), of.ID)
		made := &maker{kind: Products, client: s.Client, values: []string{"watts"}, options: []string{"colour"}}
		text, err := made.of(ctx, "slug,value.watts,sku,stock,expectedStock,option.colour\n"+
			"desk,7,D-1,4,,Scarlet\nwall,,W-1,5,0,\n")
		if err != nil {
			t.Fatal(err)
		}
		met := false
		done, err := bundle.Import(ctx, s, bundle.Bytes(text), func(p bundle.Progress) {
			if met || p.Section != "products" {
				return
			}
			met = true
			apply(t, s, of, "desk", `{"values":{"watts":1,"dims":false,"note":"by staff"},"variations":[
				{"key":"colour","name":"Colour","nameFa":"رنگ","values":[
				{"key":"red","label":"Scarlet","labelFa":"سرخ"}]}]}`)
			change(t, s.Client, of, "UPDATE variants SET stock = 1", "W-1")
		}, bundle.FromSheet(bundle.Sheet{Sheet: plan.Sheet{Value: technical}}))
		left, _ := errors.AsType[*bundle.LeftOut](err)
		if !met || left == nil || len(left.List) != 1 || left.List[0].Path != "products[1].variants[0].stock" ||
			!strings.HasPrefix(left.List[0].Message, "is 1 by now") {
			t.Fatalf("got %v", err)
		}
		if done.Sections["products"].Updated != 1 || done.Sections["variants"].Updated != 1 {
			t.Errorf("it says to have written %v, want one product and its variant", done)
		}
		got := productOf(t, s, of, "desk")
		for key, want := range map[string]string{"watts": "7", "dims": "false", "note": `"by staff"`} {
			if string(got.Values[key]) != want {
				t.Errorf("%s: got %s, want %s", key, got.Values[key], want)
			}
		}
		if len(got.Variations) != 1 || len(got.Variations[0].Values) != 1 {
			t.Errorf("got %+v, want no choice more", got.Variations)
		}
		lamp := s.Client.Variant.Query().Where(variant.Sku("D-1")).OnlyX(ctx)
		if lamp.Options["colour"] != "red" || lamp.Stock != 4 || stockOf(t, s, of, "W-1") != 1 {
			t.Errorf("got %v, %d and %d in stock", lamp.Options, lamp.Stock, stockOf(t, s, of, "W-1"))
		}
	})
}

// TestWhatOthersWroteIsNotCounted has staff write, after the check, the same as one of two rows: that row is
// counted as unchanged, and only the other as updated.
func TestWhatOthersWroteIsNotCounted(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		of := tenant(t, s, "lamps.example")
		ctx := tenancy.In(t.Context(), of.ID)
		made := &maker{kind: Products, client: s.Client}
		text, err := made.of(ctx, "slug,titleEn\ndesk,New\nwall,New\nnone,\n")
		if err != nil {
			t.Fatal(err)
		}
		met := false
		done, err := bundle.Import(ctx, s, bundle.Bytes(text), func(p bundle.Progress) {
			if !met && p.Section == "products" {
				met = true
				apply(t, s, of, "desk", `{"titleEn":"New"}`)
			}
		}, bundle.FromSheet(bundle.Sheet{Sheet: plan.Sheet{Value: technical}}))
		if got := done.Sections["products"]; err != nil || !met || got != (bundle.Counts{Updated: 1, Unchanged: 2}) {
			t.Errorf("got %v, %v", done, err)
		}
	})
}
