package server

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"

	"storefront/internal/fault"
	"storefront/internal/platform/wire"
)

const readyTime = 3 * time.Second // a database that takes longer to answer is not ready

// Readiness is what the service can do.
type Readiness struct {
	Reads, Writes error  // why requests that only read, or that write, cannot be answered; nil: they can
	Cause         string // of Writes, in a word that may be public
	Images        error  // why uploaded images are unavailable; everything else works without them
}

// states are the words of /readyz for a service that can read.
type states struct {
	Status string `json:"status"`
	Reads  string `json:"reads"`
	Writes string `json:"writes"`
	Cause  string `json:"cause,omitempty"`
	Images string `json:"images,omitempty"`
}

func (r Readiness) states() states {
	s := states{Status: "ready", Reads: "ready", Writes: "ready"}
	if r.Writes != nil {
		s.Writes, s.Cause = "unavailable", r.Cause
	}
	if r.Images != nil {
		s.Images = "unavailable"
	}
	return s
}

// live answers that the process is alive.
func (s *Server) live(w http.ResponseWriter, _ *http.Request) {
	writeState(w, map[string]string{"status": "ok"})
}

// isReady answers whether the service can serve requests that only read, or with ?for=writes those that write: 503
// UNAVAILABLE while the database is unreachable or lacks migrations, and from the moment the server begins to stop.
func (s *Server) isReady(w http.ResponseWriter, r *http.Request) {
	if s.stopping.Load() {
		wire.WriteError(w, r, fault.New(fault.Unavailable, "the server is stopping"))
		return
	}
	ready := s.checkReady(r.Context())
	failed := ready.Reads
	if r.URL.Query().Get("for") == "writes" {
		failed = ready.Writes
	}
	if why := ready.Writes; why != nil && why != errStarting { // while starting, the cause is logged elsewhere
		s.o.Log.LogAttrs(r.Context(), slog.LevelWarn, "not ready", slog.Any("cause", why),
			slog.Bool("reads", ready.Reads == nil))
	}
	if failed != nil {
		wire.WriteError(w, r, fault.Wrap(fault.Unavailable, failed, "the server is not ready (%s); its log says why",
			cmp.Or(ready.Cause, "failed")).After(time.Second))
		return
	}
	writeState(w, ready.states())
}

// checkReady runs one check for all concurrent requests, so that they cannot load the database.
func (s *Server) checkReady(ctx context.Context) Readiness {
	ready := s.endpoints.Load().ready
	if ready == nil {
		return Readiness{}
	}
	asked := s.readiness.DoChan("", func() (any, error) {
		checking, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyTime)
		defer cancel()
		return ready(checking), nil
	})
	select {
	case told := <-asked:
		return told.Val.(Readiness)
	case <-ctx.Done():
		return Readiness{Reads: ctx.Err(), Writes: ctx.Err()}
	}
}

func writeState(w http.ResponseWriter, state any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	text, _ := json.Marshal(state) // a struct of texts
	_, _ = w.Write(text)
}
