package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// MovedSlug is a former slug of a record, so that a link with it is answered with the new one. A record that
// has the slug now takes precedence.
type MovedSlug struct{ ent.Schema }

func (MovedSlug) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}} }

func (MovedSlug) Fields() []ent.Field {
	return []ent.Field{
		field.String("kind").Immutable().Comment("record.SlugKind"),
		field.String("slug").Immutable(),
		field.UUID("record_id", uuid.UUID{}).Comment("of the kind; it may be deleted by now"),
	}
}

func (MovedSlug) Indexes() []ent.Index {
	return []ent.Index{index.Fields("tenant_id", "kind", "slug").Unique(), index.Fields("tenant_id", "record_id")}
}
