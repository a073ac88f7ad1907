package checks_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

const (
	alertsFile  = "deploy/monitoring/alerts.yaml"
	runbookFile = "docs/runbook.md"
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

// TestEveryAlertIsExplained checks that the runbook has a heading for each alert, and that each alert says what
// it is. Below each heading, except those of planned work, the runbook says what it is, how to check it, and
// what to do.
func TestEveryAlertIsExplained(t *testing.T) {
	text := read(t, runbookFile)
	for _, one := range alerts(t) {
		if !strings.Contains(text, "\n### "+one.Alert+"\n") {
			t.Errorf("%s says nothing of %s", runbookFile, one.Alert)
		}
		if one.Annotations["summary"] == "" || one.Labels["severity"] == "" {
			t.Errorf("%s has no summary or severity", one.Alert)
		}
	}
	symptoms, _, _ := strings.Cut(text, "\n## Planned work\n")
	for _, entry := range strings.Split(symptoms, "\n### ")[1:] {
		for _, part := range []string{"\n- **What** ", "\n- **Check** ", "\n- **Do** "} {
			if strings.Count(entry, part) != 1 {
				t.Errorf("%s: %.40q has %d parts %q, want 1", runbookFile, entry, strings.Count(entry, part), part)
			}
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
