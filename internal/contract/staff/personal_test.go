package staff_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/auditentry"
	"storefront/ent/userproduct"
	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/customer/account"
	"storefront/internal/customer/personal"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/record"
)

const (
	eraseCustomer = `mutation($shop: ID!, $id: ID!, $also: [ID!]! = []) {
		eraseCustomer(businessId: $shop, customerId: $id, alsoErase: $also) { orders opinions listings messages } }`
	customerExport = `query($shop: ID!, $id: ID!) { customerExport(businessId: $shop, customerId: $id) }`
)

// traced is a customer with data in many tables, and the words that only this customer has used.
type traced struct {
	shoptest.Shopper
	words []string
}

// leavesTraces registers a customer at the tool shop, who orders, writes and offers there.
func leavesTraces(t *testing.T, c *shoptest.Crew, n int) traced {
	t.Helper()
	s := c.REST().Shopper(t, n)
	c.Store.Client.User.UpdateOneID(uuid.MustParse(s.ID)).SetCellVerified(true).SetVouched(true).ExecX(t.Context())
	name, email := fmt.Sprintf("Mahnaz%d", n), fmt.Sprintf("mahnaz%d@mail.example", n)
	s.Right(t, "UpdateProfile", fmt.Sprintf(`{"firstName": %q, "lastName": %q, "email": %q}`, name, name+"i", email))
	s.Right(t, "CreateAddress", fmt.Sprintf(`{"province": "Fars", "city": "Shiraz", "address": "House %s"}`, name))
	s.Right(t, "AddFavorite", `{"productId": "<tools:product:drill>"}`)
	s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
	keyed := s
	keyed.API = s.API.Key("checkout") // its answer is kept, too
	made := keyed.Right(t, "Checkout", fmt.Sprintf(`{"shippingAddress": {"province": "Fars", "city": "Shiraz",
		"address": "House %[1]s", "postalCode": "P-%[1]s", "landline": "L-%[1]s"}, "customerNotes": "for %[1]s",
		"payment": {"type": "transfer", "transferRefNumber": "TR-1", "notes": "by %[1]s"}}`, name)).Order(t)
	s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
	w := shoptest.Worker{API: c.GraphQL().With(s.Access), Customer: s.Customer}
	w.Do(t, `mutation($in: CommentInput!) { createComment(domain: "tools.example", input: $in) { message } }`,
		map[string]any{
			"in": map[string]any{"entityType": "product", "entityId": c.Named(t, "<tools:product:drill>"),
				"text":       "Good.",
				"authorName": name, "authorEmail": strings.ToUpper(email)}}, nil)
	w.Do(t, `mutation($in: ContactInput!) { submitContact(domain: "tools.example", input: $in) { message } }`,
		map[string]any{
			"in": map[string]any{"title": "Call", "name": name, "text": "Call " + name, "cellNumber": "0" +
				s.Customer.Cell[3:]}}, nil)
	w.Do(t, submitListing, map[string]any{"shop": c.Tools, "in": listingOf("Lathe of " + name)}, nil)
	id := uuid.MustParse(s.ID)
	shoptest.MediaFile(t, c.Store.Client, uuid.MustParse(c.Tools), &id)
	shoptest.Receipt(t, c.Store.Client, uuid.MustParse(c.Tools), uuid.MustParse(made.ID), id)
	manager := c.Staff(t, c.Tools, record.Manager)
	manager.Do(t, shoptest.MoveOrder, map[string]any{"shop": c.Tools, "id": made.ID, "to": "confirmed",
		"note": "told " + name}, nil)
	guarded(t, c, w)
	return traced{s, []string{s.Customer.Cell, s.Customer.Cell[3:], name, email, strings.ToUpper(email)}}
}

// order returns the one order of the tool shop.
func order(t *testing.T, c *shoptest.Crew) *ent.Order {
	t.Helper()
	return shoptest.Must(c.Store.Client.Order.Query().Only(tenancy.In(t.Context(), uuid.MustParse(c.Tools))))(t)
}

// listingOfTraces returns the one listing of a customer in the tool shop.
func listingOfTraces(t *testing.T, c *shoptest.Crew) *ent.UserProduct {
	t.Helper()
	return shoptest.Must(c.Store.Client.UserProduct.Query().Where(userproduct.UserIDNotNil()).
		Only(tenancy.In(t.Context(), uuid.MustParse(c.Tools))))(t)
}

