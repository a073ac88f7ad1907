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

// ContactSubmission is a message to a business through its contact form.
type ContactSubmission struct{ ent.Schema }

func (ContactSubmission) Mixin() []ent.Mixin { return []ent.Mixin{base{}, owned{}} }

func (ContactSubmission) Fields() []ent.Field {
	return []ent.Field{
		field.String("title"),
		field.String("name"),
		field.String("email").Optional().Nillable(),
		field.String("cell_number").Optional().Nillable().Comment("as sent"),
		field.Text("text"),
		field.Time("handled_at").Optional().Nillable().Comment("when staff marked it as done; null: it waits"),
		field.Text("note").Optional().Nillable().Comment("what staff noted for each other"),
		field.Time("noted_at").Optional().Nillable().Comment("when the note was last changed"),
		field.Text("reply").Optional().Nillable().Comment("the answer that was sent to cell_number"),
		field.Time("replied_at").Optional().Nillable(),
		field.UUID("replied_by", uuid.UUID{}).Optional().Nillable().
			Comment("the account of who replied; null: a program, or the account is erased"),
		field.Enum("reply_state").GoType(record.NoticeState("")).Optional().Nillable().
			Comment("what became of the reply; null: there is none"),
	}
}

func (ContactSubmission) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("replier", User.Type).Field("replied_by").Unique().Annotations(entsql.OnDelete(entsql.SetNull)),
	}
}

func (ContactSubmission) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "created_at"), index.Fields("tenant_id", "handled_at"),
		index.Fields("replied_by").Annotations(entsql.IndexWhere("replied_by IS NOT NULL")),
		index.Fields("created_at"), // old ones are deleted
	}
}

func (ContactSubmission) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Personal{
			Of: "cell_number", Signed: "email", As: "messages", Deleted: true,
			Withheld: []string{"note", "noted_at", "replied_by"}, // what staff write for each other
		},
	}
}
