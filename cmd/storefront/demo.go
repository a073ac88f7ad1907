package main

import (
	"context"
	"fmt"
	"io"

	"storefront/ent/tenant"
	"storefront/internal/bundle"
	"storefront/internal/demo"
	"storefront/internal/demo/customers"
	"storefront/internal/demo/orders"
	"storefront/internal/store"
)

// loadDemo loads the demo shops into a database without tenants, and prints what there is to look at below url. With
// withExplorer that includes the playground. The images of the shops are below publicURL, in a database that has
// them already too.
func loadDemo(ctx context.Context, s *store.Store, url, publicURL string, withExplorer bool, out io.Writer) error {
	occupied, err := s.Client.Tenant.Query().Exist(ctx)
	if err != nil {
		return err
	}
	var in customers.SignIn
	if !occupied {
		for _, d := range demo.Bundles() {
			if _, err := bundle.Import(ctx, s, bundle.Bytes(d.Data), nil); err != nil {
				return fmt.Errorf("loading %s: %w", d.Domain, err)
			}
		}
		if in, err = customers.Load(ctx, s.Client); err != nil {
			return fmt.Errorf("loading the customers: %w", err)
		}
		if err := orders.Load(ctx, s.Client); err != nil {
			return fmt.Errorf("loading the orders: %w", err)
		}
	}
	var open, try string
	for _, d := range demo.Bundles() {
		known, err := s.Client.Tenant.Query().Where(tenant.Domain(d.Domain)).Exist(ctx)
		if err != nil {
			return err
		}
		if known {
			if err := moveImages(ctx, s, d.Domain, publicURL); err != nil {
				return fmt.Errorf("the images of %s: %w", d.Domain, err)
			}
			base := url + "/api/v1/tenants/" + d.Domain
			open += fmt.Sprintf("  %s\n", base)
			try += fmt.Sprintf("  curl '%s%s'\n", base, d.Paths[0])
		}
	}
	if open == "" {
		fmt.Fprintln(out, "The database has shops of its own, so the demo shops were not loaded.")
		return nil
	}
	fmt.Fprintf(out, "Open in a browser:\n  %s/docs  the REST routes, to be read and tried\n", url)
	if withExplorer {
		fmt.Fprintf(out, "  %s/playground  GraphQL, with examples for the demo shops\n", url)
	}
	fmt.Fprintf(out, "The demo shops:\n%sTry:\n%s", open, try)
	if in.Cell != "" {
		fmt.Fprintf(out, "Sign in as %s with the password %s, which is shown this once:\n", in.Cell, in.Password)
		fmt.Fprintf(out, "  curl --json '{\"cellNumber\": \"%s\", \"password\": \"%s\"}' '%s/api/v1/auth/login'\n",
			in.Cell, in.Password, url)
	}
	return nil
}
