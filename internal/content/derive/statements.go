package derive

import (
	"strconv"
	"strings"
)

// productsText computes, for products, the sums of the variants on sale and of the approved reviews, and the
// sort keys.
func productsText(s recordScope, bytesOf func(text string) string) string {
	return `
WITH sale AS (
	SELECT product_id, MIN(price) AS low, MAX(price) AS high, MIN(price_currency) AS currency, MIN(price_milli) AS milli
	FROM variants WHERE on_sale AND ` + s("variants", "product_id") + ` GROUP BY product_id
), rated AS (
	SELECT product_id, CAST(SUM(rate) AS bigint) AS total, COUNT(*) AS number
	FROM expert_reviews WHERE status = 'approved' AND ` + s("expert_reviews", "product_id") + ` GROUP BY product_id
)
UPDATE products SET
	price_min = d.low, price_max = d.high, price_currency = d.currency, in_store = d.in_store,
	rating_sum = d.total, rating_count = d.number,
	sort_cheap = d.cheap, sort_dear = d.dear, sort_rating = d.rating, sort_title = d.title
FROM (
	SELECT p.id, sale.low, sale.high, sale.currency, sale.product_id IS NOT NULL AS in_store,
		COALESCE(rated.total, 0) AS total, COALESCE(rated.number, 0) AS number,
		COALESCE(-sale.milli, -9200000000000000000) AS cheap, COALESCE(sale.milli, -1) AS dear,
		COALESCE(rated.total * 1000000 / rated.number, -1) AS rating, ` +
		bytesOf(titleText("p.search_text")) + ` AS title
	FROM products p
	LEFT JOIN sale ON sale.product_id = p.id
	LEFT JOIN rated ON rated.product_id = p.id
	WHERE ` + s("p", "id") + `
) AS d
WHERE products.id = d.id AND (
	products.price_min IS DISTINCT FROM d.low OR products.price_max IS DISTINCT FROM d.high OR
	products.price_currency IS DISTINCT FROM d.currency OR products.in_store IS DISTINCT FROM d.in_store OR
	products.rating_sum IS DISTINCT FROM d.total OR products.rating_count IS DISTINCT FROM d.number OR
	products.sort_cheap <> d.cheap OR products.sort_dear <> d.dear OR
	products.sort_rating <> d.rating OR products.sort_title IS DISTINCT FROM d.title)`
}

// titleText returns the sort key of titles: the beginning of a search text. The space between its two titles
// comes before every letter and digit, so a title comes before longer ones that begin with it. Persian
// letters whose code points are not in the order of the alphabet are replaced by ones that are.
func titleText(column string) string {
	text := "SUBSTR(" + column + ", 1, " + strconv.Itoa(titleLetters) + ")"
	for _, letter := range alphabet {
		text = "REPLACE(" + text + ", '" + letter.from + "', '" + letter.to + "')"
	}
	return text
}

const titleLetters = 120 // length of the sort key

// alphabet replaces some letters in the sort key of titles. No letter is replaced twice.
var alphabet = []struct{ from, to string }{
	{"پ", "ب" + behind}, {"چ", "ج" + behind}, {"ژ", "ز" + behind},
	{"ک", "\u0643"}, {"گ", "\u0643" + behind}, {"ه", "و" + behind}, {"ی", "\u064A"},
}

// behind, appended to a letter, makes one that sorts after all texts with that letter. It is the last code
// point and never a character, so no search text contains it.
const behind = "\U0010FFFF"

// variantsText updates the variants of published products: whether they are listed, their search text (see
// VariantText), and their keys for sorting and filtering.
func variantsText(s recordScope) string {
	return `
WITH wanted AS (
	SELECT v.id, CASE WHEN v.on_sale AND p.status = 'published' THEN p.published_at END AS listed_at,
		p.search_text || ' ' || v.sku_text AS search_text, p.category_id, p.brand_id,
		COALESCE(-v.price_milli, -9200000000000000000) AS cheap, COALESCE(v.price_milli, -1) AS dear,
		CASE WHEN v.compare_at_price > v.price THEN (v.compare_at_price - v.price) * 1000 / v.compare_at_price
		ELSE -1 END AS discount
	FROM variants v JOIN products p ON p.id = v.product_id AND (p.tenant_id = $tenant) IS TRUE
	WHERE ` + s("v", "product_id") + `
)
UPDATE variants SET
	listed_at = w.listed_at, search_text = w.search_text, product_category_id = w.category_id,
	product_brand_id = w.brand_id, sort_cheap = w.cheap, sort_dear = w.dear, sort_discount = w.discount
FROM wanted w
WHERE variants.id = w.id AND (
	variants.listed_at IS DISTINCT FROM w.listed_at OR variants.search_text IS DISTINCT FROM w.search_text OR
	variants.product_category_id IS DISTINCT FROM w.category_id OR
	variants.product_brand_id IS DISTINCT FROM w.brand_id OR
	variants.sort_cheap <> w.cheap OR variants.sort_dear <> w.dear OR variants.sort_discount <> w.discount)`
}

// facetsText names the rows that the listings of a tenant should have, as wanted. tree pairs each category
// with itself and all its ancestors; UNION drops duplicates, so that a cycle ends.
func facetsText(s recordScope, unnestedTags string) string {
	return `
WITH RECURSIVE tree(id, above) AS (
	SELECT id, id FROM categories WHERE tenant_id = $tenant
	UNION
	SELECT tree.id, c.parent_id FROM tree JOIN categories c ON c.id = tree.above AND (c.tenant_id = $tenant) IS TRUE
	WHERE c.parent_id IS NOT NULL
), published AS (` + strings.Join([]string{
		publishedText("product", "products", s), publishedText("user_product", "user_products", s),
		publishedText("blog", "blogs", s), publishedText("portfolio", "portfolios", s)}, "\n\tUNION ALL") + `
), wanted AS (
	SELECT r.kind, 'category:' || CAST(tree.above AS text) AS facet, r.published_at, r.id AS entity_id
	FROM published r JOIN tree ON tree.id = r.category_id
	UNION ALL
	SELECT DISTINCT 'product', 'tag:' || tag.value, p.published_at, p.id
	FROM products p CROSS JOIN ` + unnestedTags + `
	WHERE p.status = 'published' AND ` + s("p", "id") + `
)`
}

// publishedText selects the published records of a kind that have a category.
func publishedText(kind, table string, s recordScope) string {
	return `
	SELECT '` + kind + `' AS kind, id, category_id, published_at FROM ` + table + `
	WHERE status = 'published' AND category_id IS NOT NULL AND ` + s(table, "id")
}

func unlistText(s recordScope) string {
	return `
DELETE FROM listings WHERE id IN (
	SELECT l.id FROM listings l
	LEFT JOIN wanted w ON w.entity_id = l.entity_id AND w.kind = l.kind AND w.facet = l.facet
	AND w.published_at = l.published_at
	WHERE w.entity_id IS NULL AND ` + s("l", "entity_id") + `)`
}

// listText adds the missing rows, in the order of their index.
const listText = `
INSERT INTO listings (tenant_id, kind, facet, published_at, entity_id)
SELECT $tenant, w.kind, w.facet, w.published_at, w.entity_id
FROM wanted w
LEFT JOIN listings l ON l.tenant_id = $tenant AND
	l.kind = w.kind AND l.facet = w.facet AND l.published_at = w.published_at AND l.entity_id = w.entity_id
WHERE l.id IS NULL
ORDER BY w.kind, w.facet, w.published_at, w.entity_id`
