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

// Variant is what customers put into a cart: a product in one of its forms.
type Variant struct{ ent.Schema }

func (Variant) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}, searched{}} }

func (Variant) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("product_id", uuid.UUID{}),
		field.String("sku"),
		field.Text("sku_text").Default("").Comment("search.Compact of sku, which search_text ends with"),
		field.JSON("options", map[string]string{}).Default(map[string]string{}).
			Comment("variation key to value key"),
		field.Int64("price").Optional().Nillable().Min(0).Comment("smallest unit of price_currency; null: ask"),
		field.Int64("price_milli").Optional().Nillable().
			Comment("thousandths of the unit, to compare across currencies"),
		field.Int64("compare_at_price").Optional().Nillable().Min(0).Comment("smallest unit of price_currency"),
		field.String("price_currency"),
		field.Int("stock").Default(0).Min(0),
		field.Int("low_stock_at").Optional().Nillable().Min(0).
			Comment("so many and fewer in stock are few; null: record.LowStock"),
		field.Bool("is_festival").Default(false),
		field.Int("max_order_quantity").Optional().Nillable(),
		field.Int("weight").Optional().Nillable().Min(0).Comment("grams; null: the usual weight of the shop's rules"),
		field.String("tax_category").Optional().Nillable().Comment("of its tax rates; null: record.StandardTax"),
		field.String("image_url").Optional().Nillable(),
		field.Bool("on_sale").Default(true),

		// Derived by internal/content/derive.
		field.Time("listed_at").Optional().Nillable().
			Comment("published_at of its product; null when that is not published or the variant is off sale"),
		field.UUID("product_category_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("product_brand_id", uuid.UUID{}).Optional().Nillable(),
		field.Int64("sort_cheap").Default(record.NoPrice).
			Comment("price_milli, negated; record.NoPrice without one"),
		field.Int64("sort_dear").Default(record.Unranked).Comment("price_milli; record.Unranked without one"),
		field.Int64("sort_discount").Default(record.Unranked).
			Comment("thousandths off compare_at_price; record.Unranked where nothing is off"),
	}
}

func (Variant) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("product", Product.Type).Field("product_id").Unique().Required().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

func (Variant) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "sku").Unique(),
		index.Fields("tenant_id", "sku_text"),
		index.Fields("tenant_id", "listed_at", "id"), // the order of lists, read backwards
		index.Fields("tenant_id", "sort_cheap", "listed_at", "id"),
		index.Fields("tenant_id", "sort_dear", "listed_at", "id"),
		index.Fields("tenant_id", "sort_discount", "listed_at", "id"),
		index.Fields("product_id", "listed_at"),
		// the columns that facets are counted by, with InStock for the stock, which changes with every sale
		index.Fields("tenant_id", "listed_at", "product_category_id", "product_brand_id", "price_currency",
			"sort_dear", "is_festival").StorageKey("variant_facets"),
	}
}

func (Variant) Annotations() []schema.Annotation {
	return []schema.Annotation{
		entsql.Checks(map[string]string{"stock_not_negative": "stock >= 0"}),
		Derived{"product_category_id", "product_brand_id", "sort_cheap", "sort_dear", "sort_discount"},
		listed(Computed{}),
		flatCategory("product.category"),
		Flat{
			"productSlug": "product.slug", "titleFa": "product.title_fa", "titleEn": "product.title_en",
			"categoryId": "product.category_id", "brandId": "product.brand_id",
			"brandName": "product.brand.name", "brandNameFa": "product.brand.name_fa",
		},
		Reads{
			"price": {"price", "price_currency"}, "priceMoney": {"price", "price_currency"},
			"compareAtPrice":      {"compare_at_price", "price_currency"},
			"compareAtPriceMoney": {"compare_at_price", "price_currency"}, "nodeId": {},
			"discountPercent": {"price", "compare_at_price"},
			"inStock":         {"stock"}, "stockQuantity": {"stock"},
			"imageUrl": {"image_url", "product.images"},
			"image":    {"image_url", "product.images"},
			"options":  {"options", "product.variations"},
		},
	}
}
