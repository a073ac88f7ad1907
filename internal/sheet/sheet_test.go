package sheet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
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
{"sku":"W-1","priceCurrency":"EUR","price":12.50,"compareAtPrice":15,"stock":0,"lowStockAt":3,"onSale":false,
"maxOrderQuantity":2}]},
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
	shops.Each(t, func(t *testing.T, url string) { f(t, opened(t, url)) })
}

func opened(t *testing.T, url string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func tenant(t *testing.T, s *store.Store, domain string) *ent.Tenant {
	t.Helper()
	found, err := shop.Find(t.Context(), s.Client, domain)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func exported(t *testing.T, s *store.Store, of *ent.Tenant, kind Kind) string {
	t.Helper()
	var out bytes.Buffer
	if err := Export(t.Context(), s, of, kind, &out, nil); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// kindOf is the kind of a test's sheet: products have slugs.
func kindOf(sheet string) Kind {
	names, _, _ := strings.Cut(sheet, "\n")
	if strings.Contains(names, "slug") {
		return Products
	}
	return Offers
}

func imported(t *testing.T, s *store.Store, of *ent.Tenant, sheet string, check bool) (bundle.Summary, error) {
	t.Helper()
	return Import{Kind: kindOf(sheet), Check: check, File: "a.csv"}.Into(t.Context(), s, of, strings.NewReader(sheet))
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
			for _, kind := range []Kind{Products, Offers} {
				sheet := exported(t, s, of, kind)
				if lines := strings.Count(sheet, "\r\n"); !strings.HasPrefix(sheet, byteOrderMark) || lines == 0 {
					t.Fatalf("%s of %s: %d lines: %.200q", kind, domain, lines, sheet)
				}
				plain := strings.ReplaceAll(strings.TrimPrefix(sheet, byteOrderMark), "\r\n", "\n")
				for _, written := range []string{sheet, plain} {
					done, err := imported(t, s, of, written, false)
					if err != nil || done.Changed() {
						t.Fatalf("%s of %s: %+v, %v", kind, domain, done.Sections, err)
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
		check, err := imported(t, s, of, sheet, true)
		if err != nil || !check.Changed() {
			t.Fatalf("%+v, %v", check, err)
		}
		if n, err := s.Client.Product.Query().Count(tenancy.In(t.Context(), of.ID)); err != nil || n != 3 {
			t.Fatalf("a check has written: %d products, %v", n, err)
		}
		if _, err := imported(t, s, of, sheet, false); err != nil {
			t.Fatal(err)
		}
		out := exported(t, s, of, Products)
		for _, want := range []string{"desk,چراغ میز,\"Desk, lamp\"",
			"D-1,IRR,1300000,,7,,,false,true,,red,true,'-12,bath|hall,12.5",
			"D-2,IRR,1400000,,2,,,false,true,,blue,", "W-1,EUR,12.50,15.00,0,3,2,false,false,",
			"new,'=تازه,,,,lamps,,x|y,",
			"N-1,EUR,5.00,,1,,,false,false,,,,,,40"} {
			if !strings.Contains(out, want) {
				t.Errorf("there is no %q in\n%s", want, out)
			}
		}
		if _, err := imported(t, s, of, "sku,stock,price\nD-2,9,1500000\nN-1,,6\n", false); err != nil {
			t.Fatal(err)
		}
		if out := exported(t, s, of, Offers); !strings.Contains(out, "D-2,چراغ میز blue,IRR,1500000,,9,,true") ||
			!strings.Contains(out, "N-1,'=تازه,EUR,6.00,,1,,false") {
			t.Errorf("offers:\n%s", out)
		}
	})
}

// faultsOf are those of a sheet that is refused, as people read them.
func faultsOf(t *testing.T, err error) (said []string) {
	t.Helper()
	faults, refused := errors.AsType[*Faults](err)
	if !refused {
		t.Errorf("got %v, want faults", err)
		return nil
	}
	for _, one := range faults.List {
		said = append(said, one.String())
	}
	return said
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
			"sku;price\nD-1;۱٬۲۵\n\nW-1;۱۲a\n":            "row 2, price: ; row 4, price: ",
			"slug,value.watts\ndesk,bright\nnone,3\n":     "row 2, value.watts: ; row 3, value.watts: ",
			"slug,category,images\ndesk,nowhere,no-url\n": "row 2, category: ; row 2, images: ",
			"slug,publishedAt,status\ndesk,soon,ready\n":  "row 2, publishedAt: ; row 2, status: ",
			"slug,sku,option.colour\nnone,,red\nwall,W,\n": "" +
				"row 2, sku: ; row 2, priceCurrency: ; row 3, priceCurrency: ",
			"slug,description,status\n\n\n\"desk\",\"two\nlines\",\n\nwall,,gone\n": "row 6, status: ",
			"slug,titleFa\na,\xff\ndesk,b,c\n": "row 2, titleFa: is not UTF-8; " +
				"row 2, titleFa: is required; row 3: has more cells than there are columns",
			"slug,status\ndesk,gone\n\nwall,\"a": "row 2, status: ; row 4: has a cell that ends without its",
			"slug,status\ndesk,a\"b\nwall,gone":  "row 2: has a quotation mark within a cell",

			"":                        "row 1: is empty",
			"title,stock\nx,1\n":      "row 1, sku: is missing",
			"titleFa\nx\n":            "row 1, titleFa: is no column of offers; row 1, sku: is missing",
			"sku,imageUrl,option.x\n": "row 1, imageUrl: is no column; row 1, option.x: is no column",
			"slug,colour,value.\n":    "row 1, colour: is no column; row 1, value.: is no column",
			"slug,slug\n":             "row 1, slug: stands there twice", "\xff\xfes\x00": "row 1: is UTF-16",
			"slug,\xff\n": "row 1: is not UTF-8", "slug,titleFa,\"\",x\n": "row 1: has no name for column 3",
			"slug,titleFa\ra,b\r": "row 1: ends its lines with CR alone",
		} {
			_, err := imported(t, s, of, sheet, false)
			got, wanted := faultsOf(t, err), strings.Split(want, "; ")
			right := len(got) == len(wanted)
			for i := 0; right && i < len(got); i++ {
				right = strings.HasPrefix(got[i], wanted[i])
			}
			if !right {
				t.Errorf("%q: got\n%s\nwant\n%s", sheet, strings.Join(got, "\n"), want)
			}
		}
		all := strings.TrimPrefix(exported(t, s, of, Products), byteOrderMark)
		if done, err := imported(t, s, of, all, true); err != nil || done.Changed() {
			t.Errorf("the shop was changed: %+v, %v", done.Sections, err)
		}
	})
}

// TestSheetsAreBounded counts what is beyond the faults that are listed, and refuses more rows than there may be.
func TestSheetsAreBounded(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		of := tenant(t, s, "lamps.example")
		sheet := "sku,stock\n" + strings.Repeat("X-1,2\n", mostFaults+7)
		_, err := imported(t, s, of, sheet, true)
		faults, ok := errors.AsType[*Faults](err)
		if !ok || len(faults.List) != mostFaults || faults.Total() != mostFaults+7 {
			t.Errorf("got %v, want all faults counted", err)
		}
		few := Import{Kind: Offers, Most: 2}
		_, err = few.Into(t.Context(), s, of, strings.NewReader("sku\nD-1\n\nW-1\nW-1\n"))
		if got := faultsOf(t, err); len(got) != 1 || !strings.HasPrefix(got[0], "row 5: is one too many") {
			t.Errorf("got %q", got)
		}
	})
}

