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

// RefreshToken continues a session once.
type RefreshToken struct{ ent.Schema }

func (RefreshToken) Mixin() []ent.Mixin { return []ent.Mixin{base{}} }

func (RefreshToken) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("session_id", uuid.UUID{}).Immutable(),
		field.Bytes("hash").Unique().Immutable().Sensitive().Comment("SHA-256 of the token"),
		field.Time("expires_at").Immutable(),
		field.Time("used_until").Optional().Nillable().
			Comment("null: not used yet; a request that began later than this is a replay"),
	}
}

func (RefreshToken) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("session", Session.Type).Field("session_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

func (RefreshToken) Indexes() []ent.Index {
	return []ent.Index{index.Fields("session_id"), index.Fields("expires_at"), index.Fields("used_until")}
}

func (RefreshToken) Annotations() []schema.Annotation {
	return []schema.Annotation{Personal{Of: "session_id"}} // secrets
}
