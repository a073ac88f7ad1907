package account

import (
	"log/slog"
	"sync"
	"time"

	"storefront/internal/message/sms"
)

const (
	failuresOfOutage = 3 // in a row; then the provider is out of order
	probePause       = 30 * time.Second
	mostOutages      = 1000 // remembered outages
)

// outages records where the SMS provider is out of order. Failures count for each country on their own, as
// anybody can request a code for a country that the provider does not serve. A failure that blames the
// settings may be caused by the number as well; it counts only for the network that requested the code, or
// one client could switch off codes for everybody.
type outages struct {
	clock func() time.Time
	log   *slog.Logger

	mu    sync.Mutex
	known map[outageArea]*outage
}

// outageArea is the extent of an outage: a country, and the network of clients if it is limited to one.
type outageArea struct{ country, network string }

type outage struct {
	failures int
	probed   time.Time // when the last message was tried while the provider was out of order
}

// areasOf returns the areas whose outages affect a message.
func areasOf(cell, network string) []outageArea {
	country := cell[:min(len("+98"), len(cell))] // its country, perhaps with some neighbours
	return []outageArea{{country, ""}, {country, network}}
}

// holds reports whether an outage affects messages to a cell for a network. Once in every probePause it
// reports false, so that one message is tried.
func (o *outages) holds(cell, network string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, area := range areasOf(cell, network) {
		out := o.known[area]
		if out != nil && out.failures >= failuresOfOutage && o.clock().Before(out.probed.Add(probePause)) {
			return true
		}
	}
	return false
}

func (o *outages) tries(m outgoing) {
	o.each(m, func(_ outageArea, out *outage) { out.probed = o.clock() })
}

// works notes that the provider takes messages.
func (o *outages) works(m outgoing) {
	o.each(m, func(area outageArea, out *outage) {
		if out.failures >= failuresOfOutage {
			o.log.Info("the SMS provider takes codes again", "country", area.country, "network", area.network)
		}
		delete(o.known, area)
	})
}

// each calls f for the known outages that affect a message.
func (o *outages) each(m outgoing, f func(outageArea, *outage)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, area := range areasOf(m.To, m.network) {
		if out := o.known[area]; out != nil {
			f(area, out)
		}
	}
}

// fails notes that the provider refused a message tried at a time, for a reason that will stop the next one as well.
func (o *outages) fails(m outgoing, kind sms.Kind, tried time.Time) {
	area := areasOf(m.To, "")[0]
	if kind == sms.Config {
		area.network = m.network
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	out := o.known[area]
	if out == nil {
		if len(o.known) >= mostOutages { // they will be noticed again
			clear(o.known)
		}
		out = &outage{}
		o.known[area] = out
	}
	if out.failures++; out.failures == failuresOfOutage {
		out.probed = tried
		o.log.Error("the SMS provider is out of order: codes are not offered",
			"country", area.country, "network", area.network, "kind", kind)
	}
}
