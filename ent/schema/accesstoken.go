package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// AccessToken lets a program do what staff of a shop may. The token itself is not stored. An expired or revoked
// token is kept as long as the audit log, whose entries refer to it.
type AccessToken struct{ ent.Schema }

func (AccessToken) Mixin() []ent.Mixin { return []ent.Mixin{base{}} }

func (AccessToken) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("business_id", uuid.UUID{}).Immutable().Comment("the tenant's id"),
		field.String("name").Immutable().Comment("what staff call it"),
		field.Bytes("hash").Unique().Immutable().Sensitive().Comment("SHA-256 of the token"),
		field.String("last_characters").Immutable().Comment("of the token, by which people know it again"),
		field.Strings("permissions").Immutable().Comment("staff.Permission"),
		field.UUID("created_by", uuid.UUID{}).Optional().Nillable().Immutable().
			Comment("the account of who made it; null: it is erased"),
		field.Time("last_used_at").Optional().Nillable().Comment("to about a minute"),
		field.Time("expires_at").Optional().Nillable().Immutable().Comment("null: it does not end by itself"),
		field.Time("revoked_at").Optional().Nillable(),
	}
}

func (AccessToken) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("business", Tenant.Type).Field("business_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
		edge.To("creator", User.Type).Field("created_by").Unique().Immutable().
			Annotations(entsql.OnDelete(entsql.SetNull)),
	}
}

func (AccessToken) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id"), index.Fields("created_by"),
		index.Fields("expires_at"), index.Fields("revoked_at"), // old ones are deleted
	}
}
