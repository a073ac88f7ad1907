package derive

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/internal/database"
)

// TextsAnew returns the migration step that recomputes, from titles, tags, descriptions and SKUs, the texts
// used for searching and sorting, as search.Fold, search.Tag and SortTitle make them now. Each part holds
// the locks of the contents that it changes.
func TextsAnew(dialectName string) database.Step {
	return anewStep("texts-anew", foldedTables, dialectName)
}

// NamesAnew is TextsAnew for the names of accounts and of records in the audit log.
func NamesAnew(dialectName string) database.Step {
	return anewStep("names-anew", namedTables, dialectName)
}

func anewStep(name string, tables []foldedTable, dialectName string) database.Step {
	return database.Step{Name: name,
		Part: func(ctx context.Context, tx dialect.Tx, from string) (string, error) {
			a := anew{tx: tx, dialect: dialectName}
			table, last, err := a.position(from)
			if err != nil {
				return "", err
			}
			end, err := a.write(ctx, tables[table], last)
			switch {
			case err != nil:
				return "", fmt.Errorf("write %s: %w", tables[table].name, err)
			case end != uuid.Nil:
				return fmt.Sprint(table, " ", end), nil
			case table+1 < len(tables):
				return fmt.Sprint(table+1, " ", uuid.Nil), nil
			}
			return "", nil
		}}
}

// foldedTable is a table with text columns that are computed from other columns. All of them are read as
// texts.
type foldedTable struct {
	name    string
	alone   bool     // its rows belong to no shop's content, and are locked one by one
	product string   // the column that names the product of a row
	sources []string // the columns that the texts are computed from
	made    []madeText
}

// tenant returns the column that names the shop of a row; any column if no shop is locked.
func (t foldedTable) tenant() string {
	if t.alone {
		return "id"
	}
	return "tenant_id"
}

// madeText is a computed column, and how it is made of the sources.
type madeText struct {
	column string
	kind   columnKind
	of     func(sources []string) string
}

// columnKind is how a text is stored in a column.
type columnKind int

const (
	asText columnKind = iota
	asBytes
	asList // JSON
)

func searched(sources []string) string { return SearchText(sources...) }

// foldedTables lists the tables. Records updates the texts of variants together with those of their
// products.
var foldedTables = []foldedTable{
	{name: "variants", product: "product_id", sources: []string{"sku"}, made: []madeText{
		{"sku_text", asText, func(s []string) string { return SKUText(s[0]) }},
	}},
	{name: "products", product: "id", sources: []string{"title_fa", "title_en", "tags"}, made: []madeText{
		{"search_text", asText, func(s []string) string { return SearchText(s[0], s[1]) }},
		{"sort_title", asBytes, func(s []string) string { return string(SortTitle(SearchText(s[0], s[1]))) }},
		{"tag_keys", asList, func(s []string) string { return tagKeysOf(s[2]) }},
	}},
	{name: "user_products", sources: []string{"title_fa", "title_en", "description", "description_fa"},
		made: []madeText{{"search_text", asText, searched}}},
	{name: "blogs", sources: []string{"title_fa", "title_en"}, made: []madeText{{"search_text", asText, searched}}},
	{name: "portfolios", sources: []string{"title_fa", "title_en"},
		made: []madeText{{"search_text", asText, searched}}},
}

var namedTables = []foldedTable{
	{name: "users", alone: true, sources: []string{"first_name", "last_name", "email"},
		made: []madeText{{"search_text", asText, searched}}},
	// audit.Record gives entries more words than their names, so only entries without any are filled in.
	{name: "audit_entries", alone: true, sources: []string{"record_name", "search_text"},
		made: []madeText{{"search_text", asText, func(s []string) string { return cmp.Or(s[1], SearchText(s[0])) }}}},
}

// tagKeysOf returns the keys of tags, both as JSON.
func tagKeysOf(tags string) string {
	var list []string
	_ = json.Unmarshal([]byte(tags), &list) // the database holds valid JSON
	keys, _ := json.Marshal(TagKeys(list))  // texts always marshal
	return string(keys)
}

// anew rewrites texts in a transaction of the migration.
type anew struct {
	tx      dialect.Tx
	dialect string
}

// position parses where a part begins: the index of a table, and an id in it.
func (a anew) position(from string) (table int, last uuid.UUID, err error) {
	if from == "" {
		return 0, uuid.Nil, nil
	}
	var id string
	if _, err := fmt.Sscan(from, &table, &id); err != nil {
		return 0, uuid.Nil, err
	}
	last, err = uuid.Parse(id)
	return table, last, err
}

// write updates the texts of the next rows behind an id, and what is derived from them. It returns the id of
// the last of these rows, or uuid.Nil if there were none.
func (a anew) write(ctx context.Context, t foldedTable, last uuid.UUID) (end uuid.UUID, err error) {
	end, shops, err := a.next(ctx, t, last)
	if err != nil {
		return end, err
	}
	for _, shop := range shops {
		if err := lockIn(ctx, a, a.dialect, shop); err != nil {
			return end, err
		}
	}
	rows, err := a.read(ctx, t, last, end)
	if err != nil {
		return end, err
	}
	var wanted []map[string]any
	touched, read := map[uuid.UUID]bool{}, map[uuid.UUID][]uuid.UUID{} // by shop
	for _, r := range rows {
		if !r.differs || !t.alone && !slices.Contains(shops, r.tenant) {
			continue
		}
		wanted, touched[r.tenant] = append(wanted, r.wanted), true
		if t.product != "" && r.isRead {
			read[r.tenant] = append(read[r.tenant], r.product)
		}
	}
	if len(wanted) == 0 {
		return end, nil
	}
	list, err := json.Marshal(wanted)
	if err != nil {
		return end, err
	}
	if err := a.tx.Exec(ctx, t.update(a.dialect), []any{string(list)}, nil); err != nil {
		return end, err
	}
	for shop, products := range read {
		if err := Records(Alone(ctx), a, a.dialect, shop, Change{Changed: products}); err != nil {
			return end, err
		}
	}
	for _, shop := range shops {
		if touched[shop] {
			if err := Raise(ctx, a, shop); err != nil {
				return end, err
			}
		}
	}
	return end, nil
}

