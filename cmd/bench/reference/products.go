package reference

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"storefront/cmd/internal/must"
	"storefront/internal/locale/money"
	"storefront/internal/locale/search"
	"storefront/internal/record"
)

type card struct {
	ID             string          `json:"id"`
	Slug           string          `json:"slug"`
	TitleFa        string          `json:"titleFa"`
	TitleEn        *string         `json:"titleEn"`
	Summary        *string         `json:"summary"`
	SummaryFa      *string         `json:"summaryFa"`
	ImageURL       *string         `json:"imageUrl"`
	CategoryID     *string         `json:"categoryId"`
	CategorySlug   *string         `json:"categorySlug"`
	CategoryName   *string         `json:"categoryName"`
	CategoryNameFa *string         `json:"categoryNameFa"`
	BrandID        *string         `json:"brandId"`
	BrandSlug      *string         `json:"brandSlug"`
	BrandName      *string         `json:"brandName"`
	BrandNameFa    *string         `json:"brandNameFa"`
	Tags           json.RawMessage `json:"tags"`
	Price          json.RawMessage `json:"price"`
	MaxPrice       json.RawMessage `json:"maxPrice"`
	PriceCurrency  *string         `json:"priceCurrency"`
	InStore        bool            `json:"inStore"`
	InStock        bool            `json:"inStock"`
	RatingAverage  *float64        `json:"ratingAverage"`
	RatingCount    int             `json:"ratingCount"`
	PublishedAt    time.Time       `json:"publishedAt"`
}

// cardColumns reads the stock with a LIMIT, because PostgreSQL would read all variants for an EXISTS here.
const cardColumns = `p.id, p.slug, p.title_fa, p.title_en, p.summary, p.summary_fa, p.images,
	p.category_id, c.slug, c.name, c.name_fa,
	p.brand_id, b.slug, b.name, b.name_fa, p.tags, p.price_min, p.price_max, p.price_currency, p.in_store,
	COALESCE((SELECT v.stock > 0 FROM variants v WHERE v.product_id = p.id AND v.listed_at <= $2
	AND v.stock > 0 LIMIT 1), false),
	p.rating_sum, p.rating_count, p.published_at`

const besideCard = ` LEFT JOIN categories c ON c.id = p.category_id LEFT JOIN brands b ON b.id = p.brand_id`

// readCard reads cardColumns, followed by the columns of more.
func readCard(scan func(...any) error, more ...any) (c card, images []image) {
	var imagesText, tags []byte
	var low, high *int64
	var rating int64
	must.Do(scan(append([]any{&c.ID, &c.Slug, &c.TitleFa, &c.TitleEn, &c.Summary, &c.SummaryFa, &imagesText,
		&c.CategoryID, &c.CategorySlug, &c.CategoryName, &c.CategoryNameFa, &c.BrandID, &c.BrandSlug,
		&c.BrandName, &c.BrandNameFa, &tags, &low, &high, &c.PriceCurrency, &c.InStore, &c.InStock, &rating,
		&c.RatingCount, &c.PublishedAt}, more...)...))
	must.Do(json.Unmarshal(imagesText, &images))
	if len(images) > 0 {
		c.ImageURL = &images[0].URL
	}
	c.Tags = tags // the encoder removes the spaces
	c.Price, c.MaxPrice = price(low, c.PriceCurrency), price(high, c.PriceCurrency)
	if c.RatingCount > 0 {
		mean := float64((rating*10+int64(c.RatingCount)/2)/int64(c.RatingCount)) / 10
		c.RatingAverage = &mean
	}
	c.PublishedAt = c.PublishedAt.UTC()
	return c, images
}

// price returns a price as JSON, null if there is none.
func price(minor *int64, currency *string) json.RawMessage {
	if minor == nil || currency == nil {
		return nil
	}
	return money.Amount{Minor: *minor, Currency: *currency}.AppendJSON(nil)
}

// products returns the list of products. It first finds the keys of a page along an index, and then reads
// only the rows of these, so that records skipped by OFFSET are not read.
func products(t tx, r *http.Request, s shop) any {
	values := r.URL.Query()
	q := query{args: []any{s.public.ID, t.at}}
	q.from, q.key, q.order = "FROM products p", "p.id", "p.published_at"
	q.where = " WHERE p.tenant_id = $1 AND p.published_at <= $2 AND p.status = 'published'"
	if category := values.Get("categoryId"); category != "" {
		q.from, q.key, q.order = "FROM listings l", "l.entity_id", "l.published_at"
		q.where = " WHERE l.tenant_id = $1 AND l.published_at <= $2 AND l.kind = 'product' AND l.facet = " +
			q.add("category:"+category)
	}
	for i, word := range search.Pieces(values.Get("name")) {
		if i == 0 && q.key != "p.id" {
			q.from += " JOIN products p ON p.id = l.entity_id"
		}
		q.found = append(q.found, "p.search_text LIKE "+q.add("%"+word+"%"))
	}
	return listed(t, r, s, q, cardColumns, "products p", besideCard, 12, func(scan func(...any) error) card {
		c, _ := readCard(scan)
		return c
	})
}

