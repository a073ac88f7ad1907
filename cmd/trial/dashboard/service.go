package dashboard

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/stage"
)

// service is a server with its databases, and what it calls.
type service struct {
	*stage.Stage
	metrics string             // host:port
	imports string             // host:port of what stands in for a node exporter
	owner   *customer.Customer // of the shop
	tally   *customer.Tally    // of a customer
}

// start makes a service with a shop, its owner and a webhook, and a customer.
func start(ctx context.Context, program string) (s *service, err error) {
	s = &service{tally: customer.NewTally()}
	if s.Stage, err = stage.NewServer(ctx, program, "hot_standby_feedback = on"); err != nil {
		return nil, err
	}
	return s, s.build(ctx)
}

func (s *service) build(ctx context.Context) error {
	metrics := filepath.Join(s.Folder, "import.prom")
	bundle, err := s.File("shop.json", customer.AlwaysInStock())
	if err != nil {
		return err
	}
	if _, err := s.Run(ctx, "import", "-metrics-file", metrics, bundle); err != nil {
		return err
	}
	if err := s.Follow(ctx); err != nil {
		return err
	}
	exporter := s.listen(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		http.ServeFile(w, r, metrics)
	})
	s.imports = exporter.Listener.Addr().String()
	taker := s.listen(func(http.ResponseWriter, *http.Request) {}) // of webhooks and spans
	if s.metrics, err = stage.FreeAddress(); err != nil {
		return err
	}
	server, err := s.Serve(ctx, "DATABASE_REPLICA_URL="+s.Standby.URL("postgres"), "METRICS_ADDR="+s.metrics,
		"SMS_PROVIDER=log", "WEBHOOK_PRIVATE_ADDRESSES=allow",
		"OTEL_EXPORTER_OTLP_ENDPOINT="+taker.URL, "OTEL_BSP_SCHEDULE_DELAY=500")
	if err != nil {
		return err
	}
	s.owner, err = customer.Register(ctx, customer.Client{Base: customer.At(server.Addr)}, 99, customer.Domain)
	if err != nil {
		return err
	}
	if _, err := s.Run(ctx, "staff", "add", customer.Domain, s.owner.Cell, "owner", "-unproven"); err != nil {
		return err
	}
	return s.owner.Ask(ctx, `mutation($b: ID!, $url: String!) {
		addWebhook(businessId: $b, input: { url: $url, events: [order_placed] }) { webhook { id } } }`,
		map[string]any{"b": s.owner.Business, "url": taker.URL}).Read(nil)
}

// listen starts what answers beside the service.
func (s *service) listen(answer http.HandlerFunc) *httptest.Server {
	web := httptest.NewServer(answer)
	s.OnClose(func() error { web.Close(); return nil })
	return web
}

// use lets customers shop and sign in until ctx ends, and fails for an answer of 5xx.
func (s *service) use(ctx context.Context) error {
	one, err := customer.Enter(ctx, customer.Client{Base: s.owner.Base, Tally: s.tally}, 1, customer.Domain)
	if err != nil {
		return err
	}
	for n := 0; ctx.Err() == nil; n++ {
		one.Order(ctx)
		one.Own(ctx)
		for range 4 {
			one.Browse(ctx)
		}
		who := s.owner
		items := fmt.Sprintf("/tenants/%s/store-items?minPrice=%d", who.Domain, n) // are counted anew
		who.REST(ctx, http.MethodGet, items, nil)
		switch {
		case n%20 == 0: // another cell each time, as one gets a code a minute
			code := map[string]any{"cellNumber": fmt.Sprintf("+98913%07d", n), "domain": who.Domain, "code": "000000"}
			who.REST(ctx, http.MethodPost, "/auth/send-otp", code)
			who.REST(ctx, http.MethodPost, "/auth/verify-otp", code)
		case n%20 == 10:
			who.REST(ctx, http.MethodPost, "/auth/login", map[string]any{"cellNumber": who.Cell,
				"password": who.Password, "domain": who.Domain})
		case n%5 == 0: // an error, and then what is kept parsed
			for _, domain := range []string{"nowhere.example", who.Domain} {
				who.Ask(ctx, fmt.Sprintf(`{ tenant(domain: %q) { products { items { slug } } } }`, domain), nil)
			}
		}
		_ = customer.Wait(ctx, 20*time.Millisecond) // an interrupt ends the loop
	}
	return s.tally.Verdict(8 * time.Second)
}
