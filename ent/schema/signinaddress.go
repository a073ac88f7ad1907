package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"
)

// SignInAddress is a client address from which a customer has signed in. Failed guesses from other addresses do
// not lock the customer out of it.
type SignInAddress struct{ ent.Schema }

func (SignInAddress) Mixin() []ent.Mixin { return []ent.Mixin{base{}} }

func (SignInAddress) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("user_id", uuid.UUID{}).Immutable(),
		field.String("address").Immutable().Comment("an IPv4 address, or the /64 of an IPv6 address"),
		field.Time("last_at").Comment("of the newest sign-in"),
	}
}

func (SignInAddress) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

func (SignInAddress) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id", "address").Unique(), index.Fields("last_at")}
}

func (SignInAddress) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Personal{Of: "user_id", As: "signInAddresses", Withheld: []string{"created_at"}}, // the last time says it
	}
}
