package http

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"storefront/graph/engine"
	"storefront/internal/event/live"
	"storefront/internal/fault"
	"storefront/internal/platform/idempotency"
	"storefront/internal/platform/wire"
	"storefront/internal/request"
)

const (
	eventStream = "text/event-stream"
	beatEvery   = 12 * time.Second // shorter than the read timeouts of proxies
	updateTime  = 8 * time.Second  // timeout of one run, the same as of a request
	mostUpdates = 16               // runs at once
)

// ServeLive serves operations over server-sent events, one per request: the distinct connections mode of graphql-sse. A
// subscription ends when it fails, when the client disconnects or when the time of the request is over; clients then
// subscribe again after the last event that they received.
func (h *Handler) ServeLive(w http.ResponseWriter, r *http.Request) {
	r.Pattern = "/graphql/stream"
	if q, named := quality(wire.Qualities(r.Header.Values("Accept")), eventStream); !named || q == 0 {
		err := fault.New(fault.BadRequest,
			"answers are text/event-stream; operations without it are answered at /graphql")
		writeResult(w, r, plainJSON, http.StatusNotAcceptable, engine.Refused(err))
		return
	}
	if r.Method == http.MethodHead {
		w.Header().Set("Allow", "GET, POST")
		err := fault.New(fault.MethodNotAllowed, "this path takes GET and POST")
		writeResult(w, r, plainJSON, http.StatusMethodNotAllowed, engine.Refused(err))
		return
	}
	sent, err := readRequest(w, r)
	if err != nil {
		writeResult(w, r, plainJSON, statusOf(err), engine.Refused(err))
		return
	}
	call, errs := h.call(r, sent)
	if len(errs) > 0 {
		answer(w, r, responseJSON, engine.Result{Errors: errs})
		return
	}
	stream := &live.Stream{After: r.Header.Get("Last-Event-ID")}
	defer stream.End()
	call.Request = r.WithContext(live.With(r.Context(), stream))
	subscribes := call.Operation.Definition.Operation == ast.Subscription
	first := engine.Refused(stopping())
	if !subscribes || !isClosed(request.Of(r.Context()).Stopping) {
		first = h.once(call)
	}
	if subscribes && isTemporary(first.Errors) {
		writeResult(w, r, plainJSON, http.StatusServiceUnavailable, first)
		return
	}
	out := &events{w: w, r: r}
	if first.Replayed {
		w.Header().Set(idempotency.ReplayedHeader, "true")
	}
	if !out.begin() {
		return
	}
	if first.Data != nil || len(first.Errors) > 0 {
		out.next(stream, first)
	}
	if !stream.Begun() || first.Data == nil && len(first.Errors) > 0 || h.follow(call, stream, out) {
		out.write("event: complete\ndata:\n\n")
	}
}

// follow sends the updates of a subscription. It reports whether the subscription is over; if not, the client should
// subscribe again after the last update that was sent.
func (h *Handler) follow(call engine.Call, stream *live.Stream, out *events) (over bool) {
	ctx := call.Request.Context()
	for {
		ok, err := stream.Await(ctx, beatEvery, request.Of(ctx).Stopping)
		switch {
		case err != nil:
			if errors.Is(err, live.ErrDisplaced) {
				out.write("retry: 5000\n\n") // the client reconnects then, and resumes after its last event
			} else if ctx.Err() == nil && !errors.Is(err, live.ErrStopped) {
				h.engine.Log.WarnContext(ctx, "a subscription was cut off", "error", err)
			}
			return false
		case !ok:
			if !out.write(":\n\n") {
				return false
			}
			continue
		}
		result, err := h.inTurn(ctx, call)
		// after a temporary failure the update is sent when the client has subscribed again
		if err != nil || isTemporary(result.Errors) || !out.next(stream, result) {
			return false
		}
		if result.Data == nil { // the caller is no longer allowed to subscribe
			return true
		}
	}
}

// inTurn runs the operation of a call once, when fewer than mostUpdates others are running.
func (h *Handler) inTurn(ctx context.Context, call engine.Call) (engine.Result, error) {
	free, err := h.updating.Take(ctx)
	if err != nil {
		return engine.Result{}, err
	}
	defer free()
	ctx, end := context.WithCancel(ctx) // releases the update's memory before the stream ends
	defer end()
	call.Request = call.Request.WithContext(request.With(ctx, func(r *request.Request) { // as if it had arrived now
		r.Arrival = request.Arrival{At: h.engine.Clock(), Own: time.Now()}
	}))
	return h.once(call), nil
}

// isTemporary reports whether the operation may succeed when it is run again.
func isTemporary(errs gqlerror.List) bool {
	return slices.ContainsFunc(errs, func(err *gqlerror.Error) bool {
		return fault.Is(err, fault.Unavailable)
	})
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func stopping() error {
	return fault.New(fault.Unavailable, "the server is stopping; subscribe again").After(time.Second)
}

// once runs the operation of a call once.
func (h *Handler) once(call engine.Call) engine.Result {
	ctx, end := context.WithTimeout(call.Request.Context(), updateTime)
	defer end()
	call.Request = call.Request.WithContext(ctx)
	return h.engine.Do(call)
}

// events writes the server-sent events of an answer.
type events struct {
	w http.ResponseWriter
	r *http.Request
}

// begin sends the head of the answer.
func (e *events) begin() bool {
	head := e.w.Header()
	head.Set("Content-Type", eventStream+"; charset=utf-8")
	head.Set("Cache-Control", "no-store")
	head.Set("X-Accel-Buffering", "no") // for nginx
	request.Language(e.r.Context()).Label(head)
	e.w.WriteHeader(http.StatusOK)
	return e.write(":\n\n")
}

// next sends one result.
func (e *events) next(stream *live.Stream, result engine.Result) bool {
	var text bytes.Buffer
	if stream.Begun() && result.Data != nil {
		text.WriteString("id: " + stream.ID() + "\n")
	}
	text.WriteString("event: next\ndata: ")
	_ = json.Compact(&text, envelope(e.r, result)) // one line
	text.WriteString("\n\n")
	return e.write(text.String())
}

// write sends text at once. It reports whether the client is still connected.
func (e *events) write(text string) bool {
	if _, err := e.w.Write([]byte(text)); err != nil {
		return false
	}
	return http.NewResponseController(e.w).Flush() == nil
}
