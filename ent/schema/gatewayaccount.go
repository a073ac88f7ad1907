package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// GatewayAccount is what a shop proves itself with at a payment gateway. It is never edited: other credentials are
// another row, and this one settles and refunds what began with it.
type GatewayAccount struct{ ent.Schema }

func (GatewayAccount) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}} }

func (GatewayAccount) Fields() []ent.Field {
	return []ent.Field{
		field.String("gateway").Immutable().Comment("gateway.About.Name"),
		field.Bool("is_test").Immutable().Comment("its payments are no real money, by its credentials"),
		field.Bytes("secrets").Optional().Nillable().Sensitive().
			Comment("JSON, sealed by AES-GCM under a key of the installation; null: staff had it forgotten"),
		field.String("last4").Immutable().Comment("the last characters of its most telling credential"),
		field.String("callback_base").Optional().Nillable().Immutable().
			Comment("https://host, at which the gateway's customers come back; null: PUBLIC_URL"),
		field.Bool("active").Default(false).Comment("customers can begin to pay with it"),
	}
}

func (GatewayAccount) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "gateway").Unique().StorageKey("gateway_account_active").
			Annotations(entsql.IndexWhere("active")),
	}
}

// GatewayEvent is a call of a gateway that was followed, so that it is followed once.
type GatewayEvent struct{ ent.Schema }

func (GatewayEvent) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}} }

func (GatewayEvent) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("gateway_account_id", uuid.UUID{}).Immutable(),
		field.String("event").Immutable().Comment("the gateway's id of it"),
	}
}

func (GatewayEvent) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("gateway_account_id", "event").Unique(),
		index.Fields("created_at"), // old ones are deleted
	}
}
