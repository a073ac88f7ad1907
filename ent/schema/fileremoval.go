package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// FileRemoval names files that are to be removed because no row refers to them, or none may any longer. An
// upload writes it before the file and deletes it together with writing the row that refers to the file. So a
// crash leaves no file that is unknown to the database.
type FileRemoval struct{ ent.Schema }

func (FileRemoval) Mixin() []ent.Mixin { return []ent.Mixin{base{}} }

func (FileRemoval) Fields() []ent.Field {
	return []ent.Field{
		field.String("prefix").Immutable().Comment("what their keys begin with"),
		field.Time("due_at").Immutable(),
	}
}

func (FileRemoval) Indexes() []ent.Index { return []ent.Index{index.Fields("due_at")} }
