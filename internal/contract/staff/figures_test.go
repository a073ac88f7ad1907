package staff_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
	"storefront/internal/request"
	orders "storefront/internal/sale/order"
	"storefront/internal/shop/staff"
)

const allOfAReport = `from until timeZone calendar interval
	total { ...figures } series { from until label figures { orders units money { revenue { amount } } } }
	products { slug units revenue { amount currency } } categories { slug units revenue { amount } }
	provinces { slug orders revenue { amount } } cartsLeft { carts units worth { amount currency } } } }
	fragment figures on SalesFigures { orders units cancelledOrders refundedOrders newCustomers returningCustomers
		money { currency orders revenue { amount } averageOrder { amount } paid { amount } discounts { amount }
			refunds { amount } refundsDue { amount } } }`

// TestShopReport sells on two days, at the times of two zones, and reads the report at each step.
func TestShopReport(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		c.Clock.Pass(8*time.Hour + 29*time.Minute) // 23:59 in Tehran
		owner, shop := c.Staff(t, c.Tools, record.Owner), map[string]any{"shop": c.Tools}
		report := func(arguments, want string) {
			t.Helper()
			got := owner.Ask(t, `query($shop: ID!) { shopReport(businessId: $shop`+arguments+`) { `+allOfAReport, shop)
			if len(got.Errors) > 0 || string(got.Data["shopReport"]) != strings.Join(strings.Fields(want), "") {
				t.Errorf("%s: got  %+v\n%s\nwant %s", arguments, got.Errors, got.Data["shopReport"], want)
			}
		}
		c.StockedUp(t, "D-13", 100)
		first, second := c.REST().Shopper(t, 1), c.REST().Shopper(t, 2)
		owner.Do(t, `mutation($shop: ID!) { updateOffers(businessId: $shop, input: [
			{sku: "D-13", compareAtPrice: 1500000}]) { message } }`, shop, nil)
		first.Bought(t, "D-13", 2)
		c.Clock.Pass(2 * time.Minute)
		lost := first.Bought(t, "D-13", 1)
		money := second.Bought(t, "D-13", 3)
		second.Right(t, "AddCartItem", shoptest.Adding("D-13", 4))
		report("", `{"from":"2026-11-15T20:30:00Z","until":"2026-11-15T20:31:00Z","timeZone":"Asia/Tehran",
			"calendar":"jalali","interval":"day",
			"total":{"orders":0,"units":0,"cancelledOrders":0,"refundedOrders":0,"newCustomers":0,
			"returningCustomers":0,"money":[]},"series":[{"from":"2026-11-15T20:30:00Z","until":"2026-11-15T20:31:00Z",
			"label":"1405-08-25","figures":{"orders":0,"units":0,"money":[]}}],"products":[],"categories":[],
			"provinces":[],"cartsLeft":{"carts":0,"units":0,"worth":[]}}`) // what happens now is not before now
		c.Clock.Pass(time.Minute)
		report("", `{"from":"2026-11-15T20:30:00Z","until":"2026-11-15T20:32:00Z","timeZone":"Asia/Tehran",
			"calendar":"jalali","interval":"day",
			"total":{"orders":2,"units":4,"cancelledOrders":0,"refundedOrders":0,"newCustomers":1,
			"returningCustomers":1,"money":[{"currency":"IRT","orders":2,"revenue":{"amount":"5800000"},
			"averageOrder":{"amount":"2900000"},"paid":{"amount":"0"},"discounts":{"amount":"200000"},
			"refunds":{"amount":"0"},"refundsDue":{"amount":"0"}}]},
			"series":[{"from":"2026-11-15T20:30:00Z","until":"2026-11-15T20:32:00Z","label":"1405-08-25",
			"figures":{"orders":2,"units":4,"money":[{"revenue":{"amount":"5800000"}}]}}],
			"products":[{"slug":"drill","units":4,"revenue":[{"amount":"5800000","currency":"IRT"}]}],
			"categories":[{"slug":"drills","units":4,"revenue":[{"amount":"5800000"}]}],
			"provinces":[{"slug":"tehran","orders":2,"revenue":[{"amount":"5800000"}]}],
			"cartsLeft":{"carts":1,"units":4,"worth":[{"amount":"5800000","currency":"IRT"}]}}`)

		c.Clock.Pass(48 * time.Hour)
		owner = c.Staff(t, c.Tools, record.Manager)
		byHand := request.WithStaff(t.Context(), request.Staff{Business: uuid.MustParse(c.Tools)})
		marked := func(id string, to record.PaymentStatus) {
			t.Helper()
			_, err := c.Moves().MarkPayment(byHand, uuid.MustParse(c.Tools), uuid.MustParse(id),
				orders.Mark{Status: to})
			if err != nil {
				t.Fatal(err)
			}
		}
		marked(lost.ID, record.PaymentPaid)
		if code := first.Moved(t, lost.ID, record.OrderCancelled); code != "" {
			t.Fatal(code)
		}
		marked(money.ID, record.PaymentPaid)
		owner.Do(t, `mutation($shop: ID!) { updateShop(businessId: $shop, input: {timeZone: "UTC"}) { id } }`, shop,
			nil)
		const of = `, from: "2026-11-15T00:00:00Z", until: "2026-11-17T00:00:00Z", calendar: gregorian,
			best: 1, bestBy: revenue`
		today := `{"from":"2026-11-15T00:00:00Z","until":"2026-11-17T00:00:00Z","timeZone":"UTC","calendar":"gregorian",
			"interval":"day","total":{"orders":2,"units":5,"cancelledOrders":1,"refundedOrders":0,"newCustomers":2,
			"returningCustomers":0,"money":[{"currency":"IRT","orders":2,"revenue":{"amount":"7250000"},
			"averageOrder":{"amount":"3625000"},"paid":{"amount":"4350000"},"discounts":{"amount":"250000"},
			"refunds":{"amount":"0"},"refundsDue":{"amount":"1450000"}}]},
			"series":[{"from":"2026-11-15T00:00:00Z","until":"2026-11-16T00:00:00Z","label":"2026-11-15",
			"figures":{"orders":2,"units":5,"money":[{"revenue":{"amount":"7250000"}}]}},
			{"from":"2026-11-16T00:00:00Z","until":"2026-11-17T00:00:00Z","label":"2026-11-16",
			"figures":{"orders":0,"units":0,"money":[]}}],
			"products":[{"slug":"drill","units":5,"revenue":[{"amount":"7250000","currency":"IRT"}]}],
			"categories":[{"slug":"drills","units":5,"revenue":[{"amount":"7250000"}]}],
			"provinces":[{"slug":"tehran","orders":2,"revenue":[{"amount":"7250000"}]}],
			"cartsLeft":{"carts":1,"units":4,"worth":[{"amount":"5800000","currency":"IRT"}]}}`
		report(of, today)
		report(of, today) // of the figures that the first has stored
		in := func(currency string) {
			second.Variant(t, "D-13", func(u *ent.VariantUpdate) { u.SetPriceCurrency(currency) })
		}
		in("USD") // carts keep the currency in which their prices were seen
		report(of, today)
		in("IRT")
		marked(money.ID, record.PaymentRefunded)
		got := owner.Ask(t, `query($shop: ID!) { shopReport(businessId: $shop`+of+`) { total { orders refundedOrders
			money { revenue { minor } refunds { minor } paid { minor } } } } }`, shop)
		if want := `{"total":{"orders":1,"refundedOrders":1,"money":[{"revenue":{"minor":"2900000"},` +
			`"refunds":{"minor":"4350000"},"paid":{"minor":"0"}}]}}`; string(got.Data["shopReport"]) != want {
			t.Errorf("got %s, want %s", got.Data["shopReport"], want)
		}
	})
}

