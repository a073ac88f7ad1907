// Package schema describes the tables of the service. Each file is one table; mixin.go holds what tables
// share.
package schema

import (
	"time"

	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"entgo.io/ent/schema/mixin"
	"github.com/google/uuid"
)

// base returns a record its id, a UUIDv7, so that ids grow with time, and its times.
type base struct{ mixin.Schema }

func (base) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).Immutable().Default(newID),
		field.Time("created_at").Immutable().Default(now),
		field.Time("updated_at").Default(now).UpdateDefault(now),
	}
}

func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// now is cut to microseconds, which is what both databases keep.
func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// owned marks a record that belongs to one tenant. internal/tenancy refuses to read or write it for no
// tenant or another.
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

// searched returns a record the column its searches look in: search.Compact of its searched columns.
type searched struct{ mixin.Schema }

func (searched) Fields() []ent.Field {
	return []ent.Field{field.Text("search_text").Default("")}
}

func (searched) Indexes() []ent.Index {
	return []ent.Index{
		// by shop, or a search would look at what all shops have of a word
		index.Fields("tenant_id", "search_text").Annotations(
			entsql.IndexTypes(map[string]string{dialect.Postgres: "GIN"}),
			entsql.OpClassColumn("search_text", "gin_trgm_ops"),
		),
	}
}
