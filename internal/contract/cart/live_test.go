package cart_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
	"storefront/internal/shop/staff"
)

const (
	ownUpdates = `subscription($shop: ID!, $order: ID!, $after: String) {
		orderUpdates(businessId: $shop, orderId: $order, after: $after) {
			id type at order { id status payment { status } } } }`
	shopUpdates = `subscription($domain: String!, $after: String) {
		shopOrderUpdates(domain: $domain, after: $after) {
			id type order { order { id status } customer { id } } } }`
	toolsDomain = "tools.example"
)

// streamEvent is one server-sent event of a subscription.
type streamEvent struct {
	ID, Event string
	shoptest.Answered
}

// update is an update of either subscription. That of staff has the order one level deeper.
type update struct {
	ID   string
	Type string
	At   string
	In   struct {
		ID, Status string
		Payment    struct{ Status string }
		Order      struct{ ID, Status string }
		Customer   *struct{ ID string }
	} `json:"order"`
}

// update returns the update in an event, which must have no error.
func (h streamEvent) update(t testing.TB) (u update) {
	t.Helper()
	if h.Event != "next" || len(h.Errors) > 0 {
		t.Fatalf("got %+v, want an update", h)
	}
	for _, field := range h.Data {
		if err := json.Unmarshal(field, &u); err != nil {
			t.Fatalf("%v: %s", err, field)
		}
	}
	if u.ID != h.ID {
		t.Errorf("the event %s has the id %s", h.ID, u.ID)
	}
	return u
}

// listening is a running subscription.
type listening struct {
	*http.Response
	events chan streamEvent // is closed at the end
}

// subscribe sends an operation to /graphql/stream.
func subscribe(t testing.TB, at shoptest.API, document string, variables shoptest.Members,
	headers ...string) *listening {
	t.Helper()
	body, _ := json.Marshal(map[string]any{"query": document, "variables": variables})
	request, err := http.NewRequestWithContext(t.Context(), "POST", at.URL+"/graphql/stream",
		strings.NewReader(string(body)))
	if err != nil {
		t.Fatal(err)
	}
	headers = append([]string{"Content-Type", "application/json", "Accept", "text/event-stream"},
		append(at.Headers, headers...)...)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	l := &listening{response, make(chan streamEvent, 1000)}
	go func() {
		defer close(l.events)
		var one streamEvent
		lines := bufio.NewScanner(response.Body)
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ":")
			value = strings.TrimPrefix(value, " ")
			switch {
			case name == "id":
				one.ID = value
			case name == "event":
				one.Event = value
			case name == "data" && value != "":
				_ = json.Unmarshal([]byte(value), &one.Answered) // the test finds no data then
			case lines.Text() == "" && one.Event != "":
				l.events <- one
				one = streamEvent{}
			}
		}
	}()
	return l
}

// next waits for an event; its Event is empty at the end.
func (l *listening) next(t testing.TB) streamEvent {
	t.Helper()
	select {
	case one := <-l.events:
		return one
	case <-time.After(20 * time.Second):
		t.Fatal("no event came")
		return streamEvent{}
	}
}

// ends reports whether the subscription has ended without another update.
func (l *listening) ends(t testing.TB) bool {
	t.Helper()
	return l.next(t).Event == "complete" && l.next(t).Event == ""
}

// shopUpdate returns the next update of shopOrderUpdates: type, id and status of the order.
func (l *listening) shopUpdate(t testing.TB) string {
	t.Helper()
	u := l.next(t).update(t)
	return fmt.Sprintf("%s %s %s", u.Type, u.In.Order.ID, u.In.Order.Status)
}

// moves changes the status of an order.
func moves(t testing.TB, s shoptest.Shopper, order string, to record.OrderStatus) {
	t.Helper()
	if code := s.Moved(t, order, to); code != "" {
		t.Fatal(code)
	}
}

