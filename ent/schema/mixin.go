// Package schema describes the tables of the service, one file for a table or for a few related ones. mixin.go
// holds what most tables share.
package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"entgo.io/ent/schema/mixin"
	"github.com/google/uuid"

	"storefront/internal/record"
)

// base gives a record its id, a UUIDv7, so that ids grow with time, and its times.
type base struct{ mixin.Schema }

func (base) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).Immutable().Default(record.NewID),
		field.Time("created_at").Immutable().Default(record.Now),
		field.Time("updated_at").Default(record.Now).UpdateDefault(record.Now),
	}
}

// owned marks a record that belongs to one tenant. internal/database/tenancy refuses statements on it that name no
// tenant, or another tenant.
type owned struct{ mixin.Schema }

func (owned) Fields() []ent.Field {
	return []ent.Field{field.UUID("tenant_id", uuid.UUID{}).Immutable()}
}

func (owned) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("tenant", Tenant.Type).Field("tenant_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

// searched gives a record the column that its searches read: search.Compact of its searched columns.
type searched struct{ mixin.Schema }

func (searched) Fields() []ent.Field {
	return []ent.Field{field.Text("search_text").Default("")}
}

func (searched) Indexes() []ent.Index {
	return []ent.Index{
		// by shop: else a search would read the matches of all shops
		index.Fields("tenant_id", "search_text").Annotations(
			entsql.IndexTypes(map[string]string{dialect.Postgres: "GIN"}),
			entsql.OpClassColumn("search_text", "gin_trgm_ops"),
		),
	}
}
