package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// OrderDay keeps the figures of the orders that a shop had on a day (UTC) that is over. internal/sale/report stores it
// when it has read the day's orders. It is good as long as no event with a higher number is of an order of the day.
type OrderDay struct{ ent.Schema }

func (OrderDay) Mixin() []ent.Mixin { return []ent.Mixin{owned{}} }

func (OrderDay) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("id"),
		field.Int("day").Immutable().Comment("days since 1970"),
		field.Bytes("figures").Comment("of the orders placed on it, as internal/sale/report writes them"),
		field.Int64("number").Comment("of the last event that was committed before the orders were read"),
	}
}

func (OrderDay) Indexes() []ent.Index {
	return []ent.Index{index.Fields("tenant_id", "day").Unique()}
}