// listed reads the requested page of a list. columns are of table and of the joins in beside.
func listed[T any](t tx, r *http.Request, s shop, q query, columns, table, beside string, pageSize int,
	read func(scan func(...any) error) T) page[T] {
	total, values := t.total(s, q.matching(), q.args), r.URL.Query()
	list := page[T]{Items: []T{}, Total: total, Page: number(values, "page", 1),
		PageSize: number(values, "pageSize", pageSize)}
	q.walk(total)
	text := "SELECT " + columns + q.pageOf(table, list.Page, list.PageSize, beside)
	t.each(text, q.args, func(scan func(...any) error) { list.Items = append(list.Items, read(scan)) })
	return list
}

type image struct {
	MediaID string  `json:"mediaId"`
	URL     string  `json:"url"`
	Alt     *string `json:"alt"`
	AltFa   *string `json:"altFa"`
}

type detail struct {
	card
	Description     *string    `json:"description"`
	DescriptionFa   *string    `json:"descriptionFa"`
	Images          []image    `json:"images"`
	FeaturedMediaID *string    `json:"featuredMediaId"`
	GalleryMediaIDs []string   `json:"galleryMediaIds"`
	SEO             searchTags `json:"seo"`
	UpdatedAt       time.Time  `json:"updatedAt"`
}

type searchTags struct {
	Title         *string `json:"title"`
	TitleFa       *string `json:"titleFa"`
	Description   *string `json:"description"`
	DescriptionFa *string `json:"descriptionFa"`
}

// product returns the details of a product.
func product(t tx, r *http.Request, s shop) any {
	st := t.statement("SELECT " + cardColumns +
		", p.description, p.description_fa, p.seo, p.updated_at FROM products p" + besideCard +
		" WHERE p.tenant_id = $1 AND p.status = 'published' AND p.published_at <= $2 AND p.slug = $3")
	d := detail{GalleryMediaIDs: []string{}}
	var seo []byte
	row := st.QueryRowContext(t, s.public.ID, t.at, search.Slug(r.PathValue("slug")))
	d.card, d.Images = readCard(row.Scan, &d.Description, &d.DescriptionFa, &seo, &d.UpdatedAt)
	var stored record.SEO
	must.Do(json.Unmarshal(seo, &stored))
	d.SEO, d.UpdatedAt = searchTags(stored), d.UpdatedAt.UTC()
	for i := range d.Images {
		d.GalleryMediaIDs = append(d.GalleryMediaIDs, d.Images[i].MediaID)
		d.FeaturedMediaID = &d.Images[0].MediaID
	}
	return map[string]detail{"product": d}
}

// query is the statement of a list while it is built: the conditions and the arguments so far. The first two
// arguments are the tenant and the time.
type query struct {
	from, where string
	key, order  string   // columns: the id of a record, and the time by which lists are sorted, newest first
	found       []string // conditions of a search
	args        []any
}

// add adds an argument and returns its place.
func (q *query) add(v any) string {
	q.args = append(q.args, v)
	return "$" + strconv.Itoa(len(q.args))
}

// list adds arguments and returns their places, "$1, $2".
func (q *query) list(values ...any) string {
	places := make([]string, len(values))
	for i, v := range values {
		places[i] = q.add(v)
	}
	return strings.Join(places, ", ")
}

// pageOf returns the end of a statement that reads the rows of one page from table ("products p"), with the
// joins in beside. The size is a literal: with an argument PostgreSQL would plan for a tenth of all rows.
func (q *query) pageOf(table string, number, size int, beside string) string {
	limit, offset := strconv.Itoa(size), q.add((number-1)*size)
	letter := table[len(table)-1:]
	return " FROM (SELECT " + q.key + " AS id, " + q.order + " AS at " + q.matching() + " ORDER BY " + q.order +
		" DESC, " + q.key + " DESC LIMIT " + limit + " OFFSET " + offset + ") k JOIN " + table + " ON " + letter +
		".id = k.id" + beside + " ORDER BY k.at DESC, k.id DESC"
}

// matching returns the end of a statement on all records of a list.
func (q *query) matching() string {
	all := q.from + q.where
	for _, condition := range q.found {
		all += " AND " + condition
	}
	return all
}

// manyFound is the number of matches from which a search reads the list in its order: that finds the records
// of a page sooner than finding all matches by the index of texts and sorting them.
const manyFound = 1000

// walk keeps PostgreSQL from using the index of texts for a search with many matches: it assumes that such a
// CASE is true for half of all rows.
func (q *query) walk(found int) {
	if found < manyFound {
		return
	}
	for i, condition := range q.found {
		q.found[i] = "CASE WHEN " + condition + " THEN TRUE ELSE FALSE END"
	}
}
