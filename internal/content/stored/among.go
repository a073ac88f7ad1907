package stored

import (
	"encoding/json"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"
)

// Among narrows a query to the rows with one of the values in a column. The values are one argument, a JSON
// list. So the statement is always the same, and both databases look up each value by an index; with a long
// IN list PostgreSQL may compare each item with each row.
func Among[T string | uuid.UUID](column string, values []T) func(*sql.Selector) {
	return func(s *sql.Selector) { s.Where(AmongList(s.C(column), values)) }
}

// AmongList returns the predicate of Among, for a column qualified by its table.
func AmongList[T string | uuid.UUID](column string, values []T) *sql.Predicate {
	list, err := json.Marshal(append([]T{}, values...)) // not null
	if err != nil {
		panic(err) // strings can always be written
	}
	kind := "text"
	if _, ids := any(values).([]uuid.UUID); ids {
		kind = "uuid"
	}
	return sql.P(func(b *sql.Builder) {
		b.WriteString(column)
		if b.Dialect() == dialect.Postgres {
			b.WriteString(" IN (SELECT CAST(value AS " + kind + ") FROM jsonb_array_elements_text(CAST(").
				Arg(string(list)).WriteString(" AS jsonb)))")
		} else {
			b.WriteString(" IN (SELECT value FROM json_each(").Arg(string(list)).WriteString("))")
		}
	})
}
