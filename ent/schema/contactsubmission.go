package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
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
	}
}

func (ContactSubmission) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "created_at"), index.Fields("tenant_id", "handled_at"),
		index.Fields("created_at"), // old ones are deleted
	}
}
