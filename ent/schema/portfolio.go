package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"
)

// Portfolio is a piece of work that a business shows.
type Portfolio struct{ ent.Schema }

func (Portfolio) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}, content{}, searched{}} }

func (Portfolio) Fields() []ent.Field {
	return []ent.Field{
		field.Text("body"),
		field.Text("body_fa").Optional().Nillable(),
		field.String("client_name").Optional().Nillable(),
		field.String("completed_on").Optional().Nillable().Comment("YYYY-MM-DD"),
		field.UUID("category_id", uuid.UUID{}).Optional().Nillable(),
	}
}

func (Portfolio) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("category", Category.Type).Field("category_id").Unique().
			Annotations(entsql.OnDelete(entsql.SetNull)),
	}
}

func (Portfolio) Annotations() []schema.Annotation {
	return []schema.Annotation{listed(Computed{"comment_count": "*int"}), flatCategory("category"),
		media().with(Reads{"commentCount": {}, "comments": {}, "commentsConnection": {}, "nodeId": {},
			"canonicalUrl": {"slug"}})}
}
