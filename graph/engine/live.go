package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"storefront/internal/fault"
	"storefront/internal/language"
	"storefront/internal/live"
	"storefront/internal/wire"
)

const (
	eventStream = "text/event-stream"
	beatEvery   = 12 * time.Second // shorter than proxies wait for an answer to go on
	updateTime  = 8 * time.Second  // how long one result may be worked on, as other requests are
	mostUpdates = 16               // that are worked out at once
)

// ServeLive serves operations by server-sent events, each request one of them: what the package graphql-sse calls
// distinct connections mode. A subscription goes on until it fails, the client leaves or the time of the request is
// over; then clients subscribe again, behind the last event that they have.
func (h *Handler) ServeLive(w http.ResponseWriter, r *http.Request) {
	r.Pattern = "/graphql/stream"
	if q, named := quality(acceptedRanges(r.Header.Values("Accept")), eventStream); !named || q == 0 {
		err := fault.New(fault.BadRequest,
			"answers are text/event-stream; operations without it are answered at /graphql")
		writeResult(w, r, plainJSON, http.StatusNotAcceptable, Refused(err))
		return
	}
	if r.Method == http.MethodHead {
		w.Header().Set("Allow", "GET, POST")
		err := fault.New(fault.MethodNotAllowed, "this path takes GET and POST")
		writeResult(w, r, plainJSON, http.StatusMethodNotAllowed, Refused(err))
		return
	}
	asked, err := readRequest(w, r)
	if err != nil {
		writeResult(w, r, plainJSON, statusOf(err), Refused(err))
		return
	}
	call, errs := h.call(r, asked)
	if len(errs) > 0 {
		answer(w, r, responseJSON, Result{Errors: errs})
		return
	}
	stream := &live.Stream{After: r.Header.Get("Last-Event-ID")}
	defer stream.End()
	call.Request = r.WithContext(live.With(r.Context(), stream))
	first := h.once(call)
	out := &events{w: w, r: r}
	if !out.begin() {
		return
	}
	if first.Data != nil || len(first.Errors) > 0 {
		out.next(stream, first)
	}
	if stream.Begun() && len(first.Errors) == 0 {
		if !h.follow(call, stream, out) {
			return
		}
	}
	out.write("event: complete\ndata:\n\n")
}

// follow sends the updates of a subscription. It reports whether the subscription is over: else its client is to
// subscribe again.
func (h *Handler) follow(call Call, stream *live.Stream, out *events) (over bool) {
	ctx := call.Request.Context()
	for {
		told, err := stream.Await(ctx, beatEvery)
		switch {
		case err != nil:
			if !errors.Is(err, live.ErrBehind) && ctx.Err() == nil {
				h.engine.Log.WarnContext(ctx, "a subscription was ended", "error", err)
			}
			return false
		case !told:
			if !out.write(":\n\n") {
				return false
			}
			continue
		}
		free, err := h.updating.Take(ctx)
		if err != nil {
			return false
		}
		result := h.once(call)
		free()
		if !out.next(stream, result) {
			return false
		}
		if result.Data == nil { // whoever may not ask any more
			return true
		}
	}
}

// once runs the operation of a call once, as if it arrived now.
func (h *Handler) once(call Call) Result {
	ctx, end := context.WithTimeout(wire.WithArrival(call.Request.Context(), h.engine.Clock()), updateTime)
	defer end()
	call.Request = call.Request.WithContext(ctx)
	return h.engine.Do(call)
}

// events are the server-sent events of an answer.
type events struct {
	w http.ResponseWriter
	r *http.Request
}

// begin sends the head of the answer.
func (e *events) begin() bool {
	head := e.w.Header()
	head.Set("Content-Type", eventStream+"; charset=utf-8")
	head.Set("Cache-Control", "no-store")
	head.Set("X-Accel-Buffering", "no") // nginx passes each event on
	language.Of(e.r.Context()).Label(head)
	e.w.WriteHeader(http.StatusOK)
	return e.write(":\n\n")
}

// next sends one result.
func (e *events) next(of *live.Stream, result Result) bool {
	var text bytes.Buffer
	if of.Begun() {
		text.WriteString("id: " + of.ID() + "\n")
	}
	text.WriteString("event: next\ndata: ")
	_ = json.Compact(&text, envelope(e.r, result)) // one line
	text.WriteString("\n\n")
	return e.write(text.String())
}

// write reports whether the client is still there.
func (e *events) write(text string) bool {
	if _, err := e.w.Write([]byte(text)); err != nil {
		return false
	}
	return http.NewResponseController(e.w).Flush() == nil
}

// belowSubscriptions is planned but for the subscription itself, whose value is a channel.
func belowSubscriptions(
	subscriptions *ast.Definition, planned func(context.Context, graphql.Resolver, func(int) error) (any, error),
) func(context.Context, graphql.Resolver, func(int) error) (any, error) {
	return func(ctx context.Context, next graphql.Resolver, grow func(int) error) (any, error) {
		if graphql.GetFieldContext(ctx).Field.ObjectDefinition == subscriptions {
			return next(ctx)
		}
		return planned(ctx, next, grow)
	}
}