// TestNoCellIsAFormula writes texts that spreadsheets would run, also those that split lines elsewhere, and reads them
// back.
func TestNoCellIsAFormula(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"=1+1": "'=1+1", "+98912": "'+98912", "-2": "'-2", "@cmd": "'@cmd", "＝x": "'＝x", "'=x": "''=x",
		"'x": "'x", "''": "''", "": "", "x=1": "x=1", "a;=b": "a;'=b", "a؛+b": "a؛'+b", "a\n- b": "a\n'- b",
		"\t=x": "\t'=x", "a|'@b": "a|''@b", `a;"=b`: `a;"'=b`, "a; -b": "a; '-b", "a,=b": "a,=b", "a-b": "a-b",
	} {
		if got := safe(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		if got := shown(safe(text)); got != text {
			t.Errorf("got %q read as %q", text, got)
		}
	}
}

func FuzzCells(f *testing.F) {
	f.Add("'=x")
	f.Add("a;\"'=x\n-|+")
	starts := regexp.MustCompile(`(^|[;؛\t|\r\n])[" ]*[=+\-@＝＋－＠]`)
	f.Fuzz(func(t *testing.T, text string) {
		if cell := safe(text); starts.MatchString(cell) || shown(cell) != text {
			t.Errorf("%q is written as %q and read as %q", text, cell, shown(cell))
		}
		if parts := list(text); strings.Join(list(joined(parts)), "\n") != strings.Join(parts, "\n") {
			t.Errorf("%q is the list %q, which is written as %q", text, parts, joined(parts))
		}
	})
}

// FuzzReader reads any text without an end that never comes, and no row stands before the one above it.
func FuzzReader(f *testing.F) {
	f.Add("slug;titleFa\r\na;\"b\r\nc\"\r\n\r\nd;e")
	f.Fuzz(func(t *testing.T, text string) {
		var faults Faults
		r, err := newReader(strings.NewReader(text), &faults)
		for n, above := 0, 0; err == nil; n++ {
			var one row
			if one, err = r.next(); n > len(text) {
				t.Fatalf("more rows than letters in %q", text)
			}
			if err == nil && one.number <= above {
				t.Fatalf("row %d is below row %d in %q", one.number, above, text)
			}
			above = max(above, one.number)
		}
		if fmt.Sprint(err) == "" {
			t.Error("an error without words")
		}
	})
}
