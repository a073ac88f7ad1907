package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"storefront/internal/content/moves"
	"storefront/internal/database"
	"storefront/internal/database/store"
	"storefront/internal/database/sweep"
	"storefront/internal/platform/goroutine"
)

// sweeper deletes what no rule reads any more.
type sweeper struct {
	store  *store.Store
	old    func() []sweep.Job
	others []deletion
	reseal []resealing
	log    *slog.Logger

	deleted *prometheus.CounterVec
	failed  *prometheus.CounterVec
	last    prometheus.Gauge
}

// deletion deletes rows of a table by a rule of its own, and returns how many.
type deletion struct {
	table, does string
	run         func(context.Context) (int, error)
}

// resealing seals under the new key what an old key sealed, and returns how many.
type resealing struct {
	what string
	run  func(context.Context) (int, error)
}

func newSweeper(s *store.Store, old func() []sweep.Job, others []deletion,
	reseal []resealing, to prometheus.Registerer, log *slog.Logger) *sweeper {
	w := &sweeper{
		store: s, old: old, others: others, reseal: reseal, log: log,
		deleted: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "swept_rows_total", Help: "Old rows that were deleted, by table.",
		}, []string{"table"}),
		failed: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "sweep_failures_total", Help: "Tables whose old rows could not be deleted, or not all of them.",
		}, []string{"table"}),
		last: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "sweep_last_end_timestamp_seconds", Help: "When this process last ended a sweep; 0: never.",
		}),
	}
	to.MustRegister(w.deleted, w.failed, w.last)
	for _, job := range old() {
		w.deleted.WithLabelValues(job.Name)
		w.failed.WithLabelValues(job.Name)
	}
	return w
}

// sweepEvery is the least time between two sweeps, and sweepJitter the greatest random addition to it, so
// that servers that start together do not sweep together.
const sweepEvery, sweepJitter = 9 * time.Minute, 2 * time.Minute

// SweepLoop deletes expired sessions, codes, counted events, message records and stored answers, closed and
// unused accounts, and what the settings keep for a limited time. It does so soon after the start, or after FirstSweep,
// and then about every 10 minutes, until ctx is done. While keys are exchanged it seals secrets under the new one. It
// begins with CompareKey.
func (a *App) SweepLoop(ctx context.Context) {
	a.CompareKey(ctx, true)
	next := time.NewTimer(max(a.firstSweep, rand.N(sweepJitter)))
	defer next.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-next.C:
			a.CompareKey(ctx, false)
			a.sweeper.sweep(ctx)
			next.Reset(sweepEvery + rand.N(sweepJitter))
		}
	}
}

// emptyLogLimit is how long a sweep waits to empty SQLite's log if erasing could not do so at once.
const emptyLogLimit = time.Second

// Sweep runs the work of SweepLoop once.
func (a *App) Sweep(ctx context.Context) { a.sweeper.sweep(ctx) }

// sweep deletes old rows, unless another server is doing so.
func (w *sweeper) sweep(ctx context.Context) {
	unlock, err := w.store.TryLock(ctx, "sweep", "")
	if err == nil && unlock == nil {
		return
	}
	if err == nil {
		defer unlock()
		done := func(table string, deleted int64, err error) {
			w.deleted.WithLabelValues(table).Add(float64(deleted))
			if err != nil {
				w.failed.WithLabelValues(table).Inc()
			}
		}
		err = sweep.Run(ctx, w.store.Client.Raw(), w.old(), done)
		for _, other := range w.others {
			n, failure := other.run(ctx)
			done(other.table, int64(n), failure)
			if failure != nil {
				err = errors.Join(err, fmt.Errorf("%s: %w", other.does, failure))
			}
		}
		for _, secrets := range w.reseal {
			resealed, failure := secrets.run(ctx)
			if failure != nil {
				err = errors.Join(err, fmt.Errorf("seal %s anew: %w", secrets.what, failure))
			} else if resealed > 0 {
				w.log.Info(secrets.what+" are sealed under the new signing key", "number", resealed)
			}
		}
		waiting, stop := context.WithTimeout(ctx, emptyLogLimit)
		_, failure := database.EmptyLog(waiting, w.store.Client.Raw())
		stop()
		err = errors.Join(err, failure)
		w.last.SetToCurrentTime()
	}
	if err != nil && ctx.Err() == nil {
		w.log.Warn("not all expired rows were deleted", "error", err)
	}
}

