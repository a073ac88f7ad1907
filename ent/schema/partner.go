package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// Partner is an external server that may send SMS, known by its domain.
type Partner struct{ ent.Schema }

func (Partner) Mixin() []ent.Mixin { return []ent.Mixin{base{}} }

func (Partner) Fields() []ent.Field {
	return []ent.Field{field.String("domain").Unique().Immutable().
		Comment("hostname.Normalize form, without www.")}
}

// PartnerKey is a key of a partner. A partner may have several valid keys.
type PartnerKey struct{ ent.Schema }

func (PartnerKey) Mixin() []ent.Mixin { return []ent.Mixin{base{}} }

func (PartnerKey) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("partner_id", uuid.UUID{}).Immutable(),
		field.Bytes("hash").Unique().Immutable().Sensitive().Comment("SHA-256 of the key"),
		field.Time("revoked_at").Optional().Nillable(),
	}
}

func (PartnerKey) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("partner", Partner.Type).Field("partner_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

func (PartnerKey) Indexes() []ent.Index { return []ent.Index{index.Fields("partner_id")} }

// PartnerMessage records that a partner's message was handed to the provider, without its text and without the
// whole number. It is written before the provider is called.
type PartnerMessage struct{ ent.Schema }

func (PartnerMessage) Mixin() []ent.Mixin { return []ent.Mixin{base{}} }

func (PartnerMessage) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("partner_id", uuid.UUID{}).Immutable(),
		field.String("masked_to").Immutable().Comment("+98912***4567"),
		field.Int("length").Immutable().Comment("code points"),
		field.String("provider").Immutable(),
		field.String("server_id").Comment("the provider's id of the message; empty: it gave none"),
		field.String("outcome").Comment("sent, or the kind of failure; sending: that is not known yet"),
		field.Bytes("key_hash").Optional().Nillable().
			Comment("SHA-256 of the Idempotency-Key that stands for the message; null: none does"),
		field.Bytes("fingerprint").Optional().Nillable().Comment("SHA-256 of that key, the number and the text"),
	}
}

func (PartnerMessage) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("partner", Partner.Type).Field("partner_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

func (PartnerMessage) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("partner_id", "created_at"), index.Fields("created_at"),
		index.Fields("partner_id", "key_hash").Unique(),
	}
}