// TestSubscriptionsGetOrderEvents places and moves orders at two servers, with subscriptions at both.
func TestSubscriptionsGetOrderEvents(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		other := c.Instance(t)
		owner, buyer := c.Staff(t, c.Tools, record.Owner), c.GraphQL().Shopper(t, 1)
		there := owner
		there.API = other.GraphQL().With(owner.Access)
		variables := shoptest.Members{"domain": toolsDomain}
		here, far := subscribe(t, owner.API, shopUpdates, variables), subscribe(t, there.API, shopUpdates, variables)
		for _, l := range []*listening{here, far} {
			if l.StatusCode != 200 || !strings.HasPrefix(l.Header.Get("Content-Type"), "text/event-stream") ||
				l.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("got %d %v", l.StatusCode, l.Header)
			}
			if u := l.next(t).update(t); u.ID == "" || u.Type != "" || u.In.Order.ID != "" {
				t.Errorf("begins with %+v", u)
			}
		}
		order := buyer.Bought(t, "D-13", 1)
		placed := here.next(t)
		own := subscribe(t, buyer.API, ownUpdates, shoptest.Members{"shop": c.Tools, "order": order.ID})
		if u := own.next(t).update(t); u.Type != "" || u.In.ID != order.ID || u.In.Status != "pending" {
			t.Errorf("begins with %+v", u)
		}
		moves(t, buyer, order.ID, record.OrderConfirmed)
		second := buyer.Bought(t, "D-13", 1)
		want := []string{"order_placed " + order.ID, "order_moved " + order.ID, "order_placed " + second.ID}
		var ids []string
		for n, begins := range want {
			first := placed
			if n > 0 {
				first = here.next(t)
			}
			ids = append(ids, first.ID)
			u := first.update(t)
			got := u.Type + " " + u.In.Order.ID
			if got != begins || u.In.Customer == nil || u.In.Customer.ID != buyer.ID {
				t.Errorf("got %+v, want %s", u, begins)
			}
			if again := far.next(t); again.ID != first.ID {
				t.Errorf("one server says %s, the other one %s", first.ID, again.ID)
			}
		}
		if u := own.next(t).update(t); u.Type != "order_moved" || u.In.Status != "confirmed" {
			t.Errorf("the customer gets %+v", u)
		}
		// a disconnected client resumes by the argument, or by the header that browsers send
		later := shoptest.Members{"domain": toolsDomain, "after": ids[0]}
		for _, l := range []*listening{subscribe(t, there.API, shopUpdates, later),
			subscribe(t, owner.API, shopUpdates, variables, "Last-Event-ID", ids[0])} {
			for _, id := range ids[1:] {
				if got := l.next(t); got.ID != id {
					t.Errorf("after %s came %s, want %s", ids[0], got.ID, id)
				}
			}
		}
		buyer.Cancel(t, second.ID)
		if got := here.shopUpdate(t); got != "order_moved "+second.ID+" cancelled" {
			t.Errorf("got %s", got)
		}
		moves(t, buyer, order.ID, record.OrderProcessing)
		if u := own.next(t).update(t); u.In.Status != "processing" { // an update of the own order, not of the other one
			t.Errorf("the customer gets %+v", u)
		}
	})
}

// TestSubscriptionsNeedPermission subscribes without permission, and loses the permission while subscribed.
func TestSubscriptionsNeedPermission(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		buyer, stranger := c.GraphQL().Shopper(t, 1), c.GraphQL().Shopper(t, 2)
		order := buyer.Bought(t, "D-13", 1)
		owner, clerk := c.Staff(t, c.Tools, record.Owner), c.Staff(t, c.Mugs, record.Owner)
		ofOrder := shoptest.Members{"shop": c.Tools, "order": order.ID}
		ofShop := shoptest.Members{"domain": toolsDomain}
		for name, refused := range map[string]struct {
			*listening
			code string
		}{
			"nobody":              {subscribe(t, c.GraphQL(), shopUpdates, ofShop), "UNAUTHENTICATED"},
			"a customer":          {subscribe(t, stranger.API, shopUpdates, ofShop), "FORBIDDEN"},
			"staff of others":     {subscribe(t, clerk.API, shopUpdates, ofShop), "FORBIDDEN"},
			"nobody, an order":    {subscribe(t, c.GraphQL(), ownUpdates, ofOrder), "UNAUTHENTICATED"},
			"another one's order": {subscribe(t, stranger.API, ownUpdates, ofOrder), "NOT_FOUND"},
			"an unknown id":       {subscribe(t, owner.API, shopUpdates, with(ofShop, "after", "7")), "NOT_FOUND"},
			"a malformed id":      {subscribe(t, owner.API, shopUpdates, with(ofShop, "after", "x")), "NOT_FOUND"},
			"a future id": {subscribe(t, owner.API, shopUpdates,
				with(ofShop, "after", "9223372036854775807")), "NOT_FOUND"},
			"a long id": {subscribe(t, owner.API, shopUpdates,
				with(ofShop, "after", strings.Repeat("1", 30))), "VALIDATION_FAILED"},
		} {
			if got := refused.next(t); got.Code() != refused.code || !refused.ends(t) {
				t.Errorf("%s: got %+v, want %s", name, got, refused.code)
			}
		}
		for _, role := range record.StaffRole("").Values() {
			l := subscribe(t, c.Staff(t, c.Tools, record.StaffRole(role)).API, shopUpdates, ofShop)
			got, may := l.next(t).Code(), staff.May(record.StaffRole(role), staff.ManageOrders)
			if may && got != "" || !may && got != "FORBIDDEN" {
				t.Errorf("%s: %q, allowed: %v", role, got, may)
			}
			l.Body.Close()
		}
		l, program := subscribe(t, owner.API, shopUpdates, ofShop), program(t, owner, c.Tools)
		byProgram := subscribe(t, program, shopUpdates, ofShop)
		l.next(t)
		byProgram.next(t)
		moves(t, buyer, order.ID, record.OrderConfirmed)
		if got, want := l.shopUpdate(t), byProgram.shopUpdate(t); got != want {
			t.Errorf("got %s, the program %s", got, want)
		}
		if _, err := c.Store.Client.StaffMember.Delete().Exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		moves(t, buyer, order.ID, record.OrderProcessing)
		if got := l.next(t); got.Code() != "FORBIDDEN" || len(got.Data) > 0 || !l.ends(t) {
			t.Errorf("a former member of staff gets %+v", got)
		}
	})
}

