package bundle

import (
	"encoding/json"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"
)

// among narrows a query to the rows with one of the texts in a column. The texts are one argument, a JSON
// list. So the statement is always the same, and both databases look up each text by an index; with a long IN
// list PostgreSQL may compare each item with each row.
func (im *importer) among(column string, texts []string) func(*sql.Selector) {
	return amongValues(im.dialect, column, "text", texts)
}

// amongIDs is among for ids.
func (im *importer) amongIDs(column string, ids []uuid.UUID) func(*sql.Selector) {
	return amongValues(im.dialect, column, "uuid", ids)
}

func amongValues[T string | uuid.UUID](dialectName, column, kind string, values []T) func(*sql.Selector) {
	return func(s *sql.Selector) { s.Where(amongList(dialectName, s.C(column), kind, values)) }
}

// amongList returns the predicate of among, for a column qualified by its table.
func amongList[T string | uuid.UUID](dialectName, column, kind string, values []T) *sql.Predicate {
	list, err := json.Marshal(append([]T{}, values...)) // not null
	if err != nil {
		panic(err) // strings can always be written
	}
	return sql.P(func(b *sql.Builder) {
		b.WriteString(column)
		if dialectName == dialect.Postgres {
			b.WriteString(" IN (SELECT CAST(value AS " + kind + ") FROM jsonb_array_elements_text(CAST(").
				Arg(string(list)).WriteString(" AS jsonb)))")
		} else {
			b.WriteString(" IN (SELECT value FROM json_each(").Arg(string(list)).WriteString("))")
		}
	})
}
