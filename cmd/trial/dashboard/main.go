// Package dashboard checks that every panel of the Grafana dashboard has data, and that no alert fires on a
// healthy service. `make dashboard` runs it in about two minutes; it needs PostgreSQL's programs, Prometheus
// and the built server, and everything stays on loopback.
//
// A Prometheus scrapes a server while customers read, order and sign in, with an import, a
// webhook and traces. The command then evaluates the expression of each panel, variable and alert, and prints
// the results. It fails if an expression is refused, a panel has no value or an impossible one, a legend names
// a missing label, or an alert has a value.
package dashboard

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/prometheus/common/model"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/must"
	"storefront/cmd/internal/stage"
)

// Trial is the trial that `go run ./cmd/trial dashboard` runs.
var Trial = stage.Trial{Name: "dashboard", About: "ask a Prometheus for each panel and alert",
	Flags: func(*flag.FlagSet) stage.Work { return look }}

// look lets customers use a service, and evaluates all expressions of the dashboard and its alerts.
func look(ctx context.Context, s *stage.Stage) {
	var shown board
	var watched rules
	must.Do(json.Unmarshal(must.Get(os.ReadFile("deploy/grafana/storefront.json")), &shown))
	must.Do(yaml.Unmarshal(must.Get(os.ReadFile("deploy/monitoring/alerts.yaml")), &watched))
	panels, alerts := append(must.Get(shown.panels()), must.Get(shown.variables())...), watched.alerts()
	shop := start(ctx, s)
	watch := observe(ctx, s, shop.metrics, shop.imports)
	users := customer.Go(ctx, []*service{shop}, use)
	err := must.Run(func() { must.Do(show(s.Out, panels, watch.values(ctx, panels))) })
	must.Do(err, watch.silent(ctx, s.Out, alerts), users.Stop(), shop.seen.Now().Verdict(customer.AnswerLimit))
}

// comesLater are the panels that are empty in the first minutes of a service.
var comesLater = []string{"Since the last sweep A"}

// show prints the data of each panel, and fails if a panel has none.
func show(out io.Writer, panels []query, found []result) error {
	var errs []error
	fmt.Fprintf(out, "%-40s %6s  %s\n", "panel", "series", "the largest")
	for i, p := range panels {
		fmt.Fprintf(out, "%-40s %6d  %s\n", p.name, found[i].series, found[i].example)
		if found[i].series == 0 && !slices.Contains(comesLater, p.name) {
			errs = append(errs, fmt.Errorf("%s shows nothing: %s", p.name, p.text))
		}
	}
	return errors.Join(errs...)
}

var inLegend = regexp.MustCompile(`{{ *(\w+) *}}`)

// wrong returns an error for impossible data of a panel: a negative value, a time in place of a duration, or a
// missing label of the legend.
func wrong(q query, all model.Vector) error {
	const longest = 365 * 24 * time.Hour
	for _, one := range all {
		v := float64(one.Value)
		if v < 0 || math.IsInf(v, 0) || q.unit == "s" && v > longest.Seconds() {
			return fmt.Errorf("%s: %v cannot be", q.name, v)
		}
		for _, label := range inLegend.FindAllStringSubmatch(q.legend, -1) {
			if one.Metric[model.LabelName(label[1])] == "" {
				return fmt.Errorf("%s: the legend names %s, and there is only %v", q.name, label[1], one.Metric)
			}
		}
	}
	return nil
}

// result is the answer of Prometheus to an expression: the number of its series, and the largest as an example.
type result struct {
	series  int
	example string
}

// count counts the samples that are numbers, the only ones that Grafana draws. The example is the largest.
func count(all model.Vector) (r result) {
	largest := math.Inf(-1)
	for _, one := range all {
		v := float64(one.Value)
		if math.IsNaN(v) {
			continue
		}
		if r.series++; v > largest {
			largest, r.example = v, fmt.Sprintf("%.4g", v)
			for _, name := range slices.Sorted(maps.Keys(one.Metric)) {
				r.example += fmt.Sprintf(" %s=%s", name, one.Metric[name])
			}
		}
	}
	return r
}

// query is an expression for Prometheus, with the name of its panel or alert, and the legend and unit of a
// panel.
type query struct{ name, text, legend, unit string }

// replaced replaces variables as Grafana does if all instances are selected.
var replaced = strings.NewReplacer("$__rate_interval", "15s", "$job", "storefront", "$instance", ".*")

// board is a dashboard as Grafana writes it.
type board struct {
	Panels []struct {
		Type, Title string
		FieldConfig struct{ Defaults struct{ Unit string } }
		Targets     []struct{ RefID, Expr, LegendFormat string }
	}
	Templating struct {
		List []struct {
			Name, Type string
			Query      any
		}
	}
}

// panels returns the expressions of a dashboard as Grafana would send them.
func (b board) panels() (all []query, err error) {
	for _, panel := range b.Panels {
		if panel.Type != "row" && len(panel.Targets) == 0 {
			return nil, fmt.Errorf("the panel %s asks for nothing", panel.Title)
		}
		for _, target := range panel.Targets {
			expr := replaced.Replace(target.Expr)
			if strings.Contains(expr, "$") {
				return nil, fmt.Errorf("%s has another variable: %s", panel.Title, expr)
			}
			all = append(all, query{name: panel.Title + " " + target.RefID, text: expr, legend: target.LegendFormat,
				unit: panel.FieldConfig.Defaults.Unit})
		}
	}
	return all, nil
}

var labelValues = regexp.MustCompile(`^label_values\((.+), *(\w+)\)$`)

// variables returns an expression for each variable of a dashboard, whose series are the values.
func (b board) variables() (all []query, err error) {
	for _, v := range b.Templating.List {
		if v.Type == "datasource" {
			continue
		}
		asked, _ := v.Query.(map[string]any)
		parts := labelValues.FindStringSubmatch(fmt.Sprint(asked["query"]))
		if parts == nil {
			return nil, fmt.Errorf("the variable %s is not label_values(metric, label)", v.Name)
		}
		text := fmt.Sprintf("count by (%s) (%s)", parts[2], replaced.Replace(parts[1]))
		all = append(all, query{name: "$" + v.Name, text: text, legend: "{{" + parts[2] + "}}"})
	}
	return all, nil
}

// rules are alert rules as Prometheus reads them.
type rules struct {
	Groups []struct {
		Rules []struct{ Alert, Expr string }
	}
}

func (r rules) alerts() (all []query) {
	for _, group := range r.Groups {
		for _, rule := range group.Rules {
			all = append(all, query{name: rule.Alert, text: strings.TrimSpace(rule.Expr)})
		}
	}
	return all
}
