package server

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"storefront/internal/fault"
	"storefront/internal/wire"
)

const readyTime = 3 * time.Second // a database that takes longer to answer is not ready

// live answers that the process is alive.
func (s *Server) live(w http.ResponseWriter, _ *http.Request) { writeState(w, "ok") }

// isReady answers whether the service can serve requests: 503 UNAVAILABLE while the database is unreachable
// or lacks migrations, and from the moment the server begins to stop.
func (s *Server) isReady(w http.ResponseWriter, r *http.Request) {
	if s.stopping.Load() {
		wire.WriteError(w, r, fault.New(fault.Unavailable, "the server is stopping"))
		return
	}
	if err := s.checkReady(r.Context()); err != nil {
		if err != errStarting { // the one who starts it says what it waits for
			s.log.LogAttrs(r.Context(), slog.LevelWarn, "not ready", slog.Any("cause", err))
		}
		notReady := fault.Wrap(fault.Unavailable, err, "the server is not ready; its log says why")
		notReady.RetryAfter = time.Second
		wire.WriteError(w, r, notReady)
		return
	}
	writeState(w, "ready")
}

// checkReady runs one check for all requests that ask at the same time, so that they cannot load the
// database.
func (s *Server) checkReady(ctx context.Context) error {
	ready := s.doors.Load().ready
	if ready == nil {
		return nil
	}
	asked := s.readiness.DoChan("", func() (any, error) {
		checking, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyTime)
		defer cancel()
		return nil, ready(checking)
	})
	select {
	case told := <-asked:
		return told.Err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func writeState(w http.ResponseWriter, state string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(`{"status":"` + state + `"}`))
}
