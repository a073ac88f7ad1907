package account

import (
	"log/slog"
	"sync"
	"time"

	"storefront/internal/sms"
)

const (
	failuresOfOutage = 3 // in a row; then the provider is out of order
	probePause       = 30 * time.Second
	mostOutages      = 1000 // that are kept
)

// outages know where the SMS provider is out of order, for whom: numbers of each country have their own
// failures, as anybody can name a number of a country that the provider does not serve. A failure that says
// the settings are wrong may be about the number as well, whatever the provider calls it; so it counts for
// the network alone from which the code was asked for, or one client could switch codes off for everybody.
type outages struct {
	clock func() time.Time
	log   *slog.Logger

	mu    sync.Mutex
	known map[outagePlace]*outage
}

// outagePlace is where an outage is: a country, and a network of clients where it concerns no other.
type outagePlace struct{ country, network string }

// outage are failures in a row.
type outage struct {
	failures int
	probed   time.Time // when the last message was tried while the provider was out of order
}

// placesOf returns the places whose failures concern a message.
func placesOf(cell, network string) []outagePlace {
	country := cell[:min(len("+98"), len(cell))] // the code of its country, if not of some neighbours too
	return []outagePlace{{country, ""}, {country, network}}
}

// holds reports whether the provider is known not to take messages to a cell that a network asks for. Every
// probePause it is false, so that one message tries.
func (o *outages) holds(cell, network string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, place := range placesOf(cell, network) {
		out := o.known[place]
		if out != nil && out.failures >= failuresOfOutage && o.clock().Before(out.probed.Add(probePause)) {
			return true
		}
	}
	return false
}

// tries notes that a message is tried.
func (o *outages) tries(m outgoing) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, place := range placesOf(m.To, m.network) {
		if out := o.known[place]; out != nil {
			out.probed = o.clock()
		}
	}
}

// works notes that the provider takes messages.
func (o *outages) works(m outgoing) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, place := range placesOf(m.To, m.network) {
		if out := o.known[place]; out != nil && out.failures >= failuresOfOutage {
			o.log.Info("the SMS provider takes codes again", "country", place.country, "network", place.network)
		}
		delete(o.known, place)
	}
}

// fails notes that the provider did not take a message that was tried at a time, for a reason that will
// stop the next one as well.
func (o *outages) fails(m outgoing, kind sms.Kind, tried time.Time) {
	place := placesOf(m.To, "")[0]
	if kind == sms.Config {
		place.network = m.network
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	out := o.known[place]
	if out == nil {
		if len(o.known) >= mostOutages { // they are found out again
			clear(o.known)
		}
		out = &outage{}
		o.known[place] = out
	}
	if out.failures++; out.failures == failuresOfOutage {
		out.probed = tried
		o.log.Error("the SMS provider is out of order: codes are not offered",
			"country", place.country, "network", place.network, "kind", kind)
	}
}
