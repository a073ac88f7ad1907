// Package tracing makes OpenTelemetry spans of requests, operations and SQL statements, and sends them to a collector
// by OTLP over HTTP.
//
// The server begins a request's span in the request's context; code below it begins child spans from that
// context, or none if the request has no span or is not sampled. So only the server has settings, and
// without tracing a span costs one context lookup.
//
// Spans hold no values: no cell number, token, variable or argument, only the text of SQL and the codes of
// errors.
package tracing

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Options are the settings of tracing. The other standard variables of OpenTelemetry (time-outs, certificates, sizes of
// batches, OTEL_SERVICE_NAME and other attributes of the resource) are read by its SDK; the sampler's are not.
type Options struct {
	Endpoint string // of the collector: http://collector:4318, to which /v1/traces is added
	Headers  string // of requests to it: name=value,name=value, the values percent-encoded
	Version  string // of the program

	Log     *slog.Logger
	Metrics prometheus.Registerer // nil: nothing is counted
}

// Tracer makes the spans of requests. A nil Tracer makes none.
type Tracer struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
}

// New returns a tracer that sends its spans in the background, or nil if there is no endpoint. It does not
// wait for the collector.
func New(ctx context.Context, o Options) (*Tracer, error) {
	if o.Endpoint == "" {
		return nil, nil
	}
	client, err := newCollector(o.Endpoint, o.Headers)
	if err != nil {
		return nil, err
	}
	exporter, err := otlptrace.New(ctx, client)
	if err != nil {
		return nil, fmt.Errorf("tracing: %w", err)
	}
	named, err := resource.Merge(resource.NewSchemaless(attribute.String("service.name", "storefront"),
		attribute.String("service.version", o.Version)), resource.Environment())
	if err != nil {
		return nil, fmt.Errorf("tracing: %w", err)
	}
	otel.SetErrorHandler(quietly(o.Log))
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithSampler(sampler{}),
		sdktrace.WithBatcher(counting(exporter, o.Metrics)),
		sdktrace.WithResource(named),
	)
	return &Tracer{provider: provider, tracer: provider.Tracer("storefront")}, nil
}

// Close sends the remaining spans, until ctx ends.
func (t *Tracer) Close(ctx context.Context) {
	if t != nil {
		_ = t.provider.Shutdown(ctx) // the error handler has logged it
	}
}

// Flush sends the spans that have ended so far.
func (t *Tracer) Flush(ctx context.Context) error { return t.provider.ForceFlush(ctx) }

// nameCharacters are the characters of names of headers (RFC 9110, token).
const nameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-.^_`|~"

// Headers parses the value of OTEL_EXPORTER_OTLP_HEADERS. The error shows no part of it.
func Headers(text string) (map[string]string, error) {
	headers := map[string]string{}
	for one := range strings.SplitSeq(text, ",") {
		name, value, found := strings.Cut(one, "=")
		decoded, err := url.PathUnescape(strings.TrimSpace(value))
		name = strings.TrimSpace(name)
		if !found || err != nil || strings.Trim(name, nameCharacters) != "" || name == "" ||
			strings.ContainsFunc(decoded, unicode.IsControl) {
			return nil, fmt.Errorf("must be a list of name=value with commas between, the values percent-encoded")
		}
		headers[name] = decoded
	}
	return headers, nil
}

// quietly returns an error handler that logs at most one line a minute: while a collector is down the errors
// repeat.
func quietly(log *slog.Logger) otel.ErrorHandler {
	var last atomic.Int64
	return otel.ErrorHandlerFunc(func(err error) {
		now := time.Now().Unix()
		if before := last.Load(); now-before >= 60 && last.CompareAndSwap(before, now) {
			log.Warn("spans were not sent to the collector", "error", err)
		}
	})
}

// counted counts the spans that were sent, and those that were not.
type counted struct {
	sdktrace.SpanExporter
	spans *prometheus.CounterVec
}

func counting(exporter *otlptrace.Exporter, to prometheus.Registerer) sdktrace.SpanExporter {
	if to == nil {
		return exporter
	}
	c := counted{exporter, prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "trace_spans_total",
		Help: "Spans given to the exporter, by whether the collector took them (sent, failed).",
	}, []string{"outcome"})}
	to.MustRegister(c.spans)
	return c
}

func (c counted) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	err := c.SpanExporter.ExportSpans(ctx, spans)
	outcome := "sent"
	if err != nil {
		outcome = "failed"
	}
	c.spans.WithLabelValues(outcome).Add(float64(len(spans)))
	return err
}

// ID returns the id of the trace that a context belongs to, or "".
func ID(ctx context.Context) string {
	if id := trace.SpanContextFromContext(ctx).TraceID(); id.IsValid() {
		return id.String()
	}
	return ""
}

// Request begins the span of a request, in the trace of its traceparent header if it has one. A trusted peer also
// decides whether the trace is sampled; another one could have all of its requests sampled.
func (t *Tracer) Request(ctx context.Context, r *http.Request, trusted bool) context.Context {
	if t == nil {
		return ctx
	}
	if sent := r.Header["Traceparent"]; len(sent) == 1 {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{"traceparent": sent[0]})
	}
	if trusted {
		ctx = context.WithValue(ctx, trustedKey{}, true)
	}
	ctx, _ = t.tracer.Start(ctx, "request", trace.WithSpanKind(trace.SpanKindServer))
	return ctx
}

type trustedKey struct{}

// child begins a child span of the context's span; nil if there is none.
func child(ctx context.Context, name string, kind trace.SpanKind) (context.Context, trace.Span) {
	parent := trace.SpanFromContext(ctx)
	if !parent.IsRecording() {
		return ctx, nil
	}
	return parent.TracerProvider().Tracer("storefront").Start(ctx, name, trace.WithSpanKind(kind))
}

// private matches what may be a cell number or a token in a client's name for an operation.
var private = regexp.MustCompile(`\p{Nd}(?:_*\p{Nd}){6,}|[^/]{65,}`)

func shown(name string) string { return private.ReplaceAllString(name, "…") }

// sampler records all traces but those that a trusted peer has begun and does not record. Within the service a span is
// recorded if its parent is.
type sampler struct{}

func (sampler) ShouldSample(p sdktrace.SamplingParameters) sdktrace.SamplingResult {
	parent := trace.SpanContextFromContext(p.ParentContext)
	trusted, _ := p.ParentContext.Value(trustedKey{}).(bool)
	if parent.IsValid() && !parent.IsSampled() && (!parent.IsRemote() || trusted) {
		return sdktrace.SamplingResult{Decision: sdktrace.Drop}
	}
	return sdktrace.SamplingResult{Decision: sdktrace.RecordAndSample}
}

func (sampler) Description() string { return "storefront" }
