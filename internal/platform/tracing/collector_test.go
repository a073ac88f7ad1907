package tracing

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// oneSpan is a batch with a span.
func oneSpan() []*tracepb.ResourceSpans {
	return []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{{Spans: []*tracepb.Span{{Name: "request"}}}}}}
}

func newTestCollector(t *testing.T, endpoint, headers string) *collector {
	t.Helper()
	c, err := newCollector(endpoint, headers)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.stop)
	return c
}

// answers is a transport whose requests are answered in turn, the last answer repeatedly.
type answers struct {
	requests int
	all      []answer
}

type answer struct {
	status     int
	retryAfter string
	err        error
}

func (a *answers) RoundTrip(r *http.Request) (*http.Response, error) {
	one := a.all[min(a.requests, len(a.all)-1)]
	a.requests++
	if one.err != nil {
		return nil, one.err
	}
	body := io.NopCloser(strings.NewReader("a body"))
	return &http.Response{StatusCode: one.status, Status: http.StatusText(one.status),
		Header: http.Header{"Retry-After": {one.retryAfter}}, Body: body, Request: r}, nil
}

// temporary is an error of a connection that a later one need not have.
type temporary struct{ error }

func (temporary) Temporary() bool { return true }

// TestBusyCollectors checks what is sent again, how often, and after what time.
func TestBusyCollectors(t *testing.T) {
	for name, test := range map[string]struct {
		answers     []answer
		fails       bool
		from, to    int           // requests
		least, most time.Duration // of all, in milliseconds
	}{
		"takes it":        {[]answer{{status: 200}}, false, 1, 1, 0, 0},
		"refuses":         {[]answer{{status: 400}}, true, 1, 1, 0, 0},
		"unreachable":     {[]answer{{err: errors.New("refused")}}, true, 1, 1, 0, 0},
		"busy once":       {[]answer{{status: 503}, {status: 202}}, false, 2, 2, 500, 1500},
		"reset once":      {[]answer{{err: temporary{io.EOF}}, {status: 200}}, false, 2, 2, 500, 1500},
		"asks to wait":    {[]answer{{status: 429, retryAfter: "7"}, {status: 200}}, false, 2, 2, 7000, 7000},
		"asks for much":   {[]answer{{status: 502, retryAfter: "60"}}, true, 1, 1, 0, 0},
		"busy for always": {[]answer{{status: 504}}, true, 4, 12, 5000, 15000},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, told := newTestCollector(t, "http://collector.example", ""), &answers{all: test.answers}
			c.client = &http.Client{Transport: told}
			began := time.Now()
			err := c.UploadTraces(t.Context(), oneSpan())
			took := time.Since(began)
			if (err != nil) != test.fails || told.requests < test.from || told.requests > test.to ||
				took < test.least*time.Millisecond || took > test.most*time.Millisecond {
				t.Errorf("%s: %d requests in %s: %v", name, told.requests, took, err)
			}
		})
	}
}

// TestStopEndsWaiting checks that neither a pause nor a request outlives the client.
func TestStopEndsWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newTestCollector(t, "http://collector.example", "")
		c.client = &http.Client{Transport: &answers{all: []answer{{status: 503, retryAfter: "10"}}}}
		began := time.Now()
		time.AfterFunc(time.Second, func() { _ = c.Stop(t.Context()) })
		if err := c.UploadTraces(t.Context(), oneSpan()); !errors.Is(err, context.Canceled) ||
			time.Since(began) != time.Second {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
	})
}

