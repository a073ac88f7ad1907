package shoptest

import (
	"context"
	"log/slog"
	"testing"

	"storefront/internal/platform/tracing"
)

// Tracer is a tracer of a test.
type Tracer struct{ *tracing.Tracer }

// TracerTo returns a tracer that sends to a collector.
func TracerTo(t testing.TB, url string) Tracer {
	t.Helper()
	made, err := tracing.New(t.Context(), tracing.Options{
		Endpoint: url, Version: "1.2.0", Headers: "api-key=a%20b", Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ended, end := context.WithCancel(context.Background())
		end()
		made.Close(ended)
	})
	return Tracer{made}
}

// Flush sends what was recorded.
func (tr Tracer) Flush(t testing.TB) {
	t.Helper()
	if err := tr.Tracer.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}
