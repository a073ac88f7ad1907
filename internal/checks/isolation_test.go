package checks_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// unwatched are folders with tests that open databases without a watch on their statements, with the reason.
var unwatched = map[string]string{
	"cmd/bench":                 "fills the carts of all customers by statements of its own",
	"internal/app":              "has benchmarks alone",
	"internal/checks":           "looks at migrations",
	"internal/contract/browser": "is a module of its own, for what only a browser does",
	"internal/database":         "has tables of its own, of no shop",
	"internal/testkit/testdb":   "has no tables, and tries what looks",
}

// TestDatabasesAreWatched checks that the tests of each package that opens databases refuse statements on a
// shop's table that do not name the shop.
func TestDatabasesAreWatched(t *testing.T) {
	opens, watched := map[string]bool{}, map[string]bool{}
	for _, name := range sources(t) {
		if !strings.HasSuffix(name, "_test.go") {
			continue
		}
		folder, text := filepath.ToSlash(filepath.Dir(name)), read(t, name)
		if strings.Contains(text, `"storefront/internal/testkit/testdb"`) ||
			strings.Contains(text, `"storefront/internal/database/store/storetest"`) ||
			strings.Contains(text, `"storefront/internal/contract/shoptest"`) {
			opens[folder] = true
		}
		if strings.Contains(text, `isolation.Main(m, "`+folder+`")`) {
			watched[folder] = true
		}
	}
	if len(watched) < 10 {
		t.Fatalf("got %d packages that are watched, want more", len(watched))
	}
	for folder := range opens {
		_, known := unwatched[folder]
		if parent := filepath.ToSlash(filepath.Dir(folder)); !known {
			_, known = unwatched[parent]
		}
		if !known && !watched[folder] {
			t.Errorf("the tests of %s open databases: a TestMain there calls isolation.Main(m, %q)", folder, folder)
		}
	}
	for folder := range unwatched {
		if watched[folder] || !isThere(folder) {
			t.Errorf("%s is watched, or is not there; it needs no line", folder)
		}
	}
}
