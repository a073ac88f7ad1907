package main

import (
	"context"
	"flag"
	"log/slog"
	"net"

	"storefront/internal/config"
	"storefront/internal/server"
	"storefront/internal/site"
	"storefront/internal/store"
)

// serve migrates the database and answers until the process is told to stop.
func serve(ctx context.Context, args []string, p program) error {
	var withDemo bool
	settings, err := load("serve", args, p, func(f *flag.FlagSet) {
		f.BoolVar(&withDemo, "demo", false, "load the demo shops into an empty database")
	})
	if err != nil {
		return err
	}
	log := slog.New(server.WithRequestID(settings.LogHandler(p.stderr)))
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
	if _, err := config.SigningKey(settings); err != nil {
		return err
	}
	s, err := openMigrated(ctx, settings)
	if err != nil {
		return err
	}
	defer s.Close()
	if withDemo {
		if err := loadDemo(ctx, s, server.URL(public), p.stdout); err != nil {
			return err
		}
	}
	service, err := site.New(s, log, site.Options{Origins: settings.CORSOrigins, TrustedProxies: settings.TrustedProxies})
	if err != nil {
		return err
	}
	return service.Serve(ctx, public, metrics)
}

// openMigrated opens the database and brings it up to date.
func openMigrated(ctx context.Context, settings config.Config) (*store.Store, error) {
	s, err := store.Open(ctx, settings.DatabaseURL)
	if err != nil {
		return nil, err
	}
	if err := s.Migrate(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// load reads the settings of a command that takes no arguments.
func load(command string, args []string, p program, own ...func(*flag.FlagSet)) (config.Config, error) {
	settings, rest, err := config.Load(command, args, p.getenv, p.stderr, own...)
	if err == nil && len(rest) > 0 {
		return settings, tooMany(command, rest)
	}
	return settings, err
}
