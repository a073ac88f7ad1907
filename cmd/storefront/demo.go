package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"entgo.io/ent/dialect"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/internal/content/bundle"
	"storefront/internal/content/derive"
	"storefront/internal/database"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
	"storefront/internal/demo"
	"storefront/internal/demo/customers"
	"storefront/internal/demo/pictures"
	"storefront/internal/media"
)

// demoAddresses are the addresses of a service with the demo shops.
type demoAddresses struct {
	url        string // of its pages
	publicURL  string // with which the addresses of the shops' images begin, even if the database had the shops already
	playground bool   // it has one
}

// loadDemo loads the demo shops into a database without others, and prints the addresses of its pages.
func loadDemo(
	ctx context.Context, s *store.Store, at demoAddresses, out io.Writer, log *slog.Logger,
) error {
	in, err := completeDemo(ctx, s)
	if err != nil {
		return err
	}
	var open, try string
	for _, d := range demo.Bundles() {
		known, err := s.Client.Tenant.Query().Where(tenant.Domain(d.Domain)).Exist(ctx)
		if err != nil {
			return err
		}
		if known {
			if err := moveImages(ctx, s, d.Domain, at.publicURL); err != nil {
				return fmt.Errorf("the images of %s: %w", d.Domain, err)
			}
			base := at.url + "/api/v1/tenants/" + d.Domain
			open += fmt.Sprintf("  %s\n", base)
			try += fmt.Sprintf("  curl '%s%s'\n", base, d.Paths[0])
		}
	}
	if open == "" {
		fmt.Fprintln(out, "The database has shops of its own, so the demo shops were not loaded.")
		return nil
	}
	fmt.Fprintf(out, "Open in a browser:\n  %s/staff  where the staff of the shops work\n"+
		"  %s/docs  the REST routes, to be read and tried\n", at.url, at.url)
	if at.playground {
		fmt.Fprintf(out, "  %s/playground  GraphQL, with examples for the demo shops\n", at.url)
	}
	fmt.Fprintf(out, "The demo shops:\n%sTry:\n%s", open, try)
	if in.Cell != "" {
		if _, err := fmt.Fprintf(out, "Sign in as %s with the password %s, which is shown this once:\n"+
			"  curl --json '{\"cellNumber\": \"%s\", \"password\": \"%s\"}' '%s/api/v1/auth/login'\n",
			in.Cell, in.Password, in.Cell, in.Password, at.url); err != nil {
			log.Warn("how to sign in to the demo could not be shown: its password is lost", "error", err)
		}
		fmt.Fprintf(out, "Sign in at %s/staff with the same password:\n", at.url)
		for i, role := range customers.Staff {
			fmt.Fprintf(out, "  %s  %s\n", customers.CellOf(i), role)
		}
	}
	return nil
}

// completeDemo loads the demo, or the rest after an interruption, unless the database has other shops. in is
// how to sign in; it is known only to the process that made the accounts. Of concurrent processes one loads
// the demo, and the others wait.
func completeDemo(ctx context.Context, s *store.Store) (in customers.SignIn, err error) {
	unlock, err := s.Lock(ctx, "demo", "")
	if err != nil {
		return in, err
	}
	defer unlock()
	var own []string
	for _, d := range demo.Bundles() {
		own = append(own, d.Domain)
	}
	others, err := s.Client.Tenant.Query().Where(tenant.DomainNotIn(own...)).Exist(ctx)
	if err != nil || others {
		return in, err
	}
	if loaded, err := customers.Loaded(ctx, s.Client); err != nil || loaded {
		return in, err
	}
	days := demo.DaysUntil(time.Now())
	for _, d := range demo.Bundles() {
		content, err := demo.Moved(d.Data, days)
		if err == nil {
			_, err = bundle.Import(ctx, s, bundle.Bytes(content), nil, bundle.StableIDs)
		}
		if err != nil {
			return in, fmt.Errorf("loading %s: %w", d.Domain, err)
		}
	}
	if in, err = customers.Load(ctx, s.Client, days); err != nil {
		return in, fmt.Errorf("loading the customers: %w", err)
	}
	return in, nil
}

// moveImages makes the addresses of a demo shop's images begin with base, so that they work on pages of any
// origin. The bundle has only their paths, and an earlier start may have had another base.
func moveImages(ctx context.Context, s *store.Store, domain, base string) error {
	shop, err := s.Client.Tenant.Query().Where(tenant.Domain(domain)).Only(ctx)
	if err != nil {
		return err
	}
	one, err := anImage(ctx, s, shop)
	if err != nil {
		return err
	}
	base = strings.TrimSuffix(base, "/")
	before, _, ours := strings.Cut(one, pictures.Path)
	if !ours || before == base {
		return nil
	}
	values := database.Values{"tenant": shop.ID, "old": before + pictures.Path, "new": base + pictures.Path}
	return derive.InShop(ctx, s.Client, shop.ID, func(ctx context.Context, tx *ent.Tx) error {
		for _, c := range media.Columns {
			if _, err := moving(tx.Raw().Dialect(), c).Exec(ctx, tx.Raw(), values); err != nil {
				return fmt.Errorf("%s: %w", c.Table, err)
			}
		}
		_, err = database.Statement(derive.Raising).Exec(ctx, tx.Raw(), database.Values{"tenant": shop.ID})
		return err
	})
}

// anImage returns the address of an image of a demo shop: its logo, or an image of a portfolio.
func anImage(ctx context.Context, s *store.Store, shop *ent.Tenant) (string, error) {
	if shop.LogoURL != nil {
		return *shop.LogoURL, nil
	}
	shown, err := s.Client.Portfolio.Query().Order(ent.Asc("slug")).All(tenancy.In(ctx, shop.ID))
	for _, p := range shown {
		if url := p.ImageURL(); url != nil {
			return *url, nil
		}
	}
	return "", err
}

// moving returns the statement that changes the addresses in a column. JSON is cast to the type of its column.
func moving(kind string, c media.Column) database.Text {
	name, to := `"`+c.Name+`"`, "text"
	text := name
	if c.JSON {
		text, to = "CAST("+name+" AS text)", "BLOB"
		if kind == dialect.Postgres {
			to = "jsonb"
		}
	}
	return database.Statement(fmt.Sprintf(`UPDATE %s SET %s = CAST(replace(%s, $old, $new) AS %s)
		WHERE %s = $tenant AND %[3]s LIKE '%%' || $old || '%%'`, c.Table, name, text, to, c.Owner))
}