// counters holds the tables that keep cell numbers for up to a day, to enforce limits.
var counters = []string{"rate_events", "rate_keys"}

// exported holds the parts of an export that the tests check.
type exported struct {
	Customer            struct{ CellNumber string }
	Addresses, Sessions []struct{}
	Shops               []struct {
		Domain                                        string
		Orders                                        []struct{ History []struct{} }
		Cart, Favorites, Listings, Comments, Messages []struct{}
		SignedOnly                                    struct{ Comments, Messages []struct{ ID string } }
	}
}

func TestEraseCustomer(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		all := c.Listens(t, "tools")
		who, other := leavesTraces(t, c, 1), leavesTraces(t, c, 2)
		owner, manager := c.Staff(t, c.Tools, record.Owner), c.Staff(t, c.Tools, record.Manager)
		foreign := c.Staff(t, c.Mugs, record.Owner)
		in := func(shop, id string) map[string]any { return map[string]any{"shop": shop, "id": id} }
		for _, operation := range []string{eraseCustomer, customerExport} {
			manager.Refused(t, "FORBIDDEN", operation, in(c.Tools, who.ID))
			foreign.Refused(t, "NOT_FOUND", operation, in(c.Mugs, who.ID))
			owner.Refused(t, "NOT_FOUND", operation, in(c.Tools, shoptest.NobodysID))
		}
		owner.Refused(t, "CONFLICT", eraseCustomer, in(c.Tools, manager.ID))

		var out struct{ CustomerExport exported }
		owner.Do(t, customerExport, in(c.Tools, who.ID), &out)
		if e := out.CustomerExport; e.Customer.CellNumber != who.Customer.Cell ||
			len(e.Addresses)+len(e.Sessions) > 0 ||
			len(e.Shops) != 1 {
			t.Errorf("got %+v", e)
		} else if s := e.Shops[0]; len(s.Orders) != 1 || len(s.Orders[0].History) != 2 || len(s.Cart) != 1 ||
			len(s.Favorites) != 1 ||
			len(s.Listings) != 1 || len(s.Comments) != 1 || len(s.Messages) != 1 {
			t.Errorf("got %+v", s)
		}
		if found := traces(dump(t, c.Accounts, counters...), who.words...); len(found) < 10 {
			t.Errorf("the person has left too little: %q", found)
		}
		var erased struct{ EraseCustomer personal.Figures }
		owner.Do(t, eraseCustomer, in(c.Tools, who.ID), &erased)
		if want := (personal.Figures{Orders: 1, Opinions: 1, Listings: 1,
			Messages: 1}); erased.EraseCustomer != want {
			t.Errorf("got %+v", erased)
		}
		if found := traces(dump(t, c.Accounts, counters...), who.words...); len(found) > 0 {
			t.Errorf("left: %q", found)
		}
		owner.Refused(t, "NOT_FOUND", eraseCustomer, in(c.Tools, who.ID))
		c.REST().Lives(t, who.Access, false)
		if found := traces(dump(t, c.Accounts, counters...), other.words...); len(found) < 10 {
			t.Errorf("of somebody else is left: %q", found)
		}
		var seen struct {
			ShopOrdersConnection struct {
				TotalCount int
				Nodes      []struct {
					Order struct {
						Total           json.Number
						Items           []struct{ Sku string }
						ShippingAddress map[string]*string
						Payment         struct{ TransferRefNumber, Notes string }
					}
					Customer *struct{ CellNumber string }
				}
			}
			ShopCustomersConnection struct{ TotalCount int }
			AuditLogConnection      struct {
				Nodes []struct {
					RecordID string
					After    struct{ Erased personal.Figures }
				}
			}
		}
		owner.Do(t, `query($shop: ID!) {
			shopOrdersConnection(businessId: $shop) { totalCount nodes { customer { cellNumber }
				order { total items { sku } shippingAddress { province city address landline } payment {
					transferRefNumber notes } } } }
			auditLogConnection(businessId: $shop, action: "eraseCustomer") { nodes { recordId after } }
				}`, in(c.Tools, ""), &seen)
		first := seen.ShopOrdersConnection.Nodes[1]
		if seen.ShopOrdersConnection.TotalCount != 2 || first.Customer != nil || first.Order.Total == "" ||
			len(first.Order.Items) != 1 ||
			*first.Order.ShippingAddress["city"] != "Shiraz" || *first.Order.ShippingAddress["address"] != "" ||
			first.Order.Payment.TransferRefNumber != "TR-1" || first.Order.Payment.Notes != "" {
			t.Errorf("got %+v", first)
		}
		if log := seen.AuditLogConnection.Nodes; len(log) != 1 || log[0].RecordID != who.ID ||
			log[0].After.Erased.Orders != 1 {
			t.Errorf("got %+v", log)
		}
		if got := shoptest.EventTypes(c.Deliveries(t, all)); !strings.Contains(got, "listing_submitted") {
			t.Errorf("got the events %s, want listing_submitted among them", got)
		}
		c.NamesAreSearched(t)
	})
}

