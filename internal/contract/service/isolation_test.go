package service_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/rest"
)

// foreign holds the records of the second shop that replace those of the first shop, by the prefix of their
// names or the path before their slugs.
var foreign = map[string]string{
	"<tools:product:":            "<mugs:product:tea>",
	"<tools:variant:":            "<mugs:variant:TEA-1>",
	"<tools:brand:":              "<mugs:brand:kiln>",
	"<tools:category:product:":   "<mugs:category:product:pens>",
	"<tools:category:blog:":      "<mugs:category:blog:clay>",
	"<tools:category:portfolio:": "<mugs:category:portfolio:fairs>",
	"<tools:blog:":               "<mugs:blog:teapots>",
	"<tools:portfolio:":          "<mugs:portfolio:kiosk>",
	"/products/":                 "tea",
	"/user-products/":            "kettle",
	"/blogs/":                    "teapots",
	"/portfolios/":               "kiosk",
}

// shared holds the parameters that name records outside of shops.
var shared = map[string]bool{"cityId": true, "countryId": true}

// TestOtherShopsAreUnknown puts ids and slugs of one shop into every parameter of another shop's routes:
// the answers equal those for unknown ids and slugs.
func TestOtherShopsAreUnknown(t *testing.T) {
	shoptest.EachDatabase(t, func(t *testing.T, p *shoptest.Place) {
		before := opinions(t, p)
		eachExample(t, func(route rest.Route, requests []string) {
			if !strings.Contains(route.Path, "{domain}") {
				return
			}
			for _, name := range naming(t, route) {
				request, value := example(t, route, name, requests)
				theirs := strings.Replace(request, value, instead(t, route, value), 1)
				nobodys := strings.Replace(request, value, shoptest.UnknownID, 1)
				got, want := p.Ask(t, theirs), p.Ask(t, nobodys)
				if got.Status != want.Status || !bytes.Equal(p.Readable(t, got), p.Readable(t, want)) {
					t.Errorf("%s: got %d %s\nwant as for %s: %d %s", theirs, got.Status, got.Body, nobodys,
						want.Status, want.Body)
				}
				if name == "slug" { // it is one that the other shop has
					own := p.Ask(t, strings.Replace(theirs, "tools.example", "mugs.example", 1))
					if own.Status != http.StatusOK {
						t.Errorf("%s: status %d in its own shop", theirs, own.Status)
					}
				}
			}
		})
		if after := opinions(t, p); after != before {
			t.Errorf("got %d opinions, want %d as before", after, before)
		}
	})
}

// naming returns the parameters and members of a route that name a record of a shop.
func naming(t testing.TB, route rest.Route) (names []string) {
	t.Helper()
	schema, operations := shoptest.Operations(t)
	for _, variable := range operations.Operations.ForName(route.Operation).VariableDefinitions {
		if variable.Type.NamedType == "ID" || variable.Variable == "slug" {
			names = append(names, variable.Variable)
		}
		for _, member := range schema.Types[variable.Type.NamedType].Fields {
			if member.Type.NamedType == "ID" {
				names = append(names, member.Name)
			}
		}
	}
	kept := names[:0]
	for _, name := range names {
		if !shared[name] {
			kept = append(kept, name)
		}
	}
	return kept
}

// example returns a request of a route that names a record in a parameter or member, and the name as it
// stands there. Other optional parameters are left out.
func example(t testing.TB, route rest.Route, name string, requests []string) (request, value string) {
	t.Helper()
	for _, request := range requests {
		target, body, _ := strings.Cut(strings.TrimPrefix(request, route.Method+" "), " ")
		target, query, _ := strings.Cut(target, "?")
		if _, after, found := strings.Cut(body, `"`+name+`":"`); found {
			value, _, _ = strings.Cut(after, `"`)
			return request, value
		}
		own := strings.Split(target, "/")
		for i, segment := range strings.Split(route.Path, "/") {
			if segment == "{"+name+"}" {
				return request, own[i]
			}
		}
		kept := "entityType=" + strings.TrimPrefix(firstOf(query, "entityType="), "entityType=")
		if found := firstOf(query, name+"="); found != "" {
			return route.Method + " " + target + "?" + kept + "&" + found, strings.TrimPrefix(found, name+"=")
		}
	}
	t.Fatalf("no example of %s %s gives %s", route.Method, route.Path, name)
	return "", ""
}

// firstOf returns the parameter of a query string with a prefix.
func firstOf(query, prefix string) string {
	for parameter := range strings.SplitSeq(query, "&") {
		if strings.HasPrefix(parameter, prefix) {
			return parameter
		}
	}
	return ""
}

// instead returns the second shop's record that replaces one of the first shop.
func instead(t testing.TB, route rest.Route, value string) string {
	t.Helper()
	for kind, other := range foreign {
		if strings.HasPrefix(value, kind) || !strings.HasPrefix(value, "<") &&
			strings.Contains(route.Path, "}"+kind) {
			return other
		}
	}
	t.Fatalf("%s %s: nothing takes the place of %s", route.Method, route.Path, value)
	return ""
}

// opinions counts the comments and reviews of all shops.
func opinions(t testing.TB, p *shoptest.Place) (count int) {
	t.Helper()
	for _, shop := range shoptest.Must(p.Store.Client.Tenant.Query().All(t.Context()))(t) {
		ctx := tenancy.In(t.Context(), shop.ID)
		count += shoptest.Must(p.Store.Client.Comment.Query().Count(ctx))(t) +
			shoptest.Must(p.Store.Client.ExpertReview.Query().
				Count(ctx))(t)
	}
	return count
}
