package staff_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

// TestNothingOfAPersonIsLeft fills every column that can hold personal data of a customer, exports and
// erases the customer, and searches every column of every table, and SQLite's files, for these data.
func TestNothingOfAPersonIsLeft(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		who, owner := leavesTraces(t, c, 1), c.Staff(t, c.Tools, record.Owner)
		name := "Mahnaz1"
		words := append(who.words, "secretly", "Withdrawn thing", "withdrawn-thing", "lathe-of-mahnaz")
		shop := func(more map[string]any) map[string]any { more["shop"] = c.Tools; return more }
		owner.Do(t, shoptest.MarkPayment, shop(map[string]any{"id": order(t, c).ID, "in": map[string]any{
			"status": "paid", "reference": "TR-2", "reason": name + " paid secretly"}}), nil)
		owner.Do(t, shoptest.MarkPayment, shop(map[string]any{"id": order(t, c).ID, "in": map[string]any{
			"status": "refunded", "reference": "TR-3", "reason": name + " wants it back"}}), nil)
		c.Store.Client.OrderCharge.Create().SetOrderID(order(t, c).ID).SetKind(record.ChargeDelivery).SetName("Post").
			SetNameFa("پست").SetAmount(0).ExecX(tenancy.In(t.Context(), uuid.MustParse(c.Tools)))
		w := shoptest.Worker{API: c.GraphQL().With(who.Access), Customer: who.Customer}
		var made struct{ SubmitListing struct{ Listing listingSeen } }
		w.Do(t, submitListing, shop(map[string]any{"in": listingOf("Withdrawn thing of " + name)}), &made)
		gone := made.SubmitListing.Listing.Listing
		owner.Do(t, `mutation($shop: ID!, $slug: String!) { updateUserProduct(businessId: $shop, slug: $slug, input: {
			titleFa: "Withdrawn thing, mended", description: "Withdrawn thing, told", status: published}) { id } }`,
			shop(map[string]any{"slug": gone.Slug}), nil)
		w.Do(t, withdrawListing, shop(map[string]any{"id": gone.ID}), nil)
		w.Do(t, `mutation($in: ExpertReviewInput!) { createExpertReview(domain: "tools.example", `+
			`input: $in) { message } }`,
			map[string]any{"in": map[string]any{"productId": c.Named(t, "<tools:product:drill>"), "authorName": name,
				"authorEmail": "mahnaz1@mail.example", "rate": 7, "text": "Fine.", "positivePoints": []string{"a"},
				"negativePoints": []string{"b"}}}, nil)
		c.REST().Right(t, "sendOtp", fmt.Sprintf(`{"cellNumber": %q}`, who.Customer.Cell))
		hire(t, owner, c.Tools, w, "editor")
		invite(t, c.Staff(t, c.Mugs, record.Owner), c.Mugs, who.Customer.Cell, "editor")

		marks := mark(t, c, who, name)
		var at struct{ CustomerExport json.RawMessage }
		owner.Do(t, customerExport, shop(map[string]any{"id": who.ID}), &at)
		var all struct {
			Me struct{ DataExport json.RawMessage }
		}
		w.Do(t, `{ me { dataExport } }`, nil, &all)
		exports := string(at.CustomerExport) + string(all.Me.DataExport)
		for path, mark := range marks {
			if !withheld(path) && !strings.Contains(exports, mark) {
				t.Errorf("%s is in no export", path)
			}
		}
		members := map[string]bool{}
		for _, export := range []json.RawMessage{at.CustomerExport, all.Me.DataExport} {
			var value any
			if err := json.Unmarshal(export, &value); err != nil {
				t.Fatal(err)
			}
			membersOf(value, "", members)
		}
		columnsAreExported(t, members)

		var staff struct {
			Staff []struct{ ID, CellNumber string }
		}
		owner.Do(t, staffOf, shop(map[string]any{}), &staff)
		for _, member := range staff.Staff {
			if member.CellNumber == who.Customer.Cell {
				owner.Do(t, removeStaff, shop(map[string]any{"id": member.ID}), nil)
			}
		}
		owner.Do(t, eraseCustomer, shop(map[string]any{"id": who.ID}), nil)
		c.Clock.Pass(25 * time.Hour) // the counters of limits go within a day
		c.Service.Sweep(t.Context())
		left := dump(t, c.Accounts)
		for path, mark := range marks {
			if stays(path) {
				continue
			}
			if found := traces(left, mark); len(found) > 0 {
				t.Errorf("%s is left in %q", path, found)
			}
			words = append(words, mark)
		}
		if found := traces(left, words...); len(found) > 0 {
			t.Errorf("left: %q", found)
		}
		searchFiles(t, c, words)
	})
}

// mark sets all text columns of the customer's rows to marks, and returns the marks by their paths.
func mark(t *testing.T, c *shoptest.Crew, who traced, name string) map[string]string {
	t.Helper()
	all := map[string]string{}
	of := personalTables(t)
	for _, table := range ent.Tables {
		where, personal := of[table.Name]
		if !personal {
			continue
		}
		if table.Name == "audit_entries" {
			where += " AND kind <> 'order'" // number and status of orders stay
		}
		for _, column := range table.Columns {
			value, marks := markOf(t, table.Name, column)
			if value == nil {
				continue
			}
			where := strings.NewReplacer("$id", "'"+who.ID+"'", "$email", "'mahnaz1@mail.example'", "$name",
				"'"+name+"'",
				"$cell", "'"+who.Customer.Cell+"'").Replace(where)
			result, err := c.Store.Client.ExecContext(t.Context(),
				fmt.Sprintf(`UPDATE %s SET "%s" = $1 WHERE %s`, table.Name, column.Name, where), value)
			if err != nil {
				t.Fatalf("%s.%s: %v", table.Name, column.Name, err)
			}
			if n, err := result.RowsAffected(); n == 0 || err != nil {
				t.Errorf("the customer has no row in %s: %v", table.Name, err)
			}
			for path, mark := range marks {
				all[path] = mark
			}
		}
	}
	if len(all) < 50 {
		t.Errorf("only %d marks", len(all))
	}
	return all
}

// searchFiles looks for words in the files of SQLite.
func searchFiles(t *testing.T, c *shoptest.Crew, words []string) {
	t.Helper()
	path, isFile := strings.CutPrefix(c.Database, "sqlite://")
	if !isFile {
		return
	}
	path, _, _ = strings.Cut(path, "?")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		text := shoptest.Must(os.ReadFile(path + suffix))(t)
		for _, word := range words {
			if bytes.Contains(text, []byte(word)) {
				t.Errorf("the file %s has %s", suffix, word)
			}
		}
	}
}
