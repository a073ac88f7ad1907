package dashboard

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"time"

	"storefront/cmd/internal/child"
	"storefront/cmd/internal/topology"
	"storefront/internal/pgserver"
)

// service is a server with its databases, and what it calls.
type service struct {
	primary, standby *pgserver.Server
	server           *child.Server
	metrics          string           // host:port
	imports          string           // host:port of what stands in for a node exporter
	exporter         *httptest.Server // gives the file of the import
	taker            *httptest.Server // of webhooks and spans
	owner            string           // a token
	tally            *topology.Tally
}

// start makes a service with a shop, its owner and a webhook.
func start(ctx context.Context, program, folder string) (s *service, err error) {
	s = &service{tally: topology.NewTally()}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	if s.primary, err = pgserver.New(ctx, false, "hot_standby_feedback = on"); err != nil {
		return s, err
	}
	bundle, file := filepath.Join(folder, "shop.json"), filepath.Join(folder, "import.prom")
	if err := topology.WriteShop(bundle); err != nil {
		return s, err
	}
	database := []string{"DATABASE_URL=" + s.primary.URL("postgres")}
	if _, err := child.Run(ctx, database, program, "import", "-metrics-file", file, bundle); err != nil {
		return s, err
	}
	if s.standby, err = s.primary.Standby(ctx); err != nil {
		return s, err
	}
	s.exporter = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		http.ServeFile(w, r, file)
	}))
	s.imports = s.exporter.Listener.Addr().String()
	s.taker = httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	if s.metrics, err = topology.FreeAddress(); err != nil {
		return s, err
	}
	if s.server, err = child.Serve(ctx, folder, append(database, "DATABASE_REPLICA_URL="+s.standby.URL("postgres"),
		"LISTEN_ADDR=127.0.0.1:0", "METRICS_ADDR="+s.metrics, "LOG_FORMAT=json", "SMS_PROVIDER=log",
		"TOKEN_SIGNING_KEY=a key of this trial alone, long enough for it", "WEBHOOK_PRIVATE_ADDRESSES=allow",
		"OTEL_EXPORTER_OTLP_ENDPOINT="+s.taker.URL, "OTEL_BSP_SCHEDULE_DELAY=500"), program, "serve"); err != nil {
		return s, err
	}
	return s, s.hook(ctx, program, database)
}

const cell = "+989120000099"

// hook makes an owner, and a webhook of theirs.
func (s *service) hook(ctx context.Context, program string, database []string) error {
	var in struct {
		AccessToken        string
		RegisteredBusiness struct{ ID string }
	}
	if status, text := s.send(ctx, "/api/v1/auth/register", fmt.Sprintf(`{"cellNumber": %q, "password": "a password of 99",
		"firstName": "Sara", "lastName": "Karimi", "domain": %q}`, cell, topology.Domain), &in); status != http.StatusCreated {
		return fmt.Errorf("register the owner: %d %s", status, text)
	}
	s.owner = in.AccessToken
	if _, err := child.Run(ctx, database, program, "staff", "add", topology.Domain, cell, "owner", "-unproven"); err != nil {
		return err
	}
	var made struct{ Errors []struct{ Message string } }
	body, err := json.Marshal(map[string]string{"query": fmt.Sprintf(
		`mutation { addWebhook(businessId: %q, input: { url: %q, events: [order_placed] }) { webhook { id } } }`,
		in.RegisteredBusiness.ID, s.taker.URL)})
	if err != nil {
		return err
	}
	if status, text := s.send(ctx, "/graphql", string(body), &made); status != http.StatusOK || len(made.Errors) > 0 {
		return fmt.Errorf("add the webhook: %d %s", status, text)
	}
	return nil
}

// send posts a body, and returns the status of the answer; 0: there is none.
func (s *service) send(ctx context.Context, path, body string, to any) (int, []byte) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+s.server.Addr+path, bytes.NewBufferString(body))
	if err != nil {
		return 0, []byte(err.Error())
	}
	request.Header.Set("Content-Type", "application/json")
	if s.owner != "" {
		request.Header.Set("Authorization", "Bearer "+s.owner)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, []byte(err.Error())
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && to != nil {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		return 0, []byte(err.Error())
	}
	return response.StatusCode, text
}

// get reads a page, and leaves what it says.
func (s *service) get(ctx context.Context, path string) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.server.Addr+path, nil)
	if err != nil {
		return
	}
	if response, err := http.DefaultClient.Do(request); err == nil {
		_, _ = io.Copy(io.Discard, response.Body) // so that the connection is used again
		response.Body.Close()
	}
}

// use lets customers shop and sign in until ctx ends, and fails for an answer of 5xx.
func (s *service) use(ctx context.Context) error {
	base := func() string { return "http://" + s.server.Addr }
	one, err := topology.Register(ctx, 1, base, s.tally)
	if err != nil {
		return err
	}
	sign := fmt.Sprintf(`{"cellNumber": %q, "password": "a password of 99", "domain": %q}`, cell, topology.Domain)
	for n := 0; ctx.Err() == nil; n++ {
		one.Order(ctx)
		one.Own(ctx)
		for range 4 {
			one.Browse(ctx)
		}
		s.get(ctx, fmt.Sprintf("/api/v1/tenants/%s/store-items?minPrice=%d", topology.Domain, n)) // is counted anew
		switch {
		case n%20 == 0: // another cell each time, as one gets a code a minute
			code := fmt.Sprintf(`{"cellNumber": "+98913%07d", "domain": %q, "code": "000000"}`, n, topology.Domain)
			s.send(ctx, "/api/v1/auth/send-otp", code, nil)
			s.send(ctx, "/api/v1/auth/verify-otp", code, nil)
		case n%20 == 10:
			s.send(ctx, "/api/v1/auth/login", sign, nil)
		case n%5 == 0: // an error, and then what is kept parsed
			s.send(ctx, "/graphql", `{"query": "{ tenant(domain: \"nowhere.example\") { id } }"}`, nil)
			s.send(ctx, "/graphql", `{"query": "{ tenant(domain: \"`+topology.Domain+`\") { products { items { slug } } } }"}`, nil)
		}
		select {
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond):
		}
	}
	return s.tally.Verdict(8 * time.Second)
}

// Close ends all of it.
func (s *service) Close() error {
	if s.server != nil {
		s.server.Stop()
	}
	for _, web := range []*httptest.Server{s.exporter, s.taker} {
		if web != nil {
			web.Close()
		}
	}
	var errs []error
	for _, database := range []*pgserver.Server{s.standby, s.primary} {
		if database != nil {
			errs = append(errs, database.Close())
		}
	}
	return errors.Join(errs...)
}
