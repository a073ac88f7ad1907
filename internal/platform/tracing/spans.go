package tracing

import (
	"context"
	"regexp"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// Answered are the facts about a request at its end.
type Answered struct {
	Method, Route string // of names that the service knows
	Status        int
	RequestID     string
	Operation     string // in words of the schema
	Tenant        string // the domain of the shop
	Code          string // of the gravest error
	Failed        bool   // for a fault of the service
}

// EndRequest ends the span of a request.
func EndRequest(ctx context.Context, a Answered) {
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	span.SetName(a.Method + " " + a.Route)
	span.SetAttributes(
		attribute.String("http.request.method", a.Method),
		attribute.String("http.route", a.Route),
		attribute.Int("http.response.status_code", a.Status),
		attribute.String("storefront.request_id", a.RequestID),
	)
	for name, value := range map[string]string{
		"storefront.operation": a.Operation, "storefront.tenant": shown(a.Tenant), "storefront.error.code": a.Code,
	} {
		if value != "" {
			span.SetAttributes(attribute.String(name, value))
		}
	}
	if a.Failed {
		span.SetStatus(codes.Error, a.Code)
	}
	span.End()
}

// Operation is the span of a GraphQL operation; nil is none.
type Operation struct{ span trace.Span }

// BeginOperation begins the span of an operation: its type (query), what it asks for in words of the schema,
// and its name, which may be a client's.
func BeginOperation(ctx context.Context, kind, fields, name string) (context.Context, *Operation) {
	ctx, span := child(ctx, "graphql", trace.SpanKindInternal)
	if span == nil {
		return ctx, nil
	}
	span.SetName(kind + " " + fields)
	span.SetAttributes(attribute.String("graphql.operation.type", kind),
		attribute.String("storefront.operation", fields))
	if name != "" {
		span.SetAttributes(attribute.String("graphql.operation.name", shown(name)))
	}
	return ctx, &Operation{span}
}

// End ends the span with the codes of the errors that are answered.
func (o *Operation) End(errors []string, replayed bool) {
	if len(errors) > 0 {
		o.span.SetAttributes(attribute.StringSlice("storefront.error.codes", errors))
		o.span.SetStatus(codes.Error, errors[0])
	}
	if replayed {
		o.span.SetAttributes(attribute.Bool("storefront.replayed", true))
	}
	o.span.End()
}

// Statement is the span of an SQL statement; nil is none.
type Statement struct {
	span trace.Span
	Rows int64 // that were read, or changed
	Code string
}

// BeginStatement begins the span of a statement. The system is "postgresql" or "sqlite".
func BeginStatement(ctx context.Context, system, text string) *Statement {
	if !trace.SpanFromContext(ctx).IsRecording() { // before the text is read
		return nil
	}
	text = withoutValues(text)
	word, _, _ := strings.Cut(text, " ")
	_, span := child(ctx, word, trace.SpanKindClient)
	span.SetAttributes(attribute.String("db.system.name", system), attribute.String("db.operation.name", word),
		attribute.String("db.query.text", text))
	return &Statement{span: span}
}

// End ends the span; s may be nil. A non-empty code means that the statement failed.
func (s *Statement) End(code string) {
	if s == nil {
		return
	}
	s.span.SetAttributes(attribute.Int64("db.response.returned_rows", s.Rows))
	if code != "" {
		s.span.SetAttributes(attribute.String("db.response.status_code", code))
		s.span.SetStatus(codes.Error, code)
	}
	s.span.End()
}

// literal matches a string literal in a statement. The service passes values as arguments, so literals are
// constants of its own.
var literal = regexp.MustCompile(`'(?:[^']|'')*'`)

const maxText = 2000 // bytes of a statement that are recorded

func withoutValues(text string) string {
	text = strings.Join(strings.Fields(text[:min(len(text), 4*maxText)]), " ")
	text = literal.ReplaceAllString(text, "'?'")
	// an unfinished literal at the cut
	if quote := strings.IndexByte(strings.ReplaceAll(text, "'?'", "___"), '\''); quote >= 0 {
		text = text[:quote]
	}
	if len(text) > maxText {
		text = text[:maxText] + "…"
	}
	return strings.ToValidUTF8(text, "")
}
