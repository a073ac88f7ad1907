package staff_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/content/derive"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// TestBulkModeration rejects and deletes pending records by filter. It must affect only matching records of
// this shop, and write an entry for each to the audit log.
func TestBulkModeration(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		moderator, support := c.Staff(t, c.Tools, record.Moderator), c.Staff(t, c.Tools, record.Support)
		owner, other := c.Staff(t, c.Tools, record.Owner), c.Staff(t, c.Mugs, record.Owner)
		const pending, every = "select: {status: pending, filter: $filter}", "select: {filter: $filter}"
		for form, s := range map[string]struct {
			reject, remove, list string
			by                   shoptest.Worker
			entries              map[string]int // of the audit log, by action
		}{
			"comment": {reject: "changeComments(" + pending + ", change: {status: rejected}",
				remove: "changeComments(" + every + ", change: {delete: true}",
				list:   "moderatedCommentsConnection(businessId: $shop)", by: moderator,
				entries: map[string]int{"changeComments": 12}},
			"review": {reject: "changeReviews(" + pending + ", change: {status: rejected}",
				remove: "changeReviews(" + every + ", change: {delete: true}",
				list:   "moderatedReviewsConnection(businessId: $shop)", by: moderator,
				entries: map[string]int{"changeReviews": 12}},
			"contact": {reject: "handleContacts(filter: $filter", remove: "deleteContacts(filter: $filter",
				list: "contactSubmissionsConnection(businessId: $shop, handled: false)", by: support,
				entries: map[string]int{"handleContacts": 3, "deleteContacts": 9}},
		} {
			for i := range 12 {
				name, text := fmt.Sprint("Spam ", i%3), "Buy CHEAP 100% watches_now"
				if i >= 9 {
					name, text = "Sara", "Buy cheap watches?"
				}
				if got := submit(t, c.Accounts.Place, form, name, text); got.Status != 201 {
					t.Fatalf("got status %d: %s", got.Status, got.Body)
				}
			}
			waits := func() (n int) {
				t.Helper()
				var list struct{ Body struct{ TotalCount int } }
				s.by.Do(t, `query($shop: ID!) { body: `+s.list+` { totalCount } }`, map[string]any{"shop": c.Tools},
					&list)
				return list.Body.TotalCount
			}
			document := func(field string) string {
				return `mutation($shop: ID!, $filter: SubmissionFilter!, $only: Boolean!) {
					body: ` + field + `, businessId: $shop, countOnly: $only) { changed left } }`
			}
			bulk := func(field string, only bool, filter map[string]any, changed, left int) {
				t.Helper()
				var got struct{ Body struct{ Changed, Left int } }
				s.by.Do(t, document(field), map[string]any{"shop": c.Tools, "filter": filter, "only": only}, &got)
				if got.Body.Changed != changed || got.Body.Left != left {
					t.Errorf("%s %v: %+v, want %d and %d", field, filter, got.Body, changed, left)
				}
			}
			all := waits()
			spam := map[string]any{"contains": "CHEAP 100% watches_"}
			bulk(s.reject, true, spam, 0, 9)
			bulk(s.reject, false, map[string]any{"contains": "CHEAP 100_"}, 0, 0)
			bulk(s.reject, false, map[string]any{"contains": "cheap 100%"}, 0, 0)
			bulk(s.reject, false, map[string]any{"contains": "CHEAP", "name": "Spam 1"}, 3, 0)
			bulk(s.remove, false, map[string]any{"name": "Spam 0", "before": "2020-01-01T00:00:00Z"}, 0, 0)
			bulk(s.remove, false, map[string]any{"name": "Spam 0", "since": "2020-01-01T00:00:00Z"}, 3, 0)
			if n := waits(); n != all-6 {
				t.Errorf("%s: got %d waiting, want %d", form, n, all-6)
			}
			bulk(s.remove, false, spam, 6, 0) // those that were rejected as well
			if n := waits(); n != all-9 {
				t.Errorf("%s: got %d waiting, want %d", form, n, all-9)
			}
			refused := map[string]any{"shop": c.Tools, "filter": map[string]any{"email": ""}, "only": true}
			s.by.Refused(t, "VALIDATION_FAILED", document(s.remove), refused)
			refused["filter"] = map[string]any{"contains": "Buy"}
			other.Refused(t, "FORBIDDEN", document(s.remove), refused)
			var theirs struct{ Body struct{ Changed, Left int } }
			refused["shop"], refused["only"] = c.Mugs, false
			other.Do(t, document(s.remove), refused, &theirs)
			if theirs.Body.Changed != 0 || waits() != all-9 {
				t.Errorf("another shop's staff changed %d", theirs.Body.Changed)
			}
			var log struct {
				AuditLogConnection struct{ Nodes []struct{ Action string } }
			}
			owner.Do(t, `query($shop: ID!) { auditLogConnection(businessId: $shop, first: 100) { nodes { action } } }`,
				map[string]any{"shop": c.Tools}, &log)
			entries := map[string]int{}
			for _, e := range log.AuditLogConnection.Nodes {
				if _, asked := s.entries[e.Action]; asked {
					entries[e.Action]++
				}
			}
			if !maps.Equal(entries, s.entries) {
				t.Errorf("the audit log has %v, want %v", entries, s.entries)
			}
		}
	})
}

// TestBulkModerationOfLongTexts rejects more bytes of text than an answer may have, because the texts that are read to
// be changed are not part of an answer.
func TestBulkModerationOfLongTexts(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		ctx := derive.Alone(tenancy.In(t.Context(), uuid.MustParse(c.Tools)))
		about, text := uuid.MustParse(c.Named(t, "<tools:product:drill>")), strings.Repeat("چ", 5000)
		const flood = 3500 // of 10,000 bytes
		for range flood / 50 {
			c.Store.Client.Comment.MapCreateBulk(make([]struct{}, 50), func(one *ent.CommentCreate, _ int) {
				one.SetEntityType(record.Product).SetEntityID(about).SetAuthorName("Spam").SetText(text)
			}).ExecX(ctx)
		}
		changed, after := 0, ""
		for changed < flood {
			var got struct {
				Body struct {
					Changed, Left int
					Next          *string
					Stopped       *struct{ Code string }
				}
			}
			owner.Do(t, `mutation($shop: ID!) { body: changeComments(businessId: $shop, select: {filter: {name: "Spam"},
				status: pending}, change: {status: rejected}`+after+`) { changed left next stopped { code } } }`,
				map[string]any{"shop": c.Tools}, &got)
			changed += got.Body.Changed
			if got.Body.Stopped != nil || got.Body.Changed == 0 || changed+got.Body.Left != flood {
				t.Fatalf("got %+v after %d", got.Body, changed)
			}
			if got.Body.Next != nil {
				after = `, after: "` + *got.Body.Next + `"`
			}
		}
	})
}
