package api_test

import (
	"encoding/json"
	"testing"

	"storefront/internal/contract/shoptest"
)

// eachWire runs f with these shops on SQLite and on PostgreSQL.
func eachWire(t *testing.T, f func(t *testing.T, p *shoptest.Place)) {
	shoptest.EachCopy(t, shoptest.WireShops, f)
}

// idOf reads the member id of what a path answers, or that of the object in its member named by inside.
func idOf(t testing.TB, p *shoptest.Place, path string, inside ...string) string {
	t.Helper()
	var at any
	if err := json.Unmarshal(p.Get(t, path).Body, &at); err != nil {
		t.Fatal(err)
	}
	for _, name := range append(inside, "id") {
		members, ok := at.(map[string]any)
		if !ok {
			t.Fatalf("%s has no %s", path, name)
		}
		at = members[name]
	}
	id, ok := at.(string)
	if !ok {
		t.Fatalf("%s has no id", path)
	}
	return id
}
