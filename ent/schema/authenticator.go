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

// Authenticator is the second factor of an account: the secret from which the holder's app and the service
// compute codes (RFC 6238).
type Authenticator struct{ ent.Schema }

func (Authenticator) Mixin() []ent.Mixin { return []ent.Mixin{base{}} }

func (Authenticator) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("user_id", uuid.UUID{}).Immutable(),
		field.Bytes("secret").Sensitive().Comment("sealed by AES-GCM under a key of the installation"),
		field.Time("confirmed_at").Optional().Nillable().
			Comment("when a code has shown that the app has the secret; null: not yet, it is no second factor"),
		field.Int64("last_step").Default(0).
			Comment("the time step of the last code that was used; one of this step or before it is refused"),
	}
}

func (Authenticator) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

func (Authenticator) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("user_id").Unique(),
		index.Fields("created_at").StorageKey("authenticator_unconfirmed").
			Annotations(entsql.IndexWhere("confirmed_at IS NULL")), // old ones are deleted
	}
}

func (Authenticator) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Personal{Of: "user_id", As: "secondFactor", Withheld: []string{"secret", "last_step"}},
	}
}

// RecoveryCode proves a second factor once, for a person who has lost the app. A used code is deleted.
type RecoveryCode struct{ ent.Schema }

func (RecoveryCode) Mixin() []ent.Mixin { return []ent.Mixin{base{}} }

func (RecoveryCode) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("user_id", uuid.UUID{}).Immutable(),
		field.Bytes("hash").Immutable().Sensitive().Comment("SHA-256 of the code, which has 80 random bits"),
	}
}

func (RecoveryCode) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

func (RecoveryCode) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id", "hash").Unique()}
}

func (RecoveryCode) Annotations() []schema.Annotation {
	return []schema.Annotation{Personal{Of: "user_id"}} // secrets
}
