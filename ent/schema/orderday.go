package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// OrderDay is a day (UTC) on which a shop had orders, with the totals of these orders once they are computed.
// Triggers of the database insert the row with the first order of the day, and clear the totals in the
// transaction of each later change that they depend on. internal/report computes the totals of past days, and
// reads them.
type OrderDay struct{ ent.Schema }

func (OrderDay) Mixin() []ent.Mixin { return []ent.Mixin{owned{}} }

func (OrderDay) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("id"),
		field.Int("day").Immutable().Comment("days since 1970"),
		field.Bytes("figures").Optional().Nillable().
			Comment("of the orders placed on it, as internal/report writes them; null: not added up"),
		field.UUID("mark", uuid.UUID{}).Optional().Nillable().
			Comment("of who adds it up now: taken away with the figures"),
	}
}

func (OrderDay) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "day").Unique(),
		index.Fields("day").Annotations(entsql.IndexWhere("figures IS NULL")), // days without totals
	}
}
