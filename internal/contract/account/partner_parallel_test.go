package account_test

import (
	"fmt"
	"sync"
	"testing"
)

// atOnce makes calls in parallel and counts their answers.
func atOnce(calls int, call func(n int) outcome) map[outcome]int {
	var counts sync.Mutex
	var running sync.WaitGroup
	begin := make(chan struct{})
	got := map[outcome]int{}
	for n := range calls {
		running.Go(func() {
			<-begin
			answered := call(n)
			if answered.ok() {
				answered.serverID = ""
			}
			counts.Lock()
			got[answered]++
			counts.Unlock()
		})
	}
	close(begin)
	running.Wait()
	return got
}

// wantCounts checks how many calls were sent and how many were limited, and that the provider was called
// for no others.
func (g *gateway) wantCounts(t testing.TB, got map[outcome]int, sent, refused int) {
	t.Helper()
	if len(got) != 2 || got[outcome{status: 200}] != sent || got[full(60)] != refused {
		t.Errorf("answers %v, want %d sent and %d refused", got, sent, refused)
	}
	if n, booked, records := g.provider.Requests(), g.booked(t), len(g.records(t)); n != sent ||
		booked != 2*sent || records != sent {
		t.Errorf("%d calls of the provider, %d events, %d records; want %d, %d, %d", n, booked, records, sent,
			2*sent, sent)
	}
}

// TestPartnerParallelCalls makes 300 calls of one key, through both APIs of two services over one database.
func TestPartnerParallelCalls(t *testing.T) {
	eachGateway(t, func(t *testing.T, g *gateway) {
		services := []*gateway{g, g.instance(t)}
		got := atOnce(300, func(n int) outcome {
			return smsAPIs[n/2%2].send(services[n%2], t, g.key, message(apex, number(n), hello))
		})
		g.wantCounts(t, got, 30, 270)
	})
}

// TestPartnerParallelCallsOfOneNumber makes 100 calls of ten partners to one number.
func TestPartnerParallelCallsOfOneNumber(t *testing.T) {
	eachGateway(t, func(t *testing.T, g *gateway) {
		services := []*gateway{g, g.instance(t)}
		var keys, domains []string
		for i := range 10 {
			domains = append(domains, fmt.Sprintf("partner%d.example", i))
			keys = append(keys, g.keyOf(t, domains[i]))
		}
		forms := []string{"0", "", "+98", "98"}
		got := atOnce(100, func(n int) outcome {
			return smsAPIs[n/2%2].send(services[n%2], t, keys[n%10],
				message(domains[n%10], forms[n%4]+mobile[1:], hello))
		})
		g.wantCounts(t, got, 5, 95)
	})
}
