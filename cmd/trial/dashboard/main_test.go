package dashboard

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/prometheus/common/model"
)

func TestCount(t *testing.T) {
	one := func(value float64) *model.Sample {
		return &model.Sample{Metric: model.Metric{"b": "2", "a": "1"}, Value: model.SampleValue(value)}
	}
	for name, c := range map[string]struct {
		all  model.Vector
		want result
	}{
		"nothing":    {nil, result{}},
		"zero":       {model.Vector{one(0)}, result{1, "0 a=1 b=2"}},
		"no number":  {model.Vector{one(math.NaN())}, result{}},
		"one of two": {model.Vector{one(math.NaN()), one(7), one(8)}, result{2, "8 a=1 b=2"}},
	} {
		if got := count(c.all); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestShowFails(t *testing.T) {
	var out bytes.Buffer
	panels := []query{{name: "Memory A", text: "x"}, {name: "CPU A", text: "y"}}
	if err := show(&out, panels, []result{{1, "5"}, {2, "6"}}); err != nil {
		t.Error(err)
	}
	if err := show(&out, panels, []result{{1, "5"}, {}}); err == nil || err.Error() != "CPU A shows nothing: y" {
		t.Error(err)
	}
}

func TestWrong(t *testing.T) {
	one := func(value string) (all model.Vector) {
		text := fmt.Sprintf(`[{"metric": {"shop": "a"}, "value": [1.5, %q]}]`, value) // as Prometheus writes it
		if err := json.Unmarshal([]byte(text), &all); err != nil {
			t.Fatal(err)
		}
		return all
	}
	for name, c := range map[string]struct {
		query query
		all   model.Vector
		want  string
	}{
		"a value":            {query{legend: "{{shop}}", unit: "s"}, one("7"), ""},
		"no number":          {query{}, one("NaN"), ""},
		"nothing":            {query{legend: "{{shop}}"}, nil, ""},
		"a moment":           {query{name: "P A", unit: "s"}, one("1.8e+09"), "P A: 1.8e+09 cannot be"},
		"many bytes":         {query{unit: "bytes"}, one("1.8e+09"), ""},
		"less than nothing":  {query{name: "P A"}, one("-1"), "P A: -1 cannot be"},
		"divided by nothing": {query{name: "P A"}, one("+Inf"), "P A: +Inf cannot be"},
		"another legend": {query{name: "P A", legend: "{{ kind }}"}, one("7"),
			"P A: the legend names kind, and there is only {shop=\"a\"}"},
	} {
		err := wrong(c.query, c.all)
		if err == nil && c.want != "" || err != nil && err.Error() != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestVariables(t *testing.T) {
	for text, want := range map[string]string{
		`{"templating": {"list": [{"type": "datasource", "query": "prometheus"}, {"name": "x", "type": "query",
			"query": {"query": "label_values(m{job=~\"$job\"}, shop)"}}]}}`: "",
		`{"templating": {"list": [{"name": "x", "type": "custom", "query": "1,2"}]}}`: "the " +
			"variable x is not label_values",
	} {
		all, err := boardOf(t, text).variables()
		right := query{name: "$x", text: `count by (shop) (m{job=~"storefront"})`, legend: "{{shop}}"}
		if want == "" && (err != nil || len(all) != 1 || all[0] != right) {
			t.Error(all, err)
		}
		if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestPanels(t *testing.T) {
	for text, want := range map[string]string{
		`{"panels": [{"type": "row"}, {"type": "table", "title": "T",
			"targets": [{"refId": "A", "expr": "m{job=~\"$job\"}[$__rate_interval]"}]}]}`: "",
		`{"panels": [{"type": "table", "title": "T"}]}`: "asks for nothing",
		`{"panels": [{"type": "table", "title": "T", "targets": [` +
			`{"refId": "A", "expr": "$shop"}]}]}`: "another variable",
	} {
		all, err := boardOf(t, text).panels()
		right := query{name: "T A", text: `m{job=~"storefront"}[15s]`}
		if want == "" && (err != nil || len(all) != 1 || all[0] != right) {
			t.Error(all, err)
		}
		if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func boardOf(t *testing.T, text string) (b board) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &b); err != nil {
		t.Fatal(err)
	}
	return b
}
