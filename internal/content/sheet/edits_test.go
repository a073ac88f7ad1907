package sheet

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"storefront/ent"
	"storefront/ent/product"
	"storefront/ent/variant"
	"storefront/internal/content/bundle"
	"storefront/internal/content/document"
	"storefront/internal/content/edit"
	"storefront/internal/content/plan"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

func stockOf(t *testing.T, s *store.Store, of *ent.Tenant, sku string) int {
	t.Helper()
	return s.Client.Variant.Query().Where(variant.Sku(sku)).OnlyX(tenancy.In(t.Context(), of.ID)).Stock
}

// sell takes one of a variant's stock, as a checkout does.
func sell(t *testing.T, s *store.Store, of *ent.Tenant, sku string) {
	t.Helper()
	change(t, s.Client, of, "UPDATE variants SET stock = stock - 1", sku)
}

// change runs a statement on a variant.
func change(t *testing.T, client interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}, of *ent.Tenant, statement, sku string) {
	t.Helper()
	_, err := client.ExecContext(t.Context(), statement+" WHERE tenant_id = $1 AND sku = $2", of.ID, sku)
	if err != nil {
		t.Fatal(err)
	}
}

// TestSoldUnitsStaySold exports, sells, and imports with other titles and prices: the stock stays what was
// left. A stock that was changed in the sheet is set, unless the shop has sold the variant since.
func TestSoldUnitsStaySold(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		of := tenant(t, s, "lamps.example")
		for _, kind := range []Kind{Products, Offers} {
			into := func(sheet string) error {
				_, err := Import{Kind: kind}.Into(t.Context(), s, of, strings.NewReader(sheet))
				return err
			}
			before := stockOf(t, s, of, "D-1")
			sheet := exported(t, s, of, kind)
			sell(t, s, of, "D-1")
			sheet = strings.NewReplacer("1250000", "1350000").Replace(sheet)
			if err := into(sheet); err != nil || stockOf(t, s, of, "D-1") != before-1 {
				t.Errorf("%s: got %d, %v; want %d left", kind, stockOf(t, s, of, "D-1"), err, before-1)
			}
			if out := exported(t, s, of, Offers); !strings.Contains(out, "1350000") {
				t.Errorf("%s: the price is another: %s", kind, out)
			}
			named := "sku,stock,expectedStock\n"
			if kind == Products {
				named = "slug," + named
			}
			row := func(cells string) string { return named + map[Kind]string{Products: "desk,"}[kind] + cells + "\n" }
			got := faultsOf(t, into(row("D-1,9,7")))
			if len(got) != 1 || !strings.HasPrefix(got[0], "row 2, stock: is ") {
				t.Errorf("%s: got %q", kind, got)
			}
			now := stockOf(t, s, of, "D-1")
			for range 2 { // the second time it is there already
				sheet := row("D-1,9," + string(rune('0'+now)))
				if err := into(sheet); err != nil || stockOf(t, s, of, "D-1") != 9 {
					t.Errorf("%s: got %d, %v", kind, stockOf(t, s, of, "D-1"), err)
				}
			}
			for cells, want := range map[string]int{"D-1,4,": 4, "D-1,,3": 4} {
				if err := into(row("D-1,4,")); err != nil {
					t.Fatal(err)
				}
				if err := into(row(cells)); err != nil || stockOf(t, s, of, "D-1") != want {
					t.Errorf("%s, %s: got %d, %v", kind, cells, stockOf(t, s, of, "D-1"), err)
				}
			}
			change(t, s.Client, of, "UPDATE variants SET price = 1250000", "D-1")
		}
		// a copied row is a new variant, with the stock of its cell, once it has no expectedStock
		copied := "slug,sku,priceCurrency,stock,expectedStock,option.colour\ndesk,D-3,IRR,3,,green\n"
		if _, err := imported(t, s, of, copied, false); err != nil || stockOf(t, s, of, "D-3") != 3 {
			t.Errorf("a new one: %v", err)
		}
	})
}

// TestASaleWhileASheetIsWritten sells a variant while an import waits for it, on PostgreSQL for the
// variant's row, on SQLite for the file: the sale is not lost, and the sheet's row is a fault.
func TestASaleWhileASheetIsWritten(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		of := tenant(t, s, "lamps.example")
		err := soldMeanwhile(t, s, of, "sku,stock,expectedStock\nD-1,9,3\nW-1,5,0\n")
		got := faultsOf(t, err)
		faults, _ := errors.AsType[*Faults](err)
		if len(got) != 1 || !strings.HasPrefix(got[0], "row 2, stock: is 2 by now") {
			t.Fatalf("got %q", got)
		}
		// On SQLite the import may find the sale when it checks the sheet: then it writes nothing, and says so.
		want := 5
		if s.Dialect != dialect.Postgres && !faults.Written {
			want = 0
		}
		if d, w := stockOf(t, s, of, "D-1"), stockOf(t, s, of, "W-1"); d != 2 || w != want {
			t.Errorf("got stocks %d and %d, want 2 and %d (written: %t)", d, w, want, faults.Written)
		}
		var once []string // though the transaction ran twice
		if want > 0 {
			once = []string{`variant W-1 {"stock":0} {"stock":5}`}
		}
		if got := recorded(t, s, of); !slices.Equal(got, once) {
			t.Errorf("the audit log has %q, want %q", got, once)
		}
	})
}

