package database

import (
	"fmt"
	"strings"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
)

// ForUpdate locks the rows that a query reads until its transaction ends. A transaction of SQLite has the whole file.
func ForUpdate(s *sql.Selector) { locked(s, sql.LockUpdate) }

// ForNoKeyUpdate is ForUpdate for rows whose keys stay: others may refer to them meanwhile.
func ForNoKeyUpdate(s *sql.Selector) { locked(s, "NO KEY UPDATE") }

// ForKeyShare keeps the rows that a query reads from being deleted, as a reference to them does.
func ForKeyShare(s *sql.Selector) { locked(s, "KEY SHARE") }

// ForUpdateSkipLocked is ForUpdate for a query that leaves out the rows that others have locked.
func ForUpdateSkipLocked(s *sql.Selector) {
	locked(s, sql.LockUpdate, sql.WithLockAction(sql.SkipLocked))
}

func locked(s *sql.Selector, strength sql.LockStrength, options ...sql.LockOption) {
	if s.Dialect() == dialect.Postgres {
		s.For(strength, options...)
	}
}

// Texts are a statement that each kind of database has in words of its own.
type Texts struct{ SQLite, Postgres Text }

// Of returns the text for a database.
func (t Texts) Of(on Executor) Text {
	if on.Dialect() == dialect.Postgres {
		return t.Postgres
	}
	return t.SQLite
}

// Locking returns a statement that locks rows on PostgreSQL: there a clause stands in place of the %s of its text.
func Locking(text, clause string) Texts {
	return Texts{SQLite: Statement(fmt.Sprintf(text, "")), Postgres: Statement(fmt.Sprintf(text, clause))}
}

// RowsOf returns the parts of a statement that read a parameter, which is a JSON array of objects, as rows of a name.
// columns are the objects' members with PostgreSQL's types; SQLite knows the types by the values.
func RowsOf(parameter, name, columns string) (sqlite, postgres string) {
	var members []string
	for column := range strings.SplitSeq(columns, ",") {
		member := strings.Fields(column)[0]
		members = append(members, `value ->> '`+member+`' AS `+member)
	}
	sqlite = `(SELECT ` + strings.Join(members, ", ") + ` FROM json_each(` + parameter + `)) AS ` + name
	return sqlite, `json_to_recordset(` + parameter + `) AS ` + name + `(` + columns + `)`
}
