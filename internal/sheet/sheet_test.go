package sheet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"storefront/ent"
	"storefront/internal/bundle"
	"storefront/internal/demo"
	"storefront/internal/shop"
	"storefront/internal/store"
	"storefront/internal/tenancy"
	"storefront/internal/testdb"
)

// lamps is a small shop with a form, two products and their variants.
const lamps = `{"format":"storefront-bundle/1",
"tenant":{"domain":"lamps.example","slug":"lamps","name":"Lamps","nameFa":"چراغ","defaultLocale":"fa"},
"categories":[{"entityType":"product","slug":"lamps","name":"Lamps","nameFa":"چراغ‌ها","form":{"title":"Form",
"titleFa":"فرم","fields":[{"key":"watts","label":"Watts","labelFa":"وات","type":"number"},
{"key":"dims","label":"Dims","labelFa":"کم‌نور","type":"boolean"},
{"key":"note","label":"Note","labelFa":"یادداشت","type":"text"},
{"key":"rooms","label":"Rooms","labelFa":"اتاق","type":"multiselect","options":[
{"value":"hall","label":"Hall","labelFa":"راهرو"},{"value":"bath","label":"Bath","labelFa":"حمام"}]}]}}],
"products":[
{"slug":"desk","titleFa":"=چراغ؛ \"میز\"","titleEn":"Desk, lamp","tags":["a|b","c"],"category":"lamps",
"description":"two\nlines","images":[{"url":"https://a.example/1.png","alt":"kept"}],
"values":{"watts":12.5,"dims":true,"note":"-12","rooms":["bath","hall"]},
"variations":[{"key":"colour","name":"Colour","nameFa":"رنگ","values":[{"key":"red","label":"Red","labelFa":"قرمز"}]}],
"variants":[{"sku":"D-1","options":{"colour":"red"},"priceCurrency":"IRR","price":1250000,"stock":3}]},
{"slug":"wall","titleFa":"دیواری","category":"lamps","variants":[
{"sku":"W-1","priceCurrency":"EUR","price":12.50,"compareAtPrice":15,"stock":0,"onSale":false,"maxOrderQuantity":2}]},
{"slug":"none","titleFa":"بدون گونه"}]}`

var shops = testdb.NewTemplate(func(ctx context.Context, url string) error {
	s, err := store.Open(ctx, url)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Migrate(ctx); err != nil {
		return err
	}
	_, err = bundle.Import(ctx, s, bundle.Bytes([]byte(lamps)), nil)
	for _, one := range demo.Bundles() {
		if err == nil {
			_, err = bundle.Import(ctx, s, bundle.Bytes(one.Data), nil)
		}
	}
	return err
})

// each runs f on both databases.
func each(t *testing.T, f func(t *testing.T, s *store.Store)) {
	t.Parallel()
	shops.Each(t, func(t *testing.T, url string) {
		s, err := store.Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		f(t, s)
	})
}

