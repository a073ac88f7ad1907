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

// Category is a node in one of a tenant's trees: of products (and listings), of blogs, or of portfolios.
type Category struct{ ent.Schema }

func (Category) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}} }

func (Category) Fields() []ent.Field {
	return []ent.Field{
		field.Enum("entity_type").GoType(record.EntityType("")).Immutable(),
		field.String("slug"),
		field.String("name"),
		field.String("name_fa"),
		field.String("image_url").Optional().Nillable(),
		field.Text("description").Optional().Nillable(),
		field.Text("description_fa").Optional().Nillable(),
		field.Int("position").Default(0),
		field.JSON("form", &record.Form{}).Optional().Comment("null: the nearest ancestor's holds"),
		field.UUID("parent_id", uuid.UUID{}).Optional().Nillable(),
		field.Bool("moving").Default(false).
			Comment("it or one above it has another parent, by which its records are still to be listed"),
		field.Int("moves").Default(0).Comment("how often it was marked as moving"),
	}
}

func (Category) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("children", Category.Type).Annotations(entsql.OnDelete(entsql.NoAction)).
			From("parent").Field("parent_id").Unique(),
	}
}

func (Category) Annotations() []schema.Annotation {
	return []schema.Annotation{Reads{
		"itemCount": {"entity_type"}, "parent": {"parent_id"}, "children": {}, "products": {"entity_type"},
		"nodeId": {}, "image": {"image_url"}, "canonicalUrl": {"slug", "entity_type"}, "breadcrumbsJsonLd": {},
	}}
}

func (Category) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "entity_type", "slug").Unique(),
		index.Fields("moving").Annotations(entsql.IndexWhere("moving")), // looked for in all shops
	}
}
