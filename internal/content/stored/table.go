package stored

import (
	"context"
	"database/sql/driver"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/database/tenancy"
)

// Table describes how whole records are written to a table. Existing rows with the same id are overwritten,
// except some columns. The statements are plain SQL, without ent and its guard, so the rows name their tenant
// themselves.
type Table struct {
	name    string
	Key     string // the column of the natural key; empty: it has none
	columns []column
	one     string // statement of one row, for SQLite
	many    string // statement of all rows, for PostgreSQL
}

type column struct{ name, kind string } // kind as PostgreSQL calls it

// naturalKeys are the columns by which records are found. They never change. A statement that set one would
// make PostgreSQL lock the row against new references, such as those of carts.
var naturalKeys = []string{"slug", "sku", "key"}

// fixed are the columns that never change. Known ids are always of the tenant's own records, because they
// were read in its context.
var fixed = append([]string{"id", "tenant_id", "created_at"}, naturalKeys...)

// tableOf returns the table with a name and columns in ent's order. Columns in kept are not overwritten.
func tableOf(name string, columns []string, kept ...string) *Table {
	kept = append(kept, fixed...)
	t := &Table{name: name}
	var names, arrays, set []string
	for _, name := range columns {
		t.columns = append(t.columns, column{name, sqlType(typeOf(t.name, name))})
		names = append(names, inQuotes(name))
		if slices.Contains(naturalKeys, name) {
			t.Key = name
		}
		arrays = append(arrays, fmt.Sprintf("$%d::%s[]", len(names), t.columns[len(names)-1].kind))
		if !slices.Contains(kept, name) {
			set = append(set, inQuotes(name)+" = excluded."+inQuotes(name))
		}
	}
	conflict := ""
	if columns[0] == "id" {
		conflict = " ON CONFLICT (id) DO UPDATE SET " + strings.Join(set, ", ") +
			" WHERE " + t.name + ".tenant_id = excluded.tenant_id"
	}
	insert := "INSERT INTO " + t.name + " (" + strings.Join(names, ", ") + ") "
	t.one = insert + "VALUES (?" + strings.Repeat(", ?", len(columns)-1) + ")" + conflict
	t.many = insert + "SELECT * FROM unnest(" + strings.Join(arrays, ", ") + ")" + conflict
	return t
}

// typeOf returns the type of a column that package ent has.
func typeOf(table, name string) field.Type {
	for _, of := range ent.Tables {
		for _, c := range of.Columns {
			if of.Name == table && c.Name == name {
				return c.Type
			}
		}
	}
	panic("package ent has no column " + table + "." + name)
}

func inQuotes(name string) string { return `"` + name + `"` }

func sqlType(t field.Type) string {
	switch t {
	case field.TypeUUID:
		return "uuid"
	case field.TypeTime:
		return "timestamptz"
	case field.TypeBool:
		return "boolean"
	case field.TypeInt, field.TypeInt64:
		return "bigint"
	case field.TypeFloat64:
		return "double precision"
	case field.TypeJSON:
		return "jsonb"
	case field.TypeBytes:
		return "bytea"
	}
	return "text"
}

// Write writes rows, each with a value for each column.
func (t *Table) Write(ctx context.Context, tx *ent.Tx, dialectName string, rows [][]any) error {
	if dialectName == dialect.Postgres {
		return t.writeTogether(ctx, tx, rows)
	}
	return t.writeOneByOne(ctx, tx, rows)
}

// naturalKey is the slug, SKU or key of a record.
type naturalKey struct {
	ID  uuid.UUID `sql:"id"`
	Key string    `sql:"key"`
}

// Read scans columns of some records of the context's shop into a list.
func (t *Table) Read(
	ctx context.Context, client *ent.Client, where func(*sql.Selector), list any, columns ...string,
) error {
	shop, err := tenancy.Of(ctx)
	if err != nil {
		return err
	}
	s := sql.Dialect(client.Raw().Dialect()).Select(columns...).From(sql.Table(t.name)).Where(sql.EQ("tenant_id", shop))
	where(s)
	query, args := s.Query()
	var rows sql.Rows
	if err := client.Raw().Query(ctx, query, args, &rows); err != nil {
		return fmt.Errorf("read %s: %w", t.name, err)
	}
	defer rows.Close()
	return sql.ScanSlice(rows, list)
}

// Keys returns the natural keys of some records of the context's shop.
func (t *Table) Keys(ctx context.Context, client *ent.Client, where func(*sql.Selector)) (
	keys []naturalKey, err error,
) {
	err = t.Read(ctx, client, where, &keys, "id", sql.As(t.Key, "key"))
	return keys, err
}

