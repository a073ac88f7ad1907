package api_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"storefront/internal/pages/openapi"
)

// prism is Prism as a validating proxy before the REST routes of a service: it refuses requests that the document does
// not allow, and replaces answers that it does not describe.
type prism struct {
	url     string // reaches the service, with its REST routes through Prism
	service atomic.Pointer[http.Handler]

	mutex      sync.Mutex
	violations []string
}

// serve sets the service.
func (p *prism) serve(service http.Handler) { p.service.Store(&service) }

// found returns the violations since it was last called.
func (p *prism) found() []string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	found := p.violations
	p.violations = nil
	return found
}

// startPrism starts Prism. The service is to be set afterwards.
func startPrism(t *testing.T) *prism {
	t.Helper()
	p := &prism{}
	behind := http.NewServeMux()
	behind.HandleFunc("GET /openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(openapi.Document)
	})
	behind.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { (*p.service.Load()).ServeHTTP(w, r) })
	service := httptest.NewServer(behind)
	t.Cleanup(service.Close)

	command := exec.CommandContext(t.Context(), "node", "node_modules/@stoplight/prism-cli/dist/index.js", "proxy",
		"--errors", "--port", "0", service.URL+"/openapi.json", service.URL+"/api/v1")
	command.Dir = "tools"
	said, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var at *url.URL
	var log strings.Builder
	for lines := bufio.NewScanner(said); at == nil && lines.Scan(); {
		fmt.Fprintln(&log, lines.Text())
		if _, address, ok := strings.Cut(lines.Text(), "listening on "); ok {
			if at, err = url.Parse(address); err != nil {
				t.Fatal(err)
			}
		}
	}
	if at == nil {
		t.Fatalf("Prism did not start: %s", log.String())
	}
	go func() { _, _ = io.Copy(io.Discard, said) }()

	through := httputil.NewSingleHostReverseProxy(at)
	through.ModifyResponse = func(r *http.Response) error {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		p.mutex.Lock()
		defer p.mutex.Unlock()
		p.violations = append(p.violations, violationsIn(r, body)...)
		return nil
	}
	front := http.NewServeMux()
	front.Handle("/api/v1/", http.StripPrefix("/api/v1", through))
	front.Handle("/", behind)
	server := httptest.NewServer(front)
	t.Cleanup(func() {
		server.Close()
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	p.url = server.URL
	return p
}

// violationsIn returns the violations that Prism reports in an answer. The service's own problems have another type.
func violationsIn(r *http.Response, body []byte) (violations []string) {
	at := r.Request.Method + " " + r.Request.URL.Path + ": "
	var problem struct {
		Type, Title, Detail string
		Validation          []struct {
			Location []string
			Message  string
		}
	}
	switch err := json.Unmarshal(body, &problem); {
	case err == nil && strings.HasPrefix(problem.Type, "https://stoplight.io/prism/"):
		for _, v := range problem.Validation {
			violations = append(violations, at+strings.Join(v.Location, ".")+": "+v.Message)
		}
		if len(violations) == 0 {
			violations = []string{at + problem.Title + ": " + problem.Detail}
		}
	case r.Header.Get("Sl-Violations") != "":
		violations = []string{at + r.Header.Get("Sl-Violations")}
	}
	return violations
}

// noticesWrongAnswers makes the service give answers that the document does not describe.
func (p *prism) noticesWrongAnswers(t *testing.T) {
	p.serve(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id": 7}`)
	}))
	for _, path := range []string{"/tenants/any.example", "/tenants/any.example/products?pageSize=many", "/no/such"} {
		response, err := http.Get(p.url + "/api/v1" + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
	}
	got := strings.Join(p.found(), "\n")
	for _, want := range []string{"GET /tenants/any.example: response.body.id: ",
		"GET /tenants/any.example/products: query.pagesize: ", "GET /no/such: Route not resolved"} {
		if !strings.Contains(got, want) {
			t.Errorf("Prism found %s, want %s", got, want)
		}
	}
}
