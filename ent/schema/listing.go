package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// Listing is the inverted index of published records. A row says that a record belongs to a facet, which is a
// category ("category:<id>", one row for the record's category and one for each above it) or a tag
// ("tag:<folded>"). Its index has the order of lists, so that a filtered page costs as much as an unfiltered
// one. internal/content/derive writes it.
type Listing struct{ ent.Schema }

func (Listing) Mixin() []ent.Mixin { return []ent.Mixin{owned{}} }

func (Listing) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("id"),
		field.Enum("kind").Values("product", "user_product", "blog", "portfolio"),
		field.String("facet"),
		field.Time("published_at"),
		field.UUID("entity_id", uuid.UUID{}),
	}
}

func (Listing) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "kind", "facet", "published_at", "entity_id").Unique(),
		index.Fields("tenant_id", "entity_id"), // the facets of one record
	}
}
