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

// ExpertReview is a visitor's rated opinion of a product. It is public once approved.
type ExpertReview struct{ ent.Schema }

func (ExpertReview) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}, moderated{}} }

func (ExpertReview) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("product_id", uuid.UUID{}).Immutable(),
		field.String("author_name"),
		field.String("author_email").Optional().Nillable().Comment("for the shop's staff alone"),
		field.Int("rate").Comment("1..10, 10 is best; contract 2.4"),
		field.Strings("positive_points").Default([]string{}),
		field.Strings("negative_points").Default([]string{}),
		field.Text("text"),
		field.Enum("status").GoType(record.Moderation("")).Default(string(record.Pending)),
	}
}

func (ExpertReview) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("product", Product.Type).Field("product_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

func (ExpertReview) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "product_id", "status", "created_at", "id"),
		index.Fields("tenant_id", "status", "created_at", "id"), // how many are pending, and the order of their list
	}
}

func (ExpertReview) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Personal{
			Of: "user_id", Signed: "author_email", As: "reviews", Named: map[string]string{"product_id": "product"},
			Shown:    map[string]string{"product_id": "slug"},
			Cleared:  []string{"user_id", "author_email", "rejection_reason", "reply", "replied_at"},
			Nameless: "author_name", Kept: []string{"text", "positive_points", "negative_points"},
		},
	}
}