// TestAddressesAreNotInReports places an order with an unknown province and one without. It checks that
// reports show no text written by customers, and that a program with only that permission can read them.
func TestAddressesAreNotInReports(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		c.StockedUp(t, "D-13", 100)
		s := c.REST().Shopper(t, 1)
		for _, province := range []string{"Sara Ahmadi 09121110002", "استان", " TEHRAN"} {
			s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
			s.Right(t, "Checkout", fmt.Sprintf(`{"shippingAddress": {"province": %q, "city": "c", "address": "a"},
				"payment": {"type": "cash"}}`, province))
		}
		c.Clock.Pass(time.Second)
		_, program := token(t, c, c.Tools, []staff.Permission{staff.SeeFigures}, nil)
		got := program.Ask(t, `query($shop: ID!) { shopReport(businessId: $shop) {
			provinces { slug nameFa orders } } }`, map[string]any{"shop": c.Tools})
		want := `{"provinces":[{"slug":null,"nameFa":null,"orders":2},{"slug":"tehran","nameFa":"تهران","orders":1}]}`
		if string(got.Data["shopReport"]) != want {
			t.Errorf("got %s %v, want %s", got.Data["shopReport"], got.Errors, want)
		}
	})
}

func TestReportsAreRefused(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		for arguments, field := range map[string]string{
			`from: "2026-01-01T00:00:00Z", until: "2026-01-01T00:00:00Z"`:            "until",
			`from: "2026-01-02T00:00:00Z", until: "2026-01-01T00:00:00Z"`:            "until",
			`from: "2026-11-16T00:00:00Z"`:                                           "from",
			`from: "2016-01-01T00:00:00Z", until: "2026-01-01T00:00:01Z"`:            "until",
			`from: "2016-01-01T00:00:00Z", until: "2026-01-01T00:00:00Z"`:            "interval",
			`from: "2025-01-01T00:00:00Z", until: "2026-03-01T00:00:00Z"`:            "interval",
			`from: "0001-01-01T00:00:00Z"`:                                           "from",
			`from: "9999-01-01T00:00:00Z", until: "9999-12-31T23:59:59Z", best: 101`: "best",
		} {
			got := owner.Refused(t, "VALIDATION_FAILED", `query($shop: ID!) {
				shopReport(businessId: $shop, `+arguments+`) { total { orders } } }`, map[string]any{"shop": c.Tools})
			if wrong := shoptest.WrongIn(got); wrong != field {
				t.Errorf("%s: got %s, want %s", arguments, wrong, field)
			}
		}
		owner.Do(t, `query($shop: ID!) { shopReport(businessId: $shop, interval: month,
			from: "2016-01-01T00:00:00Z", until: "2026-01-01T00:00:00Z") { series { label } } }`,
			map[string]any{"shop": c.Tools}, nil)
		for _, zone := range []string{"Tehran", "right/UTC", "../UTC", "Local", "asia/tehran"} {
			owner.Refused(t, "VALIDATION_FAILED", `mutation($shop: ID!, $zone: String) {
				updateShop(businessId: $shop, input: {timeZone: $zone}) { id } }`,
				map[string]any{"shop": c.Tools, "zone": zone})
		}
	})
}

