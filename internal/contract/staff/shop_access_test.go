package staff_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/internal/content/bundle"
	"storefront/internal/content/derive"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
	"storefront/internal/request"
	"storefront/internal/shop"
)

// access is the state of a shop's access for customers, as staff see it.
type access struct {
	Domain   string
	Aliases  []string
	ClosedAt *string
}

const accessFields = `{ shopAccess { domain aliases closedAt } }`

// TestClosedToCustomers closes a shop. Visitors and customers are refused, except for orders already
// placed; staff can work on and open it again.
func TestClosedToCustomers(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, manager := c.Staff(t, c.Tools, record.Owner), c.Staff(t, c.Tools, record.Manager)
		buyer := c.GraphQL().Shopper(t, 1)
		order := buyer.Bought(t, "D-13", 1)
		id := map[string]any{"id": c.Tools}
		const closing = `mutation($id: ID!) { closeShop(businessId: $id) ` + accessFields + ` }`
		manager.Refused(t, "FORBIDDEN", closing, id)
		kept := "/tenants/" + shoptest.ToolsShop + "/products"
		if got := c.Get(t, kept); got.Status != http.StatusOK {
			t.Fatalf("before: got %d", got.Status)
		}
		var closed struct{ CloseShop struct{ ShopAccess access } }
		owner.Do(t, closing, id, &closed)
		if closed.CloseShop.ShopAccess.ClosedAt == nil {
			t.Errorf("got %+v", closed)
		}
		owner.Do(t, closing, id, nil) // again: nothing to do
		for _, path := range []string{kept, "/tenants/" + shoptest.ToolsShop} {
			got := c.Get(t, path)
			if got.Status != http.StatusServiceUnavailable || got.Text(t, "code") != "SHOP_CLOSED" ||
				got.Header.Get("Retry-After") != "60" {
				t.Errorf("%s: %d %s %v", path, got.Status, got.Body, got.Header)
			}
		}
		fresh := c.Instance(t) // the other instance may use what it has read for a second
		customer := shoptest.Worker{API: fresh.GraphQL().With(buyer.Access)}
		customer.Refused(t, "SHOP_CLOSED", `mutation($id: ID!, $sku: ID!) {
			addToCart(businessId: $id, items: [{storeItemVariantId: $sku, quantity: 1}]) { message } }`,
			map[string]any{"id": c.Tools, "sku": c.Named(t, "<tools:variant:D-13>")})
		customer.Refused(t, "SHOP_CLOSED", `query($id: ID!) { cart(businessId: $id) { id } }`, id)
		var seen struct {
			Me struct{ Order struct{ ID string } }
		}
		customer.Do(t, `query($id: ID!, $order: ID!) { me { order(businessId: $id, orderId: $order) { id } } }`,
			map[string]any{"id": c.Tools, "order": order.ID}, &seen)
		if seen.Me.Order.ID != order.ID {
			t.Errorf("an order of a closed shop: %+v", seen)
		}
		c.REST().Right(t, "sendOtp", fmt.Sprintf(`{"cellNumber": %q, "domain": "tools.example"}`, buyer.Customer.Cell))
		owner.Do(t, `mutation($id: ID!) { updateShop(businessId: $id, input: {name: "Tools, renamed"}) { version } }`,
			id, nil)
		owner.Do(t, `query($id: ID!) { shopOrdersConnection(businessId: $id) { totalCount } }`, id, nil)
		owner.Do(t, `mutation($id: ID!) { openShop(businessId: $id) `+accessFields+` }`, id, nil)
		if got := c.Get(t, kept); got.Status != http.StatusOK {
			t.Errorf("opened again: got %d %s", got.Status, got.Body)
		}
		log := c.Store.Client.AuditEntry.Query().AllX(t.Context())
		var actions []string
		for _, e := range log {
			actions = append(actions, e.Action)
		}
		if got := strings.Join(actions, " "); got != "closeShop updateShop openShop" {
			t.Errorf("the audit log has %s", got)
		}
		var logged struct {
			AuditLogConnection struct {
				Nodes []struct{ Before, After struct{ ClosedAt *string } }
			}
		}
		owner.Do(t, `query($id: ID!) {
			auditLogConnection(businessId: $id, action: "closeShop") { nodes { before after } } }`,
			id, &logged)
		if one := logged.AuditLogConnection.Nodes; len(one) != 1 ||
			one[0].Before.ClosedAt != nil || one[0].After.ClosedAt == nil ||
			*one[0].After.ClosedAt != *closed.CloseShop.ShopAccess.ClosedAt {
			t.Errorf("got %+v of closing, want when it was closed", one)
		}
	})
}

