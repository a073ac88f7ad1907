package dashboard

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// service is a server with its databases, and what it calls.
type service struct {
	metrics string             // host:port
	imports string             // host:port of what stands in for a node exporter
	owner   *customer.Customer // of the shop
}

// start makes a service with a shop, its owner and a webhook.
func start(ctx context.Context, at *stage.Stage) *service {
	at.Own(ctx, "hot_standby_feedback = on")
	metrics := filepath.Join(at.Folder, "import.prom")
	must.Get(at.Run(ctx, "import", "-metrics-file", metrics, at.File("shop.json", customer.AlwaysInStock())))
	at.Follow(ctx)
	listen := func(answer http.HandlerFunc) *httptest.Server {
		web := httptest.NewServer(answer)
		at.OnClose(func() error { web.Close(); return nil })
		return web
	}
	exporter := listen(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		http.ServeFile(w, r, metrics)
	})
	taker := listen(func(http.ResponseWriter, *http.Request) {}) // of webhooks and spans
	s := &service{imports: exporter.Listener.Addr().String(), metrics: stage.FreeAddress()}
	server := at.Serve(ctx, "DATABASE_REPLICA_URL="+at.Standby.URL("postgres"), "METRICS_ADDR="+s.metrics,
		"SMS_PROVIDER=log", "WEBHOOK_PRIVATE_ADDRESSES=allow",
		"OTEL_EXPORTER_OTLP_ENDPOINT="+taker.URL, "OTEL_BSP_SCHEDULE_DELAY=500")
	s.owner = customer.Register(ctx, customer.Client{Base: customer.At(server.Addr)}, 99, customer.Domain)
	must.Get(at.Run(ctx, "staff", "add", customer.Domain, s.owner.Cell, "owner", "-unproven"))
	must.Do(s.owner.Listen(ctx, taker.URL, "order_placed"))
	return s
}

// use lets a customer shop and the owner sign in until ctx ends, and fails for an answer of 5xx to the
// customer.
func (s *service) use(ctx context.Context) {
	tally := customer.NewTally()
	one := customer.Enter(ctx, customer.Client{Base: s.owner.Base, Tally: tally}, 1, customer.Domain)
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
	must.Do(tally.Verdict(8 * time.Second))
}
