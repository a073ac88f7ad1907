package reference

import (
	"encoding/json"
	"net/http"
	"time"

	"storefront/cmd/internal/must"
	"storefront/internal/locale/money"
	"storefront/internal/locale/search"
	"storefront/internal/record"
)

type variant struct {
	ID               string                 `json:"id"`
	ProductID        string                 `json:"productId"`
	ProductSlug      string                 `json:"productSlug"`
	TitleFa          string                 `json:"titleFa"`
	TitleEn          *string                `json:"titleEn"`
	SKU              string                 `json:"sku"`
	Options          []record.VariantOption `json:"options"`
	ImageURL         *string                `json:"imageUrl"`
	CategoryID       *string                `json:"categoryId"`
	CategorySlug     *string                `json:"categorySlug"`
	CategoryName     *string                `json:"categoryName"`
	CategoryNameFa   *string                `json:"categoryNameFa"`
	BrandID          *string                `json:"brandId"`
	BrandName        *string                `json:"brandName"`
	BrandNameFa      *string                `json:"brandNameFa"`
	Price            json.RawMessage        `json:"price"`
	CompareAtPrice   json.RawMessage        `json:"compareAtPrice"`
	DiscountPercent  *int64                 `json:"discountPercent"`
	PriceCurrency    string                 `json:"priceCurrency"`
	IsFestival       bool                   `json:"isFestival"`
	InStock          bool                   `json:"inStock"`
	StockQuantity    *int                   `json:"stockQuantity"`
	MaxOrderQuantity *int                   `json:"maxOrderQuantity"`
	UpdatedAt        time.Time              `json:"updatedAt"`
}

const variantColumns = `v.id, v.product_id, p.slug, p.title_fa, p.title_en, v.sku, v.options, p.variations,
	v.image_url, p.images, p.category_id, c.slug, c.name, c.name_fa, p.brand_id, b.name, b.name_fa, v.price,
	v.compare_at_price, v.price_currency, v.is_festival, v.stock, v.max_order_quantity, v.updated_at`

func readVariant(scan func(...any) error) (v variant) {
	var options, variations, images []byte
	var cost, before *int64
	var stock int
	must.Do(scan(&v.ID, &v.ProductID, &v.ProductSlug, &v.TitleFa, &v.TitleEn, &v.SKU, &options, &variations,
		&v.ImageURL, &images, &v.CategoryID, &v.CategorySlug, &v.CategoryName, &v.CategoryNameFa, &v.BrandID,
		&v.BrandName, &v.BrandNameFa, &cost, &before, &v.PriceCurrency, &v.IsFestival, &stock, &v.MaxOrderQuantity,
		&v.UpdatedAt))
	v.Options, v.ImageURL = optionsOf(options, variations), imageOf(v.ImageURL, images)
	v.Price, v.CompareAtPrice = price(cost, &v.PriceCurrency), price(before, &v.PriceCurrency)
	if cost != nil && before != nil && *before > *cost {
		percent := max((200*(*before-*cost)+*before)/(2**before), 1)
		v.DiscountPercent = &percent
	}
	v.InStock = stock > 0
	if stock <= 10 {
		v.StockQuantity = &stock
	}
	v.UpdatedAt = v.UpdatedAt.UTC()
	return v
}

// imageOf returns a variant's image, else the first of its product.
func imageOf(own *string, images []byte) *string {
	if own != nil {
		return own
	}
	var all []record.Media
	must.Do(json.Unmarshal(images, &all))
	return record.FirstURL(all)
}

// optionsOf returns the options of a variant in the order of its product's variations.
func optionsOf(options, variations []byte) []record.VariantOption {
	chosen, all := map[string]string{}, []record.Variation{}
	must.Do(json.Unmarshal(options, &chosen), json.Unmarshal(variations, &all))
	return record.OptionsOf(all, chosen)
}

// storeItems returns the list of variants on sale. Like products it finds keys first.
func storeItems(t tx, r *http.Request, s shop) any {
	values := r.URL.Query()
	q := query{args: []any{s.public.ID, t.at}}
	q.from, q.key, q.order = "FROM variants v", "v.id", "v.listed_at"
	q.where = " WHERE v.tenant_id = $1 AND v.listed_at <= $2"
	for _, word := range search.Pieces(values.Get("name")) {
		q.found = append(q.found, "v.search_text LIKE "+q.add("%"+word+"%"))
	}
	for _, bound := range []struct {
		name, compare string
		up            bool
	}{{"minPrice", ">=", true}, {"maxPrice", "<=", false}} {
		if given := values.Get(bound.name); given != "" {
			milli := must.Get(money.ParseMilli(given, bound.up))
			q.where += " AND v.price_milli " + bound.compare + " " + q.add(milli)
		}
	}
	const beside = " JOIN products p ON p.id = v.product_id" + besideCard
	return listed(t, r, s, q, variantColumns, "variants v", beside, 20, readVariant)
}
