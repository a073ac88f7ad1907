package bundle

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/listing"
	"storefront/ent/variant"
	"storefront/internal/database"
	"storefront/internal/derive"
	"storefront/internal/tenancy"
	"storefront/internal/transaction"
)

// unit is what some elements of a bundle will write: records with all that belongs to them. It stands in one
// transaction.
type unit struct {
	weight   int // about its work, in records
	writes   []write
	variants []uuid.UUID // those that are there and will be changed
	listings [][]any     // rows of new records
	change   derive.Change
}

// write is rows of a table, or something else that is to be done.
type write struct {
	to   *table
	rows [][]any
	do   func(ctx context.Context, tx *ent.Tx) error
}

const (
	unitWeight = 100
	weightSize = 4 << 10 // bytes of an element's text weigh as one record more
)

// save adds records to what the elements that are being taken will write. While the bundle is checked there is
// nothing to write yet.
func save[R interface{ Row() []any }](im *importer, to *table, records []R) {
	if im.writing {
		saveNow(im, to, records)
	}
}

func saveNow[R interface{ Row() []any }](im *importer, to *table, records []R) {
	if len(records) == 0 {
		return
	}
	rows := make([][]any, len(records))
	for i, r := range records {
		rows[i] = im.rowOf(to, r.Row())
	}
	im.unit.writes = append(im.unit.writes, write{to: to, rows: rows})
}

// list adds the listings of a new record.
func (im *importer) list(kind listing.Kind, published bool, id uuid.UUID, publishedAt time.Time, category *uuid.UUID,
	tagKeys []string) {
	if !im.writing || !published {
		return
	}
	for _, l := range derive.Listings(kind, id, publishedAt, im.categories.upwards(category), tagKeys) {
		im.unit.listings = append(im.unit.listings, []any{im.tenant, l.Kind, l.Facet, l.PublishedAt, l.Entity})
	}
}

// noteListed notes a record of a kind that stands in lists: as new, or as one whose listings may follow.
func (im *importer) noteListed(kind listing.Kind, isThere bool, o *object, id uuid.UUID, published bool,
	publishedAt time.Time, category *uuid.UUID) {
	if !isThere {
		im.list(kind, published, id, publishedAt, category, nil)
	} else if o.changed {
		im.noteChanged(id)
	}
}

