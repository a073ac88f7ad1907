package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// OneTimeCode is the newest code that a party has had sent to a cell number. Older ones of that party are not valid.
type OneTimeCode struct{ ent.Schema }

func (OneTimeCode) Mixin() []ent.Mixin { return []ent.Mixin{base{}} }

func (OneTimeCode) Fields() []ent.Field {
	return []ent.Field{
		field.String("cell_number").Immutable().Comment("E.164"),
		field.String("party").Immutable().
			Comment("who asked for it: the customer's device, an address of theirs (known), or a stranger"),
		field.Bytes("mac").Sensitive().Comment("HMAC of cell and code"),
		field.UUID("business_id", uuid.UUID{}).Optional().Nillable().
			Comment("the shop it was asked for; null: none"),
		field.String("asked_from").Default("").Comment("the client address that asked for it"),
		field.Time("expires_at"),
		field.Time("used_at").Optional().Nillable().
			Comment("null: nobody signed in with it. Whether a code is used depends on no clock, " +
				"only on this being null"),
		field.Time("verified_at").Optional().Nillable().
			Comment("null: it has verified no cell. One that has is good for a sign-in still"),
		field.Time("proven_until").Optional().Nillable().
			Comment("a cell without an account was proven: its registration counts as proven until then"),
		field.String("proven_from").Optional().Nillable().
			Comment("the client address of that proof; only a registration from there counts as proven"),
		field.Bytes("ticket_mac").Optional().Nillable().Sensitive().
			Comment("HMAC of cell, shop, client address and the ticket that a right code gave, without an account"),
		field.Time("ticket_until").Optional().Nillable().Comment("null: nothing, or it has registered the cell"),
	}
}

func (OneTimeCode) Indexes() []ent.Index {
	return []ent.Index{index.Fields("cell_number", "party").Unique(), index.Fields("expires_at")}
}

func (OneTimeCode) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Personal{Of: "cell_number", OfAccount: true}, // secrets of some minutes
	}
}
