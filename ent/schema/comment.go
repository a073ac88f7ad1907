package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"

	"storefront/internal/record"
)

// Comment is a visitor's comment on a product, blog or portfolio. It is public once approved.
type Comment struct{ ent.Schema }

func (Comment) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}, moderated{}} }

func (Comment) Fields() []ent.Field {
	return []ent.Field{
		field.Enum("entity_type").GoType(record.EntityType("")).Immutable(),
		field.UUID("entity_id", uuid.UUID{}).Immutable(),
		field.String("author_name"),
		field.String("author_email").Optional().Nillable().Comment("for the shop's staff alone"),
		field.Text("text"),
		field.Enum("status").GoType(record.Moderation("")).Default(string(record.Pending)),
	}
}

func (Comment) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "entity_type", "entity_id", "status", "created_at", "id"),
		index.Fields("tenant_id", "status", "created_at", "id"), // how many are pending, and the order of their list
	}
}

func (Comment) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Personal{
			Of: "user_id", Signed: "author_email", As: "comments",
			Cleared:  []string{"user_id", "author_email", "rejection_reason", "reply", "replied_at"},
			Nameless: "author_name", Kept: []string{"text"},
		},
	}
}
