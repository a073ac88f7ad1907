package database

import (
	"context"
	"database/sql/driver"
)

type unsyncedKey struct{}

// WithoutSync returns a context whose transactions do not wait until they are on disk: a power cut, or the end
// of the database's server, may lose the last ones; the end of this process does not. It is for what limits
// clients and promises nothing, because each request of a flood would otherwise wait for the disk, and every other
// request behind it. A joint transaction does not look at it.
func WithoutSync(ctx context.Context) context.Context {
	return context.WithValue(ctx, unsyncedKey{}, true)
}

// unsynced is what a connection runs around a transaction of WithoutSync. Empty ones are not run.
type unsynced struct{ before, within, after string }

// beginUnsynced begins a transaction of WithoutSync.
func (c *conn) beginUnsynced(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	if err := c.run(ctx, c.before); err != nil {
		return nil, err
	}
	begun, err := c.begin(ctx, opts)
	if err != nil {
		c.syncAgain()
		return nil, err
	}
	begun.unsynced = true
	if err := c.run(ctx, c.within); err != nil {
		_ = begun.Rollback() // fails only with the connection
		return nil, err
	}
	return begun, nil
}

// syncAgain ends what beginUnsynced began. A connection on which that fails is not used again.
func (c *conn) syncAgain() {
	if c.run(context.Background(), c.after) != nil {
		c.broken = true
	}
}

// run runs a statement without arguments, if it is not empty.
func (c *conn) run(ctx context.Context, text string) error {
	if text == "" {
		return nil
	}
	_, err := c.session.ExecContext(ctx, text, nil)
	return err
}
