package record

import "entgo.io/ent/dialect"

// Generated is a column that the database computes from other columns of its row. ent does not know it and so
// never writes it; conditions name it. It changes seldom although its source changes often. An index that holds
// it instead of the source is left alone by most updates, which PostgreSQL can then do as HOT updates.
type Generated struct {
	Table, Column string
	Index         string // its last column is this; where the schema of the table has no such index, its only one
	Boolean       bool   // else a day
	Is            map[string]string
}

// InStock is whether a variant has any stock. UsedOn is the day (UTC) of the last write to a cart, on SQLite
// the number of days since 1970.
var (
	InStock = Generated{Table: "variants", Column: "in_stock", Index: "variant_facets", Boolean: true,
		Is: map[string]string{dialect.SQLite: "(stock > 0)", dialect.Postgres: "(stock > 0)"}}
	UsedOn = Generated{Table: "carts", Column: "used_on", Index: "cart_used_on", Is: map[string]string{
		dialect.SQLite:   "(updated_at / 86400000000)",
		dialect.Postgres: "((updated_at AT TIME ZONE 'UTC'::text))::date",
	}}
)

// GeneratedColumns lists all generated columns.
var GeneratedColumns = []Generated{InStock, UsedOn}
