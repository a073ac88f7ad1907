package sheet

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"storefront/internal/content/bundle"
	"storefront/internal/content/edit"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
)

// numbers is a shop whose keys and texts look like numbers and dates, with an empty list and a product without
// variants.
const numbers = `{"format":"storefront-bundle/1",
"tenant":{"domain":"numbers.example","slug":"numbers","name":"Numbers","nameFa":"عدد","defaultLocale":"fa"},
"brands":[{"slug":"0012","name":"0012","nameFa":"۰۰۱۲"}],
"categories":[{"entityType":"product","slug":"1-5","name":"1/5","nameFa":"1/5","form":{"title":"Form",
"titleFa":"فرم","fields":[{"key":"note","label":"Note","labelFa":"یادداشت","type":"text"},
{"key":"watts","label":"Watts","labelFa":"وات","type":"number"},
{"key":"year","label":"Year","labelFa":"سال","type":"select","options":[
{"value":"007","label":"7","labelFa":"7"}]},
{"key":"rooms","label":"Rooms","labelFa":"اتاق","type":"multiselect","options":[
{"value":"1-2","label":"Hall","labelFa":"راهرو"}]}]}}],
"products":[
{"slug":"007","titleFa":"1984","titleEn":"May 3","summary":"12.50","description":"TRUE","category":"1-5","brand":"0012",
"tags":["007"],"seo":{"title":"1/2"},"publishedAt":"2026-03-21T08:30:00Z",
"values":{"note":"007","watts":12.50,"year":"007","rooms":["1-2"]},
"variations":[{"key":"size","name":"Size","nameFa":"اندازه","values":[
{"key":"1-2","label":"1-2","labelFa":"1-2"},{"key":"mar1","label":"MAR1","labelFa":"MAR1"},
{"key":"xl","label":"XL","labelFa":"XL"}]}],
"variants":[{"sku":"0017","options":{"size":"1-2"},"priceCurrency":"EUR","price":12.50,"stock":3},
{"sku":"6260000000017","options":{"size":"mar1"},"priceCurrency":"EUR","price":1200,"stock":7},
{"sku":"90.750","options":{"size":"xl"},"priceCurrency":"EUR","stock":1}]},
{"slug":"12e3","titleFa":"بی‌تنوع","category":"1-5","values":{"rooms":[]},"status":"draft"}]}`

// A spreadsheet reads a cell as a number or a date if it can, and writes what it shows.
var (
	textCell = regexp.MustCompile(`^="([^"]*)"$`)
	dayCell  = regexp.MustCompile(`(?i)^([0-9]{1,2})[-/]([0-9]{1,2})$`)
	month    = regexp.MustCompile(`(?i)^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* ?([0-9]{1,2})$`)
)

// spreadsheet returns a cell as a spreadsheet saves it that opened the sheet. One that does not run formulas leaves
// them.
func spreadsheet(cell string, runs bool) string {
	if text := textCell.FindStringSubmatch(cell); text != nil {
		if runs {
			return text[1]
		}
		return cell
	}
	if n, err := strconv.ParseFloat(strings.TrimSpace(cell), 64); err == nil {
		if n >= 1e11 {
			return strings.Replace(fmt.Sprintf("%.5E", n), "00E", "E", 1)
		}
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	if day := dayCell.FindStringSubmatch(cell); day != nil {
		return day[1] + "-jan"
	}
	if day := month.FindStringSubmatch(cell); day != nil {
		return day[2] + "-" + strings.ToLower(day[1])
	}
	if logical := strings.ToUpper(cell); logical == "TRUE" || logical == "FALSE" {
		return logical
	}
	return cell
}

// saved returns a sheet as a spreadsheet saves it, with its separator.
func saved(t *testing.T, sheet string, separator rune, cell func(string) string) string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(sheet, byteOrderMark))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.Comma = separator
	for _, cells := range rows {
		for i := range cells {
			cells[i] = cell(cells[i])
		}
		if err := w.Write(cells); err != nil {
			t.Fatal(err)
		}
	}
	w.Flush()
	return out.String()
}

// TestSpreadsheetsChangeNothing imports sheets that a spreadsheet has opened and saved, of a shop of numbers.
func TestSpreadsheetsChangeNothing(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		if _, err := bundle.Import(t.Context(), s, bundle.Bytes([]byte(numbers)), nil); err != nil {
			t.Fatal(err)
		}
		for _, domain := range []string{"numbers.example", "lamps.example"} {
			of := tenant(t, s, domain)
			for _, kind := range []Kind{Products, Offers} {
				sheet := exported(t, s, of, kind)
				for _, runs := range []bool{true, false} {
					for _, separator := range ",;\t" {
						opened := saved(t, sheet, separator,
							func(cell string) string { return spreadsheet(cell, runs) })
						done, err := Import{Kind: kind}.Into(t.Context(), s, of, strings.NewReader(opened))
						if err != nil || done.Changed() {
							t.Errorf("%s of %s, %t: got %v, %v for\n%s", kind, domain, runs, done, err, opened)
						}
					}
				}
			}
		}
	})
}

