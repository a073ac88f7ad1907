package dashboard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// service is a server with its databases, and the services that it calls.
type service struct {
	metrics string             // host:port
	imports string             // host:port of the substitute for a node exporter
	owner   *customer.Customer // of the shop
	buyer   *customer.Customer
	seen    customer.Tally // of the buyer's answers
}

// start makes a service with a shop, its owner and a webhook.
func start(ctx context.Context, at *stage.Stage) *service {
	at.Own(ctx)
	metrics := filepath.Join(at.Folder, "import.prom")
	must.Get(at.Run(ctx, "import", "-metrics-file", metrics, at.File("shop.json", customer.AlwaysInStock())))
	exporter := at.Receive(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		http.ServeFile(w, r, metrics)
	})
	taker := at.Receive(func(http.ResponseWriter, *http.Request) {}) // receives webhooks and spans
	s := &service{imports: strings.TrimPrefix(exporter, "http://"), metrics: stage.FreeAddress()}
	server := at.Serve(ctx, "METRICS_ADDR="+s.metrics, "SMS_PROVIDER=log", "WEBHOOK_PRIVATE_ADDRESSES=allow",
		"OTEL_EXPORTER_OTLP_ENDPOINT="+taker, "OTEL_BSP_SCHEDULE_DELAY=500")
	s.owner = customer.Register(ctx, customer.Client{Base: customer.At(server.Addr)}, 99, customer.Domain)
	must.Get(at.Run(ctx, "staff", "add", customer.Domain, s.owner.Cell, "owner", "-unproven"))
	must.Do(s.owner.Listen(ctx, taker, "order_placed"))
	s.buyer = customer.Enter(ctx, customer.Client{Base: s.owner.Base, Tally: &s.seen}, 1, customer.Domain)
	return s
}

// use lets the buyer shop and the owner sign in, the n-th time.
func use(ctx context.Context, s *service, n int) {
	s.buyer.Order(ctx)
	s.buyer.Own(ctx)
	for range 4 {
		s.buyer.Browse(ctx)
	}
	who := s.owner
	items := fmt.Sprintf("/tenants/%s/store-items?minPrice=%d", who.Domain, n) // never cached
	who.REST(ctx, http.MethodGet, items, nil)
	switch {
	case n%20 == 0: // another cell number each time, as each gets one code a minute
		code := map[string]any{"cellNumber": fmt.Sprintf("+98913%07d", n), "domain": who.Domain, "code": "000000"}
		who.REST(ctx, http.MethodPost, "/auth/send-otp", code)
		who.REST(ctx, http.MethodPost, "/auth/verify-otp", code)
	case n%20 == 10:
		who.REST(ctx, http.MethodPost, "/auth/login", map[string]any{"cellNumber": who.Cell,
			"password": who.Password, "domain": who.Domain})
	case n%5 == 0: // first an error, then a cached document
		for _, domain := range []string{"nowhere.example", who.Domain} {
			who.Ask(ctx, fmt.Sprintf(`{ tenant(domain: %q) { products { items { slug } } } }`, domain), nil)
		}
	}
	customer.Pause(ctx, 20*time.Millisecond)
}

// observer is a running Prometheus.
type observer struct{ customer.Client }

const observed = `global: {scrape_interval: 1s, scrape_timeout: 1s}
scrape_configs:
  - {job_name: storefront, static_configs: [{targets: [%q]}]}
  - {job_name: node, static_configs: [{targets: [%q]}]}
`

// observe starts a Prometheus that scrapes a server and the substitute exporter for imports.
func observe(ctx context.Context, at *stage.Stage, server, imports string) *observer {
	program, addr := stage.Installed("prometheus", "prometheus"), stage.FreeAddress()
	file := at.File("prometheus.yaml", fmt.Appendf(nil, observed, server, imports))
	o := &observer{customer.Client{Base: customer.At(addr)}}
	at.Start(exec.CommandContext(ctx, program, "--config.file="+file, "--web.listen-address="+addr,
		"--storage.tsdb.path="+filepath.Join(at.Folder, "prometheus"))).
		Ready(ctx, 20*time.Second, func(ctx context.Context, _ []byte) bool {
			return must.Run(func() { o.ask(ctx, "vector(1)") }) == nil
		})
	return o
}

// ask returns the value of an expression now.
func (o *observer) ask(ctx context.Context, expr string) (found model.Vector) {
	a := o.REST(ctx, http.MethodGet, "/query?"+url.Values{"query": {expr}}.Encode(), nil)
	var answer struct {
		Status, Error string
		Data          struct {
			ResultType string
			Result     json.RawMessage
		}
	}
	if err := json.Unmarshal(a.Body, &answer); err != nil {
		must.Do(a.Read(nil), err)
	}
	must.Hold(answer.Status == "success", "%s: %s", expr, answer.Error)
	must.Hold(answer.Data.ResultType == "vector", "%s: it is a %s", expr, answer.Data.ResultType)
	must.Do(json.Unmarshal(answer.Data.Result, &found))
	return found
}

// valuesLimit is how long values may take: those of the last whole minute need two.
const valuesLimit = 150 * time.Second

// values evaluates all expressions until each has a value, for at most valuesLimit, and returns the last
// results.
func (o *observer) values(ctx context.Context, queries []query) []result {
	found := make([]result, len(queries))
	for end := time.Now().Add(valuesLimit); ; must.Do(customer.Wait(ctx, 2*time.Second)) {
		missing := 0
		for i, q := range queries {
			must.In(q.name, func() {
				all := o.ask(ctx, q.text)
				must.Do(wrong(q, all))
				if now := count(all); now.series > 0 {
					found[i] = now
				}
			})
			if found[i].series == 0 && !slices.Contains(comesLater, q.name) {
				missing++
			}
		}
		if missing == 0 || time.Now().After(end) {
			return found
		}
	}
}

// silent queries for how many seconds of the run each alert had a value, and fails if it is more than a few.
// Prometheus would wait longer before it fires.
func (o *observer) silent(ctx context.Context, out io.Writer, alerts []query) error {
	var errs []error
	for _, alert := range alerts {
		err := must.Run(func() {
			r := count(o.ask(ctx, "count_over_time(("+alert.text+")[10m:1s]) > 10"))
			must.Hold(r.series == 0, "it had a value on a healthy service, for so many seconds: %s", r.example)
		})
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", alert.name, err))
		}
	}
	fmt.Fprintf(out, "%d alerts, %d refused or firing\n", len(alerts), len(errs))
	return errors.Join(errs...)
}
