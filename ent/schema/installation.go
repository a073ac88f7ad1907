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
		field.Int64("timeline").Default(0).
			Comment("PostgreSQL: the highest timeline of the cluster that a server has seen at any host"),
		field.String("cluster").Default("").Comment("PostgreSQL: the system identifier that the timeline is of"),
		field.String("key_fingerprint").Default("").Comment("of the TOKEN_SIGNING_KEY that the servers agree on"),
	}
}