// TestDomains changes the domain of a shop and adds aliases. Visitors, codes and bundles must follow at
// once.
func TestDomains(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		operator, owner := c.Staff(t, "", record.Operator), c.Staff(t, c.Tools, record.Owner)
		mutation := func(name, arguments string) string {
			return fmt.Sprintf(`mutation { %s(businessId: %q, %s) %s }`, name, c.Tools, arguments, accessFields)
		}
		leads := func(domain, name string) {
			t.Helper()
			got := c.Get(t, "/tenants/"+domain+"/products")
			if want := map[bool]int{true: http.StatusOK, false: http.StatusNotFound}[name != ""]; got.Status != want {
				t.Errorf("%s: %d, want %d", domain, got.Status, want)
			}
			if name == "" {
				return
			}
			if got := c.Get(t, "/tenants/"+domain).Text(t, "domain"); got != name {
				t.Errorf("%s: got the shop %s, want %s", domain, got, name)
			}
		}
		owner.Refused(t, "FORBIDDEN", mutation("changeDomain", `domain: "new.example"`), nil)
		leads("new.example", "")
		operator.Do(t, mutation("changeDomain", `domain: "New.Example"`), nil, nil)
		leads("new.example", "new.example")
		leads(shoptest.ToolsShop, "new.example")
		operator.Do(t, mutation("addDomainAlias", `domain: "other.example"`), nil, nil)
		operator.Do(t, mutation("addDomainAlias", `domain: "other.example"`), nil, nil)
		leads("other.example", "new.example")
		operator.Refused(t, "CONFLICT", mutation("addDomainAlias", `domain: "mugs.example"`), nil)
		operator.Refused(t, "CONFLICT", mutation("changeDomain", `domain: "mugs.example"`), nil)
		for _, bad := range []string{"https://a.example", "nodot", "www.nobody.example", "api.new.example",
			"a b.example", "x.example:80"} {
			operator.Refused(t, "VALIDATION_FAILED", mutation("addDomainAlias", fmt.Sprintf("domain: %q", bad)), nil)
		}
		operator.Do(t, mutation("addDomainAlias", `domain: "www.new.example"`), nil, nil)
		leads("www.new.example", "new.example")
		operator.Do(t, mutation("removeDomainAlias", `domain: "www.new.example"`), nil, nil)
		leads("www.new.example", "")
		// A bundle with an earlier domain is for this shop.
		file := fmt.Sprintf(`{"format": "storefront-bundle/1", "tenant": {"domain": %q, "name": "By File"}}`,
			shoptest.ToolsShop)
		if _, err := bundle.Import(t.Context(), c.Store, bundle.Bytes([]byte(file)), nil); err != nil {
			t.Fatal(err)
		}
		if got := c.Get(t, "/tenants/new.example"); got.Text(t, "name") != "By File" ||
			got.Text(t, "domain") != "new.example" {
			t.Errorf("after a file with the former domain: got %s", got.Body)
		}
		operator.Do(t, mutation("addDomainAlias", `domain: "www.other.example"`), nil, nil)
		operator.Refused(t, "VALIDATION_FAILED", mutation("addDomainAlias", `domain: "www.www.other.example"`), nil)
		operator.Do(t, mutation("removeDomainAlias", `domain: "other.example"`), nil, nil)
		leads("www.other.example", "")
		operator.Refused(t, "NOT_FOUND", mutation("removeDomainAlias", `domain: "other.example"`), nil)
		leads("other.example", "")
		operator.Do(t, mutation("changeDomain", fmt.Sprintf("domain: %q, keep: false", shoptest.ToolsShop)), nil, nil)
		leads("new.example", "")
		var seen struct{ ShopAccess access }
		owner.Do(t, `query($id: ID!) { shopAccess(businessId: $id) { domain aliases closedAt } }`,
			map[string]any{"id": c.Tools}, &seen)
		if seen.ShopAccess.Domain != shoptest.ToolsShop || len(seen.ShopAccess.Aliases) > 0 {
			t.Errorf("got %+v", seen)
		}
		for i := range 20 {
			operator.Do(t, mutation("addDomainAlias", fmt.Sprintf("domain: \"a%d.example\"", i)), nil, nil)
		}
		operator.Refused(t, "LIMIT_EXCEEDED", mutation("addDomainAlias", `domain: "one-more.example"`), nil)
		operator.Refused(t, "LIMIT_EXCEEDED", mutation("changeDomain", `domain: "one-more.example"`), nil)
		leads("one-more.example", "")
		leads(shoptest.ToolsShop, shoptest.ToolsShop)
		operator.Do(t, mutation("changeDomain", `domain: "a7.example"`), nil, nil) // in its place
		leads(shoptest.ToolsShop, "a7.example")
		operator.Do(t, mutation("changeDomain", `domain: "one-more.example", keep: false`), nil, nil)
		leads("one-more.example", "one-more.example")
	})
}

