package catalog

import (
	"context"
	"slices"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"
)

// SQLite has an index of the trigrams in the searched texts of products, which triggers keep (product_words).
// What a transaction has changed is in it when the content version of its shop has risen, and among
// product_changes until then: both together have every product that holds a word. They may have more.

// wordsMatch are the documents of a shop, $1, that match a query of FTS5, $2.
const wordsMatch = "SELECT rowid FROM product_words WHERE product_words MATCH $2 AND rowid BETWEEN " +
	firstNumber + " AND " + lastNumber

// The numbers that the documents of a shop have.
const (
	firstNumber = "(SELECT number << 32 FROM search_shops WHERE tenant_id = $1)"
	lastNumber  = "(SELECT (number << 32) + 0xffffffff FROM search_shops WHERE tenant_id = $1)"
)

// amongMatches is that a product is among those that the index has for a search.
const amongMatches = " IN (SELECT product_id FROM product_documents WHERE number IN (" + wordsMatch + ") UNION ALL " +
	"SELECT product_id FROM product_changes WHERE tenant_id = $1)"

// fewMatch is whether fewer than a sixteenth of a shop's products are among them.
const fewMatch = "WITH few AS (SELECT COALESCE((SELECT number & 0xffffffff FROM product_documents " +
	"WHERE number BETWEEN " + firstNumber + " AND " + lastNumber +
	" ORDER BY number DESC LIMIT 1), 0) / 16 AS number) " +
	"SELECT (SELECT count(*) FROM (" + wordsMatch + " LIMIT (SELECT number FROM few))) + " +
	"(SELECT count(*) FROM (SELECT 1 FROM product_changes WHERE tenant_id = $1 LIMIT (SELECT number FROM few))) " +
	"< (SELECT number FROM few)"

// fewHold reports whether few products of a shop hold the words of a search: SQLite finds these by their
// index. Where they are many, the next one comes soon in any order of a list; and to look at every product,
// as is done for their number, takes no longer than to find every sixteenth by an index. It is asked once for
// each version of the content. No result depends on it.
func (r *Catalog) fewHold(ctx context.Context, tenant uuid.UUID, words searchWords) (bool, error) {
	match := words.match()
	if match == "" || r.store.Raw().Dialect() != dialect.SQLite {
		return false, nil
	}
	of := subject{tenant: tenant, what: "products.few", filter: words}
	return countOnce(InTenant(ctx, tenant), r, of, func(ctx context.Context) (few bool, until time.Time, err error) {
		rows := new(sql.Rows)
		if err := r.store.Raw().Query(ctx, fewMatch, []any{tenant, match}, rows); err != nil {
			return false, until, err
		}
		defer rows.Close()
		return few, until, sql.ScanOne(rows, &few)
	})
}

// indexed keeps the products that the index has for a search.
func (w searchWords) indexed(tenant uuid.UUID) func(*sql.Selector) {
	return func(s *sql.Selector) {
		s.Where(sql.P(func(b *sql.Builder) {
			b.Ident(s.C("id"))
			args := map[byte]any{'1': tenant, '2': w.match()}
			for i, part := range strings.Split(amongMatches, "$") {
				if i > 0 {
					b.Arg(args[part[0]])
					part = part[1:]
				}
				b.WriteString(part)
			}
		}))
	}
}

// maxTrigrams is how many trigrams of a search are looked up in the index: those of the longest words.
const maxTrigrams = 32

// match is the query of FTS5 for what has all trigrams of a search; empty where no word has one.
func (w searchWords) match() string {
	words := strings.Fields(string(w))
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) })
	var trigrams []string
	for _, word := range words {
		letters := []rune(word)
		for i := 0; i+3 <= len(letters) && len(trigrams) < maxTrigrams; i++ {
			trigrams = append(trigrams, `"`+strings.ReplaceAll(string(letters[i:i+3]), `"`, `""`)+`"`)
		}
	}
	slices.Sort(trigrams)
	return strings.Join(slices.Compact(trigrams), " AND ")
}
