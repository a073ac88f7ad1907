package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
)

// Installation is one row with what all tenants share.
type Installation struct{ ent.Schema }

func (Installation) Fields() []ent.Field {
	return []ent.Field{
		field.Int("id").Comment("1"),
		field.Int64("version").Default(0).
			Comment("raised by every change of locations, in its transaction; answers are kept under it"),
		field.String("key_fingerprint").Default("").Comment("of the TOKEN_SIGNING_KEY that the servers agree on"),
		field.String("media_id").Default("").Comment("what the folder or bucket of images says whose it is"),
	}
}
