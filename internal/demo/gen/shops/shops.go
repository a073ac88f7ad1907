// Package shops lists the demo shops.
package shops

import (
	"strings"

	"storefront/internal/demo/gen/bundle"
	"storefront/internal/demo/gen/memar"
	"storefront/internal/demo/gen/paperlane"
	"storefront/internal/demo/gen/sanat"
)

// All makes the bundles of the three shops. Every call gives the same.
func All() []bundle.Bundle {
	return []bundle.Bundle{sanat.Bundle(), paperlane.Bundle(), memar.Bundle()}
}

// File is the name of the file that holds a bundle.
func File(b bundle.Bundle) string {
	return strings.TrimSuffix(b.Tenant.Domain, ".example") + ".bundle.json.gz"
}
