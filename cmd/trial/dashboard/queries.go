package dashboard

import (
	"fmt"
	"regexp"
	"strings"
)

// query is an expression for Prometheus, with the name of its panel or alert, and how a panel shows it.
type query struct{ name, text, legend, unit string }

// replaced puts in what Grafana does for variables, with all instances chosen.
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
			all = append(all, query{panel.Title + " " + target.RefID, expr, target.LegendFormat, panel.FieldConfig.Defaults.Unit})
		}
	}
	return all, nil
}

// variable is one whose values Grafana asks for: those that a label of a metric has.
type variable struct{ name, metric, label string }

var labelValues = regexp.MustCompile(`^label_values\((.+), *(\w+)\)$`)

// variables returns the variables of a dashboard.
func (b board) variables() (all []variable, err error) {
	for _, v := range b.Templating.List {
		if v.Type == "datasource" {
			continue
		}
		query, _ := v.Query.(map[string]any)
		parts := labelValues.FindStringSubmatch(fmt.Sprint(query["query"]))
		if parts == nil {
			return nil, fmt.Errorf("the variable %s is not label_values(metric, label)", v.Name)
		}
		all = append(all, variable{v.Name, replaced.Replace(parts[1]), parts[2]})
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
