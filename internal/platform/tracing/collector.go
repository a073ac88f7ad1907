package tracing

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

const (
	protobuf    = "application/x-protobuf"
	mostTrying  = 15 * time.Second // from the first request with a batch to the last one
	firstPause  = time.Second
	mostPause   = 5 * time.Second
	mostAnswer  = 64 << 10 // bytes of an answer that are read
	otlpTimeout = 10 * time.Second
	mostTimeout = 24 * 60 * 60 * 1000 // milliseconds
)

// collector sends spans by OTLP over HTTP. OpenTelemetry's client for that, otlptracehttp, brings gRPC into the
// program, of which it uses nothing: 88 packages to compile and 9 MB.
type collector struct {
	address string
	headers map[string]string
	gzip    bool
	client  *http.Client
	stopped context.Context
	stop    context.CancelFunc
}

// newCollector returns a client for the traces of a collector at an address. It has OpenTelemetry's settings for
// clients: OTEL_EXPORTER_OTLP_TIMEOUT, COMPRESSION, CERTIFICATE, CLIENT_CERTIFICATE and CLIENT_KEY, each also
// with TRACES_ before its last part, which wins. Headers are the service's own setting, which may
// come from a file, and so win over OTEL_EXPORTER_OTLP_TRACES_HEADERS.
func newCollector(endpoint, headers string) (*collector, error) {
	headersFrom := "OTEL_EXPORTER_OTLP_HEADERS"
	if headers == "" {
		headersFrom = "OTEL_EXPORTER_OTLP_TRACES_HEADERS"
		headers = os.Getenv(headersFrom)
	}
	c := &collector{address: strings.TrimSuffix(endpoint, "/") + "/v1/traces"}
	compression, name := otlpSetting("COMPRESSION")
	if c.gzip = compression == "gzip"; !c.gzip && compression != "" && compression != "none" {
		return nil, fmt.Errorf("%s must be gzip or none, not %q", name, compression)
	}
	if _, err := url.Parse(c.address); err != nil {
		return nil, err
	}
	if headers != "" {
		var err error
		if c.headers, err = Headers(headers); err != nil {
			return nil, fmt.Errorf("%s %w", headersFrom, err)
		}
	}
	timeout := otlpTimeout
	if text, name := otlpSetting("TIMEOUT"); text != "" {
		milliseconds, err := strconv.Atoi(text)
		if err != nil || milliseconds < 0 || milliseconds > mostTimeout {
			return nil, fmt.Errorf("%s must be a number of milliseconds, at most %d, not %q", name, mostTimeout, text)
		}
		timeout = time.Duration(milliseconds) * time.Millisecond
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	var err error
	if transport.TLSClientConfig, err = otlpTLS(); err != nil {
		return nil, err
	}
	c.client = &http.Client{Transport: transport, Timeout: timeout}
	c.stopped, c.stop = context.WithCancel(context.Background())
	return c, nil
}

// otlpSetting returns a variable for clients of OTLP and its whole name; the one for traces alone wins.
func otlpSetting(name string) (value, variable string) {
	variable = "OTEL_EXPORTER_OTLP_TRACES_" + name
	if value = strings.TrimSpace(os.Getenv(variable)); value != "" {
		return value, variable
	}
	variable = "OTEL_EXPORTER_OTLP_" + name
	return strings.TrimSpace(os.Getenv(variable)), variable
}

// otlpTLS returns the certificates that a client trusts and has.
func otlpTLS() (*tls.Config, error) {
	config := &tls.Config{}
	if file, name := otlpSetting("CERTIFICATE"); file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("%s: %s holds no certificate in PEM", name, file)
		}
	}
	certificate, certificateFrom := otlpSetting("CLIENT_CERTIFICATE")
	key, keyFrom := otlpSetting("CLIENT_KEY")
	switch {
	case certificate == "" && key == "":
		return config, nil
	case certificate == "" || key == "":
		return nil, fmt.Errorf("only one is set of %s and %s: a certificate needs its key", certificateFrom, keyFrom)
	}
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		return nil, fmt.Errorf("%s, %s: %w", certificateFrom, keyFrom, err)
	}
	config.Certificates = []tls.Certificate{pair}
	return config, nil
}