// soldMeanwhile imports a sheet of offers that waits while one D-1 is sold: on PostgreSQL for the variant's
// row, on SQLite for the file.
func soldMeanwhile(t *testing.T, s *store.Store, of *ent.Tenant, sheet string) error {
	t.Helper()
	tx, err := s.Client.Tx(tenancy.In(t.Context(), of.ID))
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	change(t, tx, of, "UPDATE variants SET stock = stock - 1", "D-1")
	done := make(chan error)
	go func() {
		_, err := Import{Kind: Offers}.Into(t.Context(), s, of, strings.NewReader(sheet))
		done <- err
	}()
	for waits := 0; waits == 0 && s.Dialect == dialect.Postgres; { // waiting for SQLite's file cannot be observed
		rows, err := s.Client.QueryContext(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			_ = rows.Scan(&waits)
		}
		rows.Close()
		select {
		case err := <-done:
			t.Fatalf("the import did not wait: %v", err)
		default:
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	return <-done
}

// editedMeanwhile imports a sheet while staff change the shop: after it was read, before anything is
// written.
func editedMeanwhile(t *testing.T, s *store.Store, of *ent.Tenant, sheet string, edit func(ctx context.Context)) error {
	t.Helper()
	met := false
	_, err := Import{Kind: kindOf(sheet)}.Into(t.Context(), s, of, &after{strings.NewReader(sheet), func() {
		if !met {
			met = true
			edit(t.Context())
		}
	}})
	if !met {
		t.Error("nothing was changed meanwhile")
	}
	return err
}

// after calls a function when the sheet was read to its end, before the import takes its lock.
type after struct {
	text *strings.Reader
	call func()
}

func (a *after) Read(p []byte) (int, error) {
	n, err := a.text.Read(p)
	if err != nil {
		a.call()
	}
	return n, err
}

// apply makes an edit of a product, as staff do.
func apply(t *testing.T, s *store.Store, of *ent.Tenant, slug, members string) {
	t.Helper()
	var given map[string]any
	if err := json.Unmarshal([]byte(members), &given); err != nil {
		t.Fatal(err)
	}
	_, err := edit.One{Action: "updateProduct", Section: "products", Key: map[string]string{"slug": slug},
		Members: given}.Apply(t.Context(), s.Client, of.ID)
	if err != nil {
		t.Fatal(err)
	}
}

func productOf(t *testing.T, s *store.Store, of *ent.Tenant, slug string) *ent.Product {
	t.Helper()
	return s.Client.Product.Query().Where(product.Slug(slug)).OnlyX(tenancy.In(t.Context(), of.ID))
}

// TestEditsOfStaffStay changes values and options of a product while a sheet with others of them is being
// imported.
func TestEditsOfStaffStay(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		of := tenant(t, s, "lamps.example")
		sheet := "slug,value.watts,value.rooms,sku,option.size\ndesk,7,,D-1,L\n"
		err := editedMeanwhile(t, s, of, sheet, func(context.Context) {
			apply(t, s, of, "desk", `{"values":{"watts":12.5,"dims":false,"note":"by staff"},
				"variations":[{"key":"colour","name":"Colour","nameFa":"رنگ","values":[
				{"key":"red","label":"Scarlet","labelFa":"سرخ"},{"key":"blue","label":"Blue","labelFa":"آبی"}]}]}`)
		})
		if err != nil {
			t.Fatal(err)
		}
		got := productOf(t, s, of, "desk")
		for key, want := range map[string]string{"watts": "7", "dims": "false", "note": `"by staff"`, "rooms": ""} {
			if string(got.Values[key]) != want {
				t.Errorf("%s: got %s, want %s", key, got.Values[key], want)
			}
		}
		if len(got.Variations) != 2 || len(got.Variations[0].Values) != 2 ||
			got.Variations[0].Values[0].Label != "Scarlet" || got.Variations[1].Values[0].Key != "l" {
			t.Errorf("got %+v", got.Variations)
		}
		options := s.Client.Variant.Query().Where(variant.Sku("D-1")).OnlyX(tenancy.In(t.Context(), of.ID)).Options
		if len(options) != 2 || options["colour"] != "red" || options["size"] != "l" {
			t.Errorf("got %v", options)
		}
	})
}

