package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// TaxRate is a tax on what a shop sells, for some time (internal/sale/price).
type TaxRate struct{ ent.Schema }

func (TaxRate) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}} }

func (TaxRate) Fields() []ent.Field {
	return []ent.Field{
		field.String("key"),
		field.String("category").
			Comment("of the variants that it is on, record.StandardTax, or record.DeliveryTax"),
		field.String("name"),
		field.String("name_fa"),
		field.Int("rate").Comment("parts per million"),
		field.String("from").Optional().Nillable().
			Comment("the day in the shop's time zone on which it begins, as 2026-03-21; null: it always held"),
		field.String("until").Optional().Nillable().Comment("the day on which it ends; null: none is known"),
	}
}

func (TaxRate) Indexes() []ent.Index {
	return []ent.Index{index.Fields("tenant_id", "key").Unique()}
}
