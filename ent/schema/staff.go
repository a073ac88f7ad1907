package schema

import (
	"encoding/json"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"

	"storefront/internal/record"
)

// StaffMember is the role of an account at a shop, or of the service's operator where it names no shop.
type StaffMember struct{ ent.Schema }

func (StaffMember) Mixin() []ent.Mixin { return []ent.Mixin{base{}} }

func (StaffMember) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("user_id", uuid.UUID{}).Immutable(),
		field.UUID("business_id", uuid.UUID{}).Optional().Nillable().Immutable().
			Comment("the tenant's id; null: the operator of the service"),
		field.Enum("role").GoType(record.StaffRole("")),
	}
}

func (StaffMember) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
		edge.To("business", Tenant.Type).Field("business_id").Unique().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

func (StaffMember) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("user_id", "business_id").Unique(),
		index.Fields("user_id").Unique().StorageKey("staffmember_operator").
			Annotations(entsql.IndexWhere("business_id IS NULL")), // nulls are not equal to each other
		index.Fields("business_id"),
	}
}

func (StaffMember) Annotations() []schema.Annotation {
	return []schema.Annotation{Personal{Of: "user_id", As: "workplaces", OfAccount: true}}
}

// AuditEntry records a change that staff made. Entries are only added.
type AuditEntry struct{ ent.Schema }

func (AuditEntry) Mixin() []ent.Mixin { return []ent.Mixin{base{}} }

func (AuditEntry) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("business_id", uuid.UUID{}).Optional().Nillable().Immutable().
			Comment("the tenant's id; null: the change was to the service itself"),
		field.UUID("user_id", uuid.UUID{}).Optional().Nillable().Immutable().
			Comment("whose change it was; null: that of a command or a program. The account may be gone"),
		field.UUID("token_id", uuid.UUID{}).Optional().Nillable().Immutable().
			Comment("the access token of the program whose change it was; null: no program's"),
		field.Enum("role").GoType(record.StaffRole("")).Optional().Nillable().Immutable().
			Comment("what gave the right to it; null: a command, or a program's token"),
		field.String("action").Immutable().Comment("the name of the mutation or command, such as updateProduct"),
		field.String("kind").Immutable().Comment("of the record: product, order"),
		field.UUID("record_id", uuid.UUID{}).Optional().Nillable().Immutable().
			Comment("null: the change is not of one record"),
		field.String("record_name").Optional().Nillable().Immutable().
			Comment("what people called the record: its title, SKU, order number or cell; null: " +
				"nothing, or it is forgotten"),
		field.Text("search_text").Default("").Immutable().Comment("search.Compact of record_name"),
		field.UUID("customer_id", uuid.UUID{}).Optional().Nillable().Immutable().
			Comment("whose order, listing, account or role it is about, so that erasing them finds it; null: nobody's"),
		field.JSON("before", json.RawMessage{}).Optional().Immutable().
			Comment("the members that changed, as they were; null: the record is new"),
		field.JSON("after", json.RawMessage{}).Optional().Immutable().
			Comment("the members that changed, as they are; null: the record is gone"),
	}
}

func (AuditEntry) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("business", Tenant.Type).Field("business_id").Unique().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

func (AuditEntry) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("business_id", "created_at", "id"),
		index.Fields("created_at"),                                   // old ones are deleted
		index.Fields("business_id", "record_id", "created_at", "id"), // the history of one record
		index.Fields("business_id", "user_id", "created_at", "id"),   // the changes of one person
		index.Fields("business_id", "token_id", "created_at", "id").Annotations(
			entsql.IndexWhere("token_id IS NOT NULL")), // the changes of one program
		index.Fields("customer_id"),
	}
}

func (AuditEntry) Annotations() []schema.Annotation {
	return []schema.Annotation{
		Personal{Of: "customer_id"}, // what staff did, and wrote for each other; internal/shop/audit erases it
	}
}
