package cart_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
)

// leave sends a request to a path below /api/v1 and hangs up when ctx ends.
func leave(d shoptest.API, ctx context.Context, t testing.TB, path, body string) {
	request, err := http.NewRequestWithContext(ctx, "POST", d.URL+"/api/v1"+path, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return
	}
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(d.Headers); i += 2 {
		request.Header.Set(d.Headers[i], d.Headers[i+1])
	}
	if response, err := http.DefaultTransport.RoundTrip(request); err == nil {
		response.Body.Close()
	}
}

// TestOrderCut interrupts a checkout while the same request with the same Idempotency-Key waits, like the
// second try of a phone. Together they must make one order, and must not return an earlier one.
func TestOrderCut(t *testing.T) {
	shoptest.EachRace(t, func(t *testing.T, first, _ *shoptest.Accounts) {
		const times = 8
		s := shoptest.Crowd(t, 1, first)[0]
		wrong := map[string]int{}
		for n := range times * *shoptest.Rounds {
			s.Right(t, "AddCartItem", shoptest.Adding("W-1", 1))
			before := s.Right(t, "Checkout", shoptest.ToHome).Order(t).ID
			s.Right(t, "AddCartItem", shoptest.Adding("W-1", 1))
			keyed := s
			keyed.API = s.Key(fmt.Sprintf("cut-%d", n))
			got := shoptest.Together(2, func(i int) shoptest.Reply {
				if i == 0 {
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+n%24)*500*time.Microsecond)
					defer cancel()
					leave(keyed.API, ctx, t, "/businesses/"+s.Business+"/cart/checkout", s.Named(t, shoptest.ToHome))
					return shoptest.Reply{}
				}
				return keyed.Ask(t, "Checkout", shoptest.ToHome)
			})[1]
			again := keyed.Ask(t, "Checkout", shoptest.ToHome)
			switch {
			case got.Code != "" || again.Code != "":
				wrong["refused: "+got.Code+", "+again.Code]++
			case got.Order(t).ID == before:
				wrong["the order before it"]++
			case again.Order(t).ID != got.Order(t).ID:
				wrong["two orders"]++
			}
			if is := s.Quantities(t); is != "" {
				wrong["the cart is full"]++
				s.Right(t, "ClearCart", "")
			}
		}
		made := first.Store.Client.Order.Query().CountX(tenancy.In(t.Context(), uuid.MustParse(s.Business)))
		if made != 2*times*(*shoptest.Rounds) || len(wrong) > 0 {
			t.Errorf("%v of %d; %d orders, want %d", wrong, times*(*shoptest.Rounds), made,
				2*times*(*shoptest.Rounds))
		}
		if counted := shoptest.CountedBy(t, first.Service.Registry())["orders_placed_total"]; int(counted) != made {
			t.Errorf("got %v orders counted, want %d", counted, made)
		}
	})
}