// TestOperatorServesAPerson exports and erases the account of a customer of two shops by its cell number.
func TestOperatorServesAPerson(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		who := leavesTraces(t, c, 1)
		mugs := who.At(t, "mugs")
		mugs.Right(t, "AddCartItem", `{"storeItemVariantId": "<mugs:variant:TEA-1>"}`)
		operator, owner := c.Staff(t, "", record.Operator), c.Staff(t, c.Tools, record.Owner)
		const export = `query($cell: String!) { accountExport(cellNumber: $cell) }`
		const erase = `mutation($cell: String!) { eraseAccount(cellNumber: $cell) {
			orders opinions listings messages favorites uploads } }`
		cell := map[string]any{"cell": "0" + who.Customer.Cell[3:]} // as people write it
		for _, document := range []string{export, erase} {
			owner.Refused(t, "FORBIDDEN", document, cell)
			operator.Refused(t, "NOT_FOUND", document, map[string]any{"cell": "+989129999999"})
			operator.Refused(t, "VALIDATION_FAILED", document, map[string]any{"cell": "12"})
		}
		operator.Refused(t, "CONFLICT", erase, map[string]any{"cell": owner.Customer.Cell})
		var out struct{ AccountExport exported }
		operator.Do(t, export, cell, &out)
		if e := out.AccountExport; e.Customer.CellNumber != who.Customer.Cell || len(e.Shops) != 2 ||
			len(e.Addresses) != 1 {
			t.Errorf("got %+v", e)
		}
		var erased struct{ EraseAccount personal.Figures }
		operator.Do(t, erase, cell, &erased)
		if want := (personal.Figures{Orders: 1, Opinions: 1, Listings: 1, Messages: 1, Favorites: 1,
			Uploads: 2}); erased.EraseAccount != want {
			t.Errorf("got %+v, want %+v", erased.EraseAccount, want)
		}
		if found := traces(dump(t, c.Accounts, counters...), who.words...); len(found) > 0 {
			t.Errorf("left: %q", found)
		}
		for _, shop := range []string{c.Tools, c.Mugs} {
			all := shoptest.Must(c.Store.Client.AuditEntry.Query().Where(auditentry.BusinessID(uuid.MustParse(shop))).
				Order(auditentry.ByID()).All(t.Context()))(t)
			log := all[max(0, len(all)-2):]
			if len(log) != 2 || log[0].Action != "customerExport" || log[1].Action != "eraseAccount" {
				t.Fatalf("the log of %s has %v", shop, log)
			}
			for _, e := range log {
				if e.UserID == nil || e.UserID.String() != operator.ID || e.RecordName != nil {
					t.Errorf("%s: got %v by %v, want nameless, by the operator", e.Action, e.RecordName, e.UserID)
				}
			}
		}
	})
}

