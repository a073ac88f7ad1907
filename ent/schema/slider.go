package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"storefront/internal/record"
)

// Slider is a row of slides on the home page.
type Slider struct{ ent.Schema }

func (Slider) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}} }

func (Slider) Fields() []ent.Field {
	return []ent.Field{
		field.String("key"),
		field.String("title").Optional().Nillable(),
		field.String("title_fa").Optional().Nillable(),
		field.Int("position").Default(0),
		field.JSON("slides", []record.Slide{}).Default([]record.Slide{}).Comment("in the order they are shown"),
	}
}

func (Slider) Indexes() []ent.Index {
	return []ent.Index{index.Fields("tenant_id", "key").Unique()}
}
