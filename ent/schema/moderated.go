package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"entgo.io/ent/schema/mixin"
	"github.com/google/uuid"
)

// moderated is what comments and reviews have in common: who wrote them, and what the shop says of them.
type moderated struct{ mixin.Schema }

func (moderated) Fields() []ent.Field {
	return []ent.Field{
		field.Text("rejection_reason").Optional().Nillable().
			Comment("why staff rejected it; null: they did not say, or it is not rejected"),
		field.Text("reply").Optional().Nillable().Comment("the shop's public answer"),
		field.Time("replied_at").Optional().Nillable().Comment("when the reply was written; null: there is none"),
		field.UUID("user_id", uuid.UUID{}).Optional().Nillable().
			Comment("the customer of the shop who was signed in when they wrote it; null: nobody was"),
	}
}

func (moderated) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Annotations(entsql.OnDelete(entsql.SetNull)),
	}
}

func (moderated) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id").Annotations(entsql.IndexWhere("user_id IS NOT NULL"))}
}

func (moderated) Annotations() []schema.Annotation {
	return []schema.Annotation{Reads{
		"reply": {"reply", "replied_at"},
		// for staff, whose permission is looked up in the shop
		"authorEmail": {"author_email", "tenant_id"}, "rejectionReason": {"rejection_reason", "tenant_id"},
		"customer": {"user_id", "tenant_id"}, "version": {"reply", "tenant_id"},
	}}
}
