package schema

import "entgo.io/ent/dialect"

// Generated is a column that the database computes from others of its row, whoever writes them. ent does not know
// it, so that it is never written; conditions name it. It says of what changes all the time what changes seldom, so
// that an index has that, and most updates change no index: PostgreSQL writes such a row beside its old self (a HOT
// update).
type Generated struct {
	Table, Column string
	Index         string // its last column is this; where the schema of the table has no such index, its only one
	Boolean       bool   // else a day
	Is            map[string]string
}

// InStock is whether there is any of a variant, and UsedOn the day (UTC) on which a cart was written last,
// on SQLite the number of days since 1970.
var (
	InStock = Generated{Table: "variants", Column: "in_stock", Index: "variant_facets", Boolean: true,
		Is: map[string]string{dialect.SQLite: "(stock > 0)", dialect.Postgres: "(stock > 0)"}}
	UsedOn = Generated{Table: "carts", Column: "used_on", Index: "cart_used_on", Is: map[string]string{
		dialect.SQLite:   "(updated_at / 86400000000)",
		dialect.Postgres: "((updated_at AT TIME ZONE 'UTC'::text))::date",
	}}
)

// GeneratedColumns are all of them.
var GeneratedColumns = []Generated{InStock, UsedOn}
