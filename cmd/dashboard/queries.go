package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/goccy/go-yaml"
)

// query is an expression for Prometheus, with the name of its panel or alert.
type query struct{ name, text string }

// readPanels returns the expressions of a dashboard as Grafana would send them.
func readPanels(file string) (all []query, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var board struct {
		Panels []struct {
			Type, Title string
			Targets     []struct{ RefID, Expr string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	variables := strings.NewReplacer("$__rate_interval", "15s", "$job", "storefront", "$instance", ".*")
	for _, panel := range board.Panels {
		if panel.Type != "row" && len(panel.Targets) == 0 {
			return nil, fmt.Errorf("%s: the panel %s asks for nothing", file, panel.Title)
		}
		for _, target := range panel.Targets {
			expr := variables.Replace(target.Expr)
			if strings.Contains(expr, "$") {
				return nil, fmt.Errorf("%s: %s has another variable: %s", file, panel.Title, expr)
			}
			all = append(all, query{panel.Title + " " + target.RefID, expr})
		}
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
			all = append(all, query{rule.Alert, strings.TrimSpace(rule.Expr)})
		}
	}
	return all, nil
}
