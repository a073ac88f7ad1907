package main

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"storefront/internal/content/bundle"
)

// importMetrics is the metrics file of an import, for the textfile collector of Prometheus' node exporter:
// Prometheus cannot query a command that has ended.
type importMetrics struct {
	registry *prometheus.Registry
	end      prometheus.Gauge
	failures prometheus.Gauge
	seconds  *prometheus.GaugeVec
	records  *prometheus.GaugeVec
}

func newImportMetrics() *importMetrics {
	gauge := func(name, help string) prometheus.GaugeOpts { return prometheus.GaugeOpts{Name: name, Help: help} }
	m := &importMetrics{
		registry: prometheus.NewRegistry(),
		end:      prometheus.NewGauge(gauge("import_last_end_timestamp_seconds", "When the last import ended.")),
		failures: prometheus.NewGauge(gauge("import_failed",
			"1 where the last import was refused or broken off, else 0.")),
		seconds: prometheus.NewGaugeVec(gauge("import_duration_seconds", "What the last import of a shop took."),
			[]string{"shop"}),
		records: prometheus.NewGaugeVec(gauge("import_records",
			"Records of the last import of a shop, by what became of them."),
			[]string{"shop", "outcome"}),
	}
	m.registry.MustRegister(m.end, m.failures, m.seconds, m.records)
	return m
}

// add counts an imported bundle.
func (m *importMetrics) add(summary bundle.Summary, took time.Duration) {
	m.seconds.WithLabelValues(summary.Domain).Set(took.Seconds())
	for _, section := range summary.Sections {
		for outcome, n := range map[string]int{
			"created": section.Created, "updated": section.Updated, "unchanged": section.Unchanged,
		} {
			m.records.WithLabelValues(summary.Domain, outcome).Add(float64(n))
		}
	}
}

// failed writes the file of an import that failed.
func (m *importMetrics) failed(file string) error {
	m.failures.Set(1)
	return m.write(file)
}

// write writes the file atomically, unless its name is empty.
func (m *importMetrics) write(file string) error {
	if file == "" {
		return nil
	}
	m.end.SetToCurrentTime()
	return prometheus.WriteToTextfile(file, m.registry)
}
