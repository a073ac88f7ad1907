package server

import (
	"fmt"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// TestBusyShopsAreFew counts more shops than are shown, and than are counted.
func TestBusyShopsAreFew(t *testing.T) {
	now := time.Unix(600, 0)
	b := newBusyShops(func() time.Time { return now })
	b.count("loud.example", false, 3*time.Second)
	b.count("loud.example", false, 3*time.Second)
	b.count("broken.example", true, time.Millisecond)
	for i := range 11 {
		b.count("unlucky.example", i == 0, time.Millisecond)
	}
	for i := range 2 * countedShops {
		b.count(fmt.Sprintf("shop%d.example", i), false, time.Millisecond)
	}
	if len(b.now) != countedShops {
		t.Errorf("%d shops are counted", len(b.now))
	}
	if found := gathered(t, b); len(found) != 0 {
		t.Errorf("of a minute that is not over: %v", found)
	}
	now = now.Add(time.Minute)
	if found := gathered(t, b); len(found) != 2*shownShops+1 || found["shop_requests loud.example"] != 2 ||
		found["shop_database_seconds loud.example"] != 6 || found["shop_failures broken.example"] != 1 {
		t.Error(found)
	}
	now = now.Add(2 * time.Minute)
	if found := gathered(t, b); len(found) != 0 {
		t.Errorf("after two minutes: %v", found)
	}
}

// gathered returns the values of gauges by name and first label.
func gathered(t testing.TB, from prometheus.Collector) map[string]float64 {
	t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(from)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]float64{}
	for _, family := range families {
		for _, m := range family.Metric {
			found[family.GetName()+" "+m.Label[0].GetValue()] = m.Gauge.GetValue()
		}
	}
	return found
}
