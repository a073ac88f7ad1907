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

// Address is where a customer has things sent.
type Address struct{ ent.Schema }

func (Address) Mixin() []ent.Mixin { return []ent.Mixin{base{}} }

func (Address) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("user_id", uuid.UUID{}).Immutable(),
		field.String("label").Optional().Nillable(),
		field.String("province"),
		field.String("city"),
		field.String("address"),
		field.String("postal_code").Optional().Nillable(),
		field.String("landline").Optional().Nillable(),
		field.UUID("location_id", uuid.UUID{}).Optional().Nillable().
			Comment("the city or province that the customer chose; null: none was chosen since the two were changed"),
		field.Bool("from_before").Default(false).
			Comment("it is older than users.handed_over_at, and nobody has changed it since"),
	}
}

func (Address) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

func (Address) Indexes() []ent.Index { return []ent.Index{index.Fields("user_id")} }

func (Address) Annotations() []schema.Annotation {
	return []schema.Annotation{Personal{Of: "user_id", As: "addresses"}}
}