// program returns the API for a program with an access token that the owner of a shop made.
func program(t testing.TB, owner shoptest.Worker, shop string) shoptest.API {
	t.Helper()
	var made struct {
		Token struct{ Token string } `json:"createAccessToken"`
	}
	owner.Do(t, `mutation($shop: ID!) { createAccessToken(businessId: $shop, input: {name: "a till",
		permissions: [manageOrders]}) { token } }`, shoptest.Members{"shop": shop}, &made)
	return owner.With(made.Token.Token)
}

// with returns variables with another one.
func with(variables shoptest.Members, name string, value any) shoptest.Members {
	all := shoptest.Members{name: value}
	for name, value := range variables {
		all[name] = value
	}
	return all
}

// TestFormsOfSubscriptions sends operations to the wrong path, invalid documents, and too many subscriptions.
func TestFormsOfSubscriptions(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		owner.Refused(t, "BAD_REQUEST", shopUpdates, shoptest.Members{"domain": toolsDomain})
		got := subscribe(t, owner.API, `{ __typename }`, nil)
		if one := got.next(t); string(one.Data["__typename"]) != `"Query"` || !got.ends(t) {
			t.Errorf("a query: %+v", one)
		}
		for document, status := range map[string]int{
			"subscription {": 400, "subscription { nothing }": 400,
			"subscription { a: shopOrderUpdates { id } b: shopOrderUpdates { id } }": 400,
		} {
			if got := subscribe(t, owner.API, document, nil); got.StatusCode != status {
				t.Errorf("%s: got %d", document, got.StatusCode)
			}
		}
		if got := subscribe(t, owner.API, shopUpdates, nil, "Accept", "application/json"); got.StatusCode != 406 {
			t.Errorf("without text/event-stream: got %d", got.StatusCode)
		}
		var many []*listening
		for range 21 {
			many = append(many, subscribe(t, owner.API, shopUpdates, shoptest.Members{"domain": toolsDomain}))
		}
		last := many[20]
		if got := last.next(t); got.Code() != "RATE_LIMITED" || !last.ends(t) {
			t.Errorf("the 21st: got %+v", got)
		}
		many[0].Body.Close()
		for range 100 { // until the service has seen that the client is gone
			l := subscribe(t, owner.API, shopUpdates, shoptest.Members{"domain": toolsDomain})
			if l.next(t).Code() == "" {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Error("an ended subscription still counts")
	})
}

// TestNoOrderIsMissed subscribes while customers order at two servers: each order is in the list that is queried after
// the first update, or in a later update.
func TestNoOrderIsMissed(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		buyers := shoptest.Crowd(t, 4, c.Accounts, c.Instance(t))
		c.StockedUp(t, "D-13", 1000)
		for round := range 4 {
			c.Clock.Pass(time.Second)
			var l *listening
			known := map[string]bool{}
			bought := shoptest.Together(len(buyers)+1, func(i int) (ids []string) {
				if i == len(buyers) {
					l = subscribe(t, owner.API, shopUpdates, shoptest.Members{"domain": toolsDomain})
					l.next(t)
					for _, id := range listed(t, owner, c.Tools) {
						known[id] = true
					}
					return nil
				}
				for range 5 {
					ids = append(ids, buyers[i].Bought(t, "D-13", 1).ID)
				}
				return ids
			})
			missing := map[string]bool{}
			for _, id := range slices.Concat(bought...) {
				missing[id] = !known[id]
			}
			for id, is := range missing {
				for is && missing[id] {
					missing[l.next(t).update(t).In.Order.ID] = false
				}
			}
			l.Body.Close()
			t.Logf("round %d: %d were in the list", round, len(known))
		}
	})
}

// listed returns the newest orders of a shop.
func listed(t testing.TB, staff shoptest.Worker, shop string) (ids []string) {
	t.Helper()
	var page struct {
		ShopOrdersConnection struct {
			Nodes []struct{ Order struct{ ID string } }
		}
	}
	staff.Do(t, `query($shop: ID!) { shopOrdersConnection(businessId: $shop, first: 100) { nodes { order { id } } } }`,
		shoptest.Members{"shop": shop}, &page)
	for _, item := range page.ShopOrdersConnection.Nodes {
		ids = append(ids, item.Order.ID)
	}
	return ids
}
