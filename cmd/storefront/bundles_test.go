package main

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"storefront/internal/content/stored"
	"storefront/internal/database/store/storetest"
	"storefront/internal/demo"
	"storefront/internal/testkit/testdb"
)

const smallBundle = `{"format": "storefront-bundle/1",
 "tenant": {"domain": "small.example", "slug": "small", "name": "Small", "nameFa": "کوچک", "defaultLocale": "fa"},
 "products": [{"slug": "drill", "titleFa": "دریل", "publishedAt": "2026-01-01T00:00:00Z",
    "variants": [{"sku": "D-1", "price": 5, "priceCurrency": "IRT", "stock": 2}]}]}`

func TestImport(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		s := on(database)
		first := s.succeed(t, "import", write(t, "small.json", smallBundle))
		if !strings.Contains(first, "small.example") || !strings.Contains(first,
			"products: 1 new, 0 changed, 0 as before") {
			t.Errorf("the first time: %s", first)
		}
		before := s.succeed(t, "export", "small.example")
		again := s.succeed(t, "import", write(t, "small.json", smallBundle))
		if strings.Contains(again, " 1 new") || strings.Contains(again, " 1 changed") ||
			!strings.Contains(again, "products: 0 new, 0 changed, 1 as before") {
			t.Errorf("the second time: %s", again)
		}
		if after := s.succeed(t, "export", "small.example"); after != before {
			t.Errorf("after importing again: got\n%s\nwant\n%s", after, before)
		}

		faulty := strings.NewReplacer(`"price": 5`, `"price": -5`, `"IRT"`, `"XXX1"`, `"nameFa": "کوچک"`,
			`"nameFa": ""`, `"slug": "drill"`, `"slug": "drill", "colour": 1`).
			Replace(strings.Replace(smallBundle, `"products"`,
				`"brands": [{"slug": "new-brand", "name": "New", "nameFa": "نو"}], "products"`, 1))
		code, out, stderr := ended(t, s.process(t.Context(), "import", write(t, "faulty.json", faulty)))
		if code != 1 || out != "" {
			t.Errorf("exit %d, %q", code, out)
		}
		for _, place := range []string{
			"faulty.json", "tenant.nameFa", "products[0].colour", "products[0].variants[0].price:",
			"products[0].variants[0].priceCurrency", "line 3, column",
		} {
			if !strings.Contains(stderr, place) {
				t.Errorf("got the error %s, want it to name %s", stderr, place)
			}
		}
		for name, text := range map[string]string{
			"empty.json": "", "text.json": "hello", "list.json": "[]", "cut.json": smallBundle[:len(smallBundle)-2],
			"twice.json":     smallBundle + smallBundle,
			"bom.json":       "\uFEFF" + smallBundle,
			"format.json":    strings.Replace(smallBundle, "bundle/1", "bundle/2", 1),
			"broken.json.gz": "\x1f\x8b\x08broken",
			"unknown.json":   strings.Replace(smallBundle, `"products"`, `"produce"`, 1),
			"utf8.json":      strings.Replace(smallBundle, "drill", "dr\xff", 1),
		} {
			s.refuse(t, []string{"import", write(t, name, text)}, name)
		}
		s.refuse(t, []string{"import", filepath.Join(t.TempDir(), "none.json")}, "none.json")
		s.refuse(t, []string{"import", t.TempDir()})
		s.refuse(t, []string{"import"}, "FILE")
		if after := s.succeed(t, "export", "small.example"); after != before {
			t.Errorf("after bad bundles: got\n%s\nwant\n%s", after, before)
		}

		// Each file is imported on its own, and none is read after the first that is refused.
		other := strings.NewReplacer("small", "other", "Small", "Other").Replace(smallBundle)
		third := strings.NewReplacer("small", "third", "Small", "Third").Replace(smallBundle)
		s.refuse(t, []string{"import", write(t, "other.json", other), write(t, "faulty.json", faulty),
			write(t, "third.json", third)}, "faulty.json")
		if list := s.succeed(t, "tenant", "list"); !strings.Contains(list, "other.example") ||
			strings.Contains(list, "third.example") {
			t.Errorf("tenants:\n%s", list)
		}
	})
}