// TestErasureKeepsToItsShop erases a customer of two shops in one of them, then lets them close the account.
func TestErasureKeepsToItsShop(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		who := leavesTraces(t, c, 1)
		owner, operator := c.Staff(t, c.Tools, record.Owner), c.Staff(t, "", record.Operator)
		mugs := who.At(t, "mugs")
		mugs.Right(t, "AddCartItem", `{"storeItemVariantId": "<mugs:variant:TEA-1>"}`)
		mugs.Right(t, "Checkout", shoptest.ToHome)
		before := dump(t, c.Accounts, counters...)
		owner.Do(t, eraseCustomer, map[string]any{"shop": c.Tools, "id": who.ID}, nil)
		who.Right(t, "Me", "")
		if who.WithStatus(t, "confirmed") != 0 || mugs.WithStatus(t, "pending") != 1 {
			t.Error("the other shop has lost its order, or this one has not")
		}
		after := dump(t, c.Accounts, counters...)
		for _, table := range []string{"users", "addresses", "sessions"} {
			if after[table] != before[table] {
				t.Errorf("%s has changed: %s", table, after[table])
			}
		}
		if n := c.Store.Client.Order.Query().CountX(tenancy.In(t.Context(), uuid.MustParse(c.Tools))); n != 1 {
			t.Errorf("%d orders in the shop", n)
		}
		owner.Refused(t, "NOT_FOUND", eraseCustomer, map[string]any{"shop": c.Tools, "id": who.ID})

		w := shoptest.Worker{API: c.GraphQL().With(who.Access), Customer: who.Customer}
		var own struct {
			Me struct{ DataExport exported }
		}
		w.Do(t, `{ me { dataExport } }`, nil, &own)
		if e := own.Me.DataExport; len(e.Shops) != 1 || e.Shops[0].Domain != "mugs.example" ||
			len(e.Addresses) != 1 ||
			len(e.Sessions) != 1 {
			t.Errorf("got %+v", e)
		}
		closing := func(in map[string]any) map[string]any { return map[string]any{"in": in} }
		w.Refused(t, "VALIDATION_FAILED", shoptest.CloseAccount, closing(map[string]any{}))
		w.Refused(t, "VALIDATION_FAILED", shoptest.CloseAccount,
			closing(map[string]any{"currentPassword": shoptest.GoodPassword, "code": "123456"}))
		w.Refused(t, "CURRENT_PASSWORD_INCORRECT", shoptest.CloseAccount,
			closing(map[string]any{"currentPassword": shoptest.OtherPassword}))
		w.Refused(t, "INVALID_CODE", shoptest.CloseAccount, closing(map[string]any{"code": "123456"}))
		shoptest.Worker{API: c.GraphQL()}.Refused(t, "UNAUTHENTICATED", shoptest.CloseAccount,
			closing(map[string]any{"currentPassword": shoptest.GoodPassword}))
		operator.Refused(t, "CONFLICT", shoptest.CloseAccount,
			closing(map[string]any{"currentPassword": shoptest.GoodPassword}))
		w.API = w.API.Key("closing")
		w.Do(t, shoptest.CloseAccount, closing(map[string]any{"currentPassword": shoptest.GoodPassword}), nil)
		if found := traces(dump(t, c.Accounts, counters...), who.words...); len(found) > 0 {
			t.Errorf("left: %q", found)
		}
		c.REST().Lives(t, who.Access, false)
		c.REST().Register(t, who.Customer.Cell) // somebody new
	})
}

