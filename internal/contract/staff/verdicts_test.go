package staff_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestRejectionsHaveReasons rejects a listing, comments and a review, singly and in bulk. Staff can read
// the reasons; the customer can read that of the listing; and a record that is no longer rejected has none.
func TestRejectionsHaveReasons(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, seller := c.Staff(t, c.Tools, record.Owner), c.Customer(t)
		shop := func(more ...any) map[string]any {
			variables := map[string]any{"shop": c.Tools}
			for i := 0; i < len(more); i += 2 {
				variables[more[i].(string)] = more[i+1]
			}
			return variables
		}
		var made struct{ SubmitListing struct{ Listing listingSeen } }
		seller.Do(t, submitListing, shop("in", listingOf("Lathe")), &made)
		slug, id := made.SubmitListing.Listing.Listing.Slug, made.SubmitListing.Listing.Listing.ID
		reasons := func() string {
			t.Helper()
			var got struct {
				StaffListing struct {
					Content struct {
						Status          string
						RejectionReason *string
					}
				}
			}
			owner.Do(t, `query($shop: ID!, $slug: String!) { staffListing(businessId: $shop, slug: $slug) {
				content { status rejectionReason } } }`, shop("slug", slug), &got)
			var own struct {
				Me struct {
					Listings struct {
						Items []struct {
							Status          string
							RejectionReason *string
						}
					}
				}
			}
			seller.Do(t, `query($shop: ID!) { me { listings(businessId: $shop) {
				items { status rejectionReason } } } }`, shop(), &own)
			valueOf := func(reason *string) string {
				if reason == nil {
					return "-"
				}
				return *reason
			}
			staff, customer := got.StaffListing.Content, own.Me.Listings.Items[0]
			c.ComesBack(t)
			return staff.Status + " " + valueOf(staff.RejectionReason) + ", " + customer.Status + " " +
				valueOf(customer.RejectionReason)
		}
		const edit = `mutation($shop: ID!, $slug: String!, $in: UserProductInput!) {
			updateUserProduct(businessId: $shop, slug: $slug, input: $in) { id } }`
		many := changeMany("changeUserProducts", "RecordSelection ListingChange")
		one := map[string]any{"ids": []string{id}}
		for _, step := range []struct {
			document  string
			variables map[string]any
			want      string
		}{
			{edit, shop("slug", slug, "in", shoptest.Members{"status": "rejected"}), "rejected -, rejected -"},
			{edit, shop("slug", slug, "in", shoptest.Members{"rejectionReason": "No picture"}),
				"rejected No picture, rejected No picture"},
			{edit, shop("slug", slug, "in", shoptest.Members{"price": 7}), "rejected No picture, rejected No picture"},
			{many, shop("select", one, "change", shoptest.Members{"status": "published"}), "published -, published -"},
			{many, shop("select", one, "change",
				shoptest.Members{"status": "rejected", "rejectionReason": "A weapon"}),
				"rejected A weapon, rejected A weapon"},
		} {
			owner.Do(t, step.document, step.variables, nil)
			if got := reasons(); got != step.want {
				t.Errorf("after %v: got %s, want %s", step.variables, got, step.want)
			}
		}
		seller.Do(t, updateListing, shop("id", id, "in", shoptest.Members{"price": 8}), nil)
		if got := reasons(); got != "pending -, pending -" {
			t.Errorf("after the customer's change: got %s", got)
		}
		bad := owner.Refused(t, "VALIDATION_FAILED", edit,
			shop("slug", slug, "in", shoptest.Members{"status": "published", "rejectionReason": "R"}))
		if got := shoptest.WrongIn(bad); got != "in.rejectionReason" {
			t.Errorf("of a published listing: got %s", got)
		}
		seller.Refused(t, "VALIDATION_FAILED", updateListing,
			shop("id", id, "in", shoptest.Members{"rejectionReason": "R"}))

		for n := range 3 {
			opine(t, c, seller, n)
		}
		waiting := opinionsOf(t, owner, c.Tools, "pending", seller)
		for field, ids := range map[string][]string{
			"changeComments": waiting.ModeratedCommentsConnection.ids(),
			"changeReviews":  waiting.ModeratedReviewsConnection.ids(),
		} {
			document := changeMany(field, "OpinionSelection OpinionChange")
			do := func(selected []string, change shoptest.Members, want int) {
				t.Helper()
				var got manyChanged
				owner.Do(t, document, shop("select", shoptest.Members{"ids": selected}, "change", change), &got)
				if got.Body.Changed != want {
					t.Errorf("%s %v: got %v, want %d changed", field, change, got, want)
				}
			}
			do(ids, shoptest.Members{"status": "rejected", "rejectionReason": " Rude "}, len(ids))
			do(ids, shoptest.Members{"status": "rejected"}, 0)
			do(ids, shoptest.Members{"status": "rejected", "rejectionReason": "Rude"}, 0)
			do(ids[:1], shoptest.Members{"status": "rejected", "rejectionReason": "Spam"}, 1)
			do(ids[1:2], shoptest.Members{"status": "pending"}, 1)
			for _, change := range []shoptest.Members{
				{"status": "approved", "rejectionReason": "R"}, {"delete": true, "rejectionReason": "R"},
			} {
				got := owner.Refused(t, "VALIDATION_FAILED", document,
					shop("select", shoptest.Members{"ids": ids}, "change", change))
				if wrong := shoptest.WrongIn(got); wrong != "change.rejectionReason" {
					t.Errorf("%v: got %s", change, wrong)
				}
			}
		}
		rejected := opinionsOf(t, owner, c.Tools, "rejected", seller)
		for _, list := range []opinionList{rejected.ModeratedCommentsConnection, rejected.ModeratedReviewsConnection} {
			if got := list.reasons(); got != "Spam Rude" {
				t.Errorf("got the reasons %s", got)
			}
		}
		c.ComesBack(t)
		entry := log(t, c, owner, `, action: "changeComments", recordId: "`+
			waiting.ModeratedCommentsConnection.Nodes[0].ID+`"`)[0]
		if before, after := sortedJSON(t, entry.Before), sortedJSON(t, entry.After); entry.CustomerID != seller.ID ||
			before != `{"rejectionReason":"Rude"}` || after != `{"rejectionReason":"Spam"}` {
			t.Errorf("the log has %s to %s about %q", before, after, entry.CustomerID)
		}
		owner.Do(t, `mutation($shop: ID!, $ids: [ID!]!) {
			changeComments(businessId: $shop, select: {ids: $ids}, change: {status: approved}) { changed } }`,
			shop("ids", rejected.ModeratedCommentsConnection.ids()), nil)
		c.ComesBack(t)
	})
}

