package service_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"storefront/internal/contract/randomquery"
	"storefront/internal/contract/shoptest"
)

// values reads from the demo shops values of arguments that find something.
func (w *ways) values(t *testing.T) randomquery.Values {
	all := randomquery.Values{}
	for _, domain := range []string{shoptest.PaperShop, shoptest.MachineShop, "memar-novin.example"} {
		got := w.ask(t, http.MethodPost, "/graphql", shoptest.GraphQLBody(`{ tenant(domain: "`+domain+`") {
			id products(pageSize: 24) { items { id slug categoryId brandId tags } }
			productsConnection(first: 6) { edges { cursor } } storeItems { items { id } }
			userProducts { items { slug cityId } } blogs { items { id slug } } portfolios { items { id slug } } }
			cities(parentSlug: "alborz") { id parentId parentSlug } }`, ""))
		type item struct {
			ID, Slug, CategoryID, BrandID, CityID, Cursor, ParentID, ParentSlug string
			Tags                                                                []string
		}
		type list struct{ Items, Edges []item }
		var read struct {
			Data struct {
				Tenant struct {
					ID                                                                        string
					Products, ProductsConnection, StoreItems, UserProducts, Blogs, Portfolios list
				}
				Cities []item
			}
		}
		if err := json.Unmarshal(got.Body, &read); err != nil || read.Data.Tenant.ID == "" {
			t.Fatalf("got %v: %s", err, got.Body)
		}
		shop, known := read.Data.Tenant, map[string][]string{"businessId": {read.Data.Tenant.ID}}
		add := func(name, value string) {
			if value != "" && !slices.Contains(known[name], value) {
				known[name] = append(known[name], value)
			}
		}
		for _, p := range shop.Products.Items {
			add("productId", p.ID)
			add("entityId", p.ID)
			add("product.slug", p.Slug)
			add("categoryId", p.CategoryID)
			add("brandId", p.BrandID)
			for _, tag := range p.Tags {
				add("tag", tag)
			}
		}
		for _, e := range shop.ProductsConnection.Edges {
			add("productsConnection.after", e.Cursor)
			add("productsConnection.before", e.Cursor)
		}
		for _, v := range shop.StoreItems.Items {
			add("storeVariant.id", v.ID)
		}
		for _, p := range shop.UserProducts.Items {
			add("userProduct.slug", p.Slug)
			add("cityId", p.CityID)
		}
		for _, b := range shop.Blogs.Items {
			add("blogId", b.ID)
			add("blog.slug", b.Slug)
		}
		for _, p := range shop.Portfolios.Items {
			add("portfolioId", p.ID)
			add("portfolio.slug", p.Slug)
		}
		for _, c := range read.Data.Cities {
			add("city.id", c.ID)
			add("parentId", c.ParentID)
			add("parentSlug", c.ParentSlug)
		}
		all[domain] = known
	}
	return all
}
