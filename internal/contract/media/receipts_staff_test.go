package media_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/uuid"

	"storefront/ent/auditentry"
	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

const deleteReceipt = `mutation($shop: ID!, $order: ID!, $receipt: ID!) {
	deleteReceipt(businessId: $shop, orderId: $order, receiptId: $receipt) {
		message order { id payment { receipts { id } } } } }`

// TestStaffDeleteReceipts deletes receipts of a settled payment, which frees quota in a shop that has used
// it up.
func TestStaffDeleteReceipts(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		b, other := buys(t, c, 1, "transfer"), buys(t, c, 2, "transfer")
		support, owner := c.Staff(t, c.Tools, record.Support), c.Staff(t, c.Tools, record.Owner)
		address := b.address(t)
		first := put(t, c.Accounts, address, pngOf(t, 400, 300, 1))
		second := put(t, c.Accounts, address, pngOf(t, 400, 300, 2))
		owner.Do(t, markPayment, b.names("as", "paid"), nil)
		used, here := 0, tenancy.In(t.Context(), uuid.MustParse(c.Tools))
		for _, one := range shoptest.Must(c.Store.Client.Receipt.Query().All(here))(t) {
			used += int(one.Size)
		}
		full := c.Instance(t, func(o *app.Options) { o.MediaQuota = int64(2 * used) })
		waiting := other.address(t)
		refused(t, "no room", full, waiting, bytes.NewReader(pngOf(t, 400, 300, 3)), 409, "CONFLICT")

		link := *b.seenBy(t, owner)[0].URL
		said := support.Keyed(t, "once", deleteReceipt, b.names("receipt", first.ID))
		again := support.Keyed(t, "once", deleteReceipt, b.names("receipt", first.ID))
		if said.Code != "" || again.Code != "CONFLICT" { // answers to staff are not kept
			t.Errorf("got %s, and by the same key %s", said.Body, again.Body)
		}
		support.Refused(t, "NOT_FOUND", deleteReceipt, b.names("receipt", first.ID))
		unseen(t, "deleted", c.Accounts, link, 404, "NOT_FOUND")
		if got := b.receipts(t); len(got) != 1 || got[0].ID != second.ID {
			t.Errorf("the customer sees %+v", got)
		}
		if left := kept(t, c.Accounts); len(left) != 1 || rows(t, c) != 1 {
			t.Errorf("%v are left", left)
		}
		put(t, full, waiting, pngOf(t, 400, 300, 3))
		b.Refused(t, "CONFLICT", removeReceipt, b.names("receipt", second.ID))

		entries := c.Store.Client.AuditEntry.Query().Where(auditentry.Action("deleteReceipt")).AllX(t.Context())
		if len(entries) != 1 {
			t.Fatalf("got %d entries of the log, want one", len(entries))
		}
		var before, after struct{ Receipts []struct{ ID string } }
		for text, into := range map[*json.RawMessage]any{&entries[0].Before: &before, &entries[0].After: &after} {
			if err := json.Unmarshal(*text, into); err != nil {
				t.Fatal(err)
			}
		}
		e := entries[0]
		if e.Kind != "order" || e.RecordID.String() != b.order || e.UserID.String() != support.ID ||
			e.CustomerID.String() != b.ID || len(before.Receipts) != 2 || len(after.Receipts) != 1 ||
			after.Receipts[0].ID != second.ID {
			t.Errorf("got the entry %v from %s to %s", e, e.Before, e.After)
		}
	})
}

// TestWhoMayDeleteReceipts deletes receipts without permission, of other orders, and concurrently.
func TestWhoMayDeleteReceipts(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		b, other := buys(t, c, 1, "transfer"), buys(t, c, 2, "transfer")
		u := put(t, c.Accounts, b.address(t), pngOf(t, 40, 30, 1))
		of := b.names("receipt", u.ID)
		elsewhere := b.names("receipt", u.ID)
		elsewhere["shop"] = c.Mugs
		for _, role := range []record.StaffRole{record.Editor, record.Moderator} {
			c.Staff(t, c.Tools, role).Refused(t, "FORBIDDEN", deleteReceipt, of)
		}
		program(t, c, c.Tools, "markPayments").Refused(t, "FORBIDDEN", deleteReceipt, of)
		b.Refused(t, "FORBIDDEN", deleteReceipt, of)
		shoptest.Worker{API: c.GraphQL()}.Refused(t, "UNAUTHENTICATED", deleteReceipt, of)
		stranger := c.Staff(t, c.Mugs, record.Owner)
		stranger.Refused(t, "FORBIDDEN", deleteReceipt, of)
		stranger.Refused(t, "NOT_FOUND", deleteReceipt, elsewhere)
		support := c.Staff(t, c.Tools, record.Support)
		support.Refused(t, "NOT_FOUND", deleteReceipt, other.names("receipt", u.ID))
		support.Refused(t, "NOT_FOUND", deleteReceipt, b.names("receipt", uuid.NewString()))
		if len(b.receipts(t)) != 1 || len(kept(t, c.Accounts)) != 1 {
			t.Error("who may not has deleted the receipt")
		}

		at := []shoptest.Worker{support, c.Staff(t, c.Tools, record.Manager), program(t, c, c.Tools, "manageOrders"),
			b.Worker}
		codes := shoptest.Together(len(at), func(i int) string {
			document := deleteReceipt
			if i == 3 {
				document = removeReceipt
			}
			return at[i].Ask(t, document, of).Code()
		})
		if got := shoptest.Tallied(codes); got[""] != 1 || got["NOT_FOUND"] != 3 {
			t.Errorf("got %v, want it deleted once", got)
		}
		if len(kept(t, c.Accounts)) != 0 || rows(t, c) != 0 {
			t.Error("something is left of the receipt")
		}
	})
}
