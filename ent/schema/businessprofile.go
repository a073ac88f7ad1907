package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"storefront/internal/record"
)

// BusinessProfile is what a business says about itself; at most one a tenant.
type BusinessProfile struct{ ent.Schema }

func (BusinessProfile) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}} }

func (BusinessProfile) Fields() []ent.Field {
	return []ent.Field{
		field.Text("about").Optional().Nillable(),
		field.Text("about_fa").Optional().Nillable(),
		field.Strings("phones").Default([]string{}),
		field.Strings("emails").Default([]string{}),
		field.JSON("addresses", []record.BusinessAddress{}).Default([]record.BusinessAddress{}),
		field.JSON("social_links", []record.SocialLink{}).Default([]record.SocialLink{}),
		field.Text("working_hours").Optional().Nillable(),
		field.Text("working_hours_fa").Optional().Nillable(),
	}
}

func (BusinessProfile) Indexes() []ent.Index {
	return []ent.Index{index.Fields("tenant_id").Unique()}
}