// TestClosedAccountWaits closes an account, which is erased later. A code opens it again until it is due.
func TestClosedAccountWaits(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		d, w, owner := c.REST(), c.Customer(t), c.Staff(t, c.Tools, record.Owner)
		w.Do(t, shoptest.CloseAccount, map[string]any{"in": map[string]any{"code": d.Code(t, w.Customer.Cell)}}, nil)
		d.Lives(t, w.Access, false)
		d.Wrong(t, "login", shoptest.ByPassword(w.Customer.Cell, shoptest.GoodPassword), 401, "INVALID_CREDENTIALS")
		const found = `query($shop: ID!, $cell: String) { shopCustomersConnection(businessId: $shop, ` +
			`cellNumber: $cell) { totalCount } }`
		var seen struct{ ShopCustomersConnection struct{ TotalCount int } }
		owner.Do(t, found, map[string]any{"shop": c.Tools, "cell": w.Customer.Cell}, &seen)
		if seen.ShopCustomersConnection.TotalCount != 0 {
			t.Error("the shop still finds the customer")
		}
		invitation := invite(t, owner, c.Tools, w.Customer.Cell, "editor")
		owner.Do(t, withdrawInvitation, map[string]any{"shop": c.Tools, "id": invitation}, nil)
		back := shoptest.AsCustomer(t, d.Right(t, "loginOtp", shoptest.ByCode(w.Customer.Cell,
			d.Code(t, w.Customer.Cell))))
		c.Clock.Pass(11 * time.Hour)
		c.Service.Sweep(t.Context())
		d.Right(t, "loginOtp", shoptest.ByCode(w.Customer.Cell, d.Code(t, w.Customer.Cell)))

		again := shoptest.Worker{API: c.GraphQL().With(shoptest.AsCustomer(t,
			d.Right(t, "loginOtp", shoptest.ByCode(w.Customer.Cell, d.Code(t,
				w.Customer.Cell)))).Access), Customer: back}
		again.Do(t, shoptest.CloseAccount, map[string]any{"in": map[string]any{"code": d.Code(t,
			w.Customer.Cell)}}, nil)
		c.Clock.Pass(10*time.Hour - time.Minute)
		c.Service.Sweep(t.Context())
		if len(traces(dump(t, c.Accounts, counters...), w.ID)) == 0 {
			t.Error("the account was erased before its time")
		}
		c.Clock.Pass(time.Minute)
		c.Service.Sweep(t.Context())
		if left := dump(t, c.Accounts, counters...)["users"]; strings.Contains(left, w.Customer.Cell) {
			t.Errorf("left: %s", left)
		}
	}, func(o *app.Options) {
		o.Times = account.Defaults
		o.Times.Closed = 10 * time.Hour
	})
}

// TestErasureRacesWithCheckout erases customers while they order. Whichever comes first, no order may keep
// personal data.
func TestErasureRacesWithCheckout(t *testing.T) {
	shoptest.EachRace(t, func(t *testing.T, first, second *shoptest.Accounts) {
		all := shoptest.Crowd(t, 12, first, second)
		for _, s := range all {
			s.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
		}
		got := shoptest.Together(2*len(all), func(i int) string {
			s := all[i/2]
			if i%2 == 0 {
				return s.Ask(t, "Checkout", strings.Replace(shoptest.ToHome, "خیابان", "Street", 1)).Code
			}
			_, err := personal.Account(t.Context(), second.Store.Client, uuid.MustParse(s.ID))
			if err != nil {
				return string(fault.From(err).Code) + err.Error()
			}
			return ""
		})
		for i, code := range got {
			switch code {
			case "", "CART_EMPTY", "CONFLICT", "UNAUTHENTICATED":
			default:
				t.Errorf("%d: %s", i, code)
			}
		}
		if found := traces(dump(t, first), "Street", "+98990"); len(found) > 0 {
			t.Errorf("left: %q", found)
		}
	})
}

// TestRetention deletes what is older than the operator keeps it.
func TestRetention(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		who := leavesTraces(t, c, 1)
		for _, table := range []string{"contact_submissions", "audit_entries"} { // set by the real clock
			if _, err := c.Store.Client.ExecContext(t.Context(), "UPDATE "+table+" SET created_at = $1",
				c.Clock.Now()); err != nil {
				t.Fatal(err)
			}
		}
		c.Clock.Pass(30 * time.Hour)
		c.Service.Sweep(t.Context())
		left := dump(t, c.Accounts)
		for _, table := range []string{"carts", "contact_submissions", "audit_entries"} {
			if (left[table] == "") != (table == "contact_submissions") {
				t.Errorf("%s: %s", table, left[table])
			}
		}
		who.API = who.With(who.Login(t, who.Customer.Cell, shoptest.GoodPassword).Access)
		who.Right(t, "AddCartItem", shoptest.Adding("D-13", 1)) // the cart is used
		c.Clock.Pass(30 * time.Hour)
		c.Service.Sweep(t.Context())
		if left := dump(t, c.Accounts); left["carts"] == "" || left["audit_entries"] != "" {
			t.Errorf("got %s, %s", left["carts"], left["audit_entries"])
		}
		c.Clock.Pass(30 * time.Hour)
		c.Service.Sweep(t.Context())
		if left := dump(t, c.Accounts); left["carts"] != "" || left["orders"] == "" {
			t.Errorf("got %s, %s", left["carts"], left["orders"])
		}
	}, func(o *app.Options) {
		o.Keep = app.Keep{Carts: 50 * time.Hour, Contacts: 20 * time.Hour, Audit: 40 * time.Hour}
	})
}
