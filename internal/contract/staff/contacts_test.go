package staff_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/message/sms"
	"storefront/internal/record"
)

const (
	noteContact = `mutation($shop: ID!, $id: ID!, $note: String) {
		noteContact(businessId: $shop, submissionId: $id, note: $note) { submission { note notedAt handledAt } } }`
	replyToContact = `mutation($shop: ID!, $id: ID!, $text: String!) {
		replyToContact(businessId: $shop, submissionId: $id, text: $text) {
			submission { handledAt reply { text createdAt userId state } } } }`
	oneContact = `query($shop: ID!, $id: ID!) { contactSubmission(businessId: $shop, submissionId: $id) {
		note notedAt handledAt reply { text createdAt userId state } } }`
)

type contactSeen struct {
	Note               *string
	NotedAt, HandledAt *time.Time
	Reply              *struct {
		Text, UserID, State string
		CreatedAt           time.Time
	}
}

// sendsSMS lets shops send SMS.
func sendsSMS(o *app.Options) { o.ShopSMSInDay = 100 }

// writesTo sends a message to the tool shop, and returns its id.
func writesTo(t *testing.T, c *shoptest.Crew, cell string) (id string) {
	t.Helper()
	body := map[string]string{"title": "T", "name": "N", "text": "Help", "cellNumber": cell}
	got := c.Send(t, "POST", shoptest.ToolsPath+"/contact-submissions", string(shoptest.Must(json.Marshal(body))(t)))
	shoptest.WantStatus(t, got, 201)
	var made struct{ Submission struct{ ID string } }
	if err := json.Unmarshal(got.Body, &made); err != nil {
		t.Fatal(err)
	}
	return made.Submission.ID
}

// contact reads a message after its reply was sent or has failed.
func contact(t *testing.T, c *shoptest.Crew, by shoptest.Worker, id string) contactSeen {
	t.Helper()
	for {
		var seen struct{ ContactSubmission contactSeen }
		by.Do(t, oneContact, map[string]any{"shop": c.Tools, "id": id}, &seen)
		if reply := seen.ContactSubmission.Reply; reply == nil || reply.State != "sending" {
			return seen.ContactSubmission
		}
	}
}

// later moves the clock by an hour and signs in a worker again.
func later(t *testing.T, c *shoptest.Crew, who shoptest.Worker) shoptest.Worker {
	t.Helper()
	c.Clock.Pass(time.Hour)
	again := c.GraphQL().Login(t, who.Customer.Cell, shoptest.GoodPassword)
	return shoptest.Worker{API: c.GraphQL().With(again.Access), Customer: who.Customer}
}

// TestNotesOnMessages adds a note to a message, which its sender cannot see, and removes it.
func TestNotesOnMessages(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		support, foreigner := c.Staff(t, c.Tools, record.Support), c.Staff(t, c.Mugs, record.Owner)
		owner, sender := c.Staff(t, c.Tools, record.Owner), c.Customer(t)
		id := writesTo(t, c, sender.Customer.Cell)
		at := func(note any) map[string]any { return map[string]any{"shop": c.Tools, "id": id, "note": note} }
		for _, note := range []any{" Call on Monday ", "Called", "Called", nil, "Again", ""} {
			c.Clock.Pass(time.Minute)
			support.Do(t, noteContact, at(note), nil)
			got := contact(t, c, support, id)
			text, _ := note.(string)
			text = strings.TrimSpace(text)
			if (got.Note == nil) != (text == "") || got.Note != nil && *got.Note != text ||
				(got.NotedAt == nil) != (text == "") || got.HandledAt != nil {
				t.Errorf("after %v: got %+v", note, got)
			}
		}
		if entries := log(t, c, owner, `, action: "noteContact"`); len(entries) != 5 || entries[0].RecordID != id ||
			strings.Contains(string(entries[0].Before), "Again") || len(entries[0].Before) < len(`{"notedAt": ""}`) {
			t.Errorf("the log has %+v", entries)
		}
		support.Do(t, noteContact, at("Rude"), nil)
		var export struct {
			Me struct{ DataExport json.RawMessage }
		}
		sender.Do(t, `{ me { dataExport } }`, nil, &export)
		if text := string(export.Me.DataExport); strings.Contains(text, "Rude") || !strings.Contains(text, "Help") {
			t.Errorf("the sender is given %s", text)
		}
		support.Refused(t, "VALIDATION_FAILED", noteContact, at(strings.Repeat("a", 5001)))
		variables := at("Mine")
		variables["shop"] = c.Mugs
		foreigner.Refused(t, "NOT_FOUND", noteContact, variables)
		foreigner.Refused(t, "FORBIDDEN", oneContact, map[string]any{"shop": c.Tools, "id": id})
		c.Staff(t, c.Tools, record.Moderator).Refused(t, "FORBIDDEN", noteContact, at("Mine"))
	})
}

