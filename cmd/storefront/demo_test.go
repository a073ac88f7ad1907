package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"storefront/ent/tenant"
	"storefront/internal/contract/money/audit"
	"storefront/internal/database/store/storetest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// visitor is a signed-in customer of a running service.
type visitor struct {
	url, token string
}

// signIn signs in with the body that the first start printed.
func signIn(t testing.TB, url, body string) visitor {
	t.Helper()
	response, err := http.Post(url+"/api/v1/auth/login", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	var session struct{ AccessToken string }
	if text := readAll(t, response.Body); json.Unmarshal([]byte(text), &session) != nil || session.AccessToken == "" {
		t.Fatalf("no session: %d %s", response.StatusCode, text)
	}
	return visitor{url, session.AccessToken}
}

// see decodes the answer to a GET below /api/v1 into v.
func (w visitor) see(t testing.TB, path string, v any) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.url+"/api/v1"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+w.token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	text := readAll(t, response.Body)
	if err := json.Unmarshal([]byte(text), v); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s", path, response.StatusCode, text)
	}
}

// shown is an order as its customer sees it.
type shown struct {
	ID, Status string
	Items      []struct{ LineTotal json.Number }
	Payment    struct{ Type, PosType, TransferAccount, TransferRefNumber, GatewayType, Notes string }
	History    []struct{ Status string }
}

// TestDemoOrders checks that the orders of the demo could have come about, and that staff find some of each
// status, of each month of half a year, and some to be refunded.
func TestDemoOrders(t *testing.T) {
	t.Parallel()
	withOrders.Each(t, func(t *testing.T, database string) {
		s := storetest.Open(t, database)
		units, err := audit.Units(t.Context(), s.Client)
		if err == nil {
			err = audit.Check(t.Context(), s.Client, units)
		}
		if err != nil {
			t.Error(err)
		}
		for domain, want := range map[string]int{"sanat-mashin.example": 150, "paperlane.example": 500,
			"memar-novin.example": 0} {
			shop := tenancy.In(t.Context(), s.Client.Tenant.Query().Where(tenant.Domain(domain)).OnlyIDX(t.Context()))
			found, months := map[string]int{}, map[string]bool{}
			all := s.Client.Order.Query().WithPayments().AllX(shop)
			for _, o := range all {
				found[string(o.Status)]++
				found[string(o.Status)+" and "+string(o.Edges.Payments[0].Status)]++
				months[o.CreatedAt.Format("2006-01")] = true
			}
			if len(all) != want || want > 0 && len(months) < 6 {
				t.Errorf("%s: got %d orders of %d months, want %d of 6", domain, len(all), len(months), want)
			}
			for _, status := range append(record.OrderStatus("").Values(), "cancelled and paid") {
				if (found[status] > 0) != (want > 0) {
					t.Errorf("%s: got %d orders that are %s", domain, found[status], status)
				}
			}
		}
	})
}

// TestDemoCustomer signs in as the demo customer, after a second start too, and checks cart, orders and
// favorites.
func TestDemoCustomer(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		ctx, stop := context.WithCancel(t.Context())
		first := serving(t, ctx, on(database), "--demo")
		stop()
		printed := printedJSON.FindStringSubmatch(first.ends(t))
		ctx, stop = context.WithCancel(t.Context())
		again := serving(t, ctx, on(database), "--demo")
		customer := signIn(t, again.url, printed[1])
		var addresses struct{ Items []struct{ City string } }
		customer.see(t, "/auth/addresses", &addresses)
		if len(addresses.Items) != 1 {
			t.Errorf("addresses %v", addresses)
		}
		customer.looksAt(t, "sanat-mashin.example", 9, string(record.InsufficientStock))
		customer.looksAt(t, "paperlane.example", 11, string(record.PriceChanged))
		customer.looksAt(t, "memar-novin.example", 0, "")
		stop()
		again.ends(t)
	})
}

// looksAt checks the customer's data at a shop: the given number of orders, a cart with a warning on its last
// line, and five favorites, one of them no longer published. In a shop without orders the customer has none
// of these.
func (w visitor) looksAt(t *testing.T, domain string, orders int, warning string) {
	t.Helper()
	var shop struct{ ID string }
	w.see(t, "/tenants/"+domain, &shop)
	base := "/businesses/" + shop.ID
	var cart struct {
		Cart struct{ Items []struct{ Warning *string } }
	}
	w.see(t, base+"/cart", &cart)
	var kept struct {
		Items []struct{ Product *struct{ Slug string } }
	}
	w.see(t, base+"/favorites", &kept)
	if lines := cart.Cart.Items; orders == 0 && len(lines)+len(kept.Items) > 0 {
		t.Errorf("%s: cart %v, favorites %v", domain, lines, kept)
	} else if orders > 0 {
		if len(lines) != 3 || lines[0].Warning != nil || lines[1].Warning != nil || lines[2].Warning == nil ||
			*lines[2].Warning != warning {
			t.Errorf("%s: cart %v", domain, lines)
		}
		if n := len(kept.Items); n != 5 || kept.Items[n-1].Product != nil || kept.Items[0].Product == nil {
			t.Errorf("%s: favorites %v", domain, kept)
		}
	}
	w.ordered(t, domain, base, orders)
}

// ordered checks that the orders cover every status and payment type, with the fields of the type, and that
// one of them has fifty lines.
func (w visitor) ordered(t *testing.T, domain, base string, want int) {
	t.Helper()
	total, longest, types := 0, 0, map[string]bool{}
	for _, status := range record.OrderStatus("").Values() {
		var page struct {
			Items []shown
			Total int
		}
		w.see(t, fmt.Sprintf("%s/orders?status=%s", base, status), &page)
		if (page.Total == 0) != (want == 0) {
			t.Errorf("%s: %d are %s", domain, page.Total, status)
		}
		total += page.Total
		for _, o := range page.Items {
			var one struct{ Order shown }
			w.see(t, base+"/orders/"+o.ID, &one)
			history, paid := one.Order.History, one.Order.Payment
			if one.Order.Status != status || history[0].Status != "pending" ||
				history[len(history)-1].Status != status {
				t.Errorf("%s: %s: %v", domain, status, one)
			}
			named := map[string]string{
				"pos": paid.PosType, "cash": paid.Notes, "transfer": paid.TransferAccount,
				"e_payment_gate": paid.GatewayType,
			}[paid.Type]
			if named == "" || (paid.Type == "transfer") != (paid.TransferRefNumber != "") {
				t.Errorf("%s: payment %v", domain, paid)
			}
			types[paid.Type] = true
			longest = max(longest, len(o.Items))
		}
	}
	if total != want || want > 0 && (len(types) != 4 || longest != 50) {
		t.Errorf("%s: %d orders, want %d, paid by %v, of %d lines at most", domain, total, want, types, longest)
	}
}