// TestOTLPSettings checks each of OpenTelemetry's settings for clients against a collector that asks for a
// certificate.
func TestOTLPSettings(t *testing.T) {
	var got http.Header
	var sent tracepb.TracesData
	web := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		from, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		body, err := io.ReadAll(from)
		if err := errors.Join(err, proto.Unmarshal(body, &sent)); err != nil || len(r.TLS.PeerCertificates) != 1 ||
			r.URL.Path != "/v1/traces" {
			t.Errorf("%s, %d certificates: %v", r.URL, len(r.TLS.PeerCertificates), err)
		}
	}))
	web.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	web.StartTLS()
	defer web.Close()
	pair := web.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	certificate := writePEM(t, "CERTIFICATE", pair.Certificate[0])
	for name, value := range map[string]string{
		"CERTIFICATE": certificate, "CLIENT_CERTIFICATE": certificate, "CLIENT_KEY": writePEM(t, "PRIVATE KEY", key),
		"TRACES_COMPRESSION": "gzip", "COMPRESSION": "none", "TRACES_HEADERS": "api-key=x%20y", "TIMEOUT": "1234",
	} {
		t.Setenv("OTEL_EXPORTER_OTLP_"+name, value)
	}
	c := newTestCollector(t, web.URL+"/", "")
	if err := c.UploadTraces(t.Context(), oneSpan()); err != nil {
		t.Fatal(err)
	}
	if got.Get("Api-Key") != "x y" || got.Get("Content-Type") != protobuf ||
		c.client.Timeout != 1234*time.Millisecond || len(sent.ResourceSpans) != 1 ||
		sent.ResourceSpans[0].ScopeSpans[0].Spans[0].Name != "request" {
		t.Errorf("%v, time-out %s, %v", got, c.client.Timeout, &sent)
	}
	for _, wrong := range []struct{ name, value, named string }{
		{"TIMEOUT", "10s", "TIMEOUT"},
		{"TRACES_TIMEOUT", "10s", "TRACES_TIMEOUT"},
		{"TIMEOUT", "9999999999999", "TIMEOUT"},
		{"TRACES_COMPRESSION", "zstd", "TRACES_COMPRESSION"},
		{"CERTIFICATE", "/nowhere", "CERTIFICATE"},
		{"TRACES_CERTIFICATE", "/nowhere", "TRACES_CERTIFICATE"},
		{"CLIENT_KEY", certificate, "CLIENT_KEY"},
		{"CLIENT_KEY", "", "only one is set"},
		{"CLIENT_CERTIFICATE", "", "only one is set"},
		{"TRACES_HEADERS", "x", "TRACES_HEADERS"},
	} {
		t.Run(wrong.name, func(t *testing.T) {
			t.Setenv("OTEL_EXPORTER_OTLP_"+wrong.name, wrong.value)
			_, err := newCollector(web.URL, "")
			if err == nil || !strings.Contains(err.Error(), wrong.named) {
				t.Errorf("%s is %q: %v", wrong.name, wrong.value, err)
			}
		})
	}
}

// writePEM writes a file with a block, and returns its name.
func writePEM(t *testing.T, kind string, content []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestRejectedSpans checks that what a collector did not take is reported, and that strange answers are errors.
func TestRejectedSpans(t *testing.T) {
	before := otel.GetErrorHandler()
	defer otel.SetErrorHandler(before)
	var reported []string
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { reported = append(reported, err.Error()) }))
	partial := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 3)
	partial = protowire.AppendString(protowire.AppendTag(partial, 2, protowire.BytesType), "too old")
	full := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), partial)
	more := protowire.AppendFixed32(protowire.AppendTag(slices.Clone(full), 9, protowire.Fixed32Type), 1)
	for _, answer := range [][]byte{nil, {0x0a, 0}, full, more} {
		if err := reportRejected(answer); err != nil {
			t.Errorf("%x: %v", answer, err)
		}
	}
	const want = "the collector rejected 3 spans: too old"
	if !slices.Equal(reported, []string{want, want}) {
		t.Errorf("reported %q", reported)
	}
	for _, answer := range [][]byte{full[:len(full)-1], {0xff}, {0x0a, 2, 0x12, 9}} {
		if reportRejected(answer) == nil {
			t.Errorf("%x is no answer, and was taken for one", answer)
		}
	}
}
