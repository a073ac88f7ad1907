package staff_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"

	"storefront/internal/content/stored"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// TestEditorsRace has many editors at two instances change a product of which all have read the same
// version. One of them succeeds, and the others are refused. Without a version all succeed, one after the
// other, and the audit log has each change.
func TestEditorsRace(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		second := c.Instance(t)
		editors := make([]shoptest.Worker, 8)
		for i := range editors {
			editors[i] = c.Staff(t, c.Tools, record.Editor)
			if i%2 == 1 {
				editors[i].API = second.GraphQL().With(editors[i].Access)
			}
		}
		const look = `query($shop: ID!) {
			staffProduct(businessId: $shop, slug: "drill") { version status product { titleEn } } }`
		const edit = `mutation($shop: ID!, $title: String, $version: String) {
			updateProduct(businessId: $shop, slug: "drill",
			input: {titleEn: $title}, expectedVersion: $version) { version } }`
		var seen struct {
			StaffProduct struct {
				Version, Status string
				Product         struct{ TitleEn string }
			}
		}
		editors[0].Do(t, look, map[string]any{"shop": c.Tools}, &seen)
		counts := map[string]int{}
		for _, code := range shoptest.Together(len(editors), func(i int) string {
			return editors[i].Ask(t, edit, map[string]any{"shop": c.Tools, "title": fmt.Sprint("Drill ", i),
				"version": seen.StaffProduct.Version}).Code()
		}) {
			counts[code]++
		}
		if counts[""] != 1 || counts["CONFLICT"] != len(editors)-1 {
			t.Errorf("got %v", counts)
		}
		for i, code := range shoptest.Together(len(editors), func(i int) string {
			return editors[i].Ask(t, edit, map[string]any{"shop": c.Tools, "title": fmt.Sprint("Driller ", i)}).Code()
		}) {
			if code != "" {
				t.Errorf("%d: %s", i, code)
			}
		}
		var log struct {
			AuditLogConnection struct {
				Nodes []struct{ Before, After struct{ TitleEn string } }
			}
		}
		c.Staff(t, c.Tools, record.Manager).Do(t, `query($shop: ID!) {
			auditLogConnection(businessId: $shop, action: "updateProduct") { nodes { before after } }
				}`, map[string]any{"shop": c.Tools}, &log)
		if n := len(log.AuditLogConnection.Nodes); n != len(editors)+1 {
			t.Errorf("%d entries", n)
		}
		after := map[string]bool{seen.StaffProduct.Product.TitleEn: true}
		for _, e := range log.AuditLogConnection.Nodes {
			after[e.After.TitleEn] = true
		}
		for _, e := range log.AuditLogConnection.Nodes {
			if !after[e.Before.TitleEn] {
				t.Errorf("%q is in the log as the value before, and never was", e.Before.TitleEn)
			}
		}
		editors[0].Do(t, look, map[string]any{"shop": c.Tools}, &seen)
		last := log.AuditLogConnection.Nodes[0].After.TitleEn
		if !after[seen.StaffProduct.Product.TitleEn] || last == "" {
			t.Errorf("got %q, %q", seen.StaffProduct.Product.TitleEn, last)
		}
	})
}

// TestFirstEditorsRace has managers at two instances write the first profile of a business, after all have read that
// no profile exists. One of them succeeds, and the others are refused. An edit of a version of the missing profile is
// refused, too.
func TestFirstEditorsRace(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		none := "DELETE FROM business_profiles WHERE tenant_id = $1"
		if _, err := c.Store.Client.ExecContext(t.Context(), none, uuid.MustParse(c.Tools)); err != nil {
			t.Fatal(err)
		}
		second := c.Instance(t)
		managers := make([]shoptest.Worker, 8)
		for i := range managers {
			managers[i] = c.Staff(t, c.Tools, record.Manager)
			if i%2 == 1 {
				managers[i].API = second.GraphQL().With(managers[i].Access)
			}
		}
		const edit = `mutation($shop: ID!, $about: String, $version: String) {
			updateBusinessProfile(businessId: $shop, input: {about: $about}, expectedVersion: $version) { version } }`
		write := func(i int, version string) string {
			return managers[i].Ask(t, edit, shoptest.Members{
				"shop": c.Tools, "about": fmt.Sprint("By ", i), "version": version}).Code()
		}
		if got := write(0, stored.VersionOf(c.Clock.Now())); got != "CONFLICT" {
			t.Errorf("an edit of a version where there is none: got %q, want CONFLICT", got)
		}
		counts := map[string]int{}
		for _, code := range shoptest.Together(len(managers), func(i int) string { return write(i, "0") }) {
			counts[code]++
		}
		if counts[""] != 1 || counts["CONFLICT"] != len(managers)-1 {
			t.Errorf("got %v, want one edit and %d times CONFLICT", counts, len(managers)-1)
		}
	})
}

// TestDraftsForStaff shows a draft with its detail to staff, and to nobody else.
func TestDraftsForStaff(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		editor, foreign := c.Staff(t, c.Tools, record.Editor), c.Staff(t, c.Mugs, record.Owner)
		editor.Do(t, `mutation($shop: ID!) { createProduct(businessId: $shop, slug: "plane",
			input: {titleFa: "رنده", status: draft,
			images: [{url: "/plane.png"}], description: "Smooth.",
			variants: [{sku: "PLANE", priceCurrency: "USD", price: 3, stock: 2}]}) {
			version } }`, map[string]any{"shop": c.Tools}, nil)
		const look = `query($shop: ID!, $slug: String!) { staffProduct(businessId: $shop, slug: $slug) { status version
			product { slug titleFa description imageUrl categorySlug technicalInfo { values { key } }
			variants { sku } } } }`
		var seen struct {
			StaffProduct struct {
				Status, Version string
				Product         struct{ TitleFa, Description, ImageURL string }
			}
		}
		editor.Do(t, look, map[string]any{"shop": c.Tools, "slug": "plane"}, &seen)
		if p := seen.StaffProduct; p.Status != "draft" || p.Version == "" || p.Product.Description != "Smooth." ||
			p.Product.ImageURL == "" {
			t.Errorf("got %+v", p)
		}
		foreign.Refused(t, "FORBIDDEN", look, map[string]any{"shop": c.Tools, "slug": "plane"})
		foreign.Refused(t, "NOT_FOUND", look, map[string]any{"shop": c.Mugs, "slug": "plane"})
		editor.Refused(t, "NOT_FOUND", look, map[string]any{"shop": c.Tools, "slug": "none"})
		public := shoptest.Worker{API: c.GraphQL()}
		public.Refused(t, "NOT_FOUND", `{ tenant(domain: "tools.example") { product(slug: "plane") { slug } } }`, nil)
	})
}