// KeysOf returns the natural keys of those records with the given ids that exist.
func (t *Table) KeysOf(ctx context.Context, client *ent.Client, ids []uuid.UUID) (map[uuid.UUID]string, error) {
	found, err := t.Keys(ctx, client, func(s *sql.Selector) {
		s.Where(AmongList(s.C("id"), ids))
	})
	keys := map[uuid.UUID]string{}
	for _, one := range found {
		keys[one.ID] = one.Key
	}
	return keys, err
}

// Set sets a column of a record of the context's shop, and its updated_at.
func (t *Table) Set(ctx context.Context, tx *ent.Tx, id uuid.UUID, at time.Time, column string, value any) error {
	shop, err := tenancy.Of(ctx)
	if err != nil {
		return err
	}
	query, args := sql.Dialect(tx.Raw().Dialect()).Update(t.name).Set(column, value).Set("updated_at", at).
		Where(sql.And(sql.EQ("tenant_id", shop), sql.EQ("id", id))).Query()
	_, err = tx.ExecContext(ctx, query, args...)
	return err
}

// Remove deletes a record of the context's shop.
func (t *Table) Remove(ctx context.Context, tx *ent.Tx, id uuid.UUID) error {
	shop, err := tenancy.Of(ctx)
	if err != nil {
		return err
	}
	query, args := sql.Dialect(tx.Raw().Dialect()).Delete(t.name).
		Where(sql.And(sql.EQ("tenant_id", shop), sql.EQ("id", id))).Query()
	_, err = tx.ExecContext(ctx, query, args...)
	return err
}

// writeOneByOne runs one prepared statement for each row. SQLite is in this process, and its driver needs
// time in the square of the number of arguments. The driver starts a goroutine for each statement with a
// context that can end, so ctx is checked here instead.
func (t *Table) writeOneByOne(ctx context.Context, tx *ent.Tx, rows [][]any) error {
	for _, row := range rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := tx.ExecContext(context.WithoutCancel(ctx), t.one, row...); err != nil {
			return fmt.Errorf("write %s: %w", t.name, err)
		}
	}
	return nil
}

// writeTogether runs one prepared statement for any number of rows: each column is one argument.
func (t *Table) writeTogether(ctx context.Context, tx *ent.Tx, rows [][]any) error {
	args := make([]any, len(t.columns))
	for i, c := range t.columns {
		array, err := arrayOf(rows, i, c.kind)
		if err != nil {
			return fmt.Errorf("write %s.%s: %w", t.name, c.name, err)
		}
		args[i] = array
	}
	if _, err := tx.ExecContext(ctx, t.many, args...); err != nil {
		return fmt.Errorf("write %s: %w", t.name, err)
	}
	return nil
}

// arrayOf returns a column of rows as an array in PostgreSQL's text form.
func arrayOf(rows [][]any, column int, kind string) (string, error) {
	out := make([]byte, 0, 16*len(rows))
	for i, row := range rows {
		if i > 0 {
			out = append(out, ',')
		}
		value, err := driver.DefaultParameterConverter.ConvertValue(row[column])
		if err != nil {
			return "", err
		}
		switch value := value.(type) {
		case nil:
			out = append(out, "NULL"...)
		case string:
			out = appendQuoted(out, value)
		case []byte:
			if kind == "bytea" {
				out = append(hex.AppendEncode(append(out, `"\\x`...), value), '"')
			} else { // JSON
				out = appendQuoted(out, string(value))
			}
		case time.Time:
			out = value.UTC().AppendFormat(append(out, '"'), "2006-01-02 15:04:05.999999Z07:00")
			out = append(out, '"')
		default: // numbers and booleans
			out = fmt.Append(out, value)
		}
	}
	return "{" + string(out) + "}", nil
}

func appendQuoted(out []byte, text string) []byte {
	out = append(out, '"')
	for i := range len(text) {
		if text[i] == '"' || text[i] == '\\' {
			out = append(out, '\\')
		}
		out = append(out, text[i])
	}
	return append(out, '"')
}

// Complete completes the values of a row by its shop and its times, and returns them.
func (t *Table) Complete(values []any, shop uuid.UUID, now time.Time) []any {
	for i, c := range t.columns {
		switch at, _ := values[i].(time.Time); {
		case c.name == "tenant_id":
			values[i] = shop
		case c.name == "updated_at", c.name == "created_at" && at.IsZero():
			values[i] = now
		}
	}
	return values
}