// do adds something else to what the elements that are being taken will write.
func (im *importer) do(what func(ctx context.Context, tx *ent.Tx) error) {
	im.unit.writes = append(im.unit.writes, write{do: what})
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
// much of the time goes into beginning and ending it. On PostgreSQL only checkouts of the same variants wait. After
// each step a transaction looks at the clock, so that it does not become long where its units take longer than those
// before, or the machine is busy.
const (
	aimSQLite   = 150 * time.Millisecond
	aimPostgres = 300 * time.Millisecond
	firstShare  = 200 // weight of the first transaction, whose time is not known yet
	leastShare  = 100
	mostShare   = 4_000
	stepWeight  = 300
)

// Between two transactions SQLite's lock is left to customers: for a moment, or, while they use it, for up to
// three times as long as a transaction, so that a queue of theirs grows shorter.
const (
	shortPause = 5 * time.Millisecond
	longPause  = 3 * aimSQLite

	// freeLock is more than it takes to get a lock that nobody holds. Customers hold it for a few milliseconds at a
	// time, so that an import which finds it taken never waits long, however much they use it.
	freeLock = time.Millisecond
)

// retries is how often a transaction is run that meets others again and again. Each retry is five tries of
// internal/transaction.
const retries = 10

// writer writes units in transactions that are as long as they may be.
type writer struct {
	client  *ent.Client
	dialect string
	tenant  uuid.UUID
	tx      *ent.Tx // of all units; nil: they have transactions of their own
	ready   []*unit // not written yet
	share   int     // weight that a transaction can take
	most    int     // the largest share
	pause   time.Duration

	ahead chan []*unit // to the goroutine that writes; nil: there is none

	resting func() // is called before each pause; nil: nothing is
}

func newWriter(client *ent.Client, tenant uuid.UUID, most int) *writer {
	return &writer{client: client, dialect: client.Raw().Dialect(), tenant: tenant, share: min(firstShare, most), most: most,
		pause: shortPause}
}

// run calls first and then produce, which call write with all units in turn. Where atomic is set they stand in one
// transaction. Otherwise what produce gives is written while it prepares more.
func (w *writer) run(ctx context.Context, atomic bool, first, produce func(context.Context) error) error {
	if !atomic {
		if err := first(ctx); err != nil {
			return err
		}
		return w.beside(ctx, produce)
	}
	return w.retry(ctx, func(tx *ent.Tx) error {
		ctx, err := derive.Lock(ctx, tx, w.tenant)
		if err != nil {
			return err
		}
		w.tx = tx
		if err := first(ctx); err != nil {
			return err
		}
		if err := produce(ctx); err != nil {
			return err
		}
		return derive.Raise(ctx, tx, w.tenant)
	})
}

// beside writes in a goroutine of its own what produce gives.
func (w *writer) beside(ctx context.Context, produce func(context.Context) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	w.ahead = make(chan []*unit)
	written := make(chan struct{})
	go func() {
		defer close(written)
		var err error
		for units := range w.ahead {
			if err == nil {
				if err = w.writeNow(ctx, units); err != nil {
					stop(err)
				}
			}
		}
		if err == nil && ctx.Err() == nil {
			if err = w.commitReady(ctx, 0); err != nil {
				stop(err)
			}
		}
	}()
	err := produce(ctx)
	if err != nil {
		stop(err) // what is ready is not written any more
	}
	close(w.ahead)
	<-written
	return context.Cause(ctx)
}

// write writes units in the order in which they come, once there are enough for a transaction.
func (w *writer) write(ctx context.Context, units []*unit) error {
	if w.ahead == nil {
		return w.writeNow(ctx, units)
	}
	select {
	case w.ahead <- units:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (w *writer) writeNow(ctx context.Context, units []*unit) error {
	units = slices.DeleteFunc(units, func(u *unit) bool { return len(u.writes)+len(u.change.Listed) == 0 })
	if w.tx != nil {
		if err := w.lockVariants(ctx, w.tx, units); err != nil {
			return err
		}
		return w.writeIn(ctx, w.tx, units)
	}
	w.ready = append(w.ready, units...)
	return w.commitReady(ctx, w.share)
}

// commitReady writes what is ready, in transactions of a share each, as long as it weighs at least so much.
func (w *writer) commitReady(ctx context.Context, least int) error {
	for {
		n, weight := upTo(w.share, w.ready)
		if n == 0 || n == len(w.ready) && weight < least {
			return nil
		}
		n, err := w.commit(ctx, w.ready[:n])
		if err != nil {
			return err
		}
		w.ready = slices.Delete(w.ready, 0, n)
	}
}

// upTo returns how many units weigh up to so much together, one at least, and what they weigh.
func upTo(most int, units []*unit) (n, weight int) {
	for n < len(units) && (n == 0 || weight+units[n].weight <= most) {
		weight += units[n].weight
		n++
	}
	return n, weight
}

// commit writes units in one transaction, as many as there is time for, and returns their number.
func (w *writer) commit(ctx context.Context, units []*unit) (n int, err error) {
	if w.dialect == dialect.SQLite {
		if err := w.rest(ctx); err != nil {
			return 0, err
		}
	}
	asked := time.Now()
	began, weight := asked, 0
	err = w.retry(ctx, func(tx *ent.Tx) error {
		ctx, err := derive.Lock(ctx, tx, w.tenant)
		if err != nil {
			return err
		}
		began, n, weight = time.Now(), 0, 0
		if err := w.lockVariants(ctx, tx, units); err != nil {
			return err
		}
		for n < len(units) && (n == 0 || time.Since(began) < w.aim()) {
			some, weighs := upTo(min(stepWeight, w.most), units[n:])
			if err := w.writeIn(ctx, tx, units[n:n+some]); err != nil {
				return err
			}
			n, weight = n+some, weight+weighs
		}
		return derive.Raise(ctx, tx, w.tenant)
	})
	w.learn(weight, time.Since(began), began.Sub(asked))
	return n, err
}

// rest leaves the lock of the whole file, which SQLite's transactions take, to customers.
func (w *writer) rest(ctx context.Context) error {
	if w.resting != nil {
		w.resting()
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(w.pause):
		return nil
	}
}

// aim is how long a transaction should take. It is a third as long while customers use SQLite's lock.
func (w *writer) aim() time.Duration {
	switch {
	case w.dialect != dialect.SQLite:
		return aimPostgres
	case w.pause > 4*shortPause:
		return aimSQLite / 3
	}
	return aimSQLite
}

// learn sets the next transaction's share by the time that one of a weight took, and the pause before it by the
// time that this one waited for customers.
func (w *writer) learn(weight int, took, waited time.Duration) {
	could := int(float64(weight) * float64(w.aim()) / float64(max(took, time.Millisecond)))
	w.share = min(max(leastShare, w.share/2, min(could, 2*w.share)), w.most)
	if waited > freeLock {
		w.pause = min(2*w.pause, longPause)
	} else {
		w.pause = max(w.pause/2, shortPause)
	}
}

// retry runs work in a transaction, again after conflicts with customers' transactions.
func (w *writer) retry(ctx context.Context, work func(tx *ent.Tx) error) error {
	for try := 1; ; try++ {
		err := transaction.Run(ctx, w.client, work)
		if err == nil || try == retries || ctx.Err() != nil ||
			!database.IsRetryable(err) && !database.IsHeldUp(err) {
			return err
		}
	}
}

// writeIn writes units, and what is derived from them, in a transaction: the rows of a table together, in the order in
// which the units come to the tables, for what rows refer to comes first.
func (w *writer) writeIn(ctx context.Context, tx *ent.Tx, units []*unit) error {
	ctx = tenancy.In(ctx, w.tenant)
	var change derive.Change
	var tables []*table
	rows := map[*table][][]any{}
	for _, u := range units {
		change.Changed = append(change.Changed, u.change.Changed...)
		change.Rated = append(change.Rated, u.change.Rated...)
		change.Listed = append(change.Listed, u.change.Listed...)
		for _, one := range u.writes {
			if one.do != nil {
				if err := one.do(ctx, tx); err != nil {
					return err
				}
				continue
			}
			if rows[one.to] == nil {
				tables = append(tables, one.to)
			}
			rows[one.to] = append(rows[one.to], one.rows...)
		}
	}
	for _, to := range tables {
		if err := to.write(ctx, tx, w.dialect, rows[to]); err != nil {
			return err
		}
	}
	if err := w.list(ctx, tx, units); err != nil {
		return err
	}
	return derive.Records(ctx, tx, w.dialect, w.tenant, change)
}

// list writes the listings of new records, in the order of their index.
func (w *writer) list(ctx context.Context, tx *ent.Tx, units []*unit) error {
	var rows [][]any
	for _, u := range units {
		rows = append(rows, u.listings...)
	}
	if len(rows) == 0 {
		return nil
	}
	slices.SortFunc(rows, func(a, b []any) int {
		return cmp.Or(cmp.Compare(a[1].(listing.Kind), b[1].(listing.Kind)), cmp.Compare(a[2].(string), b[2].(string)),
			a[3].(time.Time).Compare(b[3].(time.Time)))
	})
	return listings.write(ctx, tx, w.dialect, rows)
}

// lockVariants takes the rows of variants that will be changed in the order of their ids, as checkout does: two
// transactions that take the same rows in different orders could wait for each other. SQLite's transactions
// have the whole file.
func (w *writer) lockVariants(ctx context.Context, tx *ent.Tx, units []*unit) error {
	var ids, products []uuid.UUID
	for _, u := range units {
		ids, products = append(ids, u.variants...), append(products, u.change.Changed...)
	}
	if w.dialect != dialect.Postgres || len(ids)+len(products) == 0 {
		return nil
	}
	ctx = tenancy.In(ctx, w.tenant)
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
