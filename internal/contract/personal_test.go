package contract_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/userproduct"
	"storefront/internal/account"
	"storefront/internal/app"
	"storefront/internal/fault"
	"storefront/internal/personal"
	"storefront/internal/record"
	"storefront/internal/tenancy"
)

const (
	eraseCustomer = `mutation($shop: ID!, $id: ID!) {
		eraseCustomer(businessId: $shop, customerId: $id) { orders opinions listings messages } }`
	customerExport = `query($shop: ID!, $id: ID!) { customerExport(businessId: $shop, customerId: $id) }`
	closeAccount   = `mutation($in: CloseAccountInput!) { closeAccount(input: $in) { message } }`
)

// traced is a customer who has left traces everywhere, and the words that only they have used.
type traced struct {
	shopper
	words []string
}

// leavesTraces registers a customer at the tool shop, who orders, writes and offers there.
func (c *crew) leavesTraces(t *testing.T, n int) traced {
	t.Helper()
	s := c.rest().shopper(t, n)
	c.store.Client.User.UpdateOneID(uuid.MustParse(s.id)).SetCellVerified(true).SetVouched(true).ExecX(t.Context())
	name, email := fmt.Sprintf("Mahnaz%d", n), fmt.Sprintf("mahnaz%d@mail.example", n)
	s.right(t, "UpdateProfile", fmt.Sprintf(`{"firstName": %q, "lastName": %q, "email": %q}`, name, name+"i", email))
	s.right(t, "CreateAddress", fmt.Sprintf(`{"province": "Fars", "city": "Shiraz", "address": "House %s"}`, name))
	s.right(t, "AddFavorite", `{"productId": "<tools:product:drill>"}`)
	s.right(t, "AddCartItem", adding("D-13", 1))
	keyed := s
	keyed.door = s.door.key("checkout") // its answer is kept, too
	made := keyed.right(t, "Checkout", fmt.Sprintf(`{"shippingAddress": {"province": "Fars", "city": "Shiraz",
		"address": "House %[1]s", "postalCode": "P-%[1]s", "landline": "L-%[1]s"}, "customerNotes": "for %[1]s",
		"payment": {"type": "transfer", "transferRefNumber": "TR-1", "notes": "by %[1]s"}}`, name)).order(t)
	s.right(t, "AddCartItem", adding("D-13", 1))
	w := worker{c.graphQL().with(s.access), s.customer}
	w.do(t, `mutation($in: CommentInput!) { createComment(domain: "tools.example", input: $in) { message } }`, map[string]any{
		"in": map[string]any{"entityType": "product", "entityId": c.named(t, "<tools:product:drill>"), "text": "Good.",
			"authorName": name, "authorEmail": strings.ToUpper(email)}}, nil)
	w.do(t, `mutation($in: ContactInput!) { submitContact(domain: "tools.example", input: $in) { message } }`, map[string]any{
		"in": map[string]any{"title": "Call", "name": name, "text": "Call " + name, "cellNumber": "0" + s.customer.cell[3:]}}, nil)
	w.do(t, submitListing, map[string]any{"shop": c.tools, "in": listingOf("Lathe of " + name)}, nil)
	manager := c.staff(t, c.tools, record.Manager)
	manager.do(t, moveOrder, map[string]any{"shop": c.tools, "id": made.ID, "to": "confirmed", "note": "told " + name}, nil)
	return traced{s, []string{s.customer.cell, s.customer.cell[3:], name, email, strings.ToUpper(email)}}
}

