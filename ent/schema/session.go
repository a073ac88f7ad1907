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

// Session is one sign-in, and the family of the refresh tokens that continue it.
type Session struct{ ent.Schema }

func (Session) Mixin() []ent.Mixin { return []ent.Mixin{base{}} }

func (Session) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("user_id", uuid.UUID{}).Immutable(),
		field.Time("expires_at").Immutable().Comment("no refresh goes beyond"),
		field.Time("ended_at").Optional().Nillable(),
		field.Bytes("mark").Optional().Nillable().Unique().Sensitive().
			Comment("SHA-256 of what its refresh tokens have in common: a used one is known by " +
				"it when its row is gone"),
		field.String("client").Optional().Nillable().Immutable().
			Comment("what it was begun with, such as Firefox on Windows; empty: it says nothing of itself"),
		field.String("network").Optional().Nillable().Immutable().
			Comment("the /24 of IPv4 or the /48 of IPv6 it was begun from; empty: unknown"),
		field.Time("proven_at").Optional().Nillable().
			Comment("when its user has proved the second factor in it; null: not yet"),
	}
}

func (Session) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

func (Session) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id"), index.Fields("expires_at"), index.Fields("ended_at")}
}

func (Session) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Personal{
			Of: "user_id", As: "sessions", Named: map[string]string{"created_at": "beganAt"},
			Withheld: []string{"mark"}, // a secret
		},
	}
}
