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

// UserProduct is a customer's listing: a thing offered through a shop's site. Only published ones are public.
type UserProduct struct{ ent.Schema }

func (UserProduct) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}, searched{}} }

func (UserProduct) Fields() []ent.Field {
	return []ent.Field{
		field.String("slug"),
		field.String("title_fa"),
		field.String("title_en").Optional().Nillable(),
		field.Text("description").Optional().Nillable(),
		field.Text("description_fa").Optional().Nillable(),
		field.Int64("price").Optional().Nillable().Min(0).Comment("smallest unit of price_currency; null: ask"),
		field.String("price_currency"),
		field.Enum("condition").GoType(record.Condition("")),
		field.JSON("images", []record.Media{}).Default([]record.Media{}),
		field.Bool("promoted").Default(false),
		field.Enum("status").Values("draft", "pending", "published", "rejected", "archived").Default("published"),
		field.Text("rejection_reason").Optional().Nillable().
			Comment("why staff rejected it; null: they did not say, or it is not rejected"),
		field.Time("published_at").Default(record.Now),
		field.JSON("values", record.Values{}).Default(record.Values{}).Comment("answers to the category's form"),
		field.Text("delivery_notes").Optional().Nillable(),
		field.Text("technical_notes").Optional().Nillable(),
		field.UUID("user_id", uuid.UUID{}).Optional().Nillable().
			Comment("the customer who submitted it; null: the shop itself"),
		field.UUID("category_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("city_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("province_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("country_id", uuid.UUID{}).Optional().Nillable(),
	}
}

func (UserProduct) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("category", Category.Type).Field("category_id").Unique().
			Annotations(entsql.OnDelete(entsql.SetNull)),
		edge.To("user", User.Type).Field("user_id").Unique().Annotations(entsql.OnDelete(entsql.SetNull)),
		edge.To("city", Location.Type).Field("city_id").Unique(),
		edge.To("province", Location.Type).Field("province_id").Unique(),
		edge.To("country", Location.Type).Field("country_id").Unique(),
	}
}

func (UserProduct) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "slug").Unique(),
		index.Fields("user_id", "tenant_id"),
		index.Fields("tenant_id", "status", "published_at", "id"), // the order of lists, read backwards
	}
}

func (UserProduct) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Personal{
			Of: "user_id", As: "listings", Deleted: true,
			Named: map[string]string{"category_id": "category", "city_id": "city", "province_id": "province",
				"country_id": "country"},
			Shown: map[string]string{"category_id": "slug", "city_id": "slug", "province_id": "slug",
				"country_id": "slug"},
			Amounts: map[string]string{"price": "price_currency"},
		},
		listed(Computed{}),
		flatCategory("category"),
		Flat{
			"citySlug": "city.slug", "cityName": "city.name", "cityNameFa": "city.name_fa",
			"provinceSlug": "province.slug",
			"countrySlug":  "country.slug", "countryName": "country.name", "countryNameFa": "country.name_fa",
		},
		media().with(Reads{
			"price": {"price", "price_currency"}, "priceMoney": {"price", "price_currency"}, "nodeId": {},
			"canonicalUrl":    {"slug"},
			"technicalValues": {"values", "category_id"}, "technicalInfo": {"values", "category_id"},
		}),
	}
}
