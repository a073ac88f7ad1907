package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// ShopEvent is something that happened in a shop, written in the transaction that did it (internal/event/outbox).
// Ids grow in the order of the events of one subject, because each is written under the lock of the subject's row.
type ShopEvent struct{ ent.Schema }

func (ShopEvent) Mixin() []ent.Mixin { return []ent.Mixin{owned{}} }

func (ShopEvent) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("id"),
		field.UUID("event_id", uuid.UUID{}).Immutable().Comment("webhook-id"),
		field.String("type").Immutable().Comment("a record.WebhookEvent, or order_figures, which nobody gets"),
		field.UUID("subject_id", uuid.UUID{}).Immutable().
			Comment("the order, comment or variant, whose events keep their order"),
		field.Int("day").Optional().Nillable().Immutable().
			Comment("on which the order was placed (UTC), in days since 1970; null: it is of no order"),
		field.Text("payload").Immutable().Comment("JSON, byte for byte"),
		field.Time("created_at").Immutable(),
		field.Int64("number").Optional().Nillable().Unique().
			Comment("in the order of commits, given after the commit; null: not yet"),
	}
}

func (ShopEvent) Indexes() []ent.Index {
	return []ent.Index{index.Fields("tenant_id", "number", "day")}
}
