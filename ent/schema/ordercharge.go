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

// OrderCharge is what an order costs besides its lines, or less than they do. It is written at checkout and never
// changed. A discount of a whole order is a row for each line, so that nobody divides it later.
type OrderCharge struct{ ent.Schema }

func (OrderCharge) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}} }

func (OrderCharge) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("order_id", uuid.UUID{}).Immutable(),
		field.UUID("item_id", uuid.UUID{}).Optional().Nillable().Immutable().Comment("null: of the whole order"),
		field.Enum("kind").GoType(record.ChargeKind("")).Immutable(),
		field.UUID("source_id", uuid.UUID{}).Optional().Nillable().Immutable().
			Comment("the delivery method, discount or rate it comes from, which may be gone"),
		field.String("name").Immutable().Comment("as its source had it at checkout"),
		field.String("name_fa").Optional().Nillable().Immutable(),
		field.Int64("amount").Immutable().
			Comment("less than 0 for a discount; smallest unit of the order's price_currency"),
		field.Int("rate").Optional().Nillable().Immutable().Comment("of a tax: parts per million"),
		field.Bool("included").Immutable().Default(false).
			Comment("a tax that the prices contain, which is in no sum"),
	}
}

func (OrderCharge) Edges() []ent.Edge {
	return []ent.Edge{
		ofOrder(),
		edge.To("item", OrderItem.Type).Field("item_id").Unique().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

func (OrderCharge) Indexes() []ent.Index {
	return []ent.Index{index.Fields("order_id"), index.Fields("item_id")}
}

func (OrderCharge) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Personal{
			Of: "order_id", As: "charges", Withheld: []string{"created_at", "item_id", "source_id"},
			Amounts: map[string]string{"amount": "order_id.price_currency"},
			Kept:    []string{"name", "name_fa"},
		},
	}
}
