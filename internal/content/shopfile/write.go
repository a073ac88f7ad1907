package shopfile

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/fault"
	"storefront/internal/platform/convert"
	shops "storefront/internal/shop"
)

type writer struct {
	im *importer
	*table
	rows    [][]any
	parents [][2]any // both ids, of rows that refer to others of the table
}

func (w *writer) add(ctx context.Context, line []byte) error {
	w.im.rows[w.name]++
	var texts []json.RawMessage
	if err := json.Unmarshal(w.im.renamed(w.table, line), &texts); err != nil {
		return err
	}
	if len(texts) != len(w.columns) {
		return fmt.Errorf("it has %d values in %d columns", len(texts), len(w.columns))
	}
	row := make([]any, len(texts))
	for i, text := range texts {
		value, err := forms[w.columns[i].kind](text)
		if err != nil {
			return fmt.Errorf("%s: %w", w.columns[i].name, err)
		}
		if w.columns[i].name == w.itself && value != nil { // the row that it refers to may follow later
			w.parents = append(w.parents, [2]any{row[0], value})
			value = nil
		}
		row[i] = value
	}
	if err := w.mustBeOfFile(row); err != nil {
		return err
	}
	if w.rows = append(w.rows, row); len(w.rows) < rowsTogether {
		return nil
	}
	return w.write(ctx)
}

// mustBeOfFile fails for a row of another shop, of the service itself, such as the role of an operator, or
// of a person who is not in the file: a file must not change what exists here.
func (w *writer) mustBeOfFile(row []any) error {
	for i, c := range w.columns {
		if c.name == w.shop && row[i] != w.im.shop {
			return fmt.Errorf("%s is %v, which is not the shop of the file", c.name, row[i])
		}
		id, is := row[i].(uuid.UUID)
		if _, known := w.im.persons[id]; is && !known && slices.Contains(w.refers, reference{c.name, "users"}) {
			return fmt.Errorf("%s is %v, which is no person of the file", c.name, id)
		}
	}
	return nil
}

// flush writes the remaining rows. The writer may be nil.
func (w *writer) flush(ctx context.Context) error {
	if w == nil {
		return nil
	}
	if err := w.write(ctx); err != nil {
		return err
	}
	for _, one := range w.parents {
		text := fmt.Sprintf(`UPDATE %s SET %s = $1 WHERE id = $2 AND %s = $3`, w.name, w.itself, w.shop)
		if _, err := w.im.tx.ExecContext(ctx, text, one[1], one[0], w.im.shop); err != nil {
			return fmt.Errorf("write %s: %w", w.name, err)
		}
	}
	w.parents = nil
	return nil
}

func (w *writer) write(ctx context.Context) error {
	rows := w.rows
	w.rows = nil
	if w.name == "users" {
		return w.im.meet(ctx, w.columns, rows)
	}
	if slices.Contains(tablesOfDomains, w.name) {
		if err := w.mustLeadNowhere(ctx, rows); err != nil {
			return err
		}
	}
	together := 1 // SQLite's driver takes time quadratic in the number of arguments
	if w.im.dialect == dialect.Postgres {
		together = 100
	}
	for some := range slices.Chunk(rows, together) {
		var args []any
		for _, row := range some {
			args = append(args, row...)
		}
		result, err := w.im.tx.ExecContext(ctx, w.insert(len(some)), args...)
		if ent.IsConstraintError(err) {
			return fmt.Errorf("a row of %s cannot be written beside what is here already: %w", w.name, err)
		}
		if err != nil {
			return fmt.Errorf("write %s: %w", w.name, err)
		}
		if n, err := result.RowsAffected(); err != nil || n != int64(len(some)) {
			return fmt.Errorf("write %s: %d rows of %d were written (%w)", w.name, n, len(some), err)
		}
	}
	return nil
}

// tablesOfDomains are the tables whose column "domain" leads to a shop.
var tablesOfDomains = []string{"tenants", "domain_aliases"}

// mustLeadNowhere fails if a domain of the file leads to another shop here.
func (w *writer) mustLeadNowhere(ctx context.Context, rows [][]any) error {
	at := slices.IndexFunc(w.columns, func(c column) bool { return c.name == "domain" })
	var domains, taken []string
	for _, row := range rows {
		domains = append(domains, fmt.Sprint(row[at]))
	}
	slices.Sort(domains) // so that two imports lock them in the same order
	for _, domain := range domains {
		err := shops.MustBeFree(ctx, w.im.tx, domain)
		if fault.Is(err, fault.Conflict) {
			taken = append(taken, domain)
		} else if err != nil {
			return err
		}
	}
	if len(taken) > 0 {
		return fmt.Errorf("domains of the shop lead to other shops here: %s; `storefront tenant unalias` takes one "+
			"from its shop, here or before the export", strings.Join(taken, ", "))
	}
	return nil
}

func (w *writer) insert(rows int) string {
	names, groups := convert.All(w.columns, func(c column) string { return `"` + c.name + `"` }), []string{}
	for i := range rows {
		places := make([]string, len(names))
		for j := range places {
			places[j] = fmt.Sprintf("$%d", i*len(names)+j+1)
		}
		groups = append(groups, "("+strings.Join(places, ", ")+")")
	}
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES %s", w.name, strings.Join(names, ", "), strings.Join(groups, ", "))
}
