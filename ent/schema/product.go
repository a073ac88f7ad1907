package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"

	"storefront/internal/record"
)

// Product is an article that a shop shows. Customers buy its variants.
type Product struct{ ent.Schema }

func (Product) Mixin() []ent.Mixin {
	return []ent.Mixin{base{}, owned{}, content{}, searched{}}
}

func (Product) Fields() []ent.Field {
	return []ent.Field{
		field.Text("description").Optional().Nillable(),
		field.Text("description_fa").Optional().Nillable(),
		field.Strings("tag_keys").Default([]string{}).Comment("search.Tag of each tag, for the tag filter"),
		field.JSON("variations", []record.Variation{}).Default([]record.Variation{}),
		field.JSON("values", record.Values{}).Default(record.Values{}).Comment("answers to the category's form"),
		field.UUID("category_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("brand_id", uuid.UUID{}).Optional().Nillable(),

		// Derived by internal/content/derive from the variants on sale and the approved reviews.
		field.Int64("price_min").Optional().Nillable().Comment("smallest unit of price_currency"),
		field.Int64("price_max").Optional().Nillable().Comment("smallest unit of price_currency"),
		field.String("price_currency").Optional().Nillable(),
		field.Bool("in_store").Default(false),
		field.Int64("rating_sum").Default(0),
		field.Int("rating_count").Default(0),
		field.Int64("sort_cheap").Default(record.NoPrice).
			Comment("price_milli of the cheapest variant, negated; record.NoPrice without one"),
		field.Int64("sort_dear").Default(record.Unranked).
			Comment("price_milli of the cheapest variant; record.Unranked without one"),
		field.Int64("sort_rating").Default(record.Unranked).
			Comment("millionths of the mean rate; record.Unranked without reviews"),
		field.Bytes("sort_title").Optional().Comment("search_text as bytes that sort as a Persian reader expects"),
	}
}

func (Product) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("category", Category.Type).Field("category_id").Unique().
			Annotations(entsql.OnDelete(entsql.SetNull)),
		edge.To("brand", Brand.Type).Field("brand_id").Unique().Annotations(entsql.OnDelete(entsql.SetNull)),
	}
}

func (Product) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "brand_id", "status", "published_at", "id"),
		// The orders of sorted lists, read backwards; titles alone are read forwards.
		index.Fields("tenant_id", "status", "sort_cheap", "published_at", "id"),
		index.Fields("tenant_id", "status", "sort_dear", "published_at", "id"),
		index.Fields("tenant_id", "status", "sort_rating", "published_at", "id"),
		index.Fields("tenant_id", "status", "sort_title", "published_at", "id").
			Annotations(entsql.DescColumns("published_at", "id")),
		// the columns that facets are counted by
		index.Fields("tenant_id", "status", "published_at", "category_id", "brand_id", "price_currency",
			"sort_dear", "in_store").StorageKey("product_facets"),
	}
}

func (Product) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Derived{
			"price_min", "price_max", "price_currency", "in_store", "rating_sum", "rating_count",
			"sort_cheap", "sort_dear", "sort_rating", "sort_title",
		},
		listed(Computed{"in_stock": "*bool", "found_price": "*int64"}),
		flatCategory("category"),
		Flat{"brandSlug": "brand.slug", "brandName": "brand.name", "brandNameFa": "brand.name_fa"},
		media().with(Reads{
			"price": {"price_min", "price_currency"}, "priceMoney": {"price_min", "price_currency"},
			"maxPrice": {"price_max", "price_currency"}, "maxPriceMoney": {"price_max", "price_currency"},
			"nodeId":        {},
			"ratingAverage": {"rating_sum", "rating_count"},
			"inStock":       {}, "isFavorite": {}, "variants": {}, "cheapestVariant": {},
			"comments": {}, "commentsConnection": {}, "expertReviews": {},
			"technicalInfo": {"values", "category_id"},
			"canonicalUrl":  {"slug"}, "breadcrumbsJsonLd": {"slug", "title_fa", "title_en", "category_id"},
			"jsonLd": {
				"slug", "title_fa", "title_en", "summary", "summary_fa", "description",
				"description_fa", "images", "variations", "rating_sum",
				"rating_count", "category.name", "category.name_fa", "brand.name", "brand.name_fa",
			},
			"related": {"category_id", "brand_id"},
		}),
	}
}