// TestMessagesAreFoundAsTheyAreWritten exports and erases messages whose cell number or e-mail address is part of what
// people wrote, and no others.
func TestMessagesAreFoundAsTheyAreWritten(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		s := c.rest().shopper(t, 1)
		c.store.Client.User.UpdateOneID(uuid.MustParse(s.id)).SetCellVerified(true).ExecX(t.Context())
		s.right(t, "UpdateProfile", `{"email": "reza@mail.example"}`)
		digits := s.customer.cell[3:] // 912…
		begin, middle, end := digits[:3], digits[3:6], digits[6:]
		persian := strings.Map(func(r rune) rune { return r - '0' + '۰' }, digits)
		send := func(member, text string) {
			t.Helper()
			wantStatus(t, c.send(t, "POST", tools+"/contact-submissions", string(must(json.Marshal(map[string]string{
				"title": "A", "name": "B", "text": "C", member: text}))(t))), 201)
		}
		mine := []string{digits, "0" + digits, "+98 " + begin + " " + middle + " " + end, "0" + begin + "-" + middle + "-" + end,
			"۰" + persian, "tel: 0" + digits + " (home)", "021-88776655 / 0" + digits, "0" + begin + "/" + middle + "/" + end}
		for _, text := range mine {
			send("cellNumber", text)
		}
		addresses := []string{"reza@mail.example", "REZA@mail.example", "Reza <reza@mail.example>", "reza@mail.example, or call"}
		for _, text := range addresses {
			send("email", text)
		}
		for _, text := range []string{"021-88776655", "0" + digits + "1", "10" + digits, "+1 " + begin + " " + middle + " " + end, "none"} {
			send("cellNumber", text)
		}
		for _, text := range []string{"reza at mail", "areza@mail.example", "reza@mail.example.ir", "mail.example"} {
			send("email", text)
		}
		s.right(t, "AddFavorite", `{"productId": "<tools:product:drill>"}`)
		owner, in := c.staff(t, c.tools, record.Owner), map[string]any{"shop": c.tools, "id": s.id}
		var out struct{ CustomerExport exported }
		owner.do(t, customerExport, in, &out)
		if got := len(out.CustomerExport.Shops[0].Messages); got != len(mine)+len(addresses) {
			t.Errorf("%d messages are exported, want %d", got, len(mine)+len(addresses))
		}
		var erased struct{ EraseCustomer personal.Figures }
		owner.do(t, eraseCustomer, in, &erased)
		left := c.store.Client.ContactSubmission.Query().CountX(tenancy.In(t.Context(), uuid.MustParse(c.tools)))
		if erased.EraseCustomer.Messages != len(mine)+len(addresses) || left != 9 {
			t.Errorf("%+v are erased, %d messages left", erased.EraseCustomer, left)
		}
	})
}

// order is the one order of the tool shop.
func (c *crew) order(t *testing.T) *ent.Order {
	t.Helper()
	return must(c.store.Client.Order.Query().Only(tenancy.In(t.Context(), uuid.MustParse(c.tools))))(t)
}

// listing is the one listing of a customer in the tool shop.
func (c *crew) listing(t *testing.T) *ent.UserProduct {
	t.Helper()
	return must(c.store.Client.UserProduct.Query().Where(userproduct.UserIDNotNil()).
		Only(tenancy.In(t.Context(), uuid.MustParse(c.tools))))(t)
}

// counters hold cell numbers for a day at most, to count what is limited.
var counters = []string{"rate_events", "rate_keys"}

// exported is an export as far as the tests look at it.
type exported struct {
	Customer            struct{ CellNumber string }
	Addresses, Sessions []struct{}
	Shops               []struct {
		Domain                                        string
		Orders                                        []struct{ History []struct{} }
		Cart, Favorites, Listings, Comments, Messages []struct{}
	}
}