// TestTextsHaveVersions has two colleagues write the note on a message, the answers to a comment and to a review, and
// the text of an image: the second, who has read what was there before, is refused.
func TestTextsHaveVersions(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		ctx := tenancy.In(t.Context(), uuid.MustParse(c.Tools))
		comment := c.Store.Client.Comment.Query().FirstIDX(ctx)
		review := c.Store.Client.ExpertReview.Query().FirstIDX(ctx)
		image := c.Store.Client.MediaFile.Create().SetAddress("/media/x").SetHash([]byte{1}).SetKind(record.PNG).
			SetSize(1).SetTotalSize(1).SetWidth(1).SetHeight(1).SaveX(ctx)
		for field, of := range map[string]struct{ id, arguments, gives, list string }{
			"noteContact": {writesTo(t, c, ""), "submissionId: $id, note: $text", "submission",
				"contactSubmission(businessId: $shop, submissionId: $id)"},
			"replyToComment": {comment.String(), "commentId: $id, text: $text", "comment",
				"staffComment(businessId: $shop, commentId: $id)"},
			"replyToReview": {review.String(), "reviewId: $id, text: $text", "review",
				"staffReview(businessId: $shop, reviewId: $id)"},
			"updateMediaFile": {image.ID.String(), "mediaId: $id, input: {altEn: $text}", "mediaFile",
				"mediaFile(businessId: $shop, mediaId: $id)"},
		} {
			var read struct{ It struct{ Version string } }
			with := func(more ...any) map[string]any {
				all := map[string]any{"shop": c.Tools, "id": of.id}
				for i := 0; i < len(more); i += 2 {
					all[more[i].(string)] = more[i+1]
				}
				return all
			}
			owner.Do(t, `query($shop: ID!, $id: ID!) { it: `+of.list+` { version } }`, with(), &read)
			write := `mutation($shop: ID!, $id: ID!, $text: String, $version: String) { it: ` + field +
				`(businessId: $shop, ` + of.arguments + `, expectedVersion: $version) {
					it: ` + of.gives + ` { version } } }`
			var wrote struct {
				It struct{ It struct{ Version string } }
			}
			owner.Do(t, write, with("text", "One", "version", read.It.Version), &wrote)
			owner.Refused(t, "CONFLICT", write, with("text", "Two", "version", read.It.Version))
			owner.Do(t, write, with("text", "Two", "version", wrote.It.It.Version), nil)
			owner.Do(t, write, with("text", "Three"), nil) // a program that asks for no version
			owner.Refused(t, "CONFLICT", write, with("text", nil, "version", wrote.It.It.Version))
			if wrote.It.It.Version == read.It.Version || read.It.Version == "" {
				t.Errorf("%s: got the version %q, and %q before", field, wrote.It.It.Version, read.It.Version)
			}
		}
	})
}

