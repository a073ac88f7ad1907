package catalog

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/internal/database"
)

// On SQLite, triggers maintain an index of the trigrams in the searched texts of products (product_words). A
// change is in the index once the content version of its shop has risen, and in product_changes until then.
// Both together have every product that contains a word, and perhaps more.

// wordsMatch selects the documents of a shop, $1, that match an FTS5 query, $2.
const wordsMatch = "SELECT rowid FROM product_words WHERE product_words MATCH $2 AND rowid BETWEEN " +
	firstNumber + " AND " + lastNumber

// The numbers of the documents of a shop.
const (
	firstNumber = "(SELECT number << 32 FROM search_shops WHERE tenant_id = $1)"
	lastNumber  = "(SELECT (number << 32) + 0xffffffff FROM search_shops WHERE tenant_id = $1)"
)

// amongMatches is the condition that the index or a SKU matches a product.
const amongMatches = " IN (SELECT product_id FROM product_documents WHERE number IN (" + wordsMatch + ") UNION ALL " +
	"SELECT product_id FROM product_changes WHERE tenant_id = $1 UNION ALL " +
	"SELECT product_id FROM variants WHERE tenant_id = $1 AND sku_text = $3)"

// toFind is the cost of finding a product by the index, relative to checking the next one in the order of a
// list: document and product are looked up by key, and the results are sorted. BenchmarkSearchWays in
// internal/contract/catalog measures it.
const toFind = 6

// howMany counts the matching products, up to a limit, and all products of the shop.
var howMany = fmt.Sprintf("WITH shop AS (SELECT COALESCE((SELECT number & 0xffffffff FROM product_documents "+
	"WHERE number BETWEEN "+firstNumber+" AND "+lastNumber+" ORDER BY number DESC LIMIT 1), 0) AS number) "+
	"SELECT (SELECT count(*) FROM ("+wordsMatch+" LIMIT (SELECT 1 + number / %[1]d FROM shop))) + "+
	"(SELECT count(*) FROM (SELECT 1 FROM product_changes WHERE tenant_id = $1 "+
	"LIMIT (SELECT 1 + number / %[1]d FROM shop))), number FROM shop", toFind)

// heldWords is the number of products that the index has for a search, and of all products. It counts only a
// few more matches than make checking all products the better way. Without products the numbers are unknown.
type heldWords struct{ matches, products int }

// heldBy counts the products in SQLite's index for a search, once for each version of the content. The count
// affects only how a list is read, not its result.
func (r *Catalog) heldBy(ctx context.Context, tenant uuid.UUID, words searchWords) (heldWords, error) {
	match := words.match()
	if match == "" || r.Store.Raw().Dialect() != dialect.SQLite {
		return heldWords{}, nil
	}
	of := subject{tenant: tenant, what: "products.held", filter: words}
	return contentCount(ctx, r, of, func(ctx context.Context) (h heldWords, until time.Time, err error) {
		args := []any{tenant, match}
		err = database.EachRow(ctx, r.Store.Raw(), howMany, args, func(row *sql.Rows) error {
			return row.Scan(&h.matches, &h.products)
		})
		return h, until, err
	})
}

// byIndex returns the cost of finding all matches by the index. Its lists of trigrams grow with the shop.
func (h heldWords) byIndex() int { return h.matches*toFind + h.products/32 }

// areFew reports whether finding all matches by the index is cheaper than checking every product.
func (h heldWords) areFew() bool { return h.byIndex() < h.products }

// fewer reports whether finding all matches by the index is cheaper than finding the first ones in the order
// of the list. Reading in that order is expected to check products/matches products for each match.
func (h heldWords) fewer(first int) bool {
	return h.areFew() && h.byIndex()*h.matches <= first*h.products
}

// narrowByIndex keeps the products that match in SQLite's index.
func (f Filter) narrowByIndex(s *sql.Selector) {
	s.Where(sql.P(func(b *sql.Builder) {
		b.Ident(s.C("id"))
		args := map[byte]any{'1': f.tenant, '2': f.words.match(), '3': string(f.sku)}
		for i, part := range strings.Split(amongMatches, "$") {
			if i > 0 {
				b.Arg(args[part[0]])
				part = part[1:]
			}
			b.WriteString(part)
		}
	}))
}

// maxTrigrams is how many trigrams of a search are looked up in the index: those of the longest words.
const maxTrigrams = 32

// match returns the FTS5 query for texts with all trigrams of a search. It is empty if no word has a trigram.
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
	return strings.Join(distinct(trigrams), " AND ")
}
