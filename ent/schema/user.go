package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// User is a customer's account. It is one for the whole service, known by its cell number; a Membership
// ties it to a shop.
type User struct{ ent.Schema }

func (User) Mixin() []ent.Mixin { return []ent.Mixin{base{}} }

func (User) Fields() []ent.Field {
	return []ent.Field{
		field.String("cell_number").Unique().Immutable().Comment("E.164"),
		field.Bool("cell_verified").Default(false).Comment("whether a code sent to the cell has come back"),
		field.String("password_hash").Optional().Nillable().Sensitive().
			Comment("argon2id; null: none works until a reset"),
		field.String("first_name").Optional().Nillable(),
		field.String("last_name").Optional().Nillable(),
		field.String("email").Optional().Nillable(),
		field.String("registered_from").Optional().Nillable().
			Comment("the client address of the registration; null: not known"),
		field.Time("closed_at").Optional().Nillable().
			Comment("when the customer closed it; it is erased later, unless a code opens it again. null: it is open"),
	}
}

func (User) Indexes() []ent.Index { return []ent.Index{index.Fields("closed_at")} }

func (User) Annotations() []schema.Annotation {
	return []schema.Annotation{Reads{"addresses": {}, "cart": {}, "orders": {}, "order": {},
		"ordersConnection": {}, "favorites": {}, "workplaces": {}, "listings": {}, "dataExport": {}}}
}
