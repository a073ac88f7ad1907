package catalog_test

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	entsql "entgo.io/ent/dialect/sql"

	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
)

// every holds the frequencies of words: word15x is in one of 15 products.
var every = []int{3, 5, 8, 11, 15, 25, 40, 70, 100, 300, 1000, 10_000}

const waysProducts = 10_000

// manyWords is a shop on SQLite with words of all frequencies, evenly spread.
var manyWords = storetest.NewTemplate(func(ctx context.Context, s *store.Store) error {
	text := "'wide'"
	for _, k := range every {
		text += fmt.Sprintf(" || CASE (n * 7919 %% 10007) %% %d WHEN 0 THEN 'word%[1]dx' ELSE '' END", k)
	}
	for _, statement := range []string{
		`INSERT INTO tenants (id, created_at, updated_at, domain, slug, name, name_fa, default_locale, content_version)
			VALUES ('00000000-0000-7000-8000-0000000000aa', 0, 0, 'wide.example', 'wide', 'Wide', 'پهن', 'fa', 1)`,
		fmt.Sprintf(`WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < %d)
			INSERT INTO products (id, created_at, updated_at, slug, title_fa, tags, images, seo, status, published_at,
				search_text, tag_keys, variations, "values", tenant_id, sort_cheap)
			SELECT printf('%%08x-0000-7000-8000-%%012x', n * 48271 %% 65537, n), 0, 0, 'p' || n, 'title',
				'[]', '[]', '{}', 'published',
				n * 48271 %% 65537 * 60000000, %s || n, '[]', '[]', '{}',
				'00000000-0000-7000-8000-0000000000aa', -n FROM numbers`, waysProducts, text),
		`UPDATE tenants SET content_version = 2 WHERE domain = 'wide.example'`,
	} {
		if err := s.Driver().Exec(ctx, statement, []any{}, nil); err != nil {
			return err
		}
	}
	return nil
})

// TestSearchTakesTheShorterWay searches SQLite for words of all frequencies, and compares the cost of the
// chosen way with that of the other. The index costs perMatch for each match; reading in the order of the
// list costs one for each product down to the last on the page.
func TestSearchTakesTheShorterWay(t *testing.T) {
	t.Parallel()
	const perMatch, most = 6, 1.5
	p, record := recording(t, storetest.Open(t, manyWords.SQLite(t)), "instr(")
	for _, sort := range []string{"", "price_asc"} {
		order := map[string]string{"": "published_at DESC, id DESC", "price_asc": "sort_cheap DESC"}[sort]
		for _, k := range every {
			for _, words := range []string{fmt.Sprintf("word%dx", k), fmt.Sprintf("word%dx wide", k)} {
				word := fmt.Sprintf("word%dx", k)
				at := positions(t, record, word, order)
				for _, page := range []int{1, 2, 5, 20} {
					for _, size := range []int{12, 24, 100} {
						if (page-1)*size >= len(at) {
							continue
						}
						record.seen = nil
						target := fmt.Sprintf("/tenants/wide.example/products?name=%s&page=%d&pageSize=%d",
							url.QueryEscape(words), page, size)
						if sort != "" {
							target += "&sort=" + sort
						}
						shoptest.WantStatus(t, p.Get(t, target), 200)
						isList := func(s statement) bool { return strings.Contains(s.text, "LIMIT") }
						i := slices.IndexFunc(record.seen, isList)
						if i < 0 {
							t.Fatalf("%s: no list among %d statements", target, len(record.seen))
						}
						walk, index := float64(waysProducts), float64(len(at)*perMatch)
						if page*size <= len(at) {
							walk = float64(at[page*size-1])
						}
						took, other := walk, index
						if strings.Contains(record.seen[i].text, "product_words") {
							took, other = index, walk
						}
						// differences that take no noticeable time are ignored
						if took > most*other && took-other > waysProducts/20 {
							t.Errorf("%s reads for %.0f, the other way for %.0f", target, took, other)
						}
					}
				}
			}
		}
	}
	for _, short := range []string{"x7", "9"} { // no trigram
		record.seen = nil
		shoptest.WantStatus(t, p.Get(t, "/tenants/wide.example/products?name="+short), 200)
		for _, seen := range record.seen {
			if strings.Contains(seen.text, "product_words") {
				t.Errorf("two letters are looked for by the index: %s", seen.text)
			}
		}
	}
}

// positions returns where the products with a word stand in an order, counted from 1.
func positions(t testing.TB, record *recorder, word, order string) (at []int) {
	t.Helper()
	rows := new(entsql.Rows)
	err := record.Driver.Query(t.Context(), `SELECT place FROM (
		SELECT search_text, row_number() OVER (ORDER BY `+order+`) AS place FROM products
		WHERE tenant_id = '00000000-0000-7000-8000-0000000000aa') AS placed
		WHERE search_text LIKE '%' || $1 || '%' ORDER BY place`, []any{word}, rows)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if err := entsql.ScanSlice(rows, &at); err != nil {
		t.Fatal(err)
	}
	return at
}

// BenchmarkSearchWays measures both ways to find the first page of 24, and all matches. The constant toFind
// in internal/catalog is based on their times per product and per match.
func BenchmarkSearchWays(b *testing.B) {
	_, record := recording(b, storetest.Open(b, manyWords.SQLite(b)), "instr(")
	const (
		found = `FROM products WHERE tenant_id = $1 AND status = 'published' AND published_at <= $2
			AND instr(search_text, $3) > 0`
		matching = ` AND id IN (SELECT product_id FROM product_documents WHERE number IN (
			SELECT rowid FROM product_words WHERE product_words MATCH $4))`
		first = ` ORDER BY published_at DESC, id DESC LIMIT 24`
	)
	for _, k := range every {
		word := fmt.Sprintf("word%dx", k)
		var trigrams []string
		for i := range len(word) - 2 {
			trigrams = append(trigrams, `"`+word[i:i+3]+`"`)
		}
		args := []any{"00000000-0000-7000-8000-0000000000aa", time.Now().UnixMicro(), word}
		for name, text := range map[string]string{"page, walk": "SELECT id, images " + found + first,
			"page, index": "SELECT id, images " + found + matching + first, "all, walk": "SELECT count(*) " + found,
			"all, index": "SELECT count(*) " + found + matching} {
			all := args
			if strings.Contains(text, "$4") {
				all = append(slices.Clone(args), strings.Join(trigrams, " AND "))
			}
			b.Run(fmt.Sprintf("%s, one in %d", name, k), func(b *testing.B) {
				for b.Loop() {
					rows := new(entsql.Rows)
					if err := record.Driver.Query(b.Context(), text, all, rows); err != nil {
						b.Fatal(err)
					}
					for rows.Next() {
					}
					if err := rows.Close(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