func TestEraseCustomer(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		all := c.listens(t, "tools")
		who, other := c.leavesTraces(t, 1), c.leavesTraces(t, 2)
		owner, manager := c.staff(t, c.tools, record.Owner), c.staff(t, c.tools, record.Manager)
		foreign := c.staff(t, c.mugs, record.Owner)
		in := func(shop, id string) map[string]any { return map[string]any{"shop": shop, "id": id} }
		for _, operation := range []string{eraseCustomer, customerExport} {
			manager.refused(t, "FORBIDDEN", operation, in(c.tools, who.id))
			foreign.refused(t, "NOT_FOUND", operation, in(c.mugs, who.id))
			owner.refused(t, "NOT_FOUND", operation, in(c.tools, nobodys))
		}
		owner.refused(t, "CONFLICT", eraseCustomer, in(c.tools, manager.id))

		var out struct{ CustomerExport exported }
		owner.do(t, customerExport, in(c.tools, who.id), &out)
		if e := out.CustomerExport; e.Customer.CellNumber != who.customer.cell || len(e.Addresses)+len(e.Sessions) > 0 ||
			len(e.Shops) != 1 {
			t.Errorf("%+v", e)
		} else if s := e.Shops[0]; len(s.Orders) != 1 || len(s.Orders[0].History) != 2 || len(s.Cart) != 1 || len(s.Favorites) != 1 ||
			len(s.Listings) != 1 || len(s.Comments) != 1 || len(s.Messages) != 1 {
			t.Errorf("%+v", s)
		}
		if found := traces(c.dump(t, counters...), who.words...); len(found) < 10 {
			t.Errorf("the person has left too little: %q", found)
		}
		var erased struct{ EraseCustomer personal.Figures }
		owner.do(t, eraseCustomer, in(c.tools, who.id), &erased)
		if want := (personal.Figures{Orders: 1, Opinions: 1, Listings: 1, Messages: 1}); erased.EraseCustomer != want {
			t.Errorf("%+v", erased)
		}
		if found := traces(c.dump(t, counters...), who.words...); len(found) > 0 {
			t.Errorf("left: %q", found)
		}
		owner.refused(t, "NOT_FOUND", eraseCustomer, in(c.tools, who.id))
		c.rest().lives(t, who.access, false)
		if found := traces(c.dump(t, counters...), other.words...); len(found) < 10 {
			t.Errorf("of somebody else is left: %q", found)
		}
		var seen struct {
			ShopOrders struct {
				Total int
				Items []struct {
					Order struct {
						Total           json.Number
						Items           []struct{ Sku string }
						ShippingAddress map[string]*string
						Payment         struct{ TransferRefNumber, Notes string }
					}
					Customer *struct{ CellNumber string }
				}
			}
			ShopCustomers struct{ Total int }
			AuditLog      struct {
				Items []struct {
					RecordID string
					After    struct{ Erased personal.Figures }
				}
			}
		}
		owner.do(t, `query($shop: ID!) { shopOrders(businessId: $shop) { total items { customer { cellNumber }
				order { total items { sku } shippingAddress { province city address landline } payment { transferRefNumber notes } } } }
			auditLog(businessId: $shop, action: "eraseCustomer") { items { recordId after } } }`, in(c.tools, ""), &seen)
		first := seen.ShopOrders.Items[1]
		if seen.ShopOrders.Total != 2 || first.Customer != nil || first.Order.Total == "" || len(first.Order.Items) != 1 ||
			*first.Order.ShippingAddress["city"] != "Shiraz" || *first.Order.ShippingAddress["address"] != "" ||
			first.Order.Payment.TransferRefNumber != "TR-1" || first.Order.Payment.Notes != "" {
			t.Errorf("%+v", first)
		}
		if log := seen.AuditLog.Items; len(log) != 1 || log[0].RecordID != who.id || log[0].After.Erased.Orders != 1 {
			t.Errorf("%+v", log)
		}
		if !strings.Contains(types(c.told(t, all)), "listing_submitted") {
			t.Errorf("told: %s", types(c.told(t, all)))
		}
	})
}

// TestErasureFindsOldEntries erases a customer of whose listing, which is gone, a server of the version
// before has written: its entries do not say whose it was, but all that was deleted.
func TestErasureFindsOldEntries(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		who, other := c.leavesTraces(t, 1), c.leavesTraces(t, 2)
		owner, shop := c.staff(t, c.tools, record.Owner), uuid.MustParse(c.tools)
		entry := func(listing uuid.UUID, action, before string) *ent.AuditEntry {
			return c.store.Client.AuditEntry.Create().SetBusinessID(shop).SetAction(action).SetKind("userProduct").
				SetRecordID(listing).SetBefore([]byte(before)).SetRecordName("Lathe").SaveX(t.Context())
		}
		gone, others := uuid.New(), uuid.New()
		words := []*ent.AuditEntry{
			entry(gone, "updateUserProduct", `{"titleFa": "lathe"}`),
			entry(gone, "deleteUserProduct", `{"titleFa": "lathe", "userId": "`+who.id+`"}`),
		}
		words = append(words, c.store.Client.AuditEntry.Create().SetBusinessID(shop).SetAction("removeStaff").
			SetKind("staffMember").SetRecordID(uuid.New()).SetRecordName("Lathe").
			SetBefore([]byte(`{"firstName": "Lathe", "userId": "`+who.id+`"}`)).SaveX(t.Context()))
		stays := entry(others, "deleteUserProduct", `{"titleFa": "saw", "userId": "`+other.id+`"}`)
		owner.do(t, eraseCustomer, map[string]any{"shop": c.tools, "id": who.id}, nil)
		for _, e := range words {
			now := c.store.Client.AuditEntry.GetX(t.Context(), e.ID)
			if string(now.Before) != "{}" || now.RecordName != nil {
				t.Errorf("%s is still %v", e.Action, now)
			}
		}
		if now := c.store.Client.AuditEntry.GetX(t.Context(), stays.ID); !strings.Contains(string(now.Before), "saw") {
			t.Errorf("of another customer's listing there is %v", now)
		}
	})
}

