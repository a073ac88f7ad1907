package staff_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/comment"
	"storefront/internal/contract/shoptest"
	"storefront/internal/customer/personal"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// TestMessagesAreFoundAsTheyAreWritten exports and erases messages that contain the customer's cell number
// in any spelling, and no others. Those under the e-mail address are listed, and erased if they are named.
func TestMessagesAreFoundAsTheyAreWritten(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		s := c.REST().Shopper(t, 1)
		c.Store.Client.User.UpdateOneID(uuid.MustParse(s.ID)).SetCellVerified(true).SetVouched(true).ExecX(t.Context())
		s.Right(t, "UpdateProfile", `{"email": "reza@mail.example"}`)
		digits := s.Customer.Cell[3:] // 912…
		begin, middle, end := digits[:3], digits[3:6], digits[6:]
		persian := strings.Map(func(r rune) rune { return r - '0' + '۰' }, digits)
		send := func(member, text string) {
			t.Helper()
			shoptest.WantStatus(t, c.Send(t, "POST", shoptest.ToolsPath+"/contact-submissions",
				string(shoptest.Must(json.Marshal(map[string]string{
					"title": "A", "name": "B", "text": "C", member: text}))(t))), 201)
		}
		mine := []string{digits, "0" + digits, "+98 " + begin + " " + middle + " " + end, "0" + begin + "-" +
			middle + "-" + end,
			"۰" + persian, "tel: 0" + digits + " (home)", "021-88776655 / 0" + digits, "0" + begin + "/" +
				middle + "/" + end, "09351234567-0" + digits, "021-88776655-0" + begin + "-" + middle + "-" + end,
			strings.Map(func(r rune) rune { return r - '0' + '０' }, "0"+digits)}
		for _, text := range mine {
			send("cellNumber", text)
		}
		addresses := []string{"reza@mail.example", "REZA@mail.example", "Reza <reza@mail.example>",
			"reza@mail.example, or call", "reza@mail.example.", "reza@mail.example، تلفن", "\u200ereza@mail.example",
			"ｒｅｚａ＠mail.example", "other@mail.example/reza@mail.example", "reza @ mail.example",
			"mailto:reza@mail.example?subject=a", "areza@mail.example, reza@mail.example"}
		for _, text := range addresses {
			send("email", text)
		}
		for _, text := range []string{"021-88776655", "0" + digits + "1", "10" + digits, "+1 " + begin + " " +
			middle + " " + end, "none"} {
			send("cellNumber", text)
		}
		for _, text := range []string{"reza at mail", "areza@mail.example", "reza@mail.example.ir", "mail.example"} {
			send("email", text)
		}
		s.Right(t, "AddFavorite", `{"productId": "<tools:product:drill>"}`)
		owner, in := c.Staff(t, c.Tools, record.Owner), map[string]any{"shop": c.Tools, "id": s.ID}
		var out struct{ CustomerExport exported }
		owner.Do(t, customerExport, in, &out)
		shop := out.CustomerExport.Shops[0]
		if len(shop.Messages) != len(mine) || len(shop.SignedOnly.Messages) != len(addresses) {
			t.Fatalf("%d messages are exported and %d listed, want %d and %d", len(shop.Messages),
				len(shop.SignedOnly.Messages), len(mine), len(addresses))
		}
		in["also"] = []string{shop.SignedOnly.Messages[0].ID, shop.SignedOnly.Messages[7].ID}
		var erased struct{ EraseCustomer personal.Figures }
		owner.Do(t, eraseCustomer, in, &erased)
		left := c.Store.Client.ContactSubmission.Query().CountX(tenancy.In(t.Context(), uuid.MustParse(c.Tools)))
		if erased.EraseCustomer.Messages != len(mine)+2 || left != 9+len(addresses)-2 {
			t.Errorf("%+v are erased, %d messages left", erased.EraseCustomer, left)
		}
	})
}

