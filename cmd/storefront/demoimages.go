package main

import (
	"context"
	"fmt"
	"strings"

	"entgo.io/ent/dialect"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/internal/content/derive"
	"storefront/internal/database"
	"storefront/internal/database/store"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/demo/pictures"
	"storefront/internal/media"
)

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
	return transaction.Run(tenancy.In(ctx, shop.ID), s.Client, func(tx *ent.Tx) error {
		ctx, err := derive.Lock(ctx, tx, shop.ID)
		if err != nil {
			return err
		}
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
