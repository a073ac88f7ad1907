package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"storefront/internal/app"
	"storefront/internal/config"
	"storefront/internal/database"
	"storefront/internal/database/store"
	"storefront/internal/demo"
	"storefront/internal/event/webhook"
	"storefront/internal/media/blob"
	"storefront/internal/message/sms"
	"storefront/internal/platform/cores"
	"storefront/internal/platform/goroutine"
	"storefront/internal/platform/tracing"
	"storefront/internal/server"
)

// serve listens, migrates the database, and serves until ctx is done.
func serve(ctx context.Context, args []string, p program) error {
	var withDemo, noMigrate bool
	settings, err := load("serve", args, p, func(f *flag.FlagSet) {
		f.BoolVar(&withDemo, "demo", false, "load the demo shops into an empty database")
		f.BoolVar(&noMigrate, "no-migrate", false, "do not migrate: wait until `storefront migrate` has")
	})
	if err != nil {
		return err
	}
	handler, lines := config.LogHandler(p.stderr)
	defer lines.Close()
	log := slog.New(server.WithRequestID(handler))
	slog.SetDefault(log)
	warnOfSettings(settings, withDemo, p, log)
	defer ignoreHangups(ctx, log)()
	if p.getenv("GOMEMLIMIT") == "" {
		limitMemory()
	}
	public, err := server.Listen("LISTEN_ADDR", settings.ListenAddr)
	if err != nil {
		return err
	}
	defer public.Close()
	var metrics net.Listener
	if settings.MetricsAddr != "" {
		if metrics, err = server.Listen("METRICS_ADDR", settings.MetricsAddr); err != nil {
			return err
		}
		defer metrics.Close()
	}
	images, err := imagesOf(ctx, settings, log)
	if err != nil {
		return err
	}
	release, err := database.Alone(ctx, settings.DatabaseURL)
	if err != nil {
		return err
	}
	defer release()
	key, err := config.SigningKey(settings)
	if err != nil {
		return err
	}
	sender, err := settings.Sender(p.stdout)
	if err != nil {
		return err
	}
	clock := database.NewClock(time.Now)
	options := optionsOf(settings, key, sender, images)
	options.Clock, options.Ahead, options.Metrics = clock.Now, clock.Ahead, prometheus.NewRegistry()
	options.LogDropped = lines.Dropped
	options.Tracer, err = tracing.New(ctx, tracing.Options{Endpoint: settings.TracesTo,
		Headers: string(settings.TraceHeaders), Version: version, Log: log, Metrics: options.Metrics})
	if err != nil {
		return err
	}
	imports, stopImports := after(ctx, settings.DrainTime+importsUntil)
	defer stopImports()
	options.Imports = imports
	codes, stopCodes := after(ctx, settings.DrainTime+codesUntil)
	defer stopCodes()
	spans, stopSpans := after(ctx, settings.DrainTime+spansUntil)
	defer stopSpans()
	defer closeTracer(spans, options.Tracer)
	options.Front = app.Starting(log, options)
	served := make(chan error, 1)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		served <- options.Front.Serve(ctx, public, metrics)
		stop()
	}()
	s, err := openWaiting(ctx, settings, noMigrate, clock, log)
	if err == nil {
		defer s.Close()
		if withDemo {
			at := server.URL(public)
			options.PublicURL = cmp.Or(settings.PublicURL, at)
			addresses := demoAddresses{at, cmp.Or(settings.PublicURL, at), !settings.NoExplorer}
			err = loadDemo(ctx, s, addresses, p.stdout, log)
		}
	}
	if ctx.Err() != nil { // before it was ready
		return <-served
	}
	// refuse ends serving at once: so far only /healthz and /readyz were answered.
	refuse := func(err error) error {
		stop()
		public.Close()
		<-served
		return err
	}
	if err != nil {
		return refuse(err)
	}
	if s.Pooled() {
		log.Info("the database is behind a pooler: statements are not prepared")
	}
	if withDemo {
		for _, d := range demo.Bundles() {
			options.Shops = append(options.Shops, d.Domain)
		}
	}
	service, err := app.New(s, log, options)
	if err == nil {
		err = refuseForeign(service.Images.Reach(ctx))
	}
	if err != nil {
		return refuse(err)
	}
	if withDemo {
		if err := service.OpenDemoGateways(ctx); err != nil && ctx.Err() == nil {
			return refuse(err)
		}
	}
	goroutine.Keep(ctx, "following the database's clock", func(ctx context.Context) { clock.Follow(ctx, s.DB, log) })
	goroutine.Keep(ctx, "deleting what is old", service.SweepLoop)
	goroutine.Keep(ctx, "cancelling overdue orders", service.CancelLoop)
	goroutine.Keep(ctx, "moving categories", service.MoveLoop)
	goroutine.Keep(ctx, "watching payments", service.PayLoop)
	sent := goroutine.Keep(ctx, "sending events", service.SendEvents)
	if p.getenv("GOGC") == "" {
		goroutine.Keep(ctx, "sparing garbage collections", spareGarbage)
	}
	if p.getenv("GOMAXPROCS") == "" {
		cores.Oversubscribe()
	}
	return finish(ctx, codes, served, sent, service.Close)
}

