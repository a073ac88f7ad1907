package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"entgo.io/ent/schema/mixin"
	"github.com/google/uuid"
)

// group is a titled, ordered selection of records for the home page. A member that no longer exists is not
// shown.
type group struct{ mixin.Schema }

func (group) Fields() []ent.Field {
	return []ent.Field{
		field.String("key"),
		field.String("title"),
		field.String("title_fa").Optional().Nillable(),
		field.JSON("item_ids", []uuid.UUID{}).Default([]uuid.UUID{}).Comment("in the order they are shown"),
	}
}

func (group) Annotations() []schema.Annotation {
	return []schema.Annotation{Reads{"items": {"item_ids"}}}
}

func (group) Indexes() []ent.Index {
	return []ent.Index{index.Fields("tenant_id", "key").Unique()}
}

// CategoryGroup shows product categories on the home page.
type CategoryGroup struct{ ent.Schema }

func (CategoryGroup) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}, group{}} }

// BrandGroup shows brands on the home page.
type BrandGroup struct{ ent.Schema }

func (BrandGroup) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}, group{}} }

// StoreSpecial shows variants on the home page while it is active.
type StoreSpecial struct{ ent.Schema }

func (StoreSpecial) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}, group{}} }

func (StoreSpecial) Fields() []ent.Field {
	return []ent.Field{
		field.Time("starts_at").Optional().Nillable(),
		field.Time("ends_at").Optional().Nillable().Comment("the first moment it is no longer active"),
	}
}