// queue reads comments and reviews of a status.
const queue = `query($shop: ID!, $status: Moderation!) {
	moderatedCommentsConnection(businessId: $shop, status: $status) { nodes {
		id text rejectionReason authorEmail customer { id } reply { text createdAt } } }
	moderatedReviewsConnection(businessId: $shop, status: $status) { nodes {
		id text rejectionReason authorEmail customer { id } reply { text createdAt } } } }`

type opinionSeen struct {
	ID, Text, AuthorEmail string
	RejectionReason       *string
	Customer              *struct{ ID string }
	Reply                 *struct {
		Text      string
		CreatedAt time.Time
	}
}

type opinionList struct{ Nodes []opinionSeen }

type opinionsSeen struct{ ModeratedCommentsConnection, ModeratedReviewsConnection opinionList }

// opinionsOf returns the comments and reviews of a customer that have a status.
func opinionsOf(t *testing.T, by shoptest.Worker, shop, status string, author shoptest.Worker) (got opinionsSeen) {
	t.Helper()
	by.Do(t, queue, map[string]any{"shop": shop, "status": status}, &got)
	for _, list := range []*opinionList{&got.ModeratedCommentsConnection, &got.ModeratedReviewsConnection} {
		list.Nodes = slices.DeleteFunc(list.Nodes, func(one opinionSeen) bool {
			return one.Customer == nil || one.Customer.ID != author.ID
		})
	}
	return got
}

func (l opinionList) ids() (ids []string) {
	for _, one := range l.Nodes {
		ids = append(ids, one.ID)
	}
	return ids
}

func (l opinionList) reasons() string {
	var reasons []string
	for _, one := range l.Nodes {
		if one.RejectionReason != nil {
			reasons = append(reasons, *one.RejectionReason)
		}
	}
	return strings.Join(reasons, " ")
}

