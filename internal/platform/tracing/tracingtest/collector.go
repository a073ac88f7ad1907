// Package tracingtest is a stand-in for a collector of OpenTelemetry.
package tracingtest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	v1 "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Collector keeps the spans that were sent to it.
type Collector struct {
	URL string

	mu      sync.Mutex
	spans   []*v1.Span
	service string
	headers http.Header
	raw     []byte
}

// New starts a collector for the time of a test.
func New(t testing.TB) *Collector {
	t.Helper()
	c := &Collector{}
	web := httptest.NewServer(c)
	t.Cleanup(web.Close)
	c.URL = web.URL
	return c
}

func (c *Collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var sent v1.TracesData
	if err == nil {
		err = proto.Unmarshal(body, &sent)
	}
	if err != nil || r.URL.Path != "/v1/traces" {
		http.Error(w, r.URL.Path, http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.headers, c.raw = r.Header, append(c.raw, body...)
	for _, from := range sent.ResourceSpans {
		c.service = attribute(from.Resource.Attributes, "service.name").GetStringValue()
		for _, scope := range from.ScopeSpans {
			c.spans = append(c.spans, scope.Spans...)
		}
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
}

// Spans returns what was sent so far, in the order in which it began.
func (c *Collector) Spans() []Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []Span
	for _, s := range c.spans {
		all = append(all, Span{s})
	}
	slices.SortStableFunc(all, func(a, b Span) int { return int(int64(a.StartTimeUnixNano - b.StartTimeUnixNano)) })
	return all
}

// Sent returns the service's name and the headers of the last request, and the bytes of all.
func (c *Collector) Sent() (service string, headers http.Header, raw []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.service, c.headers, c.raw
}

// Span is a span with its attributes by name.
type Span struct{ *v1.Span }

// Text returns an attribute that is a text.
func (s Span) Text(name string) string { return attribute(s.Attributes, name).GetStringValue() }

// Number returns an attribute that is a number.
func (s Span) Number(name string) int64 { return attribute(s.Attributes, name).GetIntValue() }

// Texts returns an attribute that is a list of texts.
func (s Span) Texts(name string) (texts []string) {
	for _, value := range attribute(s.Attributes, name).GetArrayValue().GetValues() {
		texts = append(texts, value.GetStringValue())
	}
	return texts
}

func attribute(all []*common.KeyValue, name string) *common.AnyValue {
	for _, one := range all {
		if one.Key == name {
			return one.Value
		}
	}
	return nil
}
