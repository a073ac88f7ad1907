package contract_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/internal/tenancy"
)

// leave sends a request to a path below /api/v1 and hangs up when ctx ends.
func (d door) leave(ctx context.Context, t testing.TB, path, body string) {
	request, err := http.NewRequestWithContext(ctx, "POST", d.url+"/api/v1"+path, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return
	}
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(d.headers); i += 2 {
		request.Header.Set(d.headers[i], d.headers[i+1])
	}
	if response, err := http.DefaultTransport.RoundTrip(request); err == nil {
		response.Body.Close()
	}
}

// TestOrderCut cuts a checkout while the same request, with the same Idempotency-Key, waits beside it, as a
// phone's second try does: together they make one order, and none that was made before is given as theirs.
func TestOrderCut(t *testing.T) {
	eachRace(t, func(t *testing.T, first, _ *accounts) {
		const times = 8
		s := crowd(t, 1, first)[0]
		wrong := map[string]int{}
		for n := range times * *rounds {
			s.right(t, "AddCartItem", adding("W-1", 1))
			before := s.right(t, "Checkout", toHome).order(t).ID
			s.right(t, "AddCartItem", adding("W-1", 1))
			keyed := s
			keyed.door = s.key(fmt.Sprintf("cut-%d", n))
			got := together(2, func(i int) reply {
				if i == 0 {
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+n%24)*500*time.Microsecond)
					defer cancel()
					keyed.leave(ctx, t, "/businesses/"+s.business+"/cart/checkout", s.named(t, toHome))
					return reply{}
				}
				return keyed.ask(t, "Checkout", toHome)
			})[1]
			again := keyed.ask(t, "Checkout", toHome)
			switch {
			case got.code != "" || again.code != "":
				wrong["refused: "+got.code+", "+again.code]++
			case got.order(t).ID == before:
				wrong["the order before it"]++
			case again.order(t).ID != got.order(t).ID:
				wrong["two orders"]++
			}
			if is := s.quantities(t); is != "" {
				wrong["the cart is full"]++
				s.right(t, "ClearCart", "")
			}
		}
		made := first.store.Client.Order.Query().CountX(tenancy.In(t.Context(), uuid.MustParse(s.business)))
		if made != 2*times*(*rounds) || len(wrong) > 0 {
			t.Errorf("%v of %d; %d orders, want %d", wrong, times*(*rounds), made, 2*times*(*rounds))
		}
		if counted := countedBy(t, first.service.Registry())["orders_placed_total"]; int(counted) != made {
			t.Errorf("%v orders are counted, and there are %d", counted, made)
		}
	})
}