// opine sends a comment and a review of the drill.
func opine(t *testing.T, c *shoptest.Crew, who shoptest.Worker, n int) {
	t.Helper()
	who.Do(t, `mutation($product: ID!, $text: String!, $email: String) {
		createComment(domain: "tools.example", input: {entityType: product, entityId: $product, authorName: "A",
			authorEmail: $email, text: $text}) { message }
		createExpertReview(domain: "tools.example", input: {productId: $product, authorName: "A", rate: 7,
			authorEmail: $email, positivePoints: [], negativePoints: [], text: $text}) { message } }`,
		map[string]any{"product": c.Named(t, "<tools:product:drill>"), "text": fmt.Sprint("opinion ", n),
			"email": fmt.Sprintf("a%d@mail.example", n)}, nil)
	c.Clock.Pass(time.Second)
}

// TestWhoseOpinionsAre submits comments and reviews as a visitor, as a customer of the shop, as one of
// another shop, and with an invalid token. Staff see the e-mail address, and the account if they may see
// customers. The public sees neither.
func TestWhoseOpinionsAre(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, moderator := c.Staff(t, c.Tools, record.Owner), c.Staff(t, c.Tools, record.Moderator)
		foreigner, member, d := c.Staff(t, c.Mugs, record.Owner), c.Customer(t), c.GraphQL()
		stranger := shoptest.Worker{API: d.With(shoptest.AsCustomer(t, d.Right(t, "register",
			shoptest.Registering(d.Cell(7), shoptest.GoodPassword, shoptest.MugsShop))).Access)}
		visitor := shoptest.Worker{API: d}
		outdated := shoptest.Worker{API: d.With("abc.def.ghi")}
		writers := []shoptest.Worker{visitor, member, stranger, outdated}
		var before opinionsSeen
		pending := map[string]any{"shop": c.Tools, "status": "pending"}
		owner.Do(t, queue, pending, &before)
		for i, who := range writers {
			opine(t, c, who, i)
		}
		var got opinionsSeen
		owner.Do(t, queue, pending, &got)
		for name, list := range map[string][]opinionSeen{
			"comments": got.ModeratedCommentsConnection.Nodes[len(before.ModeratedCommentsConnection.Nodes):],
			"reviews":  got.ModeratedReviewsConnection.Nodes[len(before.ModeratedReviewsConnection.Nodes):],
		} {
			if len(list) != len(writers) {
				t.Fatalf("got %d %s, want %d", len(list), name, len(writers))
			}
			for i, one := range list {
				if want := fmt.Sprintf("a%d@mail.example", i); one.AuthorEmail != want {
					t.Errorf("%s: got %s, want %s", name, one.AuthorEmail, want)
				}
				is := one.Customer != nil && one.Customer.ID == member.ID
				if is != (i == 1) || !is && one.Customer != nil {
					t.Errorf("%s: the author of %d is %+v", name, i, one.Customer)
				}
			}
		}
		comment := got.ModeratedCommentsConnection.Nodes[len(before.ModeratedCommentsConnection.Nodes)+1].ID
		one := map[string]any{"shop": c.Tools, "id": comment}
		seen := moderator.Ask(t, `query($shop: ID!, $id: ID!) { staffComment(businessId: $shop, commentId: $id) {
			authorEmail customer { id } } }`, one)
		if text := string(seen.Data["staffComment"]); seen.Code() != "FORBIDDEN" ||
			text != `{"authorEmail":"a1@mail.example","customer":null}` {
			t.Errorf("a moderator sees %s %v", text, seen.Errors)
		}
		foreigner.Refused(t, "NOT_FOUND", `query($shop: ID!, $id: ID!) {
			staffComment(businessId: $shop, commentId: $id) { text } }`, map[string]any{"shop": c.Mugs, "id": comment})
		owner.Do(t, changeMany("changeComments", "OpinionSelection OpinionChange"), map[string]any{"shop": c.Tools,
			"select": shoptest.Members{"ids": []string{comment}},
			"change": shoptest.Members{"status": "approved"}}, nil)
		public := `{ tenant(domain: "tools.example") { comments(entityType: product,
			entityId: "` + c.Named(t, "<tools:product:drill>") + `") { text %s } } }`
		for _, field := range []string{"authorEmail", "rejectionReason", "customer { id }"} {
			document := fmt.Sprintf(public, field)
			for want, who := range map[string]shoptest.Worker{
				"UNAUTHENTICATED": visitor, "FORBIDDEN": member, "": owner,
			} {
				if got := who.Ask(t, document, nil); got.Code() != want || strings.Contains(
					string(got.Data["tenant"]), "a1@mail") != (want == "" && field == "authorEmail") {
					t.Errorf("%s: got %q %s, want %q", field, got.Code(), got.Data["tenant"], want)
				}
			}
			foreigner.Refused(t, "FORBIDDEN", document, nil)
			visitor.Refused(t, "UNAUTHENTICATED", document, nil) // the owner's answer was not cached
		}
		got = opinionsSeen{}
		member.Do(t, shoptest.CloseAccount,
			map[string]any{"in": map[string]any{"currentPassword": shoptest.GoodPassword}}, nil)
		owner.Do(t, queue, pending, &got)
		for _, list := range []opinionList{got.ModeratedCommentsConnection, got.ModeratedReviewsConnection} {
			for _, one := range list.Nodes {
				if one.Text == "opinion 1" && (one.Customer != nil || one.AuthorEmail != "") {
					t.Errorf("after the account was closed: got %+v", one)
				}
			}
		}
	})
}

