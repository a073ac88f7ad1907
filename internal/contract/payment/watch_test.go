package payment_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
)

// TestSlowGateway has a gateway that does not answer: it is called for at most five payments at the same time, and
// another gateway is called for its own payments meanwhile.
func TestSlowGateway(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		d.Crew = &shoptest.Crew{Accounts: d.Instance(t, func(o *app.Options) {
			d.settings(o)
			o.GatewayTime = 600 // the loop does not rest for seconds
		}), Tools: d.Tools, Mugs: d.Mugs}
		d.Shopper = d.REST().Shopper(t, 2)
		slow, answers, quick := make(chan bool, 20), make(chan bool), make(chan bool, 20)
		d.zibal.answering = func(r *http.Request) {
			if strings.Contains(r.URL.Path, "inquiry") {
				slow <- true
				select {
				case <-answers:
				case <-r.Context().Done():
					quick <- false
				}
			}
		}
		d.zarinpal.answering = func(r *http.Request) {
			if strings.Contains(r.URL.Path, "inquiry") {
				quick <- true
			}
		}
		for range 6 {
			d.begin(t, d.buys(t), d.zibal)
		}
		d.Clock.Pass(time.Second)
		ctx, stop := context.WithCancel(t.Context())
		var loop sync.WaitGroup
		loop.Go(func() { d.Service.PayLoop(ctx) })
		for range 5 {
			<-slow
		}
		d.begin(t, d.buys(t), d.zarinpal)
		d.Clock.Pass(time.Second)
		if !<-quick {
			t.Error("a gateway is asked only when another has answered")
		}
		if len(slow) > 0 {
			t.Error("a gateway that does not answer is asked about a sixth payment")
		}
		close(answers)
		<-slow
		stop()
		loop.Wait()
	})
}
