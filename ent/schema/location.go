package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"

	"storefront/internal/record"
)

// Location is a country, province or city. All tenants share the tree; internal/content/locations loads it.
type Location struct{ ent.Schema }

func (Location) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).Immutable(),
		field.Enum("level").GoType(record.LocationLevel("")),
		field.String("slug"),
		field.String("name"),
		field.String("name_fa"),
		field.String("code").Optional().Nillable().Comment("ISO 3166 for countries and provinces"),
		field.UUID("parent_id", uuid.UUID{}).Optional().Nillable(),
	}
}

func (Location) Edges() []ent.Edge {
	return []ent.Edge{edge.To("children", Location.Type).From("parent").Field("parent_id").Unique()}
}

func (Location) Indexes() []ent.Index {
	return []ent.Index{index.Fields("level", "slug").Unique(), index.Fields("parent_id")}
}

func (Location) Annotations() []schema.Annotation {
	return []schema.Annotation{Flat{"parentSlug": "parent.slug"}}
}
