package dashboard

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"
)

// query is an expression for Prometheus, with the name of its panel or alert, and how a panel shows it.
type query struct{ name, text, legend, unit string }

// replaced puts in what Grafana does for variables, with all instances chosen.
var replaced = strings.NewReplacer("$__rate_interval", "15s", "$job", "storefront", "$instance", ".*")

// readPanels returns the expressions of a dashboard as Grafana would send them.
func readPanels(file string) (all []query, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var board struct {
		Panels []struct {
			Type, Title string
			FieldConfig struct{ Defaults struct{ Unit string } }
			Targets     []struct{ RefID, Expr, LegendFormat string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for _, panel := range board.Panels {
		if panel.Type != "row" && len(panel.Targets) == 0 {
			return nil, fmt.Errorf("%s: the panel %s asks for nothing", file, panel.Title)
		}
		for _, target := range panel.Targets {
			expr := replaced.Replace(target.Expr)
			if strings.Contains(expr, "$") {
				return nil, fmt.Errorf("%s: %s has another variable: %s", file, panel.Title, expr)
			}
			all = append(all, query{panel.Title + " " + target.RefID, expr, target.LegendFormat, panel.FieldConfig.Defaults.Unit})
		}
	}
	return all, nil
}

// variable is one whose values Grafana asks for: those that a label of a metric has.
type variable struct{ name, metric, label string }

var labelValues = regexp.MustCompile(`^label_values\((.+), *(\w+)\)$`)

// readVariables returns the variables of a dashboard.
func readVariables(file string) (all []variable, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var board struct {
		Templating struct {
			List []struct {
				Name, Type string
				Query      any
			}
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for _, v := range board.Templating.List {
		if v.Type == "datasource" {
			continue
		}
		query, _ := v.Query.(map[string]any)
		parts := labelValues.FindStringSubmatch(fmt.Sprint(query["query"]))
		if parts == nil {
			return nil, fmt.Errorf("%s: the variable %s is not label_values(metric, label)", file, v.Name)
		}
		all = append(all, variable{v.Name, replaced.Replace(parts[1]), parts[2]})
	}
	return all, nil
}

// readAlerts returns the expressions of alert rules.
func readAlerts(file string) (all []query, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var rules struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	if err := yaml.Unmarshal(text, &rules); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for _, group := range rules.Groups {
		for _, rule := range group.Rules {
			all = append(all, query{name: rule.Alert, text: strings.TrimSpace(rule.Expr)})
		}
	}
	return all, nil
}
