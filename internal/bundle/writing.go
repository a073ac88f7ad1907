package bundle

import (
	"context"
	"iter"
	"slices"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/variant"
	"storefront/internal/database"
	"storefront/internal/derive"
	"storefront/internal/store"
	"storefront/internal/tenancy"
	"storefront/internal/transaction"
)

// unit is what some elements of a bundle will write: records with all that belongs to them. It stands in one
// transaction.
type unit struct {
	weight   int // about its work, in records
	writes   []func(tx *ent.Tx) error
	variants []uuid.UUID // those that are there and will be changed
	change   derive.Change
}

const (
	writeSize  = 100 // records in one statement. SQLite's driver takes time by the square of its arguments
	unitWeight = 100
	weightSize = 4 << 10 // bytes of an element's text weigh as one record more
)

// plan adds records to what the elements that are being taken will write.
func plan[R any](im *importer, rows []R, write func(tx *ent.Tx, rows []R) error) {
	for some := range slices.Chunk(rows, writeSize) {
		im.unit.writes = append(im.unit.writes, func(tx *ent.Tx) error { return write(tx, some) })
	}
}

// chunksByWeight cuts elements into groups of about a weight. There is at least one, which may be empty.
func chunksByWeight(batch []*node, most int) iter.Seq[[]*node] {
	return func(yield func([]*node) bool) {
		from, weight := 0, 0
		for i, n := range batch {
			if weight += n.weight; weight >= most && i+1 < len(batch) {
				if !yield(batch[from : i+1]) {
					return
				}
				from, weight = i+1, 0
			}
		}
		yield(batch[from:])
	}
}

// A transaction is to be so short that customers hardly notice when they wait for it, and not so short that
// much of the time goes into beginning and ending it. On PostgreSQL only checkouts of the same variants wait.
const (
	aimSQLite   = 150 * time.Millisecond
	aimPostgres = 400 * time.Millisecond
	firstShare  = 200 // weight of the first transaction, whose time is not known yet
	leastShare  = 100
	mostShare   = 4_000
)

// Between two transactions SQLite's lock is left to customers: for a moment, or, while they use it, for up to
// three times as long as a transaction, so that a queue of theirs grows shorter.
const (
	shortPause = 5 * time.Millisecond
	longPause  = 3 * aimSQLite
)

// retries is how often a transaction is run that meets others again and again. Each retry is five tries of
// internal/transaction.
const retries = 10

// writer writes units in transactions that are as long as they may be.
type writer struct {
	store  *store.Store
	tenant uuid.UUID
	tx     *ent.Tx // of all units; nil: they have transactions of their own
	ready  []*unit // not written yet
	share  int     // weight that a transaction can take
	most   int     // the largest share
	pause  time.Duration
}

func newWriter(db *store.Store, tenant uuid.UUID, most int) *writer {
	return &writer{store: db, tenant: tenant, share: min(firstShare, most), most: most, pause: shortPause}
}

// run calls produce, which calls write with all units in turn. Where atomic is set they stand in one transaction.
func (w *writer) run(ctx context.Context, atomic bool, produce func() error) error {
	if !atomic {
		if err := produce(); err != nil {
			return err
		}
		return w.commitReady(ctx, 0)
	}
	return w.retry(ctx, func(tx *ent.Tx) error {
		w.tx = tx
		if err := produce(); err != nil {
			return err
		}
		return derive.Raise(ctx, tx, w.tenant)
	})
}

// write writes units in the order in which they come, once there are enough for a transaction.
func (w *writer) write(ctx context.Context, units []*unit) error {
	units = slices.DeleteFunc(units, func(u *unit) bool { return len(u.writes) == 0 })
	if w.tx != nil {
		return w.writeIn(ctx, w.tx, units)
	}
	w.ready = append(w.ready, units...)
	return w.commitReady(ctx, w.share)
}

// commitReady writes what is ready, in transactions of a share each, as long as it weighs at least so much.
func (w *writer) commitReady(ctx context.Context, least int) error {
	for {
		n, weight := 0, 0
		for n < len(w.ready) && (n == 0 || weight+w.ready[n].weight <= w.share) {
			weight += w.ready[n].weight
			n++
		}
		if n == 0 || n == len(w.ready) && weight < least {
			return nil
		}
		if err := w.commit(ctx, w.ready[:n], weight); err != nil {
			return err
		}
		w.ready = slices.Delete(w.ready, 0, n)
	}
}

