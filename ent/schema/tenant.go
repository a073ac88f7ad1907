package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"storefront/internal/record"
)

// Tenant is a shop: the business behind one domain.
type Tenant struct{ ent.Schema }

func (Tenant) Mixin() []ent.Mixin { return []ent.Mixin{base{}} }

func (Tenant) Fields() []ent.Field {
	return []ent.Field{
		field.String("domain").Unique().Comment("hostname.Normalize form"),
		field.String("slug").Unique(),
		field.String("name"),
		field.String("name_fa"),
		field.String("primary_color").Optional().Nillable(),
		field.String("default_locale").Default("fa").Comment("en or fa"),
		field.String("time_zone").Optional().Nillable().
			Comment("IANA name of the zone whose days the shop reckons by; null: the one of its default_locale"),
		field.String("logo_url").Optional().Nillable(),
		field.String("favicon_url").Optional().Nillable(),
		field.JSON("pages", &record.PageAddresses{}).Optional().
			Comment("where its storefront shows its pages; null: it has not said"),
		field.JSON("order_rules", &record.OrderRules{}).Optional().
			Comment("what it asks of orders; null: it has not said"),
		field.Int64("content_version").Default(0).
			Comment("raised by every change of public content, in its transaction; what is counted is kept under it"),
		field.Int64("sale_version").Default(0).
			Comment("raised by every change of what delivery costs; 0: the shop never had a method or a gateway"),
		field.Time("closed_at").Optional().Nillable().
			Comment("since when the shop answers nobody, because it moves to another installation; null: it is open"),
		field.Time("paused_at").Optional().Nillable().
			Comment("since when the shop is closed to its customers, because its owner says so; null: it is not"),
		field.Time("second_factor_since").Optional().Nillable().
			Comment("since when those who work for the shop need a second factor; null: they need none"),
	}
}

func (Tenant) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("closed_at").Annotations(entsql.IndexWhere("closed_at IS NOT NULL")), // few are closed
		index.Fields("paused_at").Annotations(entsql.IndexWhere("paused_at IS NOT NULL")),
	}
}

func (Tenant) Annotations() []schema.Annotation {
	return []schema.Annotation{Derived{"content_version", "sale_version", "closed_at", "paused_at",
		"second_factor_since"}}
}
