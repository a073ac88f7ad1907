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

// Membership ties an account to a shop. It belongs to the account, which may be a member of many shops.
type Membership struct{ ent.Schema }

func (Membership) Mixin() []ent.Mixin { return []ent.Mixin{base{}} }

func (Membership) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("user_id", uuid.UUID{}).Immutable(),
		field.UUID("business_id", uuid.UUID{}).Immutable().Comment("the tenant's id"),
		field.Time("pending_until").Optional().Nillable().
			Comment("null: active; else the link waits until then for a proof that the cell is the customer's"),
		field.String("asked_from").Optional().Nillable().
			Comment("the client address that asked for a link that waits; null: it is active"),
	}
}

func (Membership) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
		edge.To("business", Tenant.Type).Field("business_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

func (Membership) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("user_id", "business_id").Unique(), index.Fields("business_id", "created_at"),
		index.Fields("pending_until"),
	}
}

func (Membership) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Personal{
			Of: "user_id", Where: "pending_until IS NULL", // else a stranger may have asked for it
			As: "membership", Named: map[string]string{"created_at": "since"},
			Withheld: []string{"business_id", "pending_until", "asked_from"}, Deleted: true,
		},
	}
}
