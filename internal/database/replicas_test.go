package database_test

import (
	"context"
	"log/slog"
	"testing"

	"storefront/internal/testdb"
)

// TestAPrimaryNamedAsReplica names the database's own server as a replica, as docs/operations.md suggests so
// that a failover changes no setting: it takes no reads, is known to be the primary, and no warning is
// logged.
func TestAPrimaryNamedAsReplica(t *testing.T) {
	t.Parallel()
	address := testdb.Postgres(t)
	db := open(t, address)
	if err := db.OpenReplicas(address); err != nil {
		t.Fatal(err)
	}
	said := make(chan slog.Record, 1)
	db.WatchReplicas(slog.New(recorder(said)))
	first := <-said
	if first.Message != "a replica cannot be used" || first.Level != slog.LevelInfo {
		t.Errorf("the log says %q at %v first", first.Message, first.Level)
	}
	if r := db.Replicas()[0]; r.Up || !r.Primary {
		t.Errorf("got %+v, want one that is the primary", r)
	}
}

// recorder is a log handler that sends records to a channel, if somebody is receiving.
type recorder chan slog.Record

func (recorder) Enabled(context.Context, slog.Level) bool { return true }

func (r recorder) Handle(_ context.Context, record slog.Record) error {
	select {
	case r <- record:
	default:
	}
	return nil
}

func (r recorder) WithAttrs([]slog.Attr) slog.Handler { return r }
func (r recorder) WithGroup(string) slog.Handler      { return r }
