package media_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent/staffmember"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestReceiptsOfOthers checks that no operation gives a customer another customer's receipts or orders.
func TestReceiptsOfOthers(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		b, other := buys(t, c, 1, "transfer"), buys(t, c, 2, "transfer")
		guest := shoptest.Worker{API: c.GraphQL()}
		address := b.address(t)
		u := put(t, c.Accounts, address, pngOf(t, 40, 30, 1))
		elsewhere := b.names()
		elsewhere["shop"] = c.Mugs
		other.Refused(t, "NOT_FOUND", createReceiptUpload, b.names())
		other.Refused(t, "NOT_FOUND", removeReceipt, b.names("receipt", u.ID))
		other.Refused(t, "NOT_FOUND", removeReceipt, other.names("receipt", u.ID))
		b.Refused(t, "NOT_FOUND", createReceiptUpload, elsewhere)
		b.Refused(t, "NOT_FOUND", createReceiptUpload, map[string]any{"shop": c.Tools, "order": uuid.NewString()})
		guest.Refused(t, "UNAUTHENTICATED", createReceiptUpload, b.names())
		for _, by := range []string{"cash", "pos"} {
			third := other.orders(t, by)
			third.Refused(t, "CONFLICT", createReceiptUpload, third.names())
		}
		c.Staff(t, c.Tools, record.Editor).Refused(t, "FORBIDDEN", shopReceipts, b.names())
		stranger := c.Staff(t, c.Mugs, record.Owner)
		stranger.Refused(t, "FORBIDDEN", shopReceipts, b.names())
		stranger.Refused(t, "NOT_FOUND", shopReceipts, elsewhere)
		c.Staff(t, c.Tools, record.Owner).Refused(t, "NOT_FOUND", createReceiptUpload, b.names())

		// a program that may only mark payments sees that there is a receipt, but gets no link
		var marked struct{ MarkPayment struct{ Order paidOrder } }
		program(t, c, c.Tools, "markPayments").Do(t, markPayment, b.names("as", "failed"), &marked)
		if got := marked.MarkPayment.Order.Payment.Receipts; len(got) != 1 || got[0].URL != nil {
			t.Errorf("got %+v", got)
		}

		// a link works for one purpose only
		w := c.Staff(t, c.Tools, record.Manager)
		own, theirs := *b.receipts(t)[0].URL, *b.seenBy(t, w)[0].URL
		_, uploads, _ := strings.Cut(address, "?")
		_, listings, _ := strings.Cut(listingAddress(t, other.Worker, c.Tools), "?")
		_, reads, _ := strings.Cut(own, "?")
		for name, link := range map[string]string{
			"an upload's": "?" + uploads, "of listings": "?" + listings, "none": "", "no link": "?link=x",
			"cut off": "?" + reads[:len(reads)-1],
		} {
			unseen(t, name, c.Accounts, "/media/receipts"+link, 403, "FORBIDDEN")
		}
		unseen(t, "two", c.Accounts, own+"&link=x", 400, "BAD_REQUEST")
		for name, link := range map[string]string{"to see": reads, "of listings": listings, "none": ""} {
			refused(t, name, c.Accounts, "/media/uploads/receipts?"+link, bytes.NewReader(pngOf(t, 4, 3, 1)), 403,
				"FORBIDDEN")
		}
		refused(t, "as an image of a listing", c.Accounts, "/media/uploads/listings?"+uploads,
			bytes.NewReader(pngOf(t, 4, 3, 1)), 403, "FORBIDDEN")
		for _, method := range []string{"PUT", "POST", "DELETE"} {
			if got := c.Accounts.Fetch(t, method, own, nil); got.Status != 405 {
				t.Errorf("%s: got %d", method, got.Status)
			}
		}
		wantReceipt(t, c.Accounts, own, 40)
		wantReceipt(t, c.Accounts, theirs, 40)

		// people who have lost access
		programs := *b.seenBy(t, program(t, c, c.Tools, "manageOrders"))[0].URL
		wantReceipt(t, c.Accounts, programs, 40)
		c.Store.Client.StaffMember.Delete().Where(staffmember.UserID(uuid.MustParse(w.ID))).ExecX(t.Context())
		c.Store.Client.AccessToken.Update().SetRevokedAt(c.Clock.Now()).ExecX(t.Context())
		unseen(t, "no staff any more", c.Accounts, theirs, 403, "FORBIDDEN")
		unseen(t, "a revoked token", c.Accounts, programs, 401, "UNAUTHENTICATED")
		b.Do(t, `mutation { logout { message } }`, nil, nil)
		unseen(t, "signed out", c.Accounts, own, 401, "UNAUTHENTICATED")
		refused(t, "signed out", c.Accounts, address, bytes.NewReader(pngOf(t, 40, 30, 2)), 401, "UNAUTHENTICATED")
		c.Clock.Pass(15 * time.Minute)
		unseen(t, "expired", c.Accounts, own, 403, "FORBIDDEN")
		if got := c.Accounts.Fetch(t, "GET", own, nil); !bytes.Contains(got.Body, []byte("has expired")) {
			t.Errorf("expired: got %s", got.Body)
		}
		refused(t, "expired", c.Accounts, address, bytes.NewReader(pngOf(t, 40, 30, 2)), 403, "FORBIDDEN")
	})
}
