package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"entgo.io/ent/schema/mixin"

	"storefront/internal/record"
)

// content is what products, blogs and portfolios have in common: a page of their own, shown once it is
// published.
type content struct{ mixin.Schema }

func (content) Fields() []ent.Field {
	return []ent.Field{
		field.String("slug"),
		field.String("title_fa"),
		field.String("title_en").Optional().Nillable(),
		field.Text("summary").Optional().Nillable(),
		field.Text("summary_fa").Optional().Nillable(),
		field.Strings("tags").Default([]string{}),
		field.JSON("images", []record.Media{}).Default([]record.Media{}),
		field.JSON("seo", record.SEO{}).Default(record.SEO{}),
		field.Enum("status").GoType(record.Status("")).Default(string(record.Published)),
		field.Time("published_at").Default(record.Now),
	}
}

func (content) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "slug").Unique(),
		index.Fields("tenant_id", "status", "published_at", "id"), // the order of lists, read backwards
	}
}
