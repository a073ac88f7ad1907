package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// User is a customer's account. There is one for the whole service, identified by its cell number. A Membership
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
		field.String("email_before").Optional().Nillable().
			Comment("an e-mail address from before handed_over_at: the account alone sees it, until its holder " +
				"confirms it or writes another"),
		field.Text("search_text").Default("").Comment("member.SearchText of the names and the e-mail address"),
		field.Bool("vouched").Default(false).
			Comment("whether the holder of the cell has proved it: a code has signed in or reset the password"),
		field.String("registered_from").Optional().Nillable().
			Comment("the client address of the registration, until it is vouched for; null: register has not made it"),
		field.String("contested_by").Optional().Nillable().Sensitive().
			Comment("until it is vouched for: argon2id of the other password with which a registration of " +
				"the cell was refused; empty: there were several, null: none"),
		field.Time("handed_over_at").Optional().Nillable().
			Comment("when the first code came from another hand than the registration. What is older may be " +
				"another person's. null: it did not"),
		field.Time("closed_at").Optional().Nillable().
			Comment("when the customer closed it; it is erased later, unless a code opens it again. null: it is open"),
	}
}

func (User) Edges() []ent.Edge {
	return []ent.Edge{edge.From("memberships", Membership.Type).Ref("user")}
}

func (User) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("closed_at"),
		index.Fields("created_at").StorageKey("user_unproven").
			Annotations(entsql.IndexWhere("NOT cell_verified")), // unverified accounts are erased in the end
	}
}

func (User) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Personal{
			Of: "id", As: "customer", Named: map[string]string{"id": "id"},
			Withheld: []string{"password_hash", "contested_by"}, // secrets, one of them of somebody else
			// without any proof of the number or password: the first code at the new place proves it
			Travelled: []string{"id", "created_at", "cell_number", "first_name", "last_name", "closed_at"},
		},
		Reads{"addresses": {}, "cart": {}, "orders": {}, "order": {},
			"ordersConnection": {}, "favorites": {}, "workplaces": {},
			"invitations": {}, "listings": {}, "dataExport": {},
			"secondFactor": {}, "sessions": {}, "hasPassword": {"password_hash"},
			"email": {"email", "email_before"}, "emailUnconfirmed": {"email_before"}}}
}
