package crash

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"storefront/internal/contract/ledger"
)

// check compares what the service shows with what clients were told, and holds the books to be right.
// Nobody is shopping.
func (t *trial) check(ctx context.Context) error {
	var faults []error
	for i, d := range t.doors {
		made, err := t.orders(ctx, d)
		if err != nil {
			return fmt.Errorf("the orders of customer %d: %w", i, err)
		}
		for _, c := range t.clients {
			if c.token != d.token {
				continue
			}
			for _, p := range c.bought {
				if err := p.holds(made[p.key]); err != nil {
					faults = append(faults, fmt.Errorf("purchase %s of customer %d: %w", p.key, i, err))
				}
				delete(made, p.key)
			}
		}
		for key := range made {
			faults = append(faults, fmt.Errorf("customer %d has an order for %q, which nobody asked for", i, key))
		}
	}
	return errors.Join(errors.Join(faults...), ledger.Check(ctx, t.books, t.initial))
}

// orders returns all orders of a customer, by the purchase they were made for.
func (t *trial) orders(ctx context.Context, d *door) (map[string][]*order, error) {
	made := map[string][]*order{}
	for page, read, total := 1, 0, 1; read < total; page++ {
		var listed struct {
			Items []*order
			Total int
		}
		target := fmt.Sprintf("/api/v1/businesses/%s/orders?pageSize=100&page=%d", t.business, page)
		if err := d.call(ctx, http.MethodGet, target, "", nil, &listed); err != nil {
			return nil, err
		}
		if len(listed.Items) == 0 && read < listed.Total {
			return nil, fmt.Errorf("page %d is empty after %d of %d orders", page, read, listed.Total)
		}
		for _, o := range listed.Items {
			made[o.CustomerNotes] = append(made[o.CustomerNotes], o)
		}
		read, total = read+len(listed.Items), listed.Total
	}
	return made, nil
}

// tell prints what clients did and were told.
func (t *trial) tell(kills int) {
	var requests, placed, refused, doubtful, later, cancelled int
	for _, c := range t.clients {
		requests += c.answered
		for _, p := range c.bought {
			switch {
			case p.order != nil:
				placed++
			case p.refused != nil:
				refused++
			}
			if p.doubtful {
				doubtful++
			}
			if p.doubtful && p.order != nil {
				later++
			}
			if p.cancelled {
				cancelled++
			}
		}
	}
	fmt.Fprintf(t.out, "%s: %d crashes, of them %d of the database: %d requests answered, %d orders "+
		"acknowledged and %d of them cancelled, %d checkouts refused, "+
		"%d without an answer, of which %d were sent again and acknowledged; %d events reached the webhook and %d of them again; "+
		"nothing lost, nothing twice, the books hold\n",
		t.Kind, kills, t.databaseCrashes, requests, placed, cancelled, refused, doubtful, later,
		len(t.receiver.known), t.receiver.again)
}
