package database

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"
)

// Executor runs statements: what Raw of ent's clients and transactions returns.
type Executor interface {
	dialect.ExecQuerier
	Dialect() string
}

// Text is a statement written by hand. Its parameters have names ($tenant) and may occur more than once, so
// nobody has to count them. A Text is made once, at start: connections find their prepared statement by the
// text, which is the same however many records it is run for.
type Text struct {
	text  string   // with $1, $2, …
	names []string // of these parameters, in order
}

// Values are the values of a statement's parameters, by name.
type Values map[string]any

// Statement returns the Text of a statement with named parameters.
func Statement(text string) Text {
	var numbered strings.Builder
	var names []string
	numbers := map[string]int{}
	for {
		before, after, found := strings.Cut(text, "$")
		numbered.WriteString(before)
		if !found {
			return Text{numbered.String(), names}
		}
		end := 0
		for end < len(after) && (after[end] >= 'a' && after[end] <= 'z' || after[end] == '_') {
			end++
		}
		name := after[:end]
		if numbers[name] == 0 {
			names = append(names, name)
			numbers[name] = len(names)
		}
		fmt.Fprintf(&numbered, "$%d", numbers[name])
		text = after[end:]
	}
}

func (t Text) args(values Values) ([]any, error) {
	args := make([]any, len(t.names))
	for i, name := range t.names {
		value, ok := values[name]
		if !ok {
			return nil, fmt.Errorf("database: no value of $%s for %.60q", name, t.text)
		}
		args[i] = value
	}
	return args, nil
}

// Exec runs the statement and returns how many rows it wrote.
func (t Text) Exec(ctx context.Context, on Executor, values Values) (written int64, err error) {
	args, err := t.args(values)
	if err != nil {
		return 0, err
	}
	var result sql.Result
	if err := on.Exec(ctx, t.text, args, &result); err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// Each runs the statement and calls scan at each of its rows.
func (t Text) Each(ctx context.Context, on Executor, values Values, scan func(row *sql.Rows) error) error {
	args, err := t.args(values)
	if err != nil {
		return err
	}
	return EachRow(ctx, on, t.text, args, scan)
}

// EachRow runs a query whose text was built and calls scan at each of its rows.
func EachRow(
	ctx context.Context, on dialect.ExecQuerier, text string, args []any, scan func(row *sql.Rows) error,
) error {
	rows := new(sql.Rows)
	if err := on.Query(ctx, text, args, rows); err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return rows.Close() // the statement may still fail here
}

// Row runs the statement and scans its first row, if there is one.
func (t Text) Row(ctx context.Context, on Executor, values Values, into ...any) (found bool, err error) {
	err = t.Each(ctx, on, values, func(row *sql.Rows) error {
		if found {
			return nil
		}
		found = true
		return row.Scan(into...)
	})
	return found, err
}

// ScanRow returns the values of a row whose columns have these kinds: uuid.UUID, time.Time in UTC, json.RawMessage,
// []byte, int64, bool or string, and nil for null.
func ScanRow(row interface{ Scan(into ...any) error }, kinds []field.Type) ([]any, error) {
	into, values := make([]any, len(kinds)), make([]func() any, len(kinds))
	for i, kind := range kinds {
		switch kind {
		case field.TypeUUID:
			into[i], values[i] = scanned(func(id uuid.UUID) any { return id })
		case field.TypeTime:
			into[i], values[i] = scanned(func(at time.Time) any { return at.UTC() })
		case field.TypeJSON:
			into[i], values[i] = scanned(func(text []byte) any { return json.RawMessage(text) })
		case field.TypeBytes:
			into[i], values[i] = scanned(func(some []byte) any { return some })
		case field.TypeInt, field.TypeInt64:
			into[i], values[i] = scanned(func(n int64) any { return n })
		case field.TypeBool:
			into[i], values[i] = scanned(func(is bool) any { return is })
		case field.TypeString, field.TypeEnum:
			into[i], values[i] = scanned(func(text string) any { return text })
		default:
			return nil, fmt.Errorf("database: a value of type %v cannot be scanned", kind)
		}
	}
	if err := row.Scan(into...); err != nil {
		return nil, err
	}
	found := make([]any, len(kinds))
	for i, value := range values {
		found[i] = value()
	}
	return found, nil
}

func scanned[T any](show func(T) any) (into any, value func() any) {
	var it *T
	return &it, func() any {
		if it == nil {
			return nil
		}
		return show(*it)
	}
}

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
