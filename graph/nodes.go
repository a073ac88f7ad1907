package graph

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/blog"
	"storefront/ent/brand"
	"storefront/ent/category"
	"storefront/ent/portfolio"
	"storefront/ent/product"
	"storefront/ent/tenant"
	"storefront/ent/userproduct"
	"storefront/ent/variant"
	"storefront/internal/api"
	"storefront/internal/catalog"
	"storefront/internal/catalog/selection"
	"storefront/internal/database/tenancy"
	"storefront/internal/list"
	"storefront/internal/record"
)

func (q queryResolver) Node(ctx context.Context, _ uuid.UUID) (api.Node, error) {
	id, _ := argumentAsSent(ctx, "id").(string)
	found, err := q.r.nodes(ctx, []string{id})
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

func (q queryResolver) Nodes(ctx context.Context, _ []uuid.UUID) ([]api.Node, error) {
	var ids []string
	switch sent := argumentAsSent(ctx, "ids").(type) {
	case []any:
		for _, one := range sent {
			id, _ := one.(string)
			ids = append(ids, id)
		}
	case string: // one value stands for a list
		ids = []string{sent}
	}
	return q.r.nodes(ctx, ids)
}

// argumentAsSent returns an argument of the field that is being resolved, as the client sent it. Values of
// type ID are read as ids of records, which a nodeId is not; but Relay requires `node(id: ID!)`.
func argumentAsSent(ctx context.Context, name string) any {
	return graphql.GetFieldContext(ctx).Field.ArgumentMap(graphql.GetOperationContext(ctx).Variables)[name]
}

// nodes returns records by their nodeIds. It runs one statement for the shop and one for each type.
func (r *Resolver) nodes(ctx context.Context, texts []string) ([]api.Node, error) {
	found := make([]api.Node, len(texts))
	asked := make([]record.Node, len(texts))
	var shop *ent.Tenant
	ids := map[string][]uuid.UUID{}
	for i, text := range texts {
		n, ok := record.ReadNode(text)
		if !ok || readNodes[n.Type] == nil || shop != nil && n.Tenant != shop.ID {
			continue
		}
		if shop == nil {
			var err error
			shop, err = r.Store.Tenant.Query().Where(tenant.ID(n.Tenant)).Only(ctx)
			if ent.IsNotFound(err) {
				shop = nil
				continue
			}
			if err != nil {
				return nil, err
			}
			catalog.ScopeOf(ctx).Reached(shop)
			if err := catalog.OpenToAll(shop); err != nil {
				return nil, err
			}
		}
		asked[i] = n
		if !slices.Contains(ids[n.Type], n.ID) {
			ids[n.Type] = append(ids[n.Type], n.ID)
		}
	}
	byType := map[string]nodes{}
	for name, some := range ids {
		records, err := readNodes[name](r, tenancy.In(ctx, shop.ID), shop, some)
		if err != nil {
			return nil, err
		}
		byType[name] = records
	}
	for i, n := range asked {
		if one := byType[n.Type][n.ID]; one != nil {
			found[i] = one
		}
	}
	return found, nil
}

// nodes are records by their ids.
type nodes = map[uuid.UUID]api.Node

// readNodes read the public records of each type among some ids of a shop. What is public is decided as for all other
// fields (Catalog.PublishedProducts and others).
var readNodes = map[string]func(*Resolver, context.Context, *ent.Tenant, []uuid.UUID) (nodes, error){
	ent.TypeTenant: func(_ *Resolver, _ context.Context, t *ent.Tenant, ids []uuid.UUID) (nodes, error) {
		if !slices.Contains(ids, t.ID) {
			return nil, nil
		}
		return nodes{t.ID: t}, nil
	},
	ent.TypeCategory: func(r *Resolver, ctx context.Context, _ *ent.Tenant, ids []uuid.UUID) (nodes, error) {
		return nodesOf(ctx, func(c *ent.Category) uuid.UUID { return c.ID })(
			r.Store.Category.Query().Where(category.IDIn(ids...)).Collect(selection.Of(ctx)).All(ctx))
	},
	ent.TypeBrand: func(r *Resolver, ctx context.Context, _ *ent.Tenant, ids []uuid.UUID) (nodes, error) {
		return nodesOf(ctx, func(b *ent.Brand) uuid.UUID { return b.ID })(
			r.Store.Brand.Query().Where(brand.IDIn(ids...)).Collect(selection.Of(ctx)).All(ctx))
	},
	ent.TypeProduct: func(r *Resolver, ctx context.Context, _ *ent.Tenant, ids []uuid.UUID) (nodes, error) {
		return nodesOf(ctx, func(p *ent.Product) uuid.UUID { return p.ID })(
			catalog.CollectProducts(ctx, r.Catalog.PublishedProducts(ctx).Where(product.IDIn(ids...)),
				selection.Of(ctx)).All(ctx))
	},
	ent.TypeVariant: func(r *Resolver, ctx context.Context, _ *ent.Tenant, ids []uuid.UUID) (nodes, error) {
		return nodesOf(ctx, func(v *ent.Variant) uuid.UUID { return v.ID })(
			r.Catalog.VariantsOnSale(ctx).Where(variant.IDIn(ids...)).Collect(selection.Of(ctx)).All(ctx))
	},
	ent.TypeUserProduct: func(r *Resolver, ctx context.Context, _ *ent.Tenant, ids []uuid.UUID) (nodes, error) {
		return nodesOf(ctx, func(p *ent.UserProduct) uuid.UUID { return p.ID })(
			r.Catalog.PublishedUserProducts(ctx).Where(userproduct.IDIn(ids...)).Collect(selection.Of(ctx)).All(ctx))
	},
	ent.TypeBlog: func(r *Resolver, ctx context.Context, _ *ent.Tenant, ids []uuid.UUID) (nodes, error) {
		asked := selection.Of(ctx)
		return nodesOf(ctx, func(b *ent.Blog) uuid.UUID { return b.ID })(r.Catalog.PublishedBlogs(ctx).
			Where(blog.IDIn(ids...)).
			Collect(asked).Modify(catalog.SelectCommentCount(record.Blog, asked)).All(ctx))
	},
	ent.TypePortfolio: func(r *Resolver, ctx context.Context, _ *ent.Tenant, ids []uuid.UUID) (nodes, error) {
		asked := selection.Of(ctx)
		return nodesOf(ctx, func(p *ent.Portfolio) uuid.UUID { return p.ID })(r.Catalog.PublishedPortfolios(ctx).
			Where(portfolio.IDIn(ids...)).Collect(asked).
			Modify(catalog.SelectCommentCount(record.Portfolio, asked)).All(ctx))
	},
}

// nodesOf returns records by id. The records of a type are siblings: their fields are loaded together.
func nodesOf[R any](ctx context.Context, id func(R) uuid.UUID) func([]R, error) (nodes, error) {
	return func(found []R, err error) (nodes, error) {
		if err != nil {
			return nil, err
		}
		list.RememberSiblings(ctx, found)
		all := make(nodes, len(found))
		for _, one := range found {
			all[id(one)] = one
		}
		return all, nil
	}
}
