package database

import (
	"context"
	"database/sql/driver"
)

type unsyncedKey struct{}

// WithoutSync returns a context whose transactions do not wait until they are on disk: a power cut or a
// crash of the database's server may lose the last ones; the end of this process does not. It is for rate
// limits, which promise nothing: in a flood each request would otherwise wait for the disk, and every other
// request behind it. A joint transaction ignores it.
func WithoutSync(ctx context.Context) context.Context {
	return context.WithValue(ctx, unsyncedKey{}, true)
}

// WithSync returns a context whose transactions wait until they are on disk, whatever WithoutSync says.
func WithSync(ctx context.Context) context.Context { return context.WithValue(ctx, unsyncedKey{}, nil) }

// unsynced are the statements that a connection runs around a transaction of WithoutSync. Empty ones are
// skipped.
type unsynced struct{ before, within, after string }

func (c *conn) beginUnsynced(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	if err := c.run(ctx, c.of.unsynced.before); err != nil {
		return nil, err
	}
	begun, err := c.begin(ctx, opts)
	if err != nil {
		c.syncAgain()
		return nil, err
	}
	begun.unsynced = true
	if err := c.run(ctx, c.of.unsynced.within); err != nil {
		_ = begun.Rollback() // fails only with the connection
		return nil, err
	}
	return begun, nil
}

// syncAgain restores the settings after a transaction of beginUnsynced. If that fails, the connection is not
// used again.
func (c *conn) syncAgain() {
	if c.run(context.Background(), c.of.unsynced.after) != nil {
		c.broken = true
	}
}

// run runs a statement without arguments; it does nothing if text is empty.
func (c *conn) run(ctx context.Context, text string) error {
	if text == "" {
		return nil
	}
	_, err := c.session.ExecContext(ctx, text, nil)
	return err
}