// Start does nothing: the first batch opens a connection.
func (*collector) Start(context.Context) error { return nil }

// Stop ends the requests under way.
func (c *collector) Stop(ctx context.Context) error {
	c.stop()
	return ctx.Err()
}

// UploadTraces sends a batch of spans, again and again while the collector is too busy for it.
func (c *collector) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans}) // the same bytes as a request of OTLP has
	if err != nil {
		return err
	}
	if c.gzip {
		var packed bytes.Buffer
		to := gzip.NewWriter(&packed)
		if _, err := to.Write(body); err != nil {
			return err
		}
		if err := to.Close(); err != nil {
			return err
		}
		body = packed.Bytes()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.stopped, cancel)()
	began := time.Now()
	for pause := firstPause; ; pause = min(pause*3/2, mostPause) {
		err := c.send(ctx, body)
		var busy busyError
		if !errors.As(err, &busy) {
			return err
		}
		wait := max(busy.after, pause/2+rand.N(pause)) // at random, so that servers do not come back together
		if time.Since(began)+wait > mostTrying {
			return err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		}
	}
}

// busyError is of a request that may be sent again, after the time that the collector has asked for.
type busyError struct {
	error
	after time.Duration
}

func (e busyError) Unwrap() error { return e.error }

func (c *collector) send(ctx context.Context, body []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("User-Agent", "OTel OTLP Exporter Go/"+otlptrace.Version())
	for name, value := range c.headers {
		request.Header.Set(name, value)
	}
	request.Header.Set("Content-Type", protobuf)
	if c.gzip {
		request.Header.Set("Content-Encoding", "gzip")
	}
	answer, err := c.client.Do(request)
	if failed, ok := errors.AsType[*url.Error](err); ok && failed.Temporary() && ctx.Err() == nil {
		return busyError{error: err}
	}
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, mostAnswer))
	if err != nil {
		return err
	}
	if answer.StatusCode/100 == 2 {
		if answer.Header.Get("Content-Type") == protobuf {
			return reportRejected(text)
		}
		return nil
	}
	err = fmt.Errorf("the collector answers %s: %s", answer.Status, bytes.TrimSpace(text))
	switch answer.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After")) // 0 if it is a date, or not there
		return busyError{err, time.Duration(seconds) * time.Second}
	}
	return err
}

// reportRejected hands what a collector's answer says of spans that it did not take to OpenTelemetry's error handler:
// partial_success, the first member of an ExportTraceServiceResponse, with rejected_spans and error_message.
func reportRejected(answer []byte) error {
	var spans uint64
	var reason string
	err := members(answer, func(number protowire.Number, _ uint64, partial []byte) error {
		if number != 1 {
			return nil
		}
		return members(partial, func(number protowire.Number, count uint64, text []byte) error {
			switch number {
			case 1:
				spans = count
			case 2:
				reason = string(text)
			}
			return nil
		})
	})
	if err == nil && (spans != 0 || reason != "") {
		otel.Handle(fmt.Errorf("the collector rejected %d spans: %s", spans, reason))
	}
	return err
}

// members calls do with each member of a message that is a number or is made of bytes.
func members(message []byte, do func(number protowire.Number, value uint64, bytes []byte) error) error {
	for len(message) > 0 {
		number, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return protowire.ParseError(n)
		}
		message = message[n:]
		var value uint64
		var content []byte
		switch kind {
		case protowire.VarintType:
			value, n = protowire.ConsumeVarint(message)
		case protowire.BytesType:
			content, n = protowire.ConsumeBytes(message)
		default:
			n = protowire.ConsumeFieldValue(number, kind, message)
		}
		if n < 0 {
			return protowire.ParseError(n)
		}
		message = message[n:]
		if err := do(number, value, content); err != nil {
			return err
		}
	}
	return nil
}
