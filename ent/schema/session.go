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

// Session is one sign-in. Its refresh tokens are not stored: each names the session and its number.
type Session struct{ ent.Schema }

func (Session) Mixin() []ent.Mixin { return []ent.Mixin{base{}} }

func (Session) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("user_id", uuid.UUID{}).Immutable(),
		field.Time("expires_at").Immutable().Comment("no refresh goes beyond"),
		field.Time("ended_at").Optional().Nillable(),
		field.Int64("number").Default(1).Comment("of the newest refresh token"),
		field.Bool("seen").Default(true).
			Comment("whether the newest refresh token, or an access token given with it, has come back: then the " +
				"one before is used"),
		field.Time("refreshed_at").Default(record.Now).Comment("when the newest refresh token was given first"),
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
			Withheld: []string{"number", "seen"},
		},
	}
}
