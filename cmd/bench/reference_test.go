package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"storefront/cmd/bench/load"
	"storefront/cmd/bench/reference"
	"storefront/cmd/internal/stage"
	"storefront/internal/testkit/testdb"
)

// byHandOver starts the hand-written reference over a database.
func byHandOver(t testing.TB, database string) *stage.Server {
	hand := reference.NewHand(database, keyOfTests)
	t.Cleanup(func() { hand.Close() })
	return &stage.Server{Addr: listening(t, hand.Handler())}
}

// TestHandGivesTheSameBytes compares service and reference on everything that bench requests, all pages
// included.
func TestHandGivesTheSameBytes(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		service := &stage.Server{Addr: served(t, database)}
		hand := byHandOver(t, database)
		s := generated(2000)
		for _, o := range s.operations(t.Context(), service) {
			sameBytes(t.Context(), service, hand, o)
			if o.name == "list" && len(o.targets) != firstPages {
				t.Errorf("%d pages of the list", len(o.targets))
			}
		}
	})
}

// TestHandBuysTheSame lets two customers with equal carts buy the same, one at the service and one at the
// reference. Both must get the same answers, and the rows written must be the same.
func TestHandBuysTheSame(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		importShop(t, database)
		c := gather(t.Context(), database, shopOfTests, keyOfTests, 2*lines*spread)
		defer c.store.Close()
		ways := []func([]load.Request) []load.Request{slices.Clone[[]load.Request]}
		if c.store.Dialect == dialect.Postgres {
			ways = append(ways, gathered)
		}
		const one, other = 7, 7 + lines*spread // both have the same variants in their carts, and add the same one
		service, hand := listening(t, serviceOver(t, database)), byHandOver(t, database).Addr
		for _, way := range ways {
			for _, step := range []struct {
				name, carts string
				requests    []load.Request
			}{
				{"the first line of an empty cart", "", c.adds()},
				{"one more of a line", fullCarts, c.adds()},
				{"a checkout", fullCarts, c.checkouts()},
				{"a checkout of a cart with the hot variant", hotCarts, c.checkouts()},
			} {
				c.fill(t.Context(), step.carts)
				was := c.stocks(t)
				ours := buy(t, service, step.requests[one])
				taken, now := c.taken(t, was), c.stocks(t)
				theirs := buy(t, hand, way(step.requests)[other])
				if !reflect.DeepEqual(ours, theirs) {
					t.Errorf("%s: the service answers\n%v\nthe reference\n%v", step.name, ours, theirs)
				}
				if also := c.taken(t, now); !reflect.DeepEqual(taken, also) {
					t.Errorf("%s: the service takes %v from the stock, the reference %v", step.name, taken, also)
				}
				if ours, theirs := c.rows(t, one), c.rows(t, other); !reflect.DeepEqual(ours, theirs) {
					t.Errorf("%s: the service leaves\n%s\nthe reference\n%s", step.name, strings.Join(ours, "\n"),
						strings.Join(theirs, "\n"))
				}
			}
		}
	})
}

// buy sends a request and returns the answer without members that differ between any two purchases.
func buy(t *testing.T, addr string, r load.Request) any {
	t.Helper()
	request := asHTTP(r)
	request.RequestURI, request.URL.Scheme, request.URL.Host = "", "http", addr
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var answer any
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || response.StatusCode != r.Status {
		t.Fatalf("%s: %v %v", response.Status, answer, err)
	}
	return without(answer, "id", "orderNumber", "createdAt", "updatedAt", "at")
}

// without removes members from an answer, at every depth.
func without(v any, names ...string) any {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range names {
			delete(v, name)
		}
		for _, member := range v {
			without(member, names...)
		}
	case []any:
		for _, element := range v {
			without(element, names...)
		}
	}
	return v
}

// ofCustomer are statements that read the rows that a customer's purchases write.
var ofCustomer = []string{
	"SELECT * FROM carts WHERE user_id = $1",
	"SELECT * FROM cart_items WHERE cart_id IN (SELECT id FROM carts WHERE user_id = $1)",
	"SELECT * FROM orders WHERE user_id = $1",
	"SELECT * FROM order_items WHERE order_id IN (SELECT id FROM orders WHERE user_id = $1) ORDER BY id",
	"SELECT * FROM payments WHERE order_id IN (SELECT id FROM orders WHERE user_id = $1)",
	"SELECT * FROM order_events WHERE order_id IN (SELECT id FROM orders WHERE user_id = $1)",
}

// newColumns are columns that differ between any two purchases.
var newColumns = map[string]bool{"id": true, "created_at": true, "updated_at": true, "at": true, "order_number": true,
	"pay_code": true, "user_id": true, "cart_id": true, "order_id": true, "last_order_id": true, "last_checkout": true,
	"checked_out_at": true}

// rows returns the rows of a customer, without newColumns.
func (c *crowd) rows(t *testing.T, customer int) (all []string) {
	t.Helper()
	for _, query := range ofCustomer {
		rows, err := c.store.Client.QueryContext(t.Context(), query, numbered(customer))
		if err != nil {
			t.Fatal(err)
		}
		names, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		values, into := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		for rows.Next() {
			if err := rows.Scan(into...); err != nil {
				t.Fatal(err)
			}
			row := query + ":"
			for i, name := range names {
				if !newColumns[name] {
					row += fmt.Sprintf(" %s=%s", name, asText(values[i]))
				} else if values[i] == nil {
					row += " " + name + " is null"
				}
			}
			all = append(all, row)
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func asText(v any) string {
	if text, ok := v.([]byte); ok {
		return "bytes " + string(text)
	}
	return fmt.Sprintf("%T %v", v, v)
}

// stocks returns the units of each variant.
func (c *crowd) stocks(t *testing.T) map[string]int {
	t.Helper()
	rows, err := c.store.Client.QueryContext(t.Context(), "SELECT id, stock FROM variants")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	all := map[string]int{}
	for rows.Next() {
		var id string
		var stock int
		if err := rows.Scan(&id, &stock); err != nil {
			t.Fatal(err)
		}
		all[id] = stock
	}
	return all
}

// taken returns how many units of each variant were sold.
func (c *crowd) taken(t *testing.T, was map[string]int) map[string]int {
	t.Helper()
	gone := map[string]int{}
	for id, now := range c.stocks(t) {
		if now != was[id] {
			gone[id] = was[id] - now
		}
	}
	return gone
}