// TestOffersMakeNothing deletes a variant while a sheet of offers is being imported.
func TestOffersMakeNothing(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		of := tenant(t, s, "lamps.example")
		none := "sku,priceCurrency,stock\nW-1,EUR,5\nN-1,EUR,1\n"
		if got := faultsOf(t, second(imported(t, s, of, none, false))); len(got) != 1 ||
			got[0] != "row 3, sku: names no variant" {
			t.Errorf("got %q", got)
		}
		made, err := (&maker{kind: Offers, client: s.Client}).of(tenancy.In(t.Context(), of.ID), none[:36])
		if err != nil {
			t.Fatal(err)
		}
		change(t, s.Client, of, "DELETE FROM variants", "W-1")
		_, err = bundle.Import(t.Context(), s, bundle.Bytes(made), nil,
			bundle.FromSheet(bundle.Sheet{Sheet: plan.Sheet{Value: technical, Offers: true}}))
		found, _ := errors.AsType[*document.Faults](err)
		if found == nil || len(found.List) != 1 || found.List[0].Path != "products[0].variants[0].sku" {
			t.Errorf("got %v", err)
		}
	})
}

func second[A any](_ A, err error) error { return err }

// of makes the bundle of a sheet.
func (m *maker) of(ctx context.Context, sheet string) ([]byte, error) {
	rows, err := newReader(strings.NewReader(sheet), &m.faults)
	if err != nil {
		return nil, err
	}
	m.rows = rows
	return m.bundle(ctx, "lamps.example")
}

// TestFormerSlugs imports sheets that were written before a product and its category got other slugs.
func TestFormerSlugs(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		of := tenant(t, s, "lamps.example")
		whole := exported(t, s, of, Products)
		few := "slug,category,value.watts,sku,option.colour\ndesk,lamps,12.5,D-1,Red\n"
		before := productOf(t, s, of, "desk")
		for _, change := range []edit.ChangeSlug{
			{Action: "changeProductSlug", Kind: record.SlugProduct, From: "desk", To: "desk-lamp"},
			{Action: "changeCategorySlug", Kind: record.SlugCategory(record.Product), From: "lamps", To: "lights"},
		} {
			if _, err := change.Apply(t.Context(), s.Client, of.ID); err != nil {
				t.Fatal(err)
			}
		}
		for _, sheet := range []string{few, whole, "slug,value.watts\ndesk,12.5\n"} {
			if done, err := imported(t, s, of, sheet, false); err != nil || done.Changed() {
				t.Errorf("%.20q: %+v, %v", sheet, done.Sections, err)
			}
		}
		after := productOf(t, s, of, "desk-lamp")
		if len(after.Variations) != 1 || after.Variations[0].ID != before.Variations[0].ID ||
			string(after.Values["watts"]) != "12.5" {
			t.Errorf("got %+v, want %+v", after, before)
		}
		if got := faultsOf(t, second(imported(t, s, of, "slug,titleFa\ndesk,x\ndesk-lamp,y\n", true))); len(got) != 1 ||
			got[0] != "row 3, slug: is the slug of row 2 already; the rows of a product stand together" {
			t.Errorf("got %q", got)
		}
	})
}

// TestMovedVariantsAreReported moves variants to another product by rows that name no product and follow it:
// they are counted as moved, and faults name the product that they leave.
func TestMovedVariantsAreReported(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		of := tenant(t, s, "lamps.example")
		moved := "slug,sku,price\nnone,,\n,W-1,12.50\n"
		for _, check := range []bool{true, false} {
			done, err := imported(t, s, of, moved, check)
			if err != nil || done.Sections["variants"] != (bundle.Counts{Updated: 1, Moved: 1}) ||
				done.Sections["products"].Moved != 0 || !strings.Contains(done.String(), "1 of them moved to another") {
				t.Errorf("check %t: got %v, %v", check, done, err)
			}
		}
		if done, err := imported(t, s, of, moved, false); err != nil || done.Changed() {
			t.Errorf("once more: got %v, %v", done, err)
		}
		_, err := imported(t, s, of, "slug,sku,price\nnone,W-1,-3\n,D-1,-5\n", true)
		got := faultsOf(t, err)
		reported := slices.Contains(got, "row 3, sku: belongs to the product desk")
		if !reported || strings.Contains(strings.Join(got, "\n"), "row 2, sku") {
			t.Errorf("got %q", got)
		}
		// a typing error that shows only in options: those of another variant of the product, or of the sheet
		for sheet, want := range map[string][]string{
			"slug,titleEn,sku,priceCurrency,option.colour\nother,Other,O-1,IRR,RED\n,,D-1,,RED\n": {
				"row 3, sku: belongs to the product desk",
				"row 3, option.colour: are those of the variant O-1, which is on sale too"},
			"slug,sku,priceCurrency,price,compareAtPrice,onSale,option.colour\ndesk,W-1,IRR,5,,true,RED\n": {
				"row 2, sku: belongs to the product none",
				"row 2, option.colour: are those of the variant D-1, which is on sale too"},
		} {
			_, err := imported(t, s, of, sheet, true)
			if got := faultsOf(t, err); !slices.Equal(got, want) {
				t.Errorf("%q: got %q, want %q", sheet, got, want)
			}
		}
	})
}