// TestUnprovenEmailClaimsNothing gives two customers each other's e-mail address, and erases them in every way. No
// record of the other customer is exported or changed, unless an operator names a message without an account.
func TestUnprovenEmailClaimsNothing(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		one, other := leavesTraces(t, c, 1), leavesTraces(t, c, 2)
		one.Right(t, "UpdateProfile", fmt.Sprintf(`{"email": %q}`, other.words[3]))
		other.Right(t, "UpdateProfile", fmt.Sprintf(`{"email": %q}`, one.words[3]))
		owner, operator := c.Staff(t, c.Tools, record.Owner), c.Staff(t, "", record.Operator)
		guest := shoptest.Worker{API: c.GraphQL()}
		for _, text := range []string{"guest one", "guest two"} {
			guest.Do(t, `mutation($in: CommentInput!) {
				createComment(domain: "tools.example", input: $in) { message } }`,
				map[string]any{"in": map[string]any{
					"entityType": "product", "entityId": c.Named(t, "<tools:product:drill>"),
					"text": text, "authorName": "Guest", "authorEmail": other.words[3]}}, nil)
		}
		before := dump(t, c.Accounts, counters...)
		w := shoptest.Worker{API: c.GraphQL().With(one.Access), Customer: one.Customer}
		var own struct {
			Me struct{ DataExport exported }
		}
		w.Do(t, `{ me { dataExport } }`, nil, &own)
		if s := own.Me.DataExport.Shops[0]; len(s.Comments) != 1 || len(s.SignedOnly.Comments) != 0 {
			t.Errorf("the customer exports %d comments, and %d that are anybody's", len(s.Comments),
				len(s.SignedOnly.Comments))
		}
		var out struct{ CustomerExport exported }
		in := map[string]any{"shop": c.Tools, "id": one.ID}
		owner.Do(t, customerExport, in, &out)
		shop := out.CustomerExport.Shops[0]
		if len(shop.Comments) != 1 || len(shop.SignedOnly.Comments) != 2 {
			t.Fatalf("staff export %d comments and are asked about %d, want 1 and 2", len(shop.Comments),
				len(shop.SignedOnly.Comments))
		}
		theirs := c.Store.Client.Comment.Query().Where(comment.UserID(uuid.MustParse(other.ID))).
			OnlyX(tenancy.In(t.Context(), uuid.MustParse(c.Tools)))
		in["also"] = []string{theirs.ID.String()}
		owner.Refused(t, "NOT_FOUND", eraseCustomer, in)
		in["also"] = []string{shop.SignedOnly.Comments[0].ID}
		owner.Do(t, eraseCustomer, in, nil)
		operator.Do(t, `mutation($cell: String!) { eraseAccount(cellNumber: $cell) { orders } }`,
			map[string]any{"cell": other.Customer.Cell}, nil)
		after := dump(t, c.Accounts, counters...)
		if !strings.Contains(before["comments"], "guest one") || strings.Count(after["comments"], "Guest") != 1 {
			t.Errorf("got the comments %s, want the name of one guest", after["comments"])
		}
	})
}

// TestMessagesUnderANumberAreFoundEverywhere closes an account whose number has sent a message to a shop where its
// customer is not a member.
func TestMessagesUnderANumberAreFoundEverywhere(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		for i, proven := range []bool{true, false} {
			s := c.REST().Shopper(t, i+1)
			c.Store.Client.User.UpdateOneID(uuid.MustParse(s.ID)).SetVouched(proven).ExecX(t.Context())
			shoptest.WantStatus(t, c.Send(t, "POST", "/tenants/mugs.example/contact-submissions",
				`{"title": "A", "name": "B", "text": "C", "cellNumber": "0`+s.Customer.Cell[3:]+`"}`), 201)
			w := shoptest.Worker{API: c.GraphQL().With(s.Access), Customer: s.Customer}
			var own struct {
				Me struct{ DataExport exported }
			}
			w.Do(t, `{ me { dataExport } }`, nil, &own)
			found := 0
			for _, shop := range own.Me.DataExport.Shops {
				found += len(shop.Messages)
			}
			w.Do(t, shoptest.CloseAccount, map[string]any{"in": map[string]any{
				"currentPassword": shoptest.GoodPassword}}, nil)
			left := c.Store.Client.ContactSubmission.Query().CountX(tenancy.In(t.Context(), uuid.MustParse(c.Mugs)))
			if (found == 1) != proven || (left == 0) != proven {
				t.Errorf("proven %t: %d messages are exported, %d left", proven, found, left)
			}
		}
	})
}

