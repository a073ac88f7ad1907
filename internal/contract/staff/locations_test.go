package staff_test

import (
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestOperatorChangesLocations adds a city and renames it; both show at once, in a second process too.
func TestOperatorChangesLocations(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		operator, owner := c.Staff(t, "", record.Operator), c.Staff(t, c.Tools, record.Owner)
		second := shoptest.Worker{API: c.Instance(t).GraphQL()}
		const add = `mutation($in: LocationInput!) { createLocation(input: $in) { location { id parentSlug } } }`
		const change = `mutation($id: ID!, $in: LocationChangeInput!) { 
			updateLocation(locationId: $id, input: $in) { location { name nameFa } } }`
		const cities = `{ cities(parentSlug: "tehran") { slug name } }`
		in := func(members ...string) map[string]any {
			wish := map[string]any{}
			for i := 0; i < len(members); i += 2 {
				wish[members[i]] = members[i+1]
			}
			return map[string]any{"in": wish}
		}
		newTown := in("level", "city", "slug", "new-town", "name", "New Town", "nameFa", "شهر نو",
			"parentSlug", "tehran")
		shows := func(w shoptest.Worker, name string) {
			t.Helper()
			if got := string(w.Ask(t, cities, nil).Data["cities"]); strings.Contains(got,
				name) != (name != "New Town 2") {
				t.Errorf("%s: got %s", name, got)
			}
		}
		shows(second, "New Town 2")
		owner.Refused(t, "FORBIDDEN", add, newTown)
		var made struct {
			CreateLocation struct {
				Location struct{ ID, ParentSlug string }
			}
		}
		operator.Do(t, add, newTown, &made)
		id := made.CreateLocation.Location.ID
		if made.CreateLocation.Location.ParentSlug != "tehran" {
			t.Errorf("got %+v", made)
		}
		shows(second, "New Town")
		operator.Refused(t, "CONFLICT", add, newTown)
		for field, bad := range map[string]map[string]any{
			"in.slug": in("level", "city", "slug", "New Town", "name", "N", "nameFa", "ن", "parentSlug",
				"tehran"),
			"in.parentSlug": in("level", "city", "slug", "n", "name", "N", "nameFa", "ن", "parentSlug", "nowhere"),
			"in.code": in("level", "city", "slug", "n", "name", "N", "nameFa", "ن", "parentSlug",
				"tehran", "code", "IR-1"),
		} {
			got := operator.Refused(t, "VALIDATION_FAILED", add, bad)
			if e := got.Errors[0].Extensions.Errors; len(e) != 1 || e[0].Field != field {
				t.Errorf("%s: %+v", field, e)
			}
		}
		operator.Refused(t, "VALIDATION_FAILED", add, in("level", "province", "slug", "n", "name", "N",
			"nameFa", "ن"))
		operator.Refused(t, "NOT_FOUND", change, map[string]any{"id": shoptest.NobodysID,
			"in": map[string]any{"name": "N"}})
		operator.Do(t, change, map[string]any{"id": id, "in": map[string]any{"name": "Newer Town"}}, nil)
		shows(second, "Newer Town")
		log := c.Store.Client.AuditEntry.Query().AllX(t.Context())
		if len(log) != 2 || string(log[1].After) != `{"name":"Newer Town"}` &&
			!strings.Contains(string(log[1].After), "Newer Town") {
			t.Errorf("got %v", log)
		}
	})
}