func tenant(t *testing.T, s *store.Store, domain string) *ent.Tenant {
	t.Helper()
	found, err := shop.Find(t.Context(), s.Client, domain)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

type exporting func(context.Context, *store.Store, *ent.Tenant, io.Writer) error

func exported(t *testing.T, s *store.Store, of *ent.Tenant, export exporting) string {
	t.Helper()
	var out bytes.Buffer
	if err := export(t.Context(), s, of, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestSheetsComeBack imports what was exported, of shops with all kinds of products: nothing changes, without the mark
// and with line feeds alone as well.
func TestSheetsComeBack(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		domains := []string{"lamps.example"}
		for _, one := range demo.Bundles() {
			domains = append(domains, one.Domain)
		}
		for _, domain := range domains {
			of := tenant(t, s, domain)
			var before bytes.Buffer
			if err := bundle.Export(t.Context(), s, domain, &before); err != nil {
				t.Fatal(err)
			}
			for name, export := range map[string]exporting{"products": ExportProducts, "offers": ExportOffers} {
				sheet := exported(t, s, of, export)
				if lines := strings.Count(sheet, "\r\n"); !strings.HasPrefix(sheet, byteOrderMark) || lines == 0 {
					t.Fatalf("%s of %s: %d lines: %.200q", name, domain, lines, sheet)
				}
				plain := strings.ReplaceAll(strings.TrimPrefix(sheet, byteOrderMark), "\r\n", "\n")
				for _, written := range []string{sheet, plain} {
					done, err := ImportProducts(t.Context(), s, of, strings.NewReader(written), false)
					if err != nil || done.Changed() {
						t.Fatalf("%s of %s: %+v, %v", name, domain, done.Sections, err)
					}
				}
			}
			var after bytes.Buffer
			err := bundle.Export(t.Context(), s, domain, &after)
			if err != nil || !bytes.Equal(before.Bytes(), after.Bytes()) {
				t.Errorf("%s is another shop: %v", domain, err)
			}
		}
	})
}

// TestSpreadsheet brings in what a spreadsheet writes: semicolons, Persian digits, words for choices, empty cells.
func TestSpreadsheet(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		of := tenant(t, s, "lamps.example")
		sheet := byteOrderMark +
			"slug;titleFa;category;sku;price;priceCurrency;stock;option.colour;onSale;value.watts;tags\r\n" +
			"desk;چراغ میز;lamps;D-1;۱٬۳۰۰٬۰۰۰;IRR;۷;قرمز;بله;۱۲٫۵;\r\n" +
			"desk;;;D-2;1400000;IRR;2;Blue;TRUE;;\r\n" +
			";;;;;;;;;;\r\n" +
			"new;'=تازه;lamps;N-1;5;EUR;1;;no;40;x|y\r\n"
		check, err := ImportProducts(t.Context(), s, of, strings.NewReader(sheet), true)
		if err != nil || !check.Changed() {
			t.Fatalf("%+v, %v", check, err)
		}
		if n, err := s.Client.Product.Query().Count(tenancy.In(t.Context(), of.ID)); err != nil || n != 3 {
			t.Fatalf("a check has written: %d products, %v", n, err)
		}
		if _, err := ImportProducts(t.Context(), s, of, strings.NewReader(sheet), false); err != nil {
			t.Fatal(err)
		}
		out := exported(t, s, of, ExportProducts)
		for _, want := range []string{"desk,چراغ میز,\"Desk, lamp\"",
			"D-1,IRR,1300000,,7,,false,true,,red,true,'-12,bath|hall,12.5",
			"D-2,IRR,1400000,,2,,false,true,,blue,", "new,'=تازه,,,,lamps,,x|y,",
			"N-1,EUR,5.00,,1,,false,false,,,,,,40"} {
			if !strings.Contains(out, want) {
				t.Errorf("there is no %q in\n%s", want, out)
			}
		}
		offers := "sku,stock,price\nD-2,9,1500000\nN-1,,6\n"
		if _, err := ImportProducts(t.Context(), s, of, strings.NewReader(offers), false); err != nil {
			t.Fatal(err)
		}
		if out := exported(t, s, of, ExportOffers); !strings.Contains(out, "D-2,چراغ میز blue,IRR,1500000,,9,true") ||
			!strings.Contains(out, "N-1,'=تازه,EUR,6.00,,1,false") {
			t.Errorf("offers:\n%s", out)
		}
	})
}

