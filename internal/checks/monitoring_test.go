package checks_test

import (
	"cmp"
	"fmt"
	"maps"
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

// TestIngressIsAsNginx compares the sizes and times of the Ingress with those of nginx.conf.
func TestIngressIsAsNginx(t *testing.T) {
	type bounds struct{ size, connect, read, buffering string }
	want, got := map[string]bounds{}, map[string]bounds{}
	site := read(t, "deploy/nginx.conf")
	value := func(text, name string) string {
		found := regexp.MustCompile(name + ` (\w+)s?;`).FindStringSubmatch(text)
		if found == nil {
			return ""
		}
		return strings.TrimSuffix(found[1], "s")
	}
	for _, part := range regexp.MustCompile(`(?s)\n\tlocation (/\S*) \{\n(.*?)\n\t\}`).FindAllStringSubmatch(site, -1) {
		text := part[2]
		want[part[1]] = bounds{cmp.Or(value(text, "client_max_body_size"), value(site, "client_max_body_size")),
			value(text, "proxy_connect_timeout"), value(text, "proxy_read_timeout"),
			value(text, "proxy_request_buffering")}
	}
	for document := range strings.SplitSeq(read(t, "deploy/kubernetes/ingress.yaml"), "\n---\n") {
		var one struct {
			Metadata struct{ Annotations map[string]string }
			Spec     struct {
				Rules []struct {
					HTTP struct{ Paths []struct{ Path string } }
				}
			}
		}
		if err := yaml.Unmarshal([]byte(document), &one); err != nil {
			t.Fatal(err)
		}
		of := func(name string) string { return one.Metadata.Annotations["nginx.ingress.kubernetes.io/"+name] }
		got[one.Spec.Rules[0].HTTP.Paths[0].Path] = bounds{of("proxy-body-size"), of("proxy-connect-timeout"),
			of("proxy-read-timeout"), of("proxy-request-buffering")}
	}
	if len(want) < 3 || !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestDatabasesAreVerified checks that examples know the database of another machine by its certificate.
func TestDatabasesAreVerified(t *testing.T) {
	found := 0
	for _, name := range []string{"kubernetes/storefront.yaml", "storefront.service", "compose.yaml", "pgbouncer.ini"} {
		for _, url := range regexp.MustCompile(`postgres://[^"'\n]+`).FindAllString(read(t, "deploy/"+name), -1) {
			found++
			if !strings.Contains(url, "sslmode=verify-full&sslrootcert=/") &&
				!strings.Contains(url, "@127.0.0.1:") && !strings.Contains(url, "@database/") { // on one machine
				t.Errorf("%s: %s", name, url)
			}
		}
	}
	if found < 4 {
		t.Errorf("got %d addresses of databases", found)
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
