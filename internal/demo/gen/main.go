// Command gen writes the bundles of the demo shops. Run it from the root of the module: go run
// ./internal/demo/gen
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"storefront/internal/demo/gen/bundle"
	"storefront/internal/demo/gen/shops"
)

func main() {
	if err := run(filepath.Join("internal", "demo")); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	for _, b := range shops.All() {
		data, err := b.JSON()
		if err != nil {
			return fmt.Errorf("write %s: %w", b.Tenant.Domain, err)
		}
		packed, err := bundle.Gzip(data)
		if err != nil {
			return fmt.Errorf("pack %s: %w", b.Tenant.Domain, err)
		}
		if err := os.WriteFile(filepath.Join(dir, shops.File(b)), packed, 0o644); err != nil {
			return err
		}
	}
	return nil
}