// TestMessagesAreAnswered replies to messages by SMS: to numbers as people write them, once each, up to the
// limit of the shop.
func TestMessagesAreAnswered(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		support, foreigner := c.Staff(t, c.Tools, record.Support), c.Staff(t, c.Mugs, record.Owner)
		to := func(id, text string) map[string]any { return map[string]any{"shop": c.Tools, "id": id, "text": text} }
		id := writesTo(t, c, "0912 000 1234")
		c.Clock.Pass(time.Minute)
		var done struct {
			ReplyToContact struct{ Submission contactSeen }
		}
		support.Do(t, replyToContact, to(id, " It is on its way. "), &done)
		if got := done.ReplyToContact.Submission; got.Reply == nil || got.Reply.Text != "It is on its way." ||
			got.Reply.UserID != support.ID || !got.Reply.CreatedAt.Equal(c.Clock.Now()) || got.HandledAt == nil {
			t.Errorf("got %+v", got)
		}
		if text := c.Phones.Text(t, "+989120001234"); text != "It is on its way.\n\nابزارسرا" {
			t.Errorf("the SMS is %q", text)
		}
		if got := contact(t, c, support, id); got.Reply.State != "sent" {
			t.Errorf("got %+v", got.Reply)
		}
		support.Refused(t, "CONFLICT", replyToContact, to(id, "Once more"))
		for _, cell := range []string{"", "tel", "021-88776655", "+98 21 88776655"} {
			none := writesTo(t, c, cell)
			support.Refused(t, "CONFLICT", replyToContact, to(none, "Hello"))
			if got := contact(t, c, support, none); got.Reply != nil || got.HandledAt != nil {
				t.Errorf("a refused answer is kept: got %+v", got)
			}
		}
		foreigner.Refused(t, "NOT_FOUND", replyToContact, map[string]any{"shop": c.Mugs, "id": id, "text": "Mine"})
		far := writesTo(t, c, "+4915112345678")
		c.Phones.OutOfReach("+4915112345678")
		support.Refused(t, "SMS_UNAVAILABLE", replyToContact, to(far, "Hello"))
		support.Refused(t, "VALIDATION_FAILED", replyToContact, to(id, " "))

		// a shop may send three to one number in an hour
		for i := range 4 {
			got := support.Ask(t, replyToContact, to(writesTo(t, c, "+989120001234"), "Hello"))
			if got.Code() != "" && i < 2 || i >= 2 && got.Code() != "RATE_LIMITED" {
				t.Errorf("the %dth answer to a number: got %v", i+2, got.Errors)
			}
		}
		support = later(t, c, support)
		last := writesTo(t, c, "+989120001234")
		support.Do(t, replyToContact, to(last, "Hello"), nil)
	}, sendsSMS)
}

// TestAnswersThatFail replies several times at once, and while the provider fails. The state shows the
// failure, the reply may be sent again, and it does not count if it was certainly not sent.
func TestAnswersThatFail(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		support := c.Staff(t, c.Tools, record.Support)
		id := writesTo(t, c, "09120001234")
		variables := map[string]any{"shop": c.Tools, "id": id, "text": "Hello"}
		for i, kind := range []sms.Kind{sms.Credit, sms.Recipient, sms.Unknown, sms.Unreachable, ""} {
			c.Phones.Fail(kind)
			want := "failed"
			switch kind {
			case sms.Unknown:
				want = "unknown"
			case "":
				want = "sent"
			}
			codes := shoptest.Together(3, func(int) string {
				return support.Ask(t, replyToContact, variables).Code()
			})
			// a later one may find that an earlier one has failed, and try again
			tally := shoptest.Tallied(codes)
			if tally[""] == 0 || kind == "" && (tally[""] != 1 || tally["CONFLICT"] != 2) {
				t.Errorf("%d: of answers at once got %v", i, codes)
			}
			if got := contact(t, c, support, id); got.Reply.State != want || got.HandledAt == nil {
				t.Errorf("%d: got %+v, want %s", i, got.Reply, want)
			}
			support = later(t, c, support)
		}
		c.Phones.Text(t, "+989120001234")
	}, sendsSMS)
}