// TestWordsAboutAGuestGoWithTheComment rejects and answers comments of guests, and then deletes one of them and what
// the other is on: the audit log keeps what was done, without what staff said of the guest.
func TestWordsAboutAGuestGoWithTheComment(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, guest := c.Staff(t, c.Tools, record.Owner), shoptest.Worker{API: c.GraphQL()}
		shop := func(more map[string]any) map[string]any { more["shop"] = c.Tools; return more }
		here := tenancy.In(t.Context(), uuid.MustParse(c.Tools))
		var blog struct{ CreateBlog struct{ ID string } }
		owner.Do(t, `mutation($shop: ID!) { createBlog(businessId: $shop, slug: "gone", input: {type: news,
			titleFa: "خبر", body: "Body"}) { id } }`, shop(map[string]any{}), &blog)
		remove := map[string]func(id string){
			"product": func(id string) {
				owner.Do(t, `mutation($shop: ID!, $ids: [ID!]) { changeComments(businessId: $shop, select: {ids: $ids},
					change: {delete: true}) { changed } }`, shop(map[string]any{"ids": []string{id}}), nil)
			},
			"blog": func(string) {
				owner.Do(t, `mutation($shop: ID!) { deleteBlog(businessId: $shop, slug: "gone") { message } }`,
					shop(map[string]any{}), nil)
			},
		}
		for kind, about := range map[string]string{
			"product": c.Named(t, "<tools:product:drill>"), "blog": blog.CreateBlog.ID,
		} {
			guest.Do(t, `mutation($in: CommentInput!) {
				createComment(domain: "tools.example", input: $in) { message } }`,
				map[string]any{"in": map[string]any{"entityType": kind, "entityId": about, "text": "No.",
					"authorName": "Guest", "authorEmail": "guest@mail.example"}}, nil)
			id := c.Store.Client.Comment.Query().Where(comment.AuthorName("Guest")).OnlyX(here).ID.String()
			owner.Do(t, `mutation($shop: ID!, $ids: [ID!]) { changeComments(businessId: $shop, select: {ids: $ids},
				change: {status: rejected, rejectionReason: "Zorvath lies"}) { changed } }`,
				shop(map[string]any{"ids": []string{id}}), nil)
			owner.Do(t, `mutation($shop: ID!, $id: ID!) { replyToComment(businessId: $shop, commentId: $id,
				text: "Dear Zorvath") { __typename } }`, shop(map[string]any{"id": id}), nil)
			if log := dump(t, c.Accounts)["audit_entries"]; strings.Count(log, "Zorvath") != 2 {
				t.Fatalf("%s: got the log %s, want two words", kind, log)
			}
			remove[kind](id)
			log := dump(t, c.Accounts)["audit_entries"]
			if strings.Contains(log, "Zorvath") || strings.Count(log, id) < 2 {
				t.Errorf("%s: got the log %s", kind, log)
			}
		}
	})
}

// TestAStrangersLinkKeepsNoAccount erases a customer at the only shop, while somebody else has typed the number at
// another one: the account goes, too.
func TestAStrangersLinkKeepsNoAccount(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		s, owner := c.REST().Shopper(t, 1), c.Staff(t, c.Tools, record.Owner)
		s.Right(t, "AddFavorite", `{"productId": "<tools:product:drill>"}`)
		id := uuid.MustParse(s.ID)
		err := c.Store.Client.Membership.Create().SetUserID(id).SetBusinessID(uuid.MustParse(c.Mugs)).
			SetPendingUntil(c.Clock.Now().Add(time.Hour)).Exec(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		owner.Do(t, eraseCustomer, map[string]any{"shop": c.Tools, "id": s.ID}, nil)
		if _, err := c.Store.Client.User.Get(t.Context(), id); !ent.IsNotFound(err) {
			t.Errorf("got %v, want no account", err)
		}
	})
}