// movesEvery is the interval at which MoveLoop looks for unfinished moves of categories: those of a server
// that was stopped, or of an edit here that was not yet committed when it woke the loop.
const movesEvery = 5 * time.Second

// wake makes MoveLoop look for moves at once.
func wake(moves chan<- struct{}) {
	select {
	case moves <- struct{}{}:
	default: // it is already awake
	}
}

// MoveLoop finishes moves of categories, those of an earlier run first, until ctx is done.
func (a *App) MoveLoop(ctx context.Context) { every(ctx, movesEvery, a.moves, a.FinishMoves) }

// every calls do at once, after each interval and whenever it is woken, until ctx is done.
func every(ctx context.Context, interval time.Duration, woken <-chan struct{}, do func(context.Context)) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		do(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-woken:
		}
	}
}

// FinishMoves finishes moves of categories once, unless another server is doing so.
func (a *App) FinishMoves(ctx context.Context) {
	began := time.Now()
	shops, err := moves.Finish(ctx, a.store)
	if err != nil && ctx.Err() == nil {
		a.log.Warn("not all records followed their categories to other lists; they will", "error", err)
	}
	if shops > 0 {
		a.log.Info("records followed their categories to other lists", "shops", shops, "duration", time.Since(began))
	}
}

// CancelLoop cancels orders whose payment is overdue, until ctx is done. It waits first, like SweepLoop: payments that
// were marked since a copy was made are unknown to who restores it.
func (a *App) CancelLoop(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(a.firstSweep):
		every(ctx, a.paced(time.Minute), nil, a.CancelOverdue)
	}
}

// payEvery is the interval at which PayLoop looks for tries whose time has come.
const payEvery = 5 * time.Second

// paced returns the interval of a loop of payments.
func (a *App) paced(interval time.Duration) time.Duration {
	return max(a.pace.Of(interval), min(interval, 100*time.Millisecond))
}

// PayLoop asks payment gateways about tries of which customers brought no answer, until ctx is done. It does not wait
// for a slow gateway before it asks others.
func (a *App) PayLoop(ctx context.Context) {
	var looks goroutine.Group
	defer looks.Wait()
	every(ctx, a.paced(payEvery), nil, func(ctx context.Context) { a.watchPayments(ctx, &looks) })
}

// WatchPayments does the work of PayLoop once, and waits for the gateways.
func (a *App) WatchPayments(ctx context.Context) {
	var looks goroutine.Group
	a.watchPayments(ctx, &looks)
	looks.Wait()
}

func (a *App) watchPayments(ctx context.Context, looks *goroutine.Group) {
	if err := a.payments.Watch(ctx, looks); err != nil && ctx.Err() == nil {
		a.log.Warn("not all payments at gateways were looked at; they will be", "error", err)
	}
}

// CancelOverdue cancels these orders once, unless another server is doing so.
func (a *App) CancelOverdue(ctx context.Context) {
	unlock, err := a.store.TryLock(ctx, "overdue orders", "")
	if err == nil && unlock == nil {
		return
	}
	cancelled := 0
	if err == nil {
		defer unlock()
		cancelled, err = a.orders.CancelOverdue(ctx)
	}
	if err != nil && ctx.Err() == nil {
		a.log.Warn("not all orders without payment were cancelled", "error", err)
	}
	if cancelled > 0 {
		a.log.Info("orders without payment were cancelled", "orders", cancelled)
	}
}
