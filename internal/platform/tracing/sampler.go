package tracing

import (
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

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