// TestDomainRace makes one domain the alias of one shop, the domain of another, and the domain of a new
// shop in a bundle, all at once. Only one of them may get it.
func TestDomainRace(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		operator := c.Staff(t, "", record.Operator)
		for i := range 10 * *shoptest.Rounds {
			domain := fmt.Sprintf("raced-%d.example", i)
			file := fmt.Sprintf(`{"format": "storefront-bundle/1", "tenant": {"domain": %q, "slug": "raced-%d",
				"name": "R", "nameFa": "R", "defaultLocale": "en"}}`, domain, i)
			ask := func(name, shop string) string {
				return operator.Ask(t, fmt.Sprintf(`mutation { %s(businessId: %q, domain: %q) %s }`, name, shop, domain,
					accessFields), nil).Code()
			}
			got := shoptest.Together(3, func(i int) string {
				switch i {
				case 0:
					return ask("addDomainAlias", c.Tools)
				case 1:
					return ask("changeDomain", c.Mugs)
				}
				// As soon as it leads to another shop, the bundle is that shop's.
				done, err := bundle.Import(t.Context(), c.Store, bundle.Bytes([]byte(file)), nil)
				if err == nil && done.Created {
					return ""
				}
				return "CONFLICT"
			})
			if n := shoptest.Tallied(got); n[""] != 1 || n["CONFLICT"] != 2 {
				t.Fatalf("%s: got %v, want one that has it", domain, got)
			}
			ask("removeDomainAlias", c.Tools)
			operator.Do(t, fmt.Sprintf(`mutation {
				changeDomain(businessId: %q, domain: "mugs-%d.example", keep: false) %s }`, c.Mugs, i, accessFields),
				nil, nil)
		}
	})
}

// TestCloseShopReadsTheClockLate closes a shop while another transaction holds its lock. The time of
// closing must be after that transaction.
func TestCloseShopReadsTheClockLate(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		id := uuid.MustParse(c.Tools)
		tx, err := c.Store.Client.Tx(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Rollback()
		if err := derive.Lock(t.Context(), tx, id); err != nil {
			t.Fatal(err)
		}
		var free atomic.Bool
		done := make(chan struct{})
		go func() {
			defer close(done)
			staff := request.WithStaff(t.Context(), request.Staff{Business: id})
			err := shop.Close(staff, c.Store.Client, id, func() time.Time {
				if !free.Load() {
					t.Error("the clock is read before the lock is there")
				}
				return time.Now()
			})
			if err != nil {
				t.Error(err)
			}
		}()
		c.UntilWaiting(t, 1, done)
		free.Store(true)
		if err := tx.Rollback(); err != nil {
			t.Error(err)
		}
		<-done
	})
}
