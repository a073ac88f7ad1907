package database

import (
	"fmt"
	"strings"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
)

// ForUpdate locks the rows that a query reads until its transaction ends. On SQLite it does nothing: a
// transaction locks the whole file.
func ForUpdate(s *sql.Selector) { locked(s, sql.LockUpdate) }

// ForNoKeyUpdate is ForUpdate for rows whose keys do not change: other transactions may insert references to
// them.
func ForNoKeyUpdate(s *sql.Selector) { locked(s, "NO KEY UPDATE") }

// ForKeyShare keeps the rows that a query reads from being deleted, as a reference to them would.
func ForKeyShare(s *sql.Selector) { locked(s, "KEY SHARE") }

// ForUpdateSkipLocked is ForUpdate for a query that skips the rows other transactions have locked.
func ForUpdateSkipLocked(s *sql.Selector) {
	locked(s, sql.LockUpdate, sql.WithLockAction(sql.SkipLocked))
}

func locked(s *sql.Selector, strength sql.LockStrength, options ...sql.LockOption) {
	if s.Dialect() == dialect.Postgres {
		s.For(strength, options...)
	}
}

// Texts is a statement in the SQL of each kind of database.
type Texts struct{ SQLite, Postgres Text }

// Of returns the text for the kind of database that on is.
func (t Texts) Of(on Executor) Text {
	if on.Dialect() == dialect.Postgres {
		return t.Postgres
	}
	return t.SQLite
}

// Locking returns a statement that locks rows on PostgreSQL, where clause replaces the %s of text.
func Locking(text, clause string) Texts {
	return Texts{SQLite: Statement(fmt.Sprintf(text, "")), Postgres: Statement(fmt.Sprintf(text, clause))}
}

// RowsOf returns the parts of a statement that read a parameter, a JSON array of objects, as rows of a table
// called name. columns lists the objects' members with their PostgreSQL types; SQLite takes the types from
// the values.
func RowsOf(parameter, name, columns string) (sqlite, postgres string) {
	var members []string
	for column := range strings.SplitSeq(columns, ",") {
		member := strings.Fields(column)[0]
		members = append(members, `value ->> '`+member+`' AS `+member)
	}
	sqlite = `(SELECT ` + strings.Join(members, ", ") + ` FROM json_each(` + parameter + `)) AS ` + name
	return sqlite, `json_to_recordset(` + parameter + `) AS ` + name + `(` + columns + `)`
}
