package bundle

import (
	"context"
	"errors"
	"slices"
	"time"

	"storefront/internal/content/document"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/internal/content/derive"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
)

// A transaction should be so short that customers hardly notice waiting for it, but long enough that
// beginning and ending it does not take most of the time. On PostgreSQL only checkouts of the same variants
// wait. A transaction checks the clock after each step, so that it stays short even if its units take longer
// than earlier ones, or the machine is busy.
const (
	aimSQLite   = 150 * time.Millisecond
	aimPostgres = 300 * time.Millisecond
	firstShare  = 200 // weight of the first transaction, before any was timed
	leastShare  = 100
	mostShare   = 4_000
	stepWeight  = 300
)

// Between two transactions customers can take SQLite's lock: for a moment, or, while they use it, for up to
// three times as long as a transaction, so that their queue shrinks.
const (
	shortPause = 5 * time.Millisecond
	longPause  = 3 * aimSQLite

	// freeLock is longer than it takes to get a free lock. Customers hold the lock for a few milliseconds at
	// a time, so an import that finds it taken waits longer than this, but never long.
	freeLock = time.Millisecond
)

// retries is how often a transaction with conflicts is run at most. Each run is up to five tries of
// internal/database/transaction.
const retries = 10

// writer writes parts in transactions, each with as many parts as its time allows.
type writer struct {
	client  *ent.Client
	dialect string
	tenant  uuid.UUID
	version int64   // of the shop's content after the writer's last transaction
	tx      *ent.Tx // the transaction of all parts; nil: they have their own
	ready   []*part // parts not written yet
	share   int     // weight that a transaction may have
	most    int     // the largest share
	pause   time.Duration
	left    document.Faults // the faults for which elements were left out
	changed bool            // whether the transaction has changed what lists show

	done, adds Sections // the written records, and those of the current transaction

	im *importer // which plans the parts; nil: they are moves of categories
}

func newWriter(client *ent.Client, tenant uuid.UUID, most int) *writer {
	return &writer{client: client, dialect: client.Raw().Dialect(), tenant: tenant,
		share: min(firstShare, most), most: most, pause: shortPause}
}

// run calls produce, which calls write with all parts in turn, and then last. If atomic is set, everything is
// one transaction.
func (w *writer) run(ctx context.Context, atomic bool, produce, last func(context.Context) error) error {
	all := func(ctx context.Context) error {
		if err := produce(ctx); err != nil {
			return err
		}
		if err := w.commitReady(ctx, 0); err != nil {
			return err
		}
		return last(ctx)
	}
	if !atomic {
		return all(ctx)
	}
	var version int64
	err := w.retry(ctx, func(tx *ent.Tx) error {
		ctx, err := w.begin(ctx, tx)
		if err != nil {
			return err
		}
		w.tx = tx
		if err := all(ctx); err != nil {
			return err
		}
		version, err = w.end(ctx, tx)
		return err
	})
	if err == nil {
		w.done = w.adds
	}
	w.tx, w.version = nil, version
	return err
}

// begin takes the lock of the shop's content, and calls renew if others have written meanwhile.
func (w *writer) begin(ctx context.Context, tx *ent.Tx) (context.Context, error) {
	w.changed, w.adds = false, nil
	ctx, err := derive.Lock(tenancy.In(ctx, w.tenant), tx, w.tenant)
	if err == nil && w.im != nil && w.im.sheet != nil && w.im.sheet.Allowed != nil {
		err = w.im.sheet.Allowed(ctx, tx.Client())
	}
	if err != nil {
		return ctx, err
	}
	version, err := contentVersion(ctx, tx, w.tenant)
	if err == nil && version != w.version && w.im != nil {
		err = w.im.renew(ctx, tx)
	}
	return ctx, err
}

// end returns the version of the shop's content, which it raises if the transaction has changed any.
func (w *writer) end(ctx context.Context, tx *ent.Tx) (int64, error) {
	if len(w.adds) > 0 && w.im != nil {
		if err := w.im.noteDone(ctx, tx, w.done.with(w.adds)); err != nil {
			return 0, err
		}
	}
	if w.changed {
		if err := derive.Raise(ctx, tx, w.tenant); err != nil {
			return 0, err
		}
	}
	return contentVersion(ctx, tx, w.tenant)
}

