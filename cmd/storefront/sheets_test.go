package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSheets imports sheets into a shop, and exports all kinds of sheets.
func TestSheets(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		s := on(database)
		s.succeed(t, "tenant", "add", "one.example", "One", "یک")
		known(t, database, "+989121234567", true)
		join(t, database, "+989121234567", "one.example")
		folder := t.TempDir()
		file := filepath.Join(folder, "spring.csv")
		write := func(text string) {
			t.Helper()
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write("slug;titleFa;sku;priceCurrency;price;stock\nlamp;چراغ;L-1;IRR;۱۲۵۰۰۰;۳\n")
		if out := s.succeed(t, "csv", "import", "products", "one.example", file, "-check"); !strings.Contains(out,
			"nothing is written; it would be: products: 1 new") {
			t.Errorf("a check: %q", out)
		}
		if out := s.succeed(t, "csv", "export", "products", "one.example"); strings.Contains(out, "lamp") {
			t.Errorf("a check has written: %s", out)
		}
		s.succeed(t, "csv", "import", "products", "one.example", file)
		if out := s.succeed(t, "csv", "export", "offers", "One.Example."); !strings.Contains(out,
			"L-1,چراغ,IRR,125000,,3,3,,true\r\n") {
			t.Errorf("offers: %q", out)
		}
		write("sku,price\nL-1,12x\nL-2,1\n")
		s.refuse(t, []string{"csv", "import", "offers", "one.example", file},
			"row 2, price: must be a number", "row 3, sku: names no variant")
		to := filepath.Join(folder, "customers.csv")
		s.succeed(t, "csv", "export", "customers", "one.example", "-o", to)
		text, err := os.ReadFile(to)
		if err != nil || !strings.Contains(string(text), ",0912 123 4567,") ||
			strings.Count(string(text), "\r\n") != 2 {
			t.Errorf("customers: %v %q", err, text)
		}
		if out := s.succeed(t, "csv", "export", "orders", "one.example"); strings.Count(out, "\r\n") != 1 {
			t.Errorf("orders of a shop without any: %q", out)
		}
		if out := s.succeed(t, "audit", "one.example", "-action", "exportSheet"); strings.Count(out, "customer") != 1 {
			t.Errorf("the audit log: %s", out)
		}
		for _, wrong := range [][]string{{"csv"}, {"csv", "export", "staff", "one.example"},
			{"csv", "import", "orders", "one.example", file}, {"csv", "import", "products", "one.example"}} {
			s.refuse(t, wrong, "say what to do")
		}
		s.refuse(t, []string{"csv", "export", "orders", "one.example", "-check"}, "-check is for csv import")
		s.refuse(t, []string{"csv", "import", "offers", "one.example", file, "-o", to}, "-o is for csv export")
		write("slug,titleFa,sku,priceCurrency\nnew,x,N-1,IRR\n")
		s.refuse(t, []string{"csv", "import", "offers", "one.example", file}, "row 1, slug: is no column of offers")
		if out := s.succeed(t, "help"); !strings.Contains(out, "csv export KIND DOMAIN | import KIND DOMAIN FILE ") {
			t.Errorf("help: %s", out)
		}
		s.refuse(t, []string{"csv", "export", "orders", "none.example"}, "no tenant")
		s.refuse(t, []string{"csv", "import", "offers", "one.example", filepath.Join(folder, "none.csv")}, "none.csv")
	})
}
