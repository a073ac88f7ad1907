package tracing

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Samplers are the names that OTEL_TRACES_SAMPLER may have.
var Samplers = []string{
	"always_on", "always_off", "traceidratio",
	"parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio",
}

// sampler decides which traces are recorded. Within the service a span is recorded if its parent is.
type sampler struct {
	parents bool // a trusted peer decides
	root    sdktrace.Sampler
	ratio   float64
}

func samplerOf(name, ratio string) (sdktrace.Sampler, error) {
	s := sampler{ratio: 1}
	switch name {
	case "", "parentbased_always_on":
		s.parents = true
	case "always_on":
	case "always_off":
		s.ratio = 0
	case "parentbased_always_off":
		s.parents, s.ratio = true, 0
	case "traceidratio", "parentbased_traceidratio":
		s.parents = name != "traceidratio"
		given, err := Ratio(ratio)
		if err != nil {
			return nil, fmt.Errorf("OTEL_TRACES_SAMPLER_ARG %w", err)
		}
		s.ratio = given
	default:
		return nil, fmt.Errorf("OTEL_TRACES_SAMPLER is %q, which is none of %q", name, Samplers)
	}
	s.root = sdktrace.TraceIDRatioBased(s.ratio)
	return s, nil
}

// Ratio parses the value of OTEL_TRACES_SAMPLER_ARG; an empty one is 1.
func Ratio(text string) (float64, error) {
	if text == "" {
		return 1, nil
	}
	ratio, err := strconv.ParseFloat(text, 64)
	if err != nil || !(ratio >= 0 && ratio <= 1) {
		return 0, fmt.Errorf("is %q; it must be a number from 0 to 1", text)
	}
	return ratio, nil
}

func (s sampler) ShouldSample(p sdktrace.SamplingParameters) sdktrace.SamplingResult {
	parent := trace.SpanContextFromContext(p.ParentContext)
	trusted, _ := p.ParentContext.Value(trustedKey{}).(bool)
	switch {
	case parent.IsValid() && (!parent.IsRemote() || s.parents && trusted):
		return decided(parent.IsSampled())
	case parent.IsValid() && !trusted: // the client chose the id, so it must not decide
		return decided(rand.Float64() < s.ratio)
	}
	return s.root.ShouldSample(p)
}

func (s sampler) Description() string { return fmt.Sprintf("storefront{%v,%v}", s.parents, s.ratio) }

func decided(sampled bool) sdktrace.SamplingResult {
	if sampled {
		return sdktrace.SamplingResult{Decision: sdktrace.RecordAndSample}
	}
	return sdktrace.SamplingResult{Decision: sdktrace.Drop}
}
