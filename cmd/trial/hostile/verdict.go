package hostile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"storefront/cmd/internal/customer"
)

// bounds are what a trial must keep to.
type bounds struct {
	slowest time.Duration // 99 of 100 honest requests that are not told to come again
	refused float64       // share of honest requests that are
	growth  float64       // of memory
}

// verdict is what a trial has shown.
type verdict struct {
	*trial
	lasted              time.Duration
	before, peak, after int64 // bytes of memory
	settled             time.Duration
	log                 []byte
	books               error
}

// print writes all figures and returns what is beyond bounds.
func (v verdict) print() error {
	fmt.Fprintf(v.out, "\n%s: %d requests in %s\n", v.Kind, v.tallies.Requests(), v.lasted.Round(time.Second))
	table := tabwriter.NewWriter(v.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\trequests\tp50\tp99\tanswers")
	for _, name := range v.tallies.Names() {
		counts := v.tallies.Of(name)
		fmt.Fprintf(table, "%s\t%d\t%s\t%s\t%s\n", name, counts.Requests(), round(counts.Quantile(0.5)),
			round(counts.Quantile(0.99)), counts)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	customers, _ := v.tallies.Together(honest)
	fmt.Fprintf(v.out, "%s together: %d requests, p50 %s, p99 %s\n", honest, customers.Requests(),
		round(customers.Quantile(0.5)), round(customers.Quantile(0.99)))
	for i, n := range v.newcomers {
		fmt.Fprintf(v.out, "newcomer %d: signed up %d times, %s at most until a code was used, %d times told 429\n", i+1,
			n.signedUp, n.slowest.Round(time.Millisecond), n.refused)
	}
	const mb = 1 << 20
	fmt.Fprintf(v.out, "memory: %d MB before, %d MB at most, %d MB %s later (%.2f times)\n",
		v.before/mb, v.peak/mb, v.after/mb, v.settled.Round(time.Second), v.growth())
	return v.judge()
}

// growth is the memory afterwards as a multiple of the memory before.
func (v verdict) growth() float64 { return float64(v.after) / float64(max(v.before, 1)) }

// judge returns what is beyond bounds.
func (v verdict) judge() error {
	failed := []error{v.books}
	fail := func(beyond bool, format string, args ...any) {
		if beyond {
			failed = append(failed, fmt.Errorf(format, args...))
		}
	}
	for _, name := range v.tallies.Names() {
		for _, broken := range v.tallies.Of(name).Broken() {
			fail(true, "%s: %s", name, broken)
		}
	}
	for i, n := range v.newcomers {
		fail(n.signedUp == 0 && v.lasted > longestCode || n.refused > 0,
			"newcomer %d signed up %d times and was told 429 %d times for what others did", i+1, n.signedUp,
			n.refused)
	}
	customers, _ := v.tallies.Together(honest)
	p99, lost, again := customers.Quantile(0.99), customers.Share(0), customers.Share(429, 503)
	fail(p99 > v.bounds.slowest, "honest customers waited %s, more than %s", round(p99), v.bounds.slowest)
	fail(lost > 0.01, "%.1f%% of honest requests got no answer", 100*lost)
	fail(again > v.bounds.refused, "%.1f%% of honest requests were told to come again", 100*again)
	fail(v.growth() > v.bounds.growth, "memory is %.2f times that before, %s after the attacks", v.growth(),
		v.settled.Round(time.Second))
	n, first := errorsIn(v.log)
	fail(n > 0, "the log has %d errors, the first is %s", n, first)
	return errors.Join(failed...)
}

// errorsIn counts the errors in a log.
func errorsIn(log []byte) (n int, first string) {
	for line := range bytes.Lines(log) {
		var record struct{ Level string }
		if json.Unmarshal(line, &record) != nil || record.Level == "ERROR" { // a panic is no record
			if n++; n == 1 {
				first = customer.Short(line)
			}
		}
	}
	return n, first
}

// round cuts a time to what matters.
func round(d time.Duration) time.Duration { return d.Round(100 * time.Microsecond) }