// TestShopsReply publishes replies to a comment and a review, and removes them.
func TestShopsReply(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, visitor := c.Staff(t, c.Tools, record.Owner), shoptest.Worker{API: c.GraphQL()}
		foreigner := c.Staff(t, c.Mugs, record.Owner)
		public := `{ tenant(domain: "tools.example") {
			comments(entityType: product, entityId: "<tools:product:drill>") { id reply { text createdAt } }
			expertReviews(productId: "<tools:product:drill>") { id reply { text createdAt } } } }`
		type reply struct {
			Text      string
			CreatedAt time.Time
		}
		type opinions []struct {
			ID    string
			Reply *reply
		}
		shown := func() (comments, reviews opinions) {
			t.Helper()
			var got struct {
				Tenant struct{ Comments, ExpertReviews opinions }
			}
			visitor.Do(t, public, nil, &got)
			return got.Tenant.Comments, got.Tenant.ExpertReviews
		}
		comments, reviews := shown()
		const answer = `mutation($shop: ID!, $comment: ID!, $review: ID!, $text: String) {
			replyToComment(businessId: $shop, commentId: $comment, text: $text) { comment { reply { text } } }
			replyToReview(businessId: $shop, reviewId: $review, text: $text) { review { reply { text } } } }`
		with := func(text any) map[string]any {
			return map[string]any{"shop": c.Tools, "comment": comments[0].ID, "review": reviews[0].ID, "text": text}
		}
		for _, text := range []any{" Thank you. ", "Thank you!", nil, "Once more.", " "} {
			c.Clock.Pass(time.Minute)
			owner.Do(t, answer, with(text), nil)
			comments, reviews = shown()
			for _, got := range []*reply{comments[0].Reply, reviews[0].Reply} {
				want := ""
				if text != nil {
					want = strings.TrimSpace(text.(string))
				}
				if (got == nil) != (want == "") ||
					got != nil && (got.Text != want || !got.CreatedAt.Equal(c.Clock.Now())) {
					t.Errorf("got the answer %+v, want %q", got, want)
				}
			}
			c.ComesBack(t)
		}
		entries := log(t, c, owner, `, action: "replyToReview"`)
		if len(entries) != 5 || sortedJSON(t, entries[0].Before) != `{"reply":"Once more."}` ||
			sortedJSON(t, entries[0].After) != `{"reply":null}` || entries[0].RecordName == "" {
			t.Errorf("the log has %+v", entries)
		}
		variables := with("Mine")
		variables["shop"] = c.Mugs
		foreigner.Refused(t, "NOT_FOUND", answer, variables)
		c.Staff(t, c.Tools, record.Editor).Refused(t, "FORBIDDEN", answer, with("Mine"))
		got := owner.Refused(t, "VALIDATION_FAILED", answer, with(strings.Repeat("a", 2001)))
		if wrong := shoptest.WrongIn(got); wrong != "text text" {
			t.Errorf("got %s, want text twice", wrong)
		}
	})
}