// TestShopsWithoutSMS replies and invites while SMS of shops are switched off.
func TestShopsWithoutSMS(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		owner.Refused(t, "SMS_UNAVAILABLE", replyToContact,
			map[string]any{"shop": c.Tools, "id": writesTo(t, c, "09120001234"), "text": "Hello"})
		if got := invitedBySMS(t, c, owner, "+989120001234", "editor"); got != "" {
			t.Errorf("the invitation's SMS is %s", got)
		}
	})
}

// invitedBySMS invites a number for a role, and returns the final state of the SMS, or "" for none.
func invitedBySMS(t *testing.T, c *shoptest.Crew, owner shoptest.Worker, cell, role string) (state string) {
	t.Helper()
	owner.Do(t, shoptest.AddStaff, hiring(c.Tools, cell, role), nil)
	for state = "sending"; state == "sending"; {
		var open struct {
			StaffInvitations []struct {
				CellNumber string
				Sms        *string
			}
		}
		owner.Do(t, `query($shop: ID!) { staffInvitations(businessId: $shop) { cellNumber sms } }`,
			map[string]any{"shop": c.Tools}, &open)
		state = ""
		for _, one := range open.StaffInvitations {
			if one.CellNumber == cell && one.Sms != nil {
				state = *one.Sms
			}
		}
	}
	return state
}

// TestInvitationsBySMS invites numbers with and without an account, in the language of the shop, again and again, and
// while the provider fails. Who registers later finds the invitation.
func TestInvitationsBySMS(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, there := c.Staff(t, c.Tools, record.Owner), c.Customer(t)
		cells := []string{there.Customer.Cell, "+989120005678"}
		for _, cell := range cells {
			if got := invitedBySMS(t, c, owner, cell, "editor"); got != "sent" {
				t.Errorf("the SMS to %s is %s", cell, got)
			}
			const want = "برای همکاری با «ابزارسرا» دعوت شده‌اید. " +
				"برای پذیرفتن، با همین شماره در tools.example وارد شوید."
			if text := c.Phones.Text(t, cell); text != want {
				t.Errorf("got %q, want %q", text, want)
			}
		}
		sent := c.Phones.Sent
		if invitedBySMS(t, c, owner, cells[0], "manager"); c.Phones.Sent != sent {
			t.Error("another role for an open invitation sent the same SMS again")
		}
		owner.Do(t, `mutation($shop: ID!) { updateShop(businessId: $shop, input: {defaultLocale: "en"}) { id } }`,
			map[string]any{"shop": c.Tools}, nil)
		for i := range 3 { // of a shop to one number three in an hour
			if got := invitedBySMS(t, c, owner, cells[1], "editor"); got != "sent" {
				t.Errorf("invited again: the SMS is %s", got)
			}
			if i < 2 {
				const want = "You are invited to work for Tool House. " +
					"To accept, sign in with this number at tools.example."
				if text := c.Phones.Text(t, cells[1]); text != want {
					t.Errorf("got %q, want %q", text, want)
				}
			}
		}
		c.Phones.Fail(sms.Busy)
		if got := invitedBySMS(t, c, owner, "+989120009999", "editor"); got != "failed" {
			t.Errorf("while the provider fails: the SMS is %s", got)
		}
		c.Phones.Fail("")
		late := c.GraphQL().Register(t, cells[1])
		worker := shoptest.Worker{API: c.GraphQL().With(late.Access), Customer: late}
		code := c.GraphQL().Code(t, cells[1])
		proven := shoptest.AsCustomer(t, worker.Right(t, "loginOtp", shoptest.ByCode(cells[1], code)))
		var mine struct {
			Me struct{ Invitations []struct{ ID string } }
		}
		shoptest.Worker{API: c.GraphQL().With(proven.Access), Customer: proven}.Do(t, ownInvitations, nil, &mine)
		if len(mine.Me.Invitations) != 1 {
			t.Errorf("who registered later sees %v", mine)
		}
	}, sendsSMS)
}
