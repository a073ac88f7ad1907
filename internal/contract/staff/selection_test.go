package staff_test

import (
	"fmt"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// manyOf are the mutations that change many records, with the types of their inputs.
var manyOf = map[string]string{
	"changeProducts": "RecordSelection ContentChange", "changeUserProducts": "RecordSelection ListingChange",
	"changeBlogs": "RecordSelection ContentChange", "changePortfolios": "RecordSelection ContentChange",
	"changeComments": "OpinionSelection OpinionChange", "changeReviews": "OpinionSelection OpinionChange",
}

// TestBlankFilterSelectsNothing deletes by a name of invisible characters. It must match nothing, although
// lists treat it as no filter.
func TestBlankFilterSelectsNothing(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		for field, inputs := range manyOf {
			if !strings.HasPrefix(inputs, "RecordSelection") {
				continue
			}
			for _, name := range []string{"   ", "\u200c", "\u200b", "\u00a0"} {
				for _, filter := range []map[string]any{
					{"name": name}, {"name": name, "status": "published"}, {"name": name, "category": ""},
				} {
					got := owner.Refused(t, "VALIDATION_FAILED", changeMany(field, inputs), map[string]any{
						"shop": c.Tools, "select": map[string]any{"filter": filter},
						"change": map[string]any{"delete": true}})
					if at := shoptest.WrongIn(got); at != "select.filter.name" {
						t.Errorf("%s %q: got a fault of %s, want select.filter.name", field, name, at)
					}
				}
			}
			got := owner.Refused(t, "VALIDATION_FAILED", changeMany(field, inputs), map[string]any{"shop": c.Tools,
				"select": map[string]any{"filter": map[string]any{"category": "\u200c", "status": "published"}},
				"change": map[string]any{"delete": true}})
			if at := shoptest.WrongIn(got); at != "select.filter.category" {
				t.Errorf("%s: got a fault of %s, want select.filter.category", field, at)
			}
		}
		c.ComesBack(t)
	})
}

// TestWhatIsNoID passes texts that are not ids as ids of records and as the cursor after. None may be
// ignored.
func TestWhatIsNoID(t *testing.T) {
	const zero = "00000000-0000-0000-0000-000000000000"
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		for field, inputs := range manyOf {
			document := changeMany(field, inputs)
			for want, variables := range map[string]map[string]any{
				"select.ids.0":              {"select": map[string]any{"ids": []string{"junk"}}},
				"select.ids.1 select.ids.2": {"select": map[string]any{"ids": []string{c.Mugs, zero, "x"}}},
				"select.ids.1":              {"select": map[string]any{"ids": []string{c.Mugs, ""}}},
				"after":                     {"select": map[string]any{"ids": []string{c.Mugs}}, "after": "junk"},
				"select.ids.0 after":        {"select": map[string]any{"ids": []string{zero}}, "after": zero},
			} {
				variables["shop"], variables["change"] = c.Tools, map[string]any{"delete": true}
				got := owner.Refused(t, "VALIDATION_FAILED", document, variables)
				if at := shoptest.WrongIn(got); at != want {
					t.Errorf("%s: got faults of %s, want %s", field, at, want)
				}
			}
			var unknown manyChanged
			owner.Do(t, document, map[string]any{"shop": c.Tools, "change": map[string]any{"delete": true},
				"select": map[string]any{"ids": []string{c.Mugs}}}, &unknown)
			if faults := unknown.Body.Faults; len(faults) != 1 || faults[0].Code != "NOT_FOUND" {
				t.Errorf("%s: got %v, want one NOT_FOUND", field, unknown)
			}
		}
		c.ComesBack(t)
	})
}

// TestFaultsOfSelection checks that all faults of a selection are reported, in both languages.
func TestFaultsOfSelection(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		farsi := owner
		farsi.API.Headers = append([]string{"Accept-Language", "fa"}, owner.API.Headers...)
		const either = "must have either ids, or a status, a filter or both"
		for _, field := range []string{"changeComments", "changeReviews"} {
			document := changeMany(field, manyOf[field])
			for _, s := range []struct {
				selected, change map[string]any
				want             string
			}{
				{map[string]any{"filter": map[string]any{}}, map[string]any{"delete": true},
					"select.filter must have at least one condition"},
				{map[string]any{"ids": []string{c.Mugs}, "status": "pending"}, map[string]any{"delete": true},
					"select " + either},
				{map[string]any{}, map[string]any{},
					"select " + either + "; change must have either a status or delete"},
			} {
				variables := map[string]any{"shop": c.Tools, "select": s.selected, "change": s.change}
				got := owner.Refused(t, "VALIDATION_FAILED", document, variables)
				if message := got.Errors[0].Message; message != s.want {
					t.Errorf("%s %v: got %q, want %q", field, s.selected, message, s.want)
				}
				said := farsi.Refused(t, "VALIDATION_FAILED", document, variables).Errors[0].Message
				if strings.Contains(said, "must have") {
					t.Errorf("%s %v: got %q, want it in Farsi", field, s.selected, said)
				}
			}
		}
		owner.Do(t, `mutation($shop: ID!) {
			a: createCategory(businessId: $shop, entityType: blog, slug: "a", input: {name: "A", nameFa: "ا"}) { id }
			b: createCategory(businessId: $shop, entityType: blog, slug: "b",
				input: {name: "B", nameFa: "ب", parentSlug: "a"}) { id } }`, map[string]any{"shop": c.Tools}, nil)
		for slugs, want := range map[string]string{
			`["a", "b"]`: "slugs.1 names no category beside the first one", `["x"]`: "slugs.0 is not known",
		} {
			got := owner.Refused(t, "VALIDATION_FAILED", fmt.Sprintf(`mutation($shop: ID!) {
				reorderCategories(businessId: $shop, entityType: blog, slugs: %s) { message } }`, slugs),
				map[string]any{"shop": c.Tools})
			if message := got.Errors[0].Message; message != want {
				t.Errorf("%s: got %q, want %q", slugs, message, want)
			}
		}
	})
}
