package api_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
)

// TestTimesAndIds reads every member of every public answer: times are RFC 3339 in UTC, ids are UUIDv7, and
// no secret is shown.
func TestTimesAndIds(t *testing.T) {
	when := regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$`)
	id := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		times, ids := map[string]bool{}, 0
		for _, path := range publicReads(t, p) {
			var body any
			if err := json.Unmarshal(p.Get(t, path).Body, &body); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			eachMember(body, func(name string, value any) {
				text, isText := value.(string)
				switch {
				case name == "authorEmail" || name == "searchText" || name == "tenantId" ||
					strings.Contains(name, "_"):
					t.Errorf("%s shows %s", path, name)
				case strings.HasSuffix(name, "At") && value != nil:
					times[name] = true
					if !isText || !when.MatchString(text) {
						t.Errorf("%s: %s is %v", path, name, value)
					}
				case (name == "id" || strings.HasSuffix(name, "Id")) && name != "mediaId" &&
					name != "featuredMediaId" &&
					value != nil:
					ids++
					if !isText || !id.MatchString(text) {
						t.Errorf("%s: %s is %v", path, name, value)
					}
				}
			})
		}
		for _, name := range []string{"publishedAt", "updatedAt", "createdAt", "startsAt"} {
			if !times[name] {
				t.Errorf("no %s was seen", name)
			}
		}
		if ids < 100 {
			t.Errorf("%d ids were seen", ids)
		}
		var product struct{ Product struct{ PublishedAt string } }
		for slug, want := range map[string]string{"drill": "2026-02-02T01:00:00Z",
			"آچار": "2026-02-01T00:00:00.25Z"} {
			if err := json.Unmarshal(p.Get(t, shoptest.ShopPath+"/products/"+slug).Body, &product); err != nil ||
				product.Product.PublishedAt != want {
				t.Errorf("%s was published %s, want %s: %v", slug, product.Product.PublishedAt, want, err)
			}
		}
	})
}

// eachMember calls f for every member of every object in a JSON value.
func eachMember(value any, f func(name string, value any)) {
	switch value := value.(type) {
	case []any:
		for _, one := range value {
			eachMember(one, f)
		}
	case map[string]any:
		for name, one := range value {
			f(name, one)
			eachMember(one, f)
		}
	}
}

// TestRequestIDs checks that an answer carries the caller's request id if it is harmless, and a new one
// otherwise.
func TestRequestIDs(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for sent, kept := range map[string]bool{
			"abc-1._Z": true, strings.Repeat("x", 64): true, strings.Repeat("x", 65): false, "a b": false,
			"\xff": false, `a"b`: false, "": false,
		} {
			got := p.Get(t, "/nothing", "X-Request-Id", sent)
			shoptest.WantFault(t, got, 404, "NOT_FOUND")
			if is := got.Header.Get("X-Request-Id"); (is == sent) != kept {
				t.Errorf("sent %q, answered %q", sent, is)
			}
		}
	})
}