// TestImportBehindAPooler imports as through PgBouncer, for which arguments are sent in binary form.
func TestImportBehindAPooler(t *testing.T) {
	t.Parallel()
	s := on(storetest.Migrated.Postgres(t) + "&statement_cache=0")
	s.succeed(t, "import", write(t, "small.json", smallBundle))
	changed := strings.NewReplacer(`"price": 5`, `"price": 6`, `"defaultLocale": "fa"`,
		`"defaultLocale": "fa", "pages": {"site": "https://www.{domain}"}`).Replace(smallBundle)
	if said := s.succeed(t, "import", write(t, "small.json", changed)); !strings.Contains(said, " 1 changed") {
		t.Errorf("got %s", said)
	}
}

// TestImportLooksAtTheNewShape checks that an import analyzes the tables, so that PostgreSQL plans with the
// new statistics at once.
func TestImportLooksAtTheNewShape(t *testing.T) {
	url := testdb.Postgres(t)
	on(url).succeed(t, "import", write(t, "small.json", smallBundle))
	s := storetest.Open(t, url)
	for _, table := range stored.Tables() {
		var seen bool
		if err := s.ShortReads().QueryRowContext(t.Context(),
			"SELECT reltuples >= 0 FROM pg_class WHERE oid = CAST($1 AS regclass)",
			table).Scan(&seen); err != nil || !seen {
			t.Errorf("%s: statistics %v, %v", table, seen, err)
		}
	}
}

func TestExport(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		s := on(database)
		folder := t.TempDir()
		s.succeed(t, "import", write(t, "small.json", smallBundle))
		printed := s.succeed(t, "export", "small.example")
		for _, domain := range []string{"SMALL.Example", "small.example."} {
			if s.succeed(t, "export", domain) != printed {
				t.Errorf("%s gives something else", domain)
			}
		}
		plain, packed := filepath.Join(folder, "a.json"), filepath.Join(folder, "b.json.gz")
		for _, path := range []string{plain, packed} {
			if out := s.succeed(t, "export", "small.example", "-o", path); out != "" {
				t.Errorf("with -o it printed %s", out)
			}
		}
		if text, err := os.ReadFile(plain); err != nil || string(text) != printed {
			t.Errorf("%s: %v", text, err)
		}
		file, err := os.Open(packed)
		if err != nil {
			t.Fatal(err)
		}
		unpacked, err := gzip.NewReader(file)
		if err != nil {
			t.Fatal(err)
		}
		if readAll(t, unpacked) != printed {
			t.Error("the packed file holds something else")
		}
		file.Close()

		s.refuse(t, []string{"export", "no.example", "-o", plain}, "no.example")
		s.refuse(t, []string{"export", "no.example"}, "no.example")
		s.refuse(t, []string{"export", "https://small.example"}, "no domain")
		s.refuse(t, []string{"export"}, "DOMAIN")
		s.refuse(t, []string{"export", "small.example", "surplus"}, "DOMAIN")
		s.refuse(t, []string{"export", "small.example", "-o", filepath.Join(folder, "none", "a.json")}, "none")
		if text, _ := os.ReadFile(plain); string(text) != printed {
			t.Error("a failed export touched the file")
		}
		if left, _ := os.ReadDir(folder); len(left) != 2 {
			t.Errorf("left in the folder: %v", left)
		}
	})
}

// TestDemoShopsTravel exports the demo shops of a SQLite file and imports them into PostgreSQL. All answers
// and exports must be the same there, apart from ids and the time of the import.
func TestDemoShopsTravel(t *testing.T) {
	t.Parallel()
	here, there := on(testdb.SQLite(t)), on(testdb.Postgres(t))
	var files []string
	for _, d := range demo.Bundles() {
		files = append(files, write(t, d.Domain+".json.gz", string(d.Data)))
	}
	here.succeed(t, append([]string{"import"}, files...)...)
	for _, d := range demo.Bundles() {
		path := filepath.Join(t.TempDir(), "exported.json.gz")
		here.succeed(t, "export", d.Domain, "-o", path)
		there.succeed(t, "import", path)
		if here.succeed(t, "export", d.Domain) != there.succeed(t, "export", d.Domain) {
			t.Errorf("%s exports something else", d.Domain)
		}
	}
	left, right := answers(t, here), answers(t, there)
	if len(left) < 300 || len(left) != len(right) {
		t.Fatalf("got %d and %d answers, want the same number, and 300 at least", len(left), len(right))
	}
	for i := range left {
		if left[i] != right[i] {
			at := firstDifference(left[i], right[i])
			t.Fatalf("%.80s …%.200s\nis there\n%.200s", left[i], left[i][at:], right[i][at:])
		}
	}
	if slices.ContainsFunc(left, func(answer string) bool { return !strings.Contains(answer, ": 200 ") }) {
		t.Error("not all answers are 200")
	}
}
