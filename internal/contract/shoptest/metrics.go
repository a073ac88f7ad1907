package shoptest

import (
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

// CountedBy returns the values of counters by their name and the values of their labels, in the order of the
// labels' names.
func CountedBy(t *testing.T, registry *prometheus.Registry) map[string]float64 {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	counted := map[string]float64{}
	for _, family := range families {
		for _, m := range family.Metric {
			name := family.GetName()
			for _, label := range m.Label {
				name += " " + label.GetValue()
			}
			counted[name] = m.Counter.GetValue()
		}
	}
	return counted
}