// TestErasureKeepsToItsShop erases a customer of two shops in one of them, then lets them close the account.
func TestErasureKeepsToItsShop(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		who := c.leavesTraces(t, 1)
		owner, operator := c.staff(t, c.tools, record.Owner), c.staff(t, "", record.Operator)
		mugs := who.at(t, "mugs")
		mugs.right(t, "AddCartItem", `{"storeItemVariantId": "<mugs:variant:TEA-1>"}`)
		mugs.right(t, "Checkout", toHome)
		before := c.dump(t, counters...)
		owner.do(t, eraseCustomer, map[string]any{"shop": c.tools, "id": who.id}, nil)
		who.right(t, "Me", "")
		if who.withStatus(t, "confirmed") != 0 || mugs.withStatus(t, "pending") != 1 {
			t.Error("the other shop has lost its order, or this one has not")
		}
		after := c.dump(t, counters...)
		for _, table := range []string{"users", "addresses", "sessions", "refresh_tokens"} {
			if after[table] != before[table] {
				t.Errorf("%s has changed: %s", table, after[table])
			}
		}
		if n := c.store.Client.Order.Query().CountX(tenancy.In(t.Context(), uuid.MustParse(c.tools))); n != 1 {
			t.Errorf("%d orders in the shop", n)
		}
		owner.refused(t, "NOT_FOUND", eraseCustomer, map[string]any{"shop": c.tools, "id": who.id})

		w := worker{c.graphQL().with(who.access), who.customer}
		var own struct {
			Me struct{ DataExport exported }
		}
		w.do(t, `{ me { dataExport } }`, nil, &own)
		if e := own.Me.DataExport; len(e.Shops) != 1 || e.Shops[0].Domain != "mugs.example" || len(e.Addresses) != 1 ||
			len(e.Sessions) != 1 {
			t.Errorf("%+v", e)
		}
		closing := func(in map[string]any) map[string]any { return map[string]any{"in": in} }
		w.refused(t, "VALIDATION_FAILED", closeAccount, closing(map[string]any{}))
		w.refused(t, "VALIDATION_FAILED", closeAccount, closing(map[string]any{"currentPassword": goodPassword, "code": "123456"}))
		w.refused(t, "CURRENT_PASSWORD_INCORRECT", closeAccount, closing(map[string]any{"currentPassword": otherPassword}))
		w.refused(t, "INVALID_CODE", closeAccount, closing(map[string]any{"code": "123456"}))
		worker{door: c.graphQL()}.refused(t, "UNAUTHENTICATED", closeAccount, closing(map[string]any{"currentPassword": goodPassword}))
		operator.refused(t, "CONFLICT", closeAccount, closing(map[string]any{"currentPassword": goodPassword}))
		w.door = w.door.key("closing")
		w.do(t, closeAccount, closing(map[string]any{"currentPassword": goodPassword}), nil)
		if found := traces(c.dump(t, counters...), who.words...); len(found) > 0 {
			t.Errorf("left: %q", found)
		}
		c.rest().lives(t, who.access, false)
		c.rest().register(t, who.customer.cell) // somebody new
	})
}

