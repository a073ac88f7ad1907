package dashboard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"storefront/cmd/internal/customer"
	"storefront/cmd/internal/stage"
)

// observer is a running Prometheus.
type observer struct{ customer.Client }

const observed = `global: {scrape_interval: 1s, scrape_timeout: 1s}
scrape_configs:
  - {job_name: storefront, static_configs: [{targets: [%q]}]}
  - {job_name: node, static_configs: [{targets: [%q]}]}
`

// observe starts a Prometheus that asks a server for its metrics, and an exporter for those of imports.
func observe(ctx context.Context, at *stage.Stage, server, imports string) (*observer, error) {
	program, err := exec.LookPath("prometheus")
	if err != nil {
		return nil, errors.New("no Prometheus is installed here (Debian: apt-get install prometheus)")
	}
	addr, err := stage.FreeAddress()
	if err != nil {
		return nil, err
	}
	file, err := at.File("prometheus.yaml", fmt.Appendf(nil, observed, server, imports))
	if err != nil {
		return nil, err
	}
	o := &observer{customer.Client{Base: customer.At(addr)}}
	return o, at.Beside(ctx, exec.CommandContext(ctx, program, "--config.file="+file, "--web.listen-address="+addr,
		"--storage.tsdb.path="+filepath.Join(at.Folder, "prometheus")), func(ctx context.Context) bool {
		_, err := o.ask(ctx, "vector(1)")
		return err == nil
	})
}

// get asks for the data at a path.
func (o *observer) get(ctx context.Context, path, name, value string, data any) error {
	a := o.REST(ctx, http.MethodGet, "/"+path+"?"+url.Values{name: {value}}.Encode(), nil)
	var answer struct {
		Status, Error string
		Data          json.RawMessage
	}
	if err := json.Unmarshal(a.Body, &answer); err != nil {
		return errors.Join(a.Read(nil), err)
	}
	if answer.Status != "success" {
		return fmt.Errorf("%s: %s", value, answer.Error)
	}
	return json.Unmarshal(answer.Data, data)
}

// ask returns the value of an expression now.
func (o *observer) ask(ctx context.Context, expr string) ([]sample, error) {
	var data struct {
		ResultType string
		Result     json.RawMessage
	}
	if err := o.get(ctx, "query", "query", expr, &data); err != nil {
		return nil, err
	}
	if data.ResultType != "vector" {
		return nil, fmt.Errorf("%s: it is a %s", expr, data.ResultType)
	}
	var found []sample
	err := json.Unmarshal(data.Result, &found)
	return found, err
}

// choices prints the values that variables have, and fails where one has none.
func (o *observer) choices(ctx context.Context, out io.Writer, variables []variable) error {
	for _, v := range variables {
		var values []string
		if err := o.get(ctx, "label/"+v.label+"/values", "match[]", v.metric, &values); err != nil || len(values) == 0 {
			return errors.Join(err, fmt.Errorf("the variable %s has no values", v.name))
		}
		fmt.Fprintf(out, "$%s: %s\n", v.name, strings.Join(values, ", "))
	}
	return nil
}

// values asks for all expressions until each has a value, for no longer than atMost, and returns those of the
// last time.
func (o *observer) values(ctx context.Context, queries []query, atMost time.Duration) ([]result, error) {
	found := make([]result, len(queries))
	for end := time.Now().Add(atMost); ; {
		missing := 0
		for i, q := range queries {
			all, err := o.ask(ctx, q.text)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", q.name, err)
			}
			if err := wrong(q, all); err != nil {
				return nil, err
			}
			if now := count(all); now.series > 0 {
				found[i] = now
			}
			if found[i].series == 0 && !slices.Contains(comesLater, q.name) {
				missing++
			}
		}
		if missing == 0 || time.Now().After(end) {
			return found, nil
		}
		if err := customer.Wait(ctx, 2*time.Second); err != nil {
			return nil, err
		}
	}
}

// silent asks for each alert in how many seconds of the run it had a value, and fails where these are more
// than a moment. It does not wait as long as Prometheus would before it fires.
func (o *observer) silent(ctx context.Context, out io.Writer, alerts []query) error {
	var errs []error
	for _, alert := range alerts {
		all, err := o.ask(ctx, "count_over_time(("+alert.text+")[10m:1s]) > 10")
		if r := count(all); err == nil && r.series > 0 {
			err = fmt.Errorf("it had a value on a healthy service, for so many seconds: %s", r.example)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", alert.name, err))
		}
	}
	fmt.Fprintf(out, "%d alerts, %d refused or firing\n", len(alerts), len(errs))
	return errors.Join(errs...)
}