// TestFaultsByRowAndColumn refuses a sheet with all that is wrong, where it stands, and writes nothing.
func TestFaultsByRowAndColumn(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		of := tenant(t, s, "lamps.example")
		for sheet, want := range map[string]string{
			"slug,titleFa,sku,price,stock\ndesk,x,D-1,12x,1\n\"desk\",\"y\",D-1b,1,-2\nwall,,W-1,1,1\n": "" +
				"row 2, price: ; row 3, titleFa: is not as in row 2; row 3, priceCurrency: ; row 3, stock: ",
			"sku,price\nD-1,\"1,250\"\nX-9,1\n,2\n": "" +
				"row 2, price: ; row 3, sku: names no variant; row 4, sku: is required",
			"slug,value.watts\ndesk,bright\nnone,3\n":     "row 2, value.watts: ; row 3, value.watts: ",
			"slug,category,images\ndesk,nowhere,no-url\n": "row 2, category: ; row 2, images: ",
			"slug,publishedAt,status\ndesk,soon,ready\n":  "row 2, publishedAt: ; row 2, status: ",
			"slug,sku,option.colour\nnone,,red\nwall,W,\n": "" +
				"row 2, sku: ; row 2, priceCurrency: ; row 3, priceCurrency: ",
		} {
			_, err := ImportProducts(t.Context(), s, of, strings.NewReader(sheet), false)
			faults, refused := errors.AsType[*Faults](err)
			if !refused {
				t.Errorf("%q: %v", sheet, err)
				continue
			}
			var got []string
			for _, one := range faults.List {
				got = append(got, one.String())
			}
			wanted := strings.Split(want, "; ")
			right := len(got) == len(wanted)
			for i := range got {
				right = right && strings.HasPrefix(got[i], wanted[i])
			}
			if !right {
				t.Errorf("%q: got\n%s\nwant\n%s", sheet, strings.Join(got, "\n"), want)
			}
		}
		for sheet, words := range map[string]string{
			"": "empty", "title\nx\n": "slug", "slug,colour\n": `no column "colour"`, "slug,slug\n": "two columns",
			"\xff\xfes\x00": "UTF-16", "slug,titleFa\na,\xff\n": "UTF-8", "slug\na,b\n": "more cells",
			"slug\n\"a\n":           "",
			"slug,titleFa,\"\",x\n": "no name",
		} {
			_, err := ImportProducts(t.Context(), s, of, strings.NewReader(sheet), false)
			if _, listed := errors.AsType[*Faults](err); err == nil || listed || !strings.Contains(err.Error(), words) {
				t.Errorf("%q: %v, want %s", sheet, err, words)
			}
		}
		if done, err := ImportProducts(t.Context(), s, of, strings.NewReader(strings.TrimPrefix(
			exported(t, s, of, ExportProducts), byteOrderMark)), true); err != nil || done.Changed() {
			t.Errorf("the shop was changed: %+v, %v", done.Sections, err)
		}
	})
}

// TestNoCellIsAFormula writes texts that spreadsheets would run, and reads them back.
func TestNoCellIsAFormula(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"=1+1", "+98912", "-2", "@cmd", "\tx", "\rx", "＝x", "'=x", "''=x", "'x", "''", "'",
		"", "x=1"} {
		cell := safe(text)
		if isFormula(cell) {
			t.Errorf("%q is written as %q", text, cell)
		}
		if got := shown(cell); got != text {
			t.Errorf("%q is read as %q", text, got)
		}
	}
}

func FuzzCells(f *testing.F) {
	f.Add("'=x")
	f.Fuzz(func(t *testing.T, text string) {
		if cell := safe(text); isFormula(cell) || shown(cell) != text {
			t.Errorf("%q is written as %q and read as %q", text, cell, shown(cell))
		}
		if parts := list(text); strings.Join(list(joined(parts)), "\n") != strings.Join(parts, "\n") {
			t.Errorf("%q is the list %q, which is written as %q", text, parts, joined(parts))
		}
	})
}

// FuzzReader reads any text without an end that never comes.
func FuzzReader(f *testing.F) {
	f.Add("slug;titleFa\r\na;\"b\r\nc\"\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := newReader(strings.NewReader(text))
		for n := 0; err == nil; n++ {
			if _, err = r.next(); n > len(text) {
				t.Fatalf("more rows than letters in %q", text)
			}
		}
		if fmt.Sprint(err) == "" {
			t.Error("an error without words")
		}
	})
}
