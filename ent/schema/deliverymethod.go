package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"

	"storefront/internal/record"
)

// DeliveryMethod is a way in which a shop delivers, and what that costs (internal/sale/delivery).
type DeliveryMethod struct{ ent.Schema }

func (DeliveryMethod) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}} }

func (DeliveryMethod) Fields() []ent.Field {
	return []ent.Field{
		field.String("key"),
		field.String("name"),
		field.String("name_fa"),
		field.Enum("kind").GoType(record.DeliveryKind("")),
		field.JSON("country_ids", []uuid.UUID{}).Default([]uuid.UUID{}),
		field.JSON("province_ids", []uuid.UUID{}).Default([]uuid.UUID{}),
		field.JSON("city_ids", []uuid.UUID{}).Default([]uuid.UUID{}).
			Comment("where it delivers, like the two before; none in all three: everywhere"),
		field.String("price_currency"),
		field.Int64("price").Optional().Nillable().Min(0).Comment("of a flat one; smallest unit of price_currency"),
		field.JSON("steps", []record.DeliveryStep{}).Default([]record.DeliveryStep{}).
			Comment("of one by steps, lightest first"),
		field.Int64("free_from").Optional().Nillable().Min(0).
			Comment("the subtotal from which it costs nothing; smallest unit of price_currency"),
		field.Int("days_from").Optional().Nillable(),
		field.Int("days_to").Optional().Nillable(),
		field.Int("position").Default(0),
		field.Bool("active").Default(true),
	}
}

func (DeliveryMethod) Indexes() []ent.Index {
	return []ent.Index{index.Fields("tenant_id", "key").Unique()}
}
