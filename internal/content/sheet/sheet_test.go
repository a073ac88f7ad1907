package sheet

import (
	"bytes"
	"context"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"storefront/ent"
	"storefront/internal/content/bundle"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/tenancy"
	"storefront/internal/demo"
	"storefront/internal/shop"
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
"variations":[{"key":"colour","name":"Colour","nameFa":"رنگ","values":[
{"key":"red","label":"Red","labelFa":"قرمز"}]}],
"variants":[{"sku":"D-1","options":{"colour":"red"},"priceCurrency":"IRR","price":1250000,"stock":3}]},
{"slug":"wall","titleFa":"دیواری","category":"lamps","variants":[
{"sku":"W-1","priceCurrency":"EUR","price":12.50,"compareAtPrice":15,"stock":0,"lowStockAt":3,"onSale":false,
"maxOrderQuantity":2,"weight":750,"taxCategory":"lamps"}]},
{"slug":"none","titleFa":"بدون گونه"}]}`

var shops = storetest.NewTemplate(func(ctx context.Context, s *store.Store) error {
	_, err := bundle.Import(ctx, s, bundle.Bytes([]byte(lamps)), nil)
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
	shops.Each(t, func(t *testing.T, url string) { f(t, storetest.Open(t, url)) })
}

func tenant(t testing.TB, s *store.Store, domain string) *ent.Tenant {
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

// kindOf returns the kind of a test's sheet: only products have slugs.
func kindOf(sheet string) Kind {
	if strings.Contains(strings.ToLower(sheet), "slug") || strings.Contains(sheet, "l\x00u") {
		return Products
	}
	return Offers
}

func imported(t *testing.T, s *store.Store, of *ent.Tenant, sheet string, check bool) (bundle.Summary, error) {
	t.Helper()
	return Import{Kind: kindOf(sheet), Check: check, File: "a.csv"}.Into(t.Context(), s, of, strings.NewReader(sheet))
}

// TestSheetsComeBack imports exported sheets of shops with all kinds of products: nothing changes, even
// without the byte order mark and with line feeds only.
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

// TestSpreadsheet imports what a spreadsheet writes: semicolons, Persian digits, labels of options, empty
// cells.
func TestSpreadsheet(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		of := tenant(t, s, "lamps.example")
		sheet := byteOrderMark +
			"sep=;\r\n\r\n" +
			" Slug;TITLEFA;category;SKU;Price ;pricecurrency;stock;Option.colour;onsale;VALUE.watts;tags\r\n" +
			"desk;چراغ میز;lamps;D-1;۱٬۳۰۰٬۰۰۰;IRR;७;قرمز;بله;１２٫۵;\r\n" +
			"desk;;;D-2;1400000;IRR;2;Blue;TRUE;;\r\n" +
			";;;;;;;;;;\r\n" +
			"new;'=تازه;lamps;N-1;5;EUR;1;;no;40;x|y\r\n"
		check, err := imported(t, s, of, sheet, true)
		if err != nil || !check.Changed() {
			t.Fatalf("got %+v, %v", check, err)
		}
		if n, err := s.Client.Product.Query().Count(tenancy.In(t.Context(), of.ID)); err != nil || n != 3 {
			t.Fatalf("a check has written: %d products, %v", n, err)
		}
		if _, err := imported(t, s, of, sheet, false); err != nil {
			t.Fatal(err)
		}
		out := exported(t, s, of, Products)
		for _, want := range []string{"desk,چراغ میز,\"Desk, lamp\"",
			"D-1,IRR,1300000,,7,7,,,,,false,true,,red,true,'-12,bath|hall,12.5",
			"D-2,IRR,1400000,,2,2,,,,,false,true,,blue,", "W-1,EUR,12.50,15.00,0,0,3,2,750,lamps,false,false,",
			"new,'=تازه,,,,,,lamps,,x|y,",
			"N-1,EUR,5.00,,1,1,,,,,false,false,,,,,,40"} {
			if !strings.Contains(out, want) {
				t.Errorf("there is no %q in\n%s", want, out)
			}
		}
		if _, err := imported(t, s, of, "SKU,Stock,PRICE\nD-2,9,1500000\nN-1,,6\n", false); err != nil {
			t.Fatal(err)
		}
		if out := exported(t, s, of, Offers); !strings.Contains(out, "D-2,چراغ میز blue,IRR,1500000,,9,9,,true") ||
			!strings.Contains(out, "N-1,'=تازه,EUR,6.00,,1,1,,false") {
			t.Errorf("offers:\n%s", out)
		}
	})
}

// TestNoCellIsAFormula exports texts that spreadsheets would run, even if a program splits cells
// differently, and imports them again.
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

// TestCellsAreKept checks which texts are written so that no spreadsheet takes them for numbers or dates.
func TestCellsAreKept(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"0017", "90.750", "6260000000017", "12E3", "1-2", "MAR1", "2-jan", "3 March 2026",
		"1/2", "10:30", "5 pm", "50%", "$5", "(5)", "1,250", "۱۲۳", "TRUE", "2026-03-21T08:30:00Z", "sept2"} {
		if got := kept(text); got != `="`+text+`"` || shown(got) != text || shown(" "+got) != text {
			t.Errorf("got %q, which is read as %q", got, shown(got))
		}
	}
	for text, want := range map[string]string{"": "", "D-1": "D-1", "lamp 3": "lamp 3", "E3": "E3", "may": "may",
		"-": "'-", "-2": "'-2", "a|007": "a|007", "½": "½", "$": "$", `="0017"`: `'="0017"`,
		strings.Repeat("1", 201): strings.Repeat("1", 201)} {
		if got := kept(text); got != want || shown(got) != text {
			t.Errorf("%q: got %q, which is read as %q", text, got, shown(got))
		}
	}
}

func FuzzCells(f *testing.F) {
	f.Add("'=x")
	f.Add("a;\"'=x\n-|+")
	isKept := regexp.MustCompile(`^="[^"\n\r\t;|=@]*"$`)
	starts := regexp.MustCompile(`(^|[;؛\t|\r\n])[" ]*[=+\-@＝＋－＠]`)
	f.Fuzz(func(t *testing.T, text string) {
		if cell := safe(text); starts.MatchString(cell) || shown(cell) != text {
			t.Errorf("%q is written as %q and read as %q", text, cell, shown(cell))
		}
		if cell := kept(text); strings.HasPrefix(cell, "=") && !isKept.MatchString(cell) || shown(cell) != text {
			t.Errorf("%q is kept as %q and read as %q", text, cell, shown(cell))
		}
		if parts := list(text); strings.Join(list(joined(parts)), "\n") != strings.Join(parts, "\n") {
			t.Errorf("%q is the list %q, which is written as %q", text, parts, joined(parts))
		}
	})
}

// FuzzReader checks that reading any text ends, and that row numbers increase.
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
		refused, ok := errors.AsType[*Faults](err)
		if ok && len(refused.List) == 0 || !ok && !errors.Is(err, io.EOF) {
			t.Errorf("got %v, want faults or the end", err)
		}
	})
}