// TestClosedAccountWaits closes an account that is erased later: a code opens it again, and what is due is erased.
func TestClosedAccountWaits(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		d, w, owner := c.rest(), c.customer(t), c.staff(t, c.tools, record.Owner)
		w.do(t, closeAccount, map[string]any{"in": map[string]any{"code": d.code(t, w.customer.cell)}}, nil)
		d.lives(t, w.access, false)
		d.wrong(t, "login", byPassword(w.customer.cell, goodPassword), 401, "INVALID_CREDENTIALS")
		const found = `query($shop: ID!, $cell: String) { shopCustomers(businessId: $shop, cellNumber: $cell) { total } }`
		var seen struct{ ShopCustomers struct{ Total int } }
		owner.do(t, found, map[string]any{"shop": c.tools, "cell": w.customer.cell}, &seen)
		if seen.ShopCustomers.Total != 0 {
			t.Error("the shop still finds the customer")
		}
		invitation := owner.invite(t, c.tools, w.customer.cell, "editor")
		owner.do(t, withdrawInvitation, map[string]any{"shop": c.tools, "id": invitation}, nil)
		back := asCustomer(t, d.right(t, "loginOtp", byCode(w.customer.cell, d.code(t, w.customer.cell))))
		c.clock.pass(11 * time.Hour)
		c.service.Sweep(t.Context())
		d.right(t, "loginOtp", byCode(w.customer.cell, d.code(t, w.customer.cell)))

		again := worker{c.graphQL().with(asCustomer(t,
			d.right(t, "loginOtp", byCode(w.customer.cell, d.code(t, w.customer.cell)))).access), back}
		again.do(t, closeAccount, map[string]any{"in": map[string]any{"code": d.code(t, w.customer.cell)}}, nil)
		c.clock.pass(10*time.Hour - time.Minute)
		c.service.Sweep(t.Context())
		if len(traces(c.dump(t, counters...), w.id)) == 0 {
			t.Error("the account was erased before its time")
		}
		c.clock.pass(time.Minute)
		c.service.Sweep(t.Context())
		if left := c.dump(t, counters...)["users"]; strings.Contains(left, w.customer.cell) {
			t.Errorf("left: %s", left)
		}
	}, func(o *app.Options) {
		o.Times = account.Defaults
		o.Times.Closed = 10 * time.Hour
	})
}

// TestErasureRacesWithCheckout erases customers while they order: whatever comes first, no order keeps a person.
func TestErasureRacesWithCheckout(t *testing.T) {
	eachRace(t, func(t *testing.T, first, second *accounts) {
		all := crowd(t, 12, first, second)
		for _, s := range all {
			s.right(t, "AddCartItem", adding("D-13", 1))
		}
		got := together(2*len(all), func(i int) string {
			s := all[i/2]
			if i%2 == 0 {
				return s.ask(t, "Checkout", strings.Replace(toHome, "خیابان", "Street", 1)).code
			}
			_, err := personal.Account(t.Context(), second.store.Client, uuid.MustParse(s.id))
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
		if found := traces(first.dump(t), "Street", "+98990"); len(found) > 0 {
			t.Errorf("left: %q", found)
		}
	})
}

// TestRetention deletes what is older than the operator keeps it.
func TestRetention(t *testing.T) {
	eachCrew(t, func(t *testing.T, c *crew) {
		who := c.leavesTraces(t, 1)
		for _, table := range []string{"contact_submissions", "audit_entries"} { // which have the time of the machine
			if _, err := c.store.Client.ExecContext(t.Context(), "UPDATE "+table+" SET created_at = $1", c.clock.now()); err != nil {
				t.Fatal(err)
			}
		}
		c.clock.pass(30 * time.Hour)
		c.service.Sweep(t.Context())
		left := c.dump(t)
		for _, table := range []string{"carts", "contact_submissions", "audit_entries"} {
			if (left[table] == "") != (table == "contact_submissions") {
				t.Errorf("%s: %s", table, left[table])
			}
		}
		who.door = who.with(who.login(t, who.customer.cell, goodPassword).access)
		who.right(t, "AddCartItem", adding("D-13", 1)) // the cart is used
		c.clock.pass(30 * time.Hour)
		c.service.Sweep(t.Context())
		if left := c.dump(t); left["carts"] == "" || left["audit_entries"] != "" {
			t.Errorf("%s, %s", left["carts"], left["audit_entries"])
		}
		c.clock.pass(30 * time.Hour)
		c.service.Sweep(t.Context())
		if left := c.dump(t); left["carts"] != "" || left["orders"] == "" {
			t.Errorf("%s, %s", left["carts"], left["orders"])
		}
	}, func(o *app.Options) {
		o.Keep = app.Keep{Carts: 50 * time.Hour, Contacts: 20 * time.Hour, Audit: 40 * time.Hour}
	})
}
