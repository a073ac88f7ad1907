package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"storefront/internal/record"
)

// Blog is a text of a shop: news, an article or a blog post.
type Blog struct{ ent.Schema }

func (Blog) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}, content{}, searched{}} }

func (Blog) Fields() []ent.Field {
	return []ent.Field{
		field.Enum("type").GoType(record.BlogType("")),
		field.Text("body"),
		field.Text("body_fa").Optional().Nillable(),
		field.String("author_name").Optional().Nillable(),
		field.UUID("category_id", uuid.UUID{}).Optional().Nillable(),
	}
}

func (Blog) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("category", Category.Type).Field("category_id").Unique().
			Annotations(entsql.OnDelete(entsql.SetNull)),
	}
}

func (Blog) Annotations() []schema.Annotation {
	return []schema.Annotation{listed(Computed{"comment_count": "*int"}), flatCategory("category"),
		media().with(Reads{
			"commentCount": {}, "comments": {}, "commentsConnection": {}, "nodeId": {}, "canonicalUrl": {"slug"},
			"jsonLd": {
				"slug", "type", "title_fa", "title_en", "summary", "summary_fa", "images", "author_name",
				"published_at", "updated_at",
			},
		})}
}