// ignoreHangups logs each SIGHUP, which many take for the order to read settings again, and else does nothing.
func ignoreHangups(ctx context.Context, log *slog.Logger) (stop func()) {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	goroutine.Keep(ctx, "ignoring SIGHUP", func(ctx context.Context) {
		for {
			select {
			case <-hangups:
				log.Warn("SIGHUP is ignored: settings are read at the start alone")
			case <-ctx.Done():
				return
			}
		}
	})
	return func() { signal.Stop(hangups) }
}

// warnOfSettings logs probable mistakes: variables that look like settings but are not, unusual values, and a
// default database.
func warnOfSettings(settings config.Config, withDemo bool, p program, log *slog.Logger) {
	for _, u := range config.Unknowns(p.environ()) {
		log.Warn("a variable is no setting: is another one meant?", "variable", u.Name, "setting", u.Nearest)
	}
	for _, u := range settings.Unusual {
		log.Warn("a setting is unusual", "setting", u.Name, "sensible", u.Sensible, "means", u.Means)
	}
	if settings.DatabaseByDefault && !withDemo {
		log.Warn("DATABASE_URL is not set: the shops are in a file of this folder",
			"database", database.Describe(settings.DatabaseURL))
	}
}

// A stop takes the drain time and at most 20 s (contract 4.3): 15 s for requests (package server), and the
// rest for codes and spans. Imports of sheets stop before the time of requests is over, and their answers
// report the progress.
const (
	importsUntil = 12 * time.Second
	codesUntil   = 18 * time.Second
	spansUntil   = 19 * time.Second
)

// after returns a context with the values of ctx that ends the time late after ctx.
func after(ctx context.Context, late time.Duration) (later context.Context, stop func()) {
	later, cancel := context.WithCancel(context.WithoutCancel(ctx))
	forget := context.AfterFunc(ctx, func() { time.AfterFunc(late, cancel) })
	return later, func() {
		forget()
		cancel()
	}
}

// finish waits until serving has ended, and then for background work: codes being sent, until the context
// codes ends, and deliveries of events that began before ctx was done, which would otherwise be sent again
// after the restart.
func finish(
	ctx, codes context.Context, served <-chan error, sent <-chan struct{}, closeCodes func(context.Context),
) error {
	taken, stop := after(ctx, webhook.StopTime)
	defer stop()
	err := <-served
	closing, cancelClosing := context.WithTimeout(codes, closeTime)
	defer cancelClosing()
	closeCodes(closing)
	select {
	case <-sent:
	case <-taken.Done():
	}
	return err
}

// closeTracer sends the remaining spans. It does not wait long for a collector that hangs.
func closeTracer(ctx context.Context, tracer *tracing.Tracer) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	tracer.Close(ctx)
}

// openWaiting opens and migrates the database, and sets the clock by it. It waits for a PostgreSQL that is
// not ready, until ctx is done. Errors of the settings end the start.
func openWaiting(ctx context.Context, settings config.Config, noMigrate bool, clock *database.Clock, log *slog.Logger) (
	*store.Store, error,
) {
	prepare := (*store.Store).Migrate
	if noMigrate {
		prepare = (*store.Store).Migrated
	}
	for pause := shortestPause; ; pause = min(2*pause, longestPause) {
		s, err := openWith(ctx, settings, prepare)
		if err == nil {
			// A server also needs the pool of short reads, which Open leaves alone.
			if err = errors.Join(s.Ping(ctx), clock.Set(ctx, s.DB), sayUnknown(ctx, s, log)); err != nil {
				s.Close()
			}
		}
		_, isFile := settings.SQLiteFile()
		if err == nil || ctx.Err() != nil ||
			!errors.Is(err, store.ErrNotMigrated) && (isFile || !database.IsUnavailable(err)) {
			return s, err
		}
		log.Warn("the database cannot be used yet", "error", err, "again_in", pause.String())
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// sayUnknown warns of migrations by a newer version.
func sayUnknown(ctx context.Context, s *store.Store, log *slog.Logger) error {
	unknown, err := s.Unknown(ctx)
	if len(unknown) > 0 {
		log.Warn("a newer version has migrated the database; this one works beside it", "unknown", unknown)
	}
	return err
}

// The time between two tries to open the database.
const shortestPause, longestPause = 250 * time.Millisecond, 4 * time.Second

// closeTime is how long serve waits for SMS codes being sent after the last request.
const closeTime = 5 * time.Second

// optionsOf returns the options of the service that follow from settings.
func optionsOf(settings config.Config, key []byte, sender sms.Sender, images blob.Store) app.Options {
	options := app.Options{
		Settings: settings.Settings,
		Version:  version, Commit: commit, Database: database.Describe(settings.DatabaseURL),
		Key: key, Sender: sender, Provider: settings.SMS.Provider,
		Media: images, MediaSpool: settings.MediaFolder(),
	}
	if settings.OtherKey != "" {
		options.OtherKey = []byte(settings.OtherKey)
	}
	return options
}

// openMigrated opens the database, which must be new or in use by this version.
func openMigrated(ctx context.Context, settings config.Config) (*store.Store, error) {
	return openWith(ctx, settings, (*store.Store).Begin)
}

// openWith opens the database, and closes it if it cannot be prepared.
func openWith(
	ctx context.Context, settings config.Config, prepare func(*store.Store, context.Context) error,
) (*store.Store, error) {
	s, err := store.Open(ctx, settings.DatabaseURL)
	if err != nil {
		return nil, err
	}
	if err := prepare(s, ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}
