package server

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"storefront/internal/fault"
	"storefront/internal/platform/wire"
)

// recover turns a panic into INTERNAL and logs its stack. If part of the response was sent it cuts the
// connection instead, so that the client does not mistake the part for the whole; http.ErrAbortHandler,
// which asks for that, is passed on.
func (s *Server) recover(a *answer, r *http.Request) {
	cause := recover()
	if cause == nil {
		return
	}
	if cause == http.ErrAbortHandler {
		a.aborted = true
		panic(cause)
	}
	s.o.Log.LogAttrs(r.Context(), slog.LevelError, "panic",
		slog.String("cause", fmt.Sprint(cause)), slog.String("stack", string(debug.Stack())))
	if a.status != 0 {
		a.aborted = true
		panic(http.ErrAbortHandler)
	}
	a.Header().Del("Content-Encoding")
	wire.WriteError(a, r, fault.From(fmt.Errorf("panic: %v", cause)))
}
