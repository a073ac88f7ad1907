package checks_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/prometheus/client_golang/prometheus"

	"storefront/internal/app"
	"storefront/internal/store"
	"storefront/internal/testdb"
	"storefront/internal/tracing"
	"storefront/internal/tracing/tracingtest"
)

const (
	alertsFile    = "deploy/monitoring/alerts.yaml"
	dashboardFile = "deploy/grafana/storefront.json"
)

// rule is an alert of Prometheus.
type rule struct {
	Alert, Expr string
	For         string
	Labels      map[string]string
	Annotations map[string]string
}

func alerts(t *testing.T) (rules []rule) {
	t.Helper()
	var file struct {
		Groups []struct {
			Name  string
			Rules []rule
		}
	}
	if err := yaml.UnmarshalWithOptions([]byte(read(t, alertsFile)), &file, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	for _, group := range file.Groups {
		rules = append(rules, group.Rules...)
	}
	if len(rules) < 10 {
		t.Fatalf("%d rules", len(rules))
	}
	return rules
}

// dashboardQueries returns what the panels of the dashboard ask for, by their title.
func dashboardQueries(t *testing.T) map[string][]string {
	t.Helper()
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
		Templating struct {
			List []struct{ Query any }
		}
	}
	if err := json.Unmarshal([]byte(read(t, dashboardFile)), &dashboard); err != nil {
		t.Fatal(err)
	}
	queries := map[string][]string{}
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			queries[panel.Title] = append(queries[panel.Title], target.Expr)
		}
	}
	if len(queries) < 20 {
		t.Fatalf("%d panels", len(queries))
	}
	return queries
}

// TestMonitoringAsksForWhatThereIs checks that every metric, with its labels, that the dashboard and the alerts name is one
// that the service exposes on either database.
func TestMonitoringAsksForWhatThereIs(t *testing.T) {
	queries := dashboardQueries(t)
	for _, one := range alerts(t) {
		queries[one.Alert] = append(queries[one.Alert], one.Expr)
	}
	testdb.Each(t, func(t *testing.T, url string) {
		exposed := exposed(t, url)
		for at, texts := range queries {
			for _, text := range texts {
				for name, labels := range metricsIn(text) {
					known, ok := exposed[name]
					if !ok {
						t.Errorf("%s: there is no metric %s", at, name)
					}
					for _, label := range labels {
						if ok && !slices.Contains(known, label) && !slices.Contains([]string{"job", "instance", "le"}, label) {
							t.Errorf("%s: %s has no label %s, only %v", at, name, label, known)
						}
					}
				}
			}
		}
	})
}

// exposed returns the labels of every metric of the service, once it has answered something.
func exposed(t *testing.T, url string) map[string][]string {
	t.Helper()
	s, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	registry, log := prometheus.NewRegistry(), slog.New(slog.DiscardHandler)
	collector := tracingtest.New(t)
	tracer, err := tracing.New(t.Context(), tracing.Options{Endpoint: collector.URL, Log: log, Metrics: registry})
	if err != nil {
		t.Fatal(err)
	}
	service, err := app.New(s, log, app.Options{Metrics: registry, Tracer: tracer, CacheSize: 1 << 20})
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
	// Those of the last minute, which is not over, and those of a command that is.
	labels["shop_requests"], labels["shop_database_seconds"] = []string{"shop"}, []string{"shop"}
	for _, found := range regexp.MustCompile(`gauge\("([a-z_]+)"`).FindAllStringSubmatch(read(t, "cmd/storefront/importmetrics.go"), -1) {
		labels[found[1]] = []string{"shop", "outcome"}
	}
	return labels
}

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
		case strings.HasSuffix(word, "("), slices.Contains([]string{"and", "or", "unless", "bool", "offset"}, strings.TrimSpace(word)):
		default:
			name := strings.TrimSpace(word)
			found[name] = append(found[name], groups...)
		}
	}
	return found
}

func TestMetricsIn(t *testing.T) {
	got := metricsIn(`histogram_quantile(0.9, sum by (le, x) (rate(a_bucket{job=~"b",c!="d{e}"}[5m]))) > 1e3 and f > 2 or time() - g`)
	if fmt.Sprint(got) != "map[a_bucket:[job c le x] f:[le x] g:[le x]]" {
		t.Error(got)
	}
}

// TestEveryAlertIsExplained checks that the runbook says what to do about each alert, and that each alert says what it is.
func TestEveryAlertIsExplained(t *testing.T) {
	text := read(t, "docs/operations.md")
	for _, one := range alerts(t) {
		if !strings.Contains(text, "`"+one.Alert+"`") {
			t.Errorf("docs/operations.md says nothing of %s", one.Alert)
		}
		if one.Annotations["summary"] == "" || one.Labels["severity"] == "" {
			t.Errorf("%s has no summary or severity", one.Alert)
		}
	}
}

// TestDeploymentIsYAML reads every file of deploy, and compares the settings it names with those that there are.
func TestDeploymentIsYAML(t *testing.T) {
	names := []string{}
	for _, pattern := range []string{"deploy/*.yaml", "deploy/*/*.yaml"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	if len(names) < 3 {
		t.Fatal(names)
	}
	rows := rowsOf(read(t, "docs/operations.md"), regexp.MustCompile("`([A-Z]+_[A-Z_]+)`"))
	for _, path := range names {
		name, err := filepath.Rel(root, path)
		if err != nil {
			t.Fatal(err)
		}
		for i, document := range strings.Split(read(t, name), "\n---\n") {
			var parsed map[string]any
			if err := yaml.Unmarshal([]byte(document), &parsed); err != nil || len(parsed) == 0 {
				t.Errorf("%s, document %d: %v", name, i+1, err)
				continue
			}
			for _, setting := range settingsOf(parsed) {
				_, known := rows[strings.TrimSuffix(setting, "_FILE")]
				if !known && !strings.HasPrefix(setting, "POSTGRES_") && setting != "SERVER" && setting != "SITE" {
					t.Errorf("%s sets %s, which is no setting", name, setting)
				}
			}
		}
	}
}

// settingsOf returns the names of environment variables that a document of Compose or Kubernetes sets.
func settingsOf(part any) (names []string) {
	switch part := part.(type) {
	case map[string]any:
		for key, value := range part {
			if environment, ok := value.(map[string]any); ok && key == "environment" {
				for name := range environment {
					names = append(names, name)
				}
			}
			if list, ok := value.([]any); ok && key == "env" {
				for _, one := range list {
					names = append(names, fmt.Sprint(one.(map[string]any)["name"]))
				}
			}
			names = append(names, settingsOf(value)...)
		}
	case []any:
		for _, one := range part {
			names = append(names, settingsOf(one)...)
		}
	}
	return names
}
