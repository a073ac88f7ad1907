package catalog

import (
	"context"
	"errors"
	"fmt"
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

// toFind is what it takes to find a product by the index, where it takes 1 to look at the next one in the order of
// a list: the document and the product are looked up by their keys, and what is found is sorted.
// BenchmarkSearchWays in internal/contract/catalog measures it.
const toFind = 6

// howMany counts the products that match, as far as it matters, and all of the shop.
var howMany = fmt.Sprintf("WITH shop AS (SELECT COALESCE((SELECT number & 0xffffffff FROM product_documents "+
	"WHERE number BETWEEN "+firstNumber+" AND "+lastNumber+" ORDER BY number DESC LIMIT 1), 0) AS number) "+
	"SELECT (SELECT count(*) FROM ("+wordsMatch+" LIMIT (SELECT 1 + number / %[1]d FROM shop))) + "+
	"(SELECT count(*) FROM (SELECT 1 FROM product_changes WHERE tenant_id = $1 "+
	"LIMIT (SELECT 1 + number / %[1]d FROM shop))), number FROM shop", toFind)

// heldWords is how many products of a shop the index has for a search, at most a few more than what makes looking
// at all products the better way. Without products it is not known.
type heldWords struct{ matches, products int }

// heldBy counts what the index of SQLite has for a search, once for each version of the content. No result depends
// on it.
func (r *Catalog) heldBy(ctx context.Context, tenant uuid.UUID, words searchWords) (heldWords, error) {
	match := words.match()
	if match == "" || r.store.Raw().Dialect() != dialect.SQLite {
		return heldWords{}, nil
	}
	of := subject{tenant: tenant, what: "products.held", filter: words}
	return countOnce(InTenant(ctx, tenant), r, of, func(ctx context.Context) (h heldWords, until time.Time, err error) {
		rows := new(sql.Rows)
		if err := r.store.Raw().Query(ctx, howMany, []any{tenant, match}, rows); err != nil {
			return h, until, err
		}
		defer rows.Close()
		if rows.Next() {
			err = rows.Scan(&h.matches, &h.products)
		}
		return h, until, errors.Join(err, rows.Err())
	})
}

// byIndex is what it takes to find all of them by the index. Its lists of trigrams grow with the shop.
func (h heldWords) byIndex() int { return h.matches*toFind + h.products/32 }

// few reports whether all that a search finds is found sooner by the index than by a look at every product.
func (h heldWords) few() bool { return h.byIndex() < h.products }

// fewer reports whether the index finds all of them sooner than a walk in the order of a list finds the first so many:
// as many times more as the words are in one of so many products, and no more than there are.
func (h heldWords) fewer(first int) bool { return h.few() && h.byIndex()*h.matches <= first*h.products }

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
