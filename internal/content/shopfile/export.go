package shopfile

import (
	"bufio"
	"context"
	"crypto/sha256"
	stdsql "database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"

	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/database/store"
	"storefront/internal/event/outbox"
	"storefront/internal/record"
)

// Export writes a closed shop in one snapshot, and returns its figures. The file is only for its owner: it
// has customers and the secrets of webhooks. w is written while the database is read; after an error
// the file lacks its end, and an import refuses it.
func Export(ctx context.Context, s *store.Store, shop uuid.UUID, w io.Writer) (*Figures, error) {
	all, err := tables()
	if err != nil {
		return nil, err
	}
	newest, err := migration()
	if err != nil {
		return nil, err
	}
	unlock, err := s.LockImports(ctx, shop) // one that began before the shop was closed may write for minutes
	if err != nil {
		return nil, fmt.Errorf("wait for imports: %w", err)
	}
	defer unlock()
	now := record.Now()
	if err := errors.Join(outbox.Number(ctx, s.Client, now), outbox.Deliver(ctx, s.Client, now)); err != nil {
		return nil, fmt.Errorf("make the deliveries of the last events: %w", err)
	}
	tx, err := s.Client.BeginTx(ctx, &stdsql.TxOptions{Isolation: stdsql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return nil, fmt.Errorf("begin the export: %w", err)
	}
	defer tx.Rollback() // it only reads
	of, err := tx.Tenant.Get(ctx, shop)
	if err == nil && of.ClosedAt == nil { // others may still write to it
		err = fmt.Errorf("%s is open", of.Domain)
	}
	if err != nil {
		return nil, err
	}
	if err := mustBeOurs(ctx, tx, newest); err != nil {
		return nil, err
	}
	sum := sha256.New()
	e := &exporter{tx: tx, shop: shop, persons: personsOf(all), sum: sum,
		w: bufio.NewWriterSize(w, 64<<10)}
	e.line(header{Format: format, Migration: newest, Domain: of.Domain, Shop: shop, ClosedAt: of.ClosedAt.UTC()})
	figures, err := figuresOf(ctx, tx.Raw(), all, shop)
	if err != nil {
		return nil, err
	}
	for _, t := range all {
		rows, err := e.table(ctx, t)
		if err != nil {
			return nil, fmt.Errorf("export %s: %w", t.name, err)
		}
		if t.shop == "" {
			figures.Rows[t.name] = rows
		}
	}
	e.line(trailer{figures, hex.EncodeToString(sum.Sum(nil))})
	if e.err == nil {
		e.err = e.w.Flush()
	}
	if e.err != nil {
		return nil, fmt.Errorf("write the file: %w", e.err)
	}
	return figures, nil
}

var lastMigration = database.Statement(`SELECT max(name) FROM schema_migrations WHERE name LIKE '%.sql'`)

// mustBeOurs fails for a database that a newer version has migrated: it may have tables that this version
// does not know.
func mustBeOurs(ctx context.Context, tx *ent.Tx, newest string) error {
	last := ""
	_, err := lastMigration.Row(ctx, tx.Raw(), nil, &last)
	if err == nil && last > newest {
		err = fmt.Errorf("the database was migrated by %s, which this version of the program does not know: "+
			"export with the version that did", last)
	}
	return err
}

type exporter struct {
	tx      *ent.Tx
	shop    uuid.UUID
	persons string // selects the ids of the persons that travel
	w       *bufio.Writer
	sum     hash.Hash
	err     error // the first error of writing; nothing is written after it
}

func (e *exporter) line(value any) {
	if e.err != nil {
		return
	}
	var text []byte
	if text, e.err = json.Marshal(value); e.err != nil {
		return
	}
	text = append(text, '\n')
	e.sum.Write(text)
	_, e.err = e.w.Write(text)
}

const rowsTogether = 500

// table writes the rows of a table in the order of their ids, some with each statement.
func (e *exporter) table(ctx context.Context, t *table) (written int64, err error) {
	names := make([]string, len(t.columns))
	qualified := []string{t.name + ".id"} // where the next statement begins
	for i, c := range t.columns {
		names[i] = c.name
		from := t.name + `."` + c.name + `"`
		if c.other { // such as an operator who has made an access token
			from = fmt.Sprintf("CASE WHEN %s IN (%s) THEN %[1]s END", from, e.persons)
		}
		qualified = append(qualified, from)
	}
	e.line(section{t.name, names})
	text := fmt.Sprintf("SELECT %s FROM %s WHERE %s", strings.Join(qualified, ", "), t.name, t.ofShop(e.persons))
	order := fmt.Sprintf(" ORDER BY %s.id LIMIT %d", t.name, rowsTogether)
	next, args := text+order, []any{e.shop}
	for {
		last, n, err := e.rows(ctx, t, next, args)
		if err == nil {
			err = e.err
		}
		written += int64(n)
		if err != nil || n < rowsTogether {
			return written, err
		}
		next, args = text+" AND "+t.name+".id > $2"+order, []any{e.shop, last}
	}
}

// rows writes the rows of a statement, and returns the id of the last one.
func (e *exporter) rows(ctx context.Context, t *table, text string, args []any) (last any, n int, err error) {
	kinds := []field.Type{field.TypeUUID} // of the id
	if t.counted {
		kinds[0] = field.TypeInt64
	}
	for _, c := range t.columns {
		if c.kind == field.TypeJSON {
			c.kind = field.TypeString
		}
		kinds = append(kinds, c.kind)
	}
	err = database.EachRow(ctx, e.tx.Raw(), text, args, func(found *sql.Rows) error {
		row, err := database.ScanRow(found, kinds)
		if err != nil {
			return err
		}
		e.line(row[1:])
		last, n = row[0], n+1
		return nil
	})
	return last, n, err
}
