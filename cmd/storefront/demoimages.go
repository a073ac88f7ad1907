package main

import (
	"context"
	"fmt"
	"strings"

	"entgo.io/ent/dialect"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/internal/database"
	"storefront/internal/demo/pictures"
	"storefront/internal/derive"
	"storefront/internal/store"
	"storefront/internal/tenancy"
	"storefront/internal/transaction"
)

// imageColumns are the columns with addresses of images: in texts, and in JSON.
var imageColumns = []struct {
	table, owner string
	texts, json  []string
}{
	{table: "tenants", owner: "id", texts: []string{"logo_url", "favicon_url"}},
	{table: "brands", owner: "tenant_id", texts: []string{"logo_url"}},
	{table: "categories", owner: "tenant_id", texts: []string{"image_url"}},
	{table: "variants", owner: "tenant_id", texts: []string{"image_url"}},
	{table: "order_items", owner: "tenant_id", texts: []string{"image_url"}},
	{table: "products", owner: "tenant_id", json: []string{"images"}},
	{table: "user_products", owner: "tenant_id", json: []string{"images"}},
	{table: "blogs", owner: "tenant_id", json: []string{"images"}},
	{table: "portfolios", owner: "tenant_id", json: []string{"images"}},
	{table: "sliders", owner: "tenant_id", json: []string{"slides"}},
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
	return transaction.Run(tenancy.In(ctx, shop.ID), s.Client, func(tx *ent.Tx) error {
		ctx, err := derive.Lock(ctx, tx, shop.ID)
		if err != nil {
			return err
		}
		for _, c := range imageColumns {
			_, err := moving(tx.Raw().Dialect(), c.table, c.owner, c.texts, c.json).Exec(ctx, tx.Raw(), values)
			if err != nil {
				return fmt.Errorf("%s: %w", c.table, err)
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

// moving returns the statement that changes the addresses in a table. JSON is cast to the type of its column.
func moving(kind, table, owner string, texts, json []string) database.Text {
	var sets []string
	for _, column := range texts {
		sets = append(sets, column+" = replace("+column+", $old, $new)")
	}
	for _, column := range json {
		from, to := column, "AS BLOB"
		if kind == dialect.Postgres {
			from, to = column+"::text", "AS jsonb"
		}
		sets = append(sets, fmt.Sprintf(`%s = CAST(replace(%s, '"' || $old, '"' || $new) %s)`, column, from, to))
	}
	return database.Statement("UPDATE " + table + " SET " + strings.Join(sets, ", ") + " WHERE " + owner + " = $tenant")
}
