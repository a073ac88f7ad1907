package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Brand is the maker or publisher of products.
type Brand struct{ ent.Schema }

func (Brand) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}} }

func (Brand) Fields() []ent.Field {
	return []ent.Field{
		field.String("slug"),
		field.String("name"),
		field.String("name_fa"),
		field.String("logo_url").Optional().Nillable(),
	}
}

func (Brand) Indexes() []ent.Index {
	return []ent.Index{index.Fields("tenant_id", "slug").Unique()}
}

func (Brand) Annotations() []schema.Annotation {
	return []schema.Annotation{Reads{"products": {}, "nodeId": {}, "canonicalUrl": {"slug"}, "logo": {"logo_url"}}}
}
