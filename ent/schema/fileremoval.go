package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// FileRemoval is files that are to be removed, because nothing names them any more, or nothing may: an upload writes it
// before the file, and deletes it with the row that names the file. So no crash leaves a file that nobody knows.
type FileRemoval struct{ ent.Schema }

func (FileRemoval) Mixin() []ent.Mixin { return []ent.Mixin{base{}} }

func (FileRemoval) Fields() []ent.Field {
	return []ent.Field{
		field.String("prefix").Immutable().Comment("what their keys begin with"),
		field.Time("due_at").Immutable(),
	}
}

func (FileRemoval) Indexes() []ent.Index { return []ent.Index{index.Fields("due_at")} }