// TestASpoiledSheetMakesNothing imports a sheet that a spreadsheet has changed before it was opened once more.
func TestASpoiledSheetMakesNothing(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		if _, err := bundle.Import(t.Context(), s, bundle.Bytes([]byte(numbers)), nil); err != nil {
			t.Fatal(err)
		}
		of := tenant(t, s, "numbers.example")
		spoiled := saved(t, exported(t, s, of, Products), ',', func(cell string) string {
			return spreadsheet(spreadsheet(cell, true), true)
		})
		got := strings.Join(faultsOf(t, second(imported(t, s, of, spoiled, false))), "\n")
		for _, want := range []string{"row 2, slug: is not known", "row 2, sku: is not known",
			"row 3, sku: is not known", "row 5, slug: is not known"} {
			if !strings.Contains(got, want) {
				t.Errorf("got %s\nwant %s", got, want)
			}
		}
		ctx := tenancy.In(t.Context(), of.ID)
		if n := s.Client.Variant.Query().CountX(ctx); n != 3 {
			t.Errorf("got %d variants, want 3", n)
		}
	})
}

// TestWhatIsGoneDoesNotComeBack deletes records and takes a choice away, and then imports what was exported before.
func TestWhatIsGoneDoesNotComeBack(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		if _, err := bundle.Import(t.Context(), s, bundle.Bytes([]byte(numbers)), nil); err != nil {
			t.Fatal(err)
		}
		of := tenant(t, s, "numbers.example")
		const sizes = `"variations":[{"key":"size","name":"Size","nameFa":"اندازه","values":[
			{"key":"1-2","label":"1-2","labelFa":"1-2"},{"key":"mar1","label":"MAR1","labelFa":"MAR1"}]}]`
		apply(t, s, of, "007", `{"variants":[{"sku":"90.750","onSale":false}]}`)
		off := exported(t, s, of, Products)
		apply(t, s, of, "007", `{`+sizes+`}`)
		if done, err := imported(t, s, of, exported(t, s, of, Products), false); err != nil || done.Changed() {
			t.Errorf("an export: got %v, %v, want no change", done, err)
		}
		if done, err := imported(t, s, of, off, false); err != nil || done.Changed() {
			t.Errorf("an export of before: got %v, %v, want no change", done, err)
		}
		if got := productOf(t, s, of, "007").Variations[0].Values; len(got) != 2 {
			t.Errorf("got the choices %+v, want two", got)
		}
		change(t, s.Client, of, "DELETE FROM variants", "0017")
		gone := edit.Remove{Action: "deleteProduct", Section: "products", Key: map[string]string{"slug": "12e3"}}
		if _, err := gone.Apply(t.Context(), s.Client, of.ID); err != nil {
			t.Fatal(err)
		}
		got := strings.Join(faultsOf(t, second(imported(t, s, of, off, false))), "\n")
		if !strings.HasPrefix(got, "row 2, sku: is not known") ||
			!strings.Contains(got, "\nrow 5, slug: is not known") || strings.Count(got, "\n") != 1 {
			t.Errorf("got %s", got)
		}
	})
}

// TestManyColumns exports and imports the products of a shop with more technical fields than a third-party sheet may
// have.
func TestManyColumns(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		of := tenant(t, s, "lamps.example")
		var categories []string
		for i := range 6 {
			var fields []string
			for n := range 50 {
				fields = append(fields,
					fmt.Sprintf(`{"key":"f%d-%d","label":"F","labelFa":"F","type":"text"}`,
						i, n))
			}
			categories = append(categories, fmt.Sprintf(`{"entityType":"product","slug":"many-%d","name":"M",
				"nameFa":"م","form":{"title":"F","titleFa":"ف","fields":[%s]}}`, i, strings.Join(fields, ",")))
		}
		_, err := bundle.Import(t.Context(), s, bundle.Bytes([]byte(`{"format":"storefront-bundle/1",
			"tenant":{"domain":"lamps.example"},"categories":[`+strings.Join(categories, ",")+`]}`)), nil)
		if err != nil {
			t.Fatal(err)
		}
		sheet := exported(t, s, of, Products)
		if done, err := imported(t, s, of, sheet, false); err != nil || done.Changed() {
			t.Errorf("got %v, %v, want no change", done, err)
		}
		more := "slug"
		for n := range 400 {
			more += fmt.Sprint(",value.none-", n)
		}
		got := faultsOf(t, second(imported(t, s, of, more+"\n", false)))
		if len(got) != 1 || !strings.HasPrefix(got[0], "row 1: has more than ") {
			t.Errorf("got %q, want a bound", got)
		}
	})
}