// commit writes units in one transaction.
func (w *writer) commit(ctx context.Context, units []*unit, weight int) error {
	if w.store.Dialect == dialect.SQLite {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(w.pause):
		}
	}
	asked := time.Now()
	began := asked
	err := w.retry(ctx, func(tx *ent.Tx) error {
		began = time.Now()
		if err := w.writeIn(ctx, tx, units); err != nil {
			return err
		}
		return derive.Raise(ctx, tx, w.tenant)
	})
	w.learn(weight, time.Since(began), began.Sub(asked))
	return err
}

// learn sets the next transaction's share by the time that one of a weight took, and the pause before it by the
// time that this one waited for customers.
func (w *writer) learn(weight int, took, waited time.Duration) {
	aim := aimPostgres
	if w.store.Dialect == dialect.SQLite {
		aim = aimSQLite
	}
	could := int(float64(weight) * float64(aim) / float64(max(took, time.Millisecond)))
	w.share = min(max(leastShare, w.share/2, min(could, 2*w.share)), w.most)
	if waited > shortPause {
		w.pause = min(2*w.pause, longPause)
	} else {
		w.pause = max(w.pause/2, shortPause)
	}
}

// retry runs work in a transaction, again after conflicts with customers' transactions.
func (w *writer) retry(ctx context.Context, work func(tx *ent.Tx) error) error {
	for try := 1; ; try++ {
		err := transaction.Run(ctx, w.store.Client, work)
		if err == nil || try == retries || ctx.Err() != nil ||
			!database.IsRetryable(err) && !database.IsHeldUp(err) {
			return err
		}
	}
}

// writeIn writes units, and what is derived from them, in a transaction.
func (w *writer) writeIn(ctx context.Context, tx *ent.Tx, units []*unit) error {
	ctx = tenancy.In(ctx, w.tenant)
	var change derive.Change
	var variants []uuid.UUID
	for _, u := range units {
		change.Added = append(change.Added, u.change.Added...)
		change.Changed = append(change.Changed, u.change.Changed...)
		change.Rated = append(change.Rated, u.change.Rated...)
		change.Moved = append(change.Moved, u.change.Moved...)
		variants = append(variants, u.variants...)
	}
	if err := w.lockVariants(ctx, tx, variants, change.Changed); err != nil {
		return err
	}
	for _, u := range units {
		for _, write := range u.writes {
			if err := write(tx); err != nil {
				return err
			}
		}
	}
	return derive.Records(ctx, tx, w.store.Dialect, w.tenant, change)
}

// lockVariants takes the rows of variants that will be changed in the order of their ids, as checkout does: two
// transactions that take the same rows in different orders could wait for each other. SQLite's transactions
// have the whole file.
func (w *writer) lockVariants(ctx context.Context, tx *ent.Tx, ids, products []uuid.UUID) error {
	if w.store.Dialect != dialect.Postgres || len(ids)+len(products) == 0 {
		return nil
	}
	_, err := tx.Variant.Query().Modify(func(s *sql.Selector) {
		s.Where(sql.P(func(b *sql.Builder) {
			// a union, as of two conditions joined by OR PostgreSQL would look at every variant there is
			b.WriteString(s.C(variant.FieldID) + " IN (SELECT own.id FROM variants own WHERE ").
				Join(amongList(dialect.Postgres, "own.id", "uuid", ids)).
				WriteString(" UNION SELECT own.id FROM variants own WHERE ").
				Join(amongList(dialect.Postgres, "own.product_id", "uuid", products)).WriteString(")")
		}))
		s.OrderBy(s.C(variant.FieldID)).For(sql.LockStrength("NO KEY UPDATE"))
	}).Select(variant.FieldID).All(ctx)
	return err
}

// naturalKeys are the columns by which records are found and which therefore never change, beside the fixed ones.
// PostgreSQL would lock a row against references to it, such as those of carts, where it is told to set one.
var naturalKeys = []string{"slug", "sku", "key"}

// fixed are the columns that never change. A record whose id is known is the tenant's own: ids are read by its
// context.
var fixed = append([]string{"id", "tenant_id", "created_at"}, naturalKeys...)

// overwrite makes an insert replace the record that has its id, but for some columns.
func overwrite(columns []string, except ...string) []sql.ConflictOption {
	return []sql.ConflictOption{
		sql.ConflictColumns("id"),
		sql.ResolveWith(func(u *sql.UpdateSet) {
			for _, column := range columns {
				if !slices.Contains(fixed, column) && !slices.Contains(except, column) {
					u.SetExcluded(column)
				}
			}
		}),
	}
}
