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

// DomainAlias is a further domain by which a shop is found, such as a former one.
type DomainAlias struct{ ent.Schema }

func (DomainAlias) Mixin() []ent.Mixin { return []ent.Mixin{base{}} }

func (DomainAlias) Fields() []ent.Field {
	return []ent.Field{
		field.String("domain").Unique().Immutable().Comment("hostname.Normalize form"),
		field.UUID("business_id", uuid.UUID{}).Immutable().Comment("the tenant's id"),
	}
}

func (DomainAlias) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("business", Tenant.Type).Field("business_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

func (DomainAlias) Indexes() []ent.Index { return []ent.Index{index.Fields("business_id")} }

func (DomainAlias) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Table("domain_aliases")} // ent takes an alias for several
}