// TestLowStockOfAVariant gives variants their own thresholds, and lowers their stock in every possible way.
func TestLowStockOfAVariant(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, shop := c.Staff(t, c.Tools, record.Owner), map[string]any{"shop": c.Tools}
		endpoint := c.Listens(t, "tools", record.StockLow)
		wantDeliveries := func(want int) {
			t.Helper()
			if got := len(c.Deliveries(t, endpoint)); got != want {
				t.Errorf("got %d events, want %d", got, want)
			}
		}
		offer := func(members string) {
			t.Helper()
			owner.Do(t, `mutation($shop: ID!) { updateOffers(businessId: $shop, input: [{sku: "D-13", `+members+
				`}]) { message } }`, shop, nil)
		}
		s := c.REST().Shopper(t, 1)
		offer(`stock: 30, lowStockAt: 20`)
		wantDeliveries(0)
		s.Bought(t, "D-13", 9)
		wantDeliveries(0)
		s.Bought(t, "D-13", 1) // to 20
		wantDeliveries(1)
		s.Bought(t, "D-13", 15) // to 5, which was low before
		wantDeliveries(1)
		offer(`lowStockAt: 2`)
		s.Bought(t, "D-13", 1)
		wantDeliveries(1)
		owner.Do(t, `mutation($shop: ID!) { adjustStock(businessId: $shop, input: {reason: "broken",
			items: [{sku: "D-13", by: -2}]}) { items { stock } } }`, shop, nil) // to 2
		wantDeliveries(2)
		offer(`stock: 10, lowStockAt: 0`)
		offer(`stock: 1`)
		wantDeliveries(2)
		offer(`stock: 0`)
		wantDeliveries(3)
		offer(`stock: 10, lowStockAt: 9`)
		offer(`stock: 8`)
		wantDeliveries(4)
		offer(`stock: 10, lowStockAt: null`)
		offer(`stock: 6`)
		wantDeliveries(4)
		offer(`stock: 5`)
		wantDeliveries(5)
		var low, others struct {
			StaffVariantsConnection struct {
				Nodes []struct {
					Sku        string
					Stock      int
					LowStockAt *int
					Low        bool
				}
			}
		}
		list := func(low bool, into any) {
			t.Helper()
			owner.Do(t, fmt.Sprintf(`query($shop: ID!) {
				staffVariantsConnection(businessId: $shop, low: %v, first: 100) { nodes { sku stock lowStockAt low } }
				}`, low), shop, into)
		}
		offer(`stock: 21, lowStockAt: 21`)
		list(true, &low)
		list(false, &others)
		all := c.Store.Client.Variant.Query().CountX(tenancy.In(t.Context(), uuid.MustParse(c.Tools)))
		seen := false
		for _, v := range low.StaffVariantsConnection.Nodes {
			seen = seen || v.Sku == "D-13"
			if at := record.LowAt(v.LowStockAt); v.Stock > at || !v.Low {
				t.Errorf("%+v is among those that are low", v)
			}
		}
		for _, v := range others.StaffVariantsConnection.Nodes {
			if at := record.LowAt(v.LowStockAt); v.Stock <= at || v.Low {
				t.Errorf("%+v is not among those that are low", v)
			}
		}
		n, m := len(low.StaffVariantsConnection.Nodes), len(others.StaffVariantsConnection.Nodes)
		if !seen || n+m != all {
			t.Errorf("got %d low and %d other variants of %d", n, m, all)
		}
		owner.Refused(t, "VALIDATION_FAILED", `mutation($shop: ID!) { updateOffers(businessId: $shop,
			input: [{sku: "D-13", lowStockAt: -1}]) { message } }`, shop)
	})
}
