package service_test

import (
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/prometheus/client_golang/prometheus"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store"
	"storefront/internal/platform/tracing"
	"storefront/internal/platform/tracing/tracingtest"
)

// TestMonitoringAsksForWhatThereIs checks that the service exposes every metric and label that the
// dashboard and the alerts use, on either database, and that the page about operations names every metric
// that it exposes.
func TestMonitoringAsksForWhatThereIs(t *testing.T) {
	var queries []string
	for _, file := range []string{"deploy/monitoring/alerts.yaml", "deploy/grafana/storefront.json"} {
		text, err := os.ReadFile(filepath.Join("../../..", file))
		var parsed any
		if err == nil {
			err = yaml.Unmarshal(text, &parsed) // JSON is YAML, too
		}
		if err != nil {
			t.Fatal(file, err)
		}
		queries = append(queries, queriesIn(parsed)...)
	}
	if len(queries) < 40 {
		t.Fatalf("%d queries", len(queries))
	}
	page, err := os.ReadFile("../../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	shoptest.EachCopy(t, shoptest.Shops, func(t *testing.T, p *shoptest.Place) {
		exposed := exposedBy(t, p.Store)
		for name := range exposed {
			name = histogramPart.ReplaceAllString(name, "")
			if !ofTheRuntime.MatchString(name) && !strings.Contains(string(page), "`"+name+"`") {
				t.Errorf("docs/operations.md does not name the metric %s", name)
			}
		}
		for _, query := range queries {
			for name, labels := range metricsIn(query) {
				if strings.HasPrefix(name, "pg_") || strings.HasPrefix(name, "node_") { // of other exporters
					continue
				}
				known, ok := exposed[name]
				if !ok {
					t.Errorf("%s: there is no metric %s", query, name)
				}
				for _, label := range labels {
					if ok && !slices.Contains(known, label) &&
						!slices.Contains([]string{"job", "instance", "le"}, label) {
						t.Errorf("%s: %s has no label %s, only %v", query, name, label, known)
					}
				}
			}
		}
	})
}

// queriesIn returns the values of all members "expr".
func queriesIn(part any) (queries []string) {
	switch part := part.(type) {
	case map[string]any:
		for name, value := range part {
			if text, ok := value.(string); ok && name == "expr" {
				queries = append(queries, text)
			}
			queries = append(queries, queriesIn(value)...)
		}
	case []any:
		for _, one := range part {
			queries = append(queries, queriesIn(one)...)
		}
	}
	return queries
}

// exposedBy returns the labels of every metric of a service over a store, once it has answered something.
func exposedBy(t *testing.T, s *store.Store) map[string][]string {
	t.Helper()
	registry, log := prometheus.NewRegistry(), slog.New(slog.DiscardHandler)
	collector := tracingtest.New(t)
	tracer, err := tracing.New(t.Context(), tracing.Options{Endpoint: collector.URL, Log: log, Metrics: registry})
	if err != nil {
		t.Fatal(err)
	}
	service, err := app.New(s, log, app.Options{Metrics: registry, Tracer: tracer,
		Settings: app.Settings{CacheSize: 1 << 20}})
	if err != nil {
		t.Fatal(err)
	}
	service.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/api/v1/cities?level=country", nil))
	tracer.Close(t.Context())
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	labels := map[string][]string{"up": nil}
	for _, family := range families {
		name := family.GetName()
		var names []string
		for _, label := range family.Metric[0].Label {
			names = append(names, label.GetName())
		}
		labels[name] = names
		for _, part := range []string{"_bucket", "_sum", "_count"} {
			if family.Metric[0].Histogram != nil {
				labels[name+part] = names
			}
		}
	}
	// These exist only after a full minute, or after a command has ended.
	for _, name := range []string{"shop_requests", "shop_database_seconds", "shop_failures"} {
		labels[name] = []string{"shop"}
	}
	source, err := os.ReadFile("../../../cmd/storefront/importmetrics.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range regexp.MustCompile(`gauge\("([a-z_]+)"`).FindAllStringSubmatch(string(source), -1) {
		labels[found[1]] = []string{"shop", "outcome"}
	}
	return labels
}

// histogramPart ends the names of the series of a histogram.
var histogramPart = regexp.MustCompile(`_(bucket|sum|count)$`)

// ofTheRuntime matches the metrics of Go, of the process and of Prometheus itself.
var ofTheRuntime = regexp.MustCompile(`^(go_|process_|up$)`)