// contentVersion returns the content version of a shop, 0 if the shop does not exist yet.
func contentVersion(ctx context.Context, tx *ent.Tx, of uuid.UUID) (int64, error) {
	found, err := tx.Tenant.Query().Where(tenant.ID(of)).Select(tenant.FieldContentVersion).Only(ctx)
	if ent.IsNotFound(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return found.ContentVersion, nil
}

// write adds parts, and writes them in this order once there are enough for a transaction.
func (w *writer) write(ctx context.Context, parts ...*part) error {
	if w.tx != nil {
		_, _, err := w.writeParts(ctx, w.tx, parts, func(float64) bool { return true })
		return err
	}
	w.ready = append(w.ready, parts...)
	return w.commitReady(ctx, w.share)
}

// one writes a part in a transaction of its own, unless all parts share one.
func (w *writer) one(ctx context.Context, p *part) error {
	if w.tx != nil {
		return w.write(ctx, p)
	}
	_, err := w.commit(ctx, []*part{p})
	return err
}

// commitReady writes the ready parts, in transactions of a share each, as long as they weigh at least least.
func (w *writer) commitReady(ctx context.Context, least int) error {
	for {
		n, weight := upTo(w.share, w.ready, func(p *part) int { return p.weight })
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

// upTo returns how many units or parts together weigh up to most, at least one, and their weight.
func upTo[E any](most int, all []E, weigh func(E) int) (n, weight int) {
	for n < len(all) && (n == 0 || weight+weigh(all[n]) <= most) {
		weight += weigh(all[n])
		n++
	}
	return n, weight
}

// writeParts writes parts in a transaction, at least one step, as long as there is time; planning may take
// half of it. It returns the number of parts and the faults for which elements were left out.
func (w *writer) writeParts(ctx context.Context, tx *ent.Tx, parts []*part, inTime func(share float64) bool) (
	n int, left document.Faults, err error,
) {
	step, planned, written := min(stepWeight, w.most), 0, 0
	for n < len(parts) && (written < step || inTime(1)) {
		var units []*unit
		for _, p := range parts[n:] {
			if len(units) > 0 && (p.after || planned >= step && !inTime(0.5)) {
				break
			}
			u, err := p.plan(ctx, tx)
			if err != nil {
				return n, left, err
			}
			u.weight = p.weight
			planned += p.weight
			units = append(units, u)
		}
		if err := w.lockVariants(ctx, tx, units); err != nil {
			return n, left, err
		}
		for len(units) > 0 && (written < step || inTime(1)) {
			some, weight := upTo(step, units, func(u *unit) int { return u.weight })
			if err := w.writeIn(ctx, tx, units[:some]); err != nil {
				return n, left, err
			}
			for _, u := range units[:some] {
				left.Join(u.left)
			}
			units, n, written = units[some:], n+some, written+weight
		}
	}
	return n, left, nil
}

// commit writes as many parts as there is time for in one transaction, and returns their number.
func (w *writer) commit(ctx context.Context, parts []*part) (n int, err error) {
	if w.im != nil && w.im.sheet != nil && w.im.sheet.Resting != nil {
		w.im.sheet.Resting()
	}
	if w.dialect == dialect.SQLite {
		if err := rest(ctx, w.pause); err != nil {
			return 0, err
		}
	}
	asked := time.Now()
	began, working := asked, asked
	var version int64
	var left document.Faults
	err = w.retry(ctx, func(tx *ent.Tx) error {
		began = time.Now()
		ctx, err := w.begin(ctx, tx)
		if err != nil {
			return err
		}
		working = time.Now()
		n, left, err = w.writeParts(ctx, tx, parts, func(share float64) bool {
			return time.Since(working) < time.Duration(share*float64(w.aim()))
		})
		if err == nil {
			version, err = w.end(ctx, tx)
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	w.version = version
	w.done = w.done.with(w.adds)
	w.left.Join(left)
	weight := 0
	for _, p := range parts[:n] {
		weight += p.weight
	}
	w.learn(weight, time.Since(working), began.Sub(asked))
	return n, nil
}

// rest waits, so that customers can take SQLite's lock of the whole file.
func rest(ctx context.Context, pause time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pause):
		return nil
	}
}

// aim returns how long a transaction should take. It is a third of that while customers use SQLite's lock.
func (w *writer) aim() time.Duration {
	switch {
	case w.dialect != dialect.SQLite:
		return aimPostgres
	case w.pause > 4*shortPause:
		return aimSQLite / 3
	}
	return aimSQLite
}

// learn sets the share of the next transaction from the time that one of a weight took, and the pause before
// it from the time that this one waited for customers.
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
			!database.IsRetryable(err) && !database.IsHeldUp(err) && !errors.Is(err, errOvertaken) {
			return err
		}
	}
}