// rowsTogether is how many rows a part writes.
const rowsTogether = 500

// next finds the next rows behind an id: it returns the last of them, and their shops in the order of ids.
func (a anew) next(ctx context.Context, t foldedTable, last uuid.UUID) (end uuid.UUID, shops []uuid.UUID, err error) {
	build := entsql.Dialect(a.dialect)
	text, args := build.Select("id", t.tenant()).From(build.Table(t.name)).Where(entsql.GT("id", last)).OrderBy("id").
		Limit(rowsTogether).Query()
	var rows entsql.Rows
	if err := a.tx.Query(ctx, text, args, &rows); err != nil {
		return end, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var shop uuid.UUID
		if err := rows.Scan(&end, &shop); err != nil {
			return end, nil, err
		}
		if !t.alone && !slices.Contains(shops, shop) {
			shops = append(shops, shop)
		}
	}
	slices.SortFunc(shops, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	return end, shops, rows.Err()
}

// foldedRow is a row with the texts that it should have.
type foldedRow struct {
	id, tenant, product uuid.UUID
	wanted              map[string]any // by column, and the id
	differs             bool           // whether any of its texts is different
	isRead              bool           // whether any of the different texts serves more than sorting
}

// read reads the rows from behind one id to another.
func (a anew) read(ctx context.Context, t foldedTable, last, end uuid.UUID) (found []foldedRow, err error) {
	build := entsql.Dialect(a.dialect)
	columns := []string{"id", t.tenant(), "id"}
	if t.product != "" {
		columns[2] = t.product
	}
	from := build.Table(t.name)
	query := build.Select().From(from)
	for _, name := range columns {
		query.AppendSelect(from.C(name))
	}
	for _, name := range t.sources {
		query.AppendSelectExpr(entsql.Raw("COALESCE(CAST(" + name + " AS text), '')"))
	}
	for _, m := range t.made {
		query.AppendSelect(from.C(m.column))
	}
	query.Where(entsql.And(entsql.GT(from.C("id"), last), entsql.LTE(from.C("id"), end)))
	if t.alone {
		database.ForNoKeyUpdate(query.OrderBy(from.C("id")))
	}
	text, args := query.Query()
	var rows entsql.Rows
	if err := a.tx.Query(ctx, text, args, &rows); err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var one foldedRow
		sources, has := make([]string, len(t.sources)), make([][]byte, len(t.made))
		into := []any{&one.id, &one.tenant, &one.product}
		for i := range sources {
			into = append(into, &sources[i])
		}
		for i := range has {
			into = append(into, &has[i])
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		one.wanted = map[string]any{"id": one.id}
		for i, m := range t.made {
			want := m.of(sources)
			one.wanted[m.column] = want
			if !m.equal(string(has[i]), want) {
				one.differs, one.isRead = true, one.isRead || m.kind != asBytes
			}
		}
		found = append(found, one)
	}
	return found, rows.Err()
}

// equal reports whether a column has a text. It compares lists without regard to the database's spacing.
func (m madeText) equal(has, want string) bool {
	if m.kind != asList {
		return has == want
	}
	var a, b []string
	return json.Unmarshal([]byte(has), &a) == nil && json.Unmarshal([]byte(want), &b) == nil && slices.Equal(a, b)
}

// update returns the statement that sets the columns of the rows in a list of foldedRow.wanted.
func (t foldedTable) update(dialectName string) string {
	var sets, types []string
	for _, m := range t.made {
		value := map[string]map[columnKind]string{
			dialect.SQLite: {asText: "w.value ->> '%s'", asBytes: "CAST(w.value ->> '%s' AS blob)",
				asList: "CAST(w.value ->> '%s' AS blob)"},
			dialect.Postgres: {asText: "w.%s", asBytes: "convert_to(w.%s, 'UTF8')", asList: "CAST(w.%s AS jsonb)"},
		}[dialectName][m.kind]
		sets, types = append(sets, m.column+" = "+fmt.Sprintf(value, m.column)), append(types, m.column+" text")
	}
	set := "UPDATE " + t.name + " SET " + strings.Join(sets, ", ") + " FROM "
	if dialectName == dialect.SQLite {
		return set + "json_each(?) AS w WHERE " + t.name + ".id = w.value ->> 'id'"
	}
	return set + "json_to_recordset($1::json) AS w(id uuid, " + strings.Join(types, ", ") +
		") WHERE " + t.name + ".id = w.id"
}

// ExecContext makes anew an Executor.
func (a anew) ExecContext(ctx context.Context, query string, args ...any) (result sql.Result, err error) {
	return result, a.tx.Exec(ctx, query, args, &result)
}

// QueryContext completes Executor; deriving never reads first.
func (a anew) QueryContext(context.Context, string, ...any) (*sql.Rows, error) {
	return nil, errors.ErrUnsupported
}
