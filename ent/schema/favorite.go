package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// Favorite is a product that a customer wants to find again.
type Favorite struct{ ent.Schema }

func (Favorite) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}} }

func (Favorite) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("user_id", uuid.UUID{}).Immutable(),
		field.UUID("product_id", uuid.UUID{}).Immutable(),
	}
}

func (Favorite) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
		edge.To("product", Product.Type).Field("product_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

func (Favorite) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "user_id", "product_id").Unique(),
		index.Fields("user_id", "tenant_id", "created_at", "id"), // the order of lists, read backwards
		index.Fields("product_id"),
	}
}

func (Favorite) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Personal{
			Of: "user_id", As: "favorites", Named: map[string]string{"product_id": "product"},
			Shown: map[string]string{"product_id": "slug"}, Deleted: true,
		},
	}
}
