package sheet

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"storefront/internal/database/store"
)

// faultsOf returns the faults of a refused sheet as texts.
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

// TestFaultsByRowAndColumn checks that all faults of a sheet are reported with their positions, and nothing
// is written.
func TestFaultsByRowAndColumn(t *testing.T) {
	const (
		notUTF8 = "is not UTF-8; save the sheet as CSV UTF-8"
		point   = "has a point before three digits, which some take for decimals and others for thousands; " +
			"write 1250000 or 12.5"
		noTitle = "is required, if none is given of: titleEn"
		gone    = "is not known, though the row was exported (it has an expectedStock): it was deleted since, " +
			"or a spreadsheet changed it; leave expectedStock empty in a new row"
		maybe = "is not known, though the row was exported (it has an expectedStock); was it %s before a " +
			"spreadsheet changed it? Leave expectedStock empty in a new row"
		comma = "has a comma, which some take for decimals and others for thousands; write 1250000 or 12.5"
	)
	offers := "is no column of offers; there are " + strings.Join(offerColumns, ", ")
	products := "is no column of products; there are " + names() + ", option.KEY and value.KEY"
	each(t, func(t *testing.T, s *store.Store) {
		of := tenant(t, s, "lamps.example")
		for sheet, want := range map[string][]string{
			"slug,titleFa,sku,price,stock\ndesk,x,D-1,12x,1\n\"desk\",\"y\",D-1b,1,-2\nwall,,W-1,1,1\n": {
				"row 2, price: must be a number",
				"row 3, titleFa: is not as in row 2, the first of the product",
				"row 3, stock: must be from 0 to 1000000000",
				"row 3, priceCurrency: is required"},
			"sku,price\nD-1,\"1,250\"\nX-9,1\n,2\n": {
				"row 2, price: " + comma,
				"row 3, sku: names no variant", "row 4, sku: is required"},
			"sku;price\nD-1;12,5\nW-1;۱۲٬۵۰۰,۵\n": {
				"row 2, price: " + comma,
				"row 3, price: " + comma},
			"sku;price\nD-1;۱٬۲۵\n\nW-1;۱۲a\n": {
				"row 2, price: must be a number", "row 4, price: must be a number"},
			"slug,value.watts\ndesk,bright\nnone,3\n": {
				"row 2, value.watts: must be a number",
				"row 3, value.watts: cannot be given: the category and those above it have no form"},
			"slug,sku,value.watts\ndesk,D-1,10\ndesk,,\n,,20\n": {
				"row 4, value.watts: is not as in row 2, the first of the product"},
			"slug,status,sku,stock\ndesk,gone,,\ndesk,,D-1,x\nnone,ready,,\nwall,,,\n,,W-1,1\nwall,,,\n": {
				"row 2, status: must be one of draft, published, archived",
				"row 3, stock: must be a whole number",
				"row 4, status: must be one of draft, published, archived"},
			"slug,titleEn,sku\nwall,,\n,,W-1\nnone,,\nwall,,\n": {
				"row 5, slug: is the slug of row 2 already; the rows of a product stand together"},
			"slug,category,images\ndesk,nowhere,no-url\n": {
				"row 2, category: names no category of a product",
				"row 2, images: must begin with http://, https:// or /"},
			"slug,publishedAt,status\ndesk,soon,ready\n": {
				"row 2, publishedAt: must be a time of RFC 3339, such as 2026-03-21T08:30:00Z",
				"row 2, status: must be one of draft, published, archived"},
			"slug,sku,option.colour\nnone,,red\nwall,W,\n": {
				"row 2, sku: is required", "row 2, priceCurrency: is required", "row 3, priceCurrency: is required"},
			"slug,sku,priceCurrency,option.colour\ndesk,D-2,IRR,RED\n": {
				"row 2, option.colour: are those of the variant D-1, which is on sale too"},
			"slug,sku,priceCurrency,option.colour,option.size\ndesk,D-2,IRR,RED,\n": {
				"row 2: the options are those of the variant D-1, which is on sale too"},
			"slug,titleEn\nnew,New\nwall,\nnew,New\n": {
				"row 4, slug: is the slug of row 2 already; the rows of a product stand together"},
			"slug,sku\nwall,W-1\nnone,W-1\n": {"row 3, sku: is the SKU of row 2 already"},
			"sku,stock\nD-1,1\nD-1,2\n":      {"row 3, sku: is the SKU of row 2 already"},
			"sku,stock,expectedStock\nD-1,4,2\nW-1,1,x\n": {
				"row 2, stock: is 3 by now, and no longer the expectedStock 2; look at it again, then decide",
				"row 3, expectedStock: must be a whole number"},
			"slug,description,status\n\n\n\"desk\",\"two\nlines\",\n\nwall,,gone\n": {
				"row 6, status: must be one of draft, published, archived"},
			"slug,titleFa\na,\xff\ndesk,b,c\n": {
				"row 2, titleFa: " + notUTF8, "row 2, titleFa: is required, if none is given of: titleEn",
				"row 3: has more cells than there are columns"},
			"slug,status\ndesk,gone\n\nwall,\"a": {
				"row 2, status: must be one of draft, published, archived",
				"row 4: has a cell that ends without its quotation mark; nothing below it was read"},
			"slug,status\ndesk,a\"b\nwall,gone": {"row 2: has a quotation mark within a cell that begins without " +
				"one; nothing below it was read"},
			"slug\n\"a\n": {"row 2: has a cell that ends without its quotation mark; nothing below it was read"},

			"":                   {"row 1: is empty; the first row names the columns"},
			";;\n\n":             {"row 1: is empty; the first row names the columns"},
			"title,stock\nx,1\n": {"row 1, sku: is missing: each row names by it what it is about"},
			"titleFa;x\nx\n": {"row 1, titleFa: " + offers,
				"row 1, x: is no column of offers either",
				"row 1, sku: is missing: each row names by it what it is about"},
			"\n;;\nslug;colour;value.\n": {
				"row 3, colour: " + products,
				"row 3, value.: is no column of products either"},
			"slug,Title\n": {
				"row 1, title: is no column of products; did you mean titleFa or titleEn?"},
			"slug,slug\n":            {"row 1, slug: stands there twice"},
			"slug, SLUG\n":           {"row 1, slug: stands there twice"},
			"\xff\xfes\x00":          {"row 1: is UTF-16; save the sheet as CSV UTF-8"},
			"s\x00l\x00u\x00g\x00\n": {"row 1: holds U+0000, as UTF-16 does; save the sheet as CSV UTF-8"},
			"slug,\xff\n":            {"row 1: " + notUTF8},
			"slug,status,,\ndesk,,,\nwall,gone,,x,\n": {"row 3, status: must be one of draft, published, archived",
				"row 3: has a cell in column 4, which has no name"},
			"slug;sku;price;value.watts\nwall;W-1;12.000;\ndesk;D-1;1250.000;1.250\n;D-1b;1.250.000;\n": {
				"row 2, price: " + point, "row 3, value.watts: must be a number", "row 4, price: " + point,
				"row 4, priceCurrency: is required"},
			"slug;value.watts\ndesk;0.125\nwall;1.250\n": {"row 3, value.watts: must be a number"},
			"slug,sku,priceCurrency,stock,expectedStock,option.colour\ndesk,D-10,IRR,3,3,\n,D-1,IRR,3,3,2-jan\n" +
				"7,W-1,EUR,0,0,\nx,X-1,EUR,1,1,\n": {
				"row 2, sku: " + gone,
				"row 3, option.colour: " + fmt.Sprintf(maybe, "red"),
				"row 4, slug: " + fmt.Sprintf(maybe, "wall"), "row 4, titleFa: " + noTitle,
				"row 5, slug: " + gone, "row 5, sku: " + gone, "row 5, titleFa: " + noTitle},
			"slug,sku,priceCurrency,stock,expectedStock\ndesk,D1,IRR,3,3\n": {
				"row 2, sku: " + fmt.Sprintf(maybe, "D-1")},
			"sku,stock,expectedStock\nD1,3,3\n": {"row 2, sku: names no variant any more: it was deleted since the " +
				"export, or a spreadsheet changed it"},
			"slug,titleFa,titleFa\rtitleFa,b,c\r": {
				"row 1: ends its lines with CR alone; save the sheet as CSV UTF-8"},
			"SEP=;\r\nslug;colour,x\r\n": {
				"row 2, colour,x: " + products},
		} {
			_, err := imported(t, s, of, sheet, false)
			if got := faultsOf(t, err); !slices.Equal(got, want) {
				t.Errorf("%q: got\n%s\nwant\n%s", sheet, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
		all := strings.TrimPrefix(exported(t, s, of, Products), byteOrderMark)
		if done, err := imported(t, s, of, all, true); err != nil || done.Changed() {
			t.Errorf("the shop was changed: %+v, %v", done.Sections, err)
		}
	})
}

// TestSheetsAreBounded checks that faults beyond the limit are counted, and that sheets with too many rows
// are refused.
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