var (
	inQuotes  = regexp.MustCompile(`"[^"]*"`)
	selectors = regexp.MustCompile(`([a-zA-Z_:][a-zA-Z0-9_:]*)?\{([^}]*)\}`)
	grouping  = regexp.MustCompile(`\b(?:by|without|on|ignoring)\s*\(([^)]*)\)`)
	durations = regexp.MustCompile(`\[[^\]]*\]`)
	words     = regexp.MustCompile(`\b[a-zA-Z_:][a-zA-Z0-9_:]*\s*\(?`)
	named     = regexp.MustCompile(`[a-zA-Z_][a-zA-Z0-9_]*`)
)

// metricsIn returns the names of metrics in a query of Prometheus, with the labels that it uses of each.
func metricsIn(query string) map[string][]string {
	found := map[string][]string{}
	query = inQuotes.ReplaceAllString(query, `""`)
	query = selectors.ReplaceAllStringFunc(query, func(text string) string {
		parts := selectors.FindStringSubmatch(text)
		found[parts[1]] = append(found[parts[1]], named.FindAllString(parts[2], -1)...)
		return parts[1]
	})
	var groups []string
	query = grouping.ReplaceAllStringFunc(query, func(text string) string {
		groups = append(groups, named.FindAllString(grouping.FindStringSubmatch(text)[1], -1)...)
		return " "
	})
	query = durations.ReplaceAllString(query, "")
	for _, word := range words.FindAllString(query, -1) {
		switch {
		case strings.HasSuffix(word, "("), slices.Contains([]string{"and", "or", "unless", "bool", "offset"},
			strings.TrimSpace(word)):
		default:
			name := strings.TrimSpace(word)
			found[name] = append(found[name], groups...)
		}
	}
	return found
}

func TestMetricsIn(t *testing.T) {
	got := metricsIn(`histogram_quantile(0.9, sum by (le, x) (rate(a_bucket{job=~"b",c!="d{e}"}[5m]))) > 1e3 ` +
		`and f > 2 or time() - g`)
	if fmt.Sprint(got) != "map[a_bucket:[job c le x] f:[le x] g:[le x]]" {
		t.Error(got)
	}
}

// TestWhatHappensIsCounted sends requests of a customer, and checks the metrics.
func TestWhatHappensIsCounted(t *testing.T) {
	shoptest.EachShopper(t, func(t *testing.T, s shoptest.Shopper) {
		s.Cancel(t, s.Bought(t, "D-10", 1).ID)
		s.Bought(t, "D-10", 1)
		d := s.Accounts.REST()
		cell := d.Cell(77)
		d.Right(t, "sendOtp", shoptest.ToCell(cell))
		code := d.Phones.Code(t, cell)
		d.Ask(t, "verifyOtp", shoptest.ByCode(cell, shoptest.AnotherCode(code)))
		d.Ask(t, "verifyOtp", shoptest.ByCode(cell, code))
		counted := shoptest.CountedBy(t, s.Service.Registry())
		for name, want := range map[string]float64{
			"orders_placed_total": 2, "order_moves_total cancelled": 1, "order_moves_total shipped": 0,
			"codes_checked_total wrong": 1, "codes_checked_total right": 1, "sms_messages_total sent none code": 1,
		} {
			if got, known := counted[name]; !known || got != want {
				t.Errorf("%s is %v, want %v", name, got, want)
			}
		}
	})
}

// TestFailingShopIsKnown checks that the metric names a shop whose requests fail, and no closed one.
func TestFailingShopIsKnown(t *testing.T) {
	t.Parallel()
	shoptest.Shops.Each(t, func(t *testing.T, url string) {
		clock, registry := shoptest.NewClock(), prometheus.NewRegistry()
		store, counter := shoptest.OpenCounted(t, url)
		p := shoptest.StartWith(t, store, app.Options{Clock: clock.Now, Metrics: registry})
		if _, err := store.Client.ExecContext(t.Context(), "UPDATE tenants SET closed_at = created_at "+
			"WHERE domain = 'mugs.example'"); err != nil {
			t.Fatal(err)
		}
		get := func(path string, status int) {
			if got := p.Get(t, path); got.Status != status {
				t.Fatalf("%s: got %d %s, want %d", path, got.Status, got.Body, status)
			}
		}
		get(shoptest.BarePath+"/products", 200)
		get(shoptest.MugsPath+"/products", 503)
		counter.Before = func(text string) {
			if strings.Contains(text, "products") {
				panic("a fault of this shop")
			}
		}
		get(shoptest.ToolsPath+"/products", 500)
		clock.Pass(time.Minute)
		families, err := registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		var failing []string
		for _, family := range families {
			for _, m := range family.Metric {
				if family.GetName() == "shop_failures" {
					failing = append(failing, fmt.Sprintf("%s %v", m.Label[0].GetValue(), m.Gauge.GetValue()))
				}
			}
		}
		if !slices.Equal(failing, []string{"tools.example 1"}) {
			t.Errorf("got %q", failing)
		}
	})
}
