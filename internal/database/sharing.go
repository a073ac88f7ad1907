package database

import (
	"context"
	"fmt"

	entsql "entgo.io/ent/dialect/sql"

	"storefront/internal/share"
)

// sharing is a driver whose connections are shared out between tenants and clients: a statement that reads
// takes a slot until its rows are closed, unless it is of a command, such as the migrations of ent, whose
// rows must be those of database/sql. Statements within a transaction have its connection, and those that
// write are few and short; for them some connections are left.
type sharing struct {
	rawDriver
	slots *share.Slots
}

// readingSlots returns how many of a pool's connections may read at once, where the others are for
// transactions.
func readingSlots(poolSize int) *share.Slots { return share.New(poolSize - poolSize/8) }

func (d sharing) Query(ctx context.Context, text string, args, v any) error {
	rows, ok := v.(*entsql.Rows)
	if !ok || !onlyReads(text) || !share.Counts(ctx) {
		return d.rawDriver.Query(ctx, text, args, v)
	}
	release, err := d.slots.Take(ctx)
	if err != nil {
		return fmt.Errorf("wait for a connection, which other requests have: %w", err)
	}
	if err := d.rawDriver.Query(ctx, text, args, rows); err != nil {
		release()
		return err
	}
	rows.ColumnScanner = &held{
		ColumnScanner: rows.ColumnScanner,
		release:       func() error { release(); return nil },
	}
	return nil
}
