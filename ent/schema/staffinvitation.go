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

// StaffInvitation invites the holder of a cell number to work for a shop. It refers to no account, so that it
// does not show whether there is one. When it is accepted it is deleted, and a StaffMember gets its id.
type StaffInvitation struct{ ent.Schema }

func (StaffInvitation) Mixin() []ent.Mixin { return []ent.Mixin{base{}} }

func (StaffInvitation) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("business_id", uuid.UUID{}).Immutable().Comment("the tenant's id"),
		field.String("cell_number").Immutable().Comment("E.164"),
		field.Enum("role").GoType(record.StaffRole("")),
		field.Time("expires_at"),
		field.Enum("sms").GoType(record.NoticeState("")).Optional().Nillable().
			Comment("the state of the SMS about it; null: none was sent"),
		field.Time("sms_at").Optional().Nillable().Comment("when it was sent"),
	}
}

func (StaffInvitation) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("business", Tenant.Type).Field("business_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

func (StaffInvitation) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "cell_number").Unique(), index.Fields("cell_number"), index.Fields("expires_at"),
	}
}

func (StaffInvitation) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Personal{Of: "cell_number", As: "invitations", OfAccount: true},
	}
}
