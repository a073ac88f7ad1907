package staff_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"storefront/ent/auditentry"
	"storefront/ent/userproduct"
	"storefront/internal/content/derive"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

const (
	submitListing = `mutation($shop: ID!, $in: ListingInput!) { submitListing(businessId: $shop, input: $in) {
		message listing { status version listing { id slug titleFa categorySlug citySlug provinceSlug imageUrl } } } }`
	updateListing = `mutation($shop: ID!, $id: ID!, $in: ListingInput!, $version: String) {
		updateListing(businessId: $shop, listingId: $id, input: $in, expectedVersion: $version) {
			listing { status version listing { id titleFa price } } } }`
	withdrawListing = `mutation($shop: ID!, $id: ID!) {
		withdrawListing(businessId: $shop, listingId: $id) { message } }`
	ownListings = `query($shop: ID!) { me { listings(businessId: $shop) { total items {
		status version listing { id slug titleFa } } } } }`
	publicListings = `{ tenant(domain: "tools.example") { userProducts(pageSize: 100) { items { id titleFa } } } }`
)

func listingOf(title string) map[string]any {
	return map[string]any{"titleFa": title, "priceCurrency": "IRT", "price": 1200, "condition": "stock"}
}

type listingSeen struct {
	Status, Version string
	Listing         struct{ ID, Slug, TitleFa, CategorySlug, CitySlug, ProvinceSlug, ImageURL string }
}

type ownSeen struct {
	Me struct {
		Listings struct {
			Total int
			Items []listingSeen
		}
	}
}

// TestListingsHaveTheirCountry writes listings that name a city and no country, in some way: they have the country that
// they are found by.
func TestListingsHaveTheirCountry(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner := c.Staff(t, c.Tools, record.Owner)
		for slug, country := range map[string]any{"absent": "", "null": nil} {
			wish := listingOf("Lathe " + slug)
			if wish["city"] = "tehran"; country != "" {
				wish["country"] = country
			}
			owner.Do(t, `mutation($shop: ID!, $slug: String!, $in: UserProductInput!) {
				createUserProduct(businessId: $shop, slug: $slug, input: $in) { id } }`,
				map[string]any{"shop": c.Tools, "slug": slug, "in": wish}, nil)
		}
		owner.Do(t, `mutation($shop: ID!) { updateUserProduct(businessId: $shop, slug: "absent",
			input: {country: null, province: null}) { id } }`, map[string]any{"shop": c.Tools}, nil)
		iran := c.Named(t, "<location:country:iran>")
		var found struct {
			Tenant struct {
				UserProducts struct {
					Items []struct{ Slug, CountryID, ProvinceSlug string }
				}
			}
		}
		owner.Do(t, `query($in: ID!) { tenant(domain: "tools.example") { userProducts(countryId: $in, pageSize: 100) {
			items { slug countryId provinceSlug } } } }`, map[string]any{"in": iran}, &found)
		made := 0
		for _, one := range found.Tenant.UserProducts.Items {
			if one.CountryID != iran {
				t.Errorf("%s is found in Iran, and has the country %q", one.Slug, one.CountryID)
			}
			if one.Slug == "absent" || one.Slug == "null" {
				if made++; one.ProvinceSlug != "tehran" {
					t.Errorf("%s has the province %q", one.Slug, one.ProvinceSlug)
				}
			}
		}
		if made != 2 {
			t.Errorf("got %+v", found)
		}
	})
}

// TestOwnListings submits, changes and withdraws a listing, and lets the shop decide on it.
func TestOwnListings(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		all := c.Listens(t, "tools")
		seller, stranger := c.Customer(t), c.Customer(t)
		moderator, foreign := c.Staff(t, c.Tools, record.Moderator), c.Staff(t, c.Mugs, record.Moderator)
		in := func(more map[string]any) map[string]any {
			if more["shop"] == nil {
				more["shop"] = c.Tools
			}
			return more
		}
		shown := func() string { return string(stranger.Ask(t, publicListings, nil).Data["tenant"]) }
		wish := listingOf("دستگاه تراش")
		wish["images"] = []any{map[string]any{"url": "https://images.example/lathe.jpg"}}
		wish["city"] = "tehran"
		var made struct{ SubmitListing struct{ Listing listingSeen } }
		seller.Do(t, submitListing, in(map[string]any{"in": wish}), &made)
		first := made.SubmitListing.Listing
		if first.Status != "pending" || !strings.HasPrefix(first.Listing.Slug, "دستگاه-تراش-") ||
			first.Listing.CitySlug != "tehran" ||
			first.Listing.ProvinceSlug != "tehran" || first.Listing.ImageURL == "" ||
			strings.Contains(shown(), first.Listing.ID) {
			t.Errorf("got %+v", first)
		}
		shoptest.Worker{API: c.GraphQL()}.Refused(t, "UNAUTHENTICATED", submitListing,
			in(map[string]any{"in": wish}))
		seller.Refused(t, "NOT_FOUND", submitListing, map[string]any{"shop": shoptest.NobodysID, "in": wish})
		closed := listingOf("Lathe")
		closed["images"] = []any{map[string]any{"url": "https://images.example:99999/lathe.jpg"}}
		port := seller.Refused(t, "VALIDATION_FAILED", submitListing, in(map[string]any{"in": closed}))
		if e := port.Errors[0].Extensions.Errors; len(e) != 1 || e[0].Field != "in.images.0.url" {
			t.Errorf("an image at no port: got %+v", e)
		}
		bad := seller.Refused(t, "VALIDATION_FAILED", submitListing,
			in(map[string]any{"in": map[string]any{"titleFa": " ", "price": -1, "category": "none"}}))
		fields := ""
		for _, e := range bad.Errors[0].Extensions.Errors {
			fields += e.Field + " "
		}
		for _, field := range []string{"in.titleFa", "in.price", "in.category", "in.condition"} {
			if !strings.Contains(fields, field) {
				t.Errorf("got the fields %s, want %s among them", fields, field)
			}
		}
		seller.Refused(t, "GRAPHQL_VALIDATION_FAILED", strings.Replace(submitListing, "input: $in",
			`input: {status: published}`, 1),
			in(map[string]any{}))

		slug, id := first.Listing.Slug, first.Listing.ID
		const decide = `mutation($shop: ID!, $slug: String!, $in: UserProductInput!) {
			updateUserProduct(businessId: $shop, slug: $slug, input: $in) { version } }`
		const look = `query($shop: ID!, $slug: String!) { staffListing(businessId: $shop, slug: $slug) {
			status version listing { id titleFa technicalInfo { values { key } } } customer { cellNumber } } }`
		var looked struct {
			StaffListing struct {
				listingSeen
				Customer struct{ CellNumber string }
			}
		}
		if got := moderator.Ask(t, look, in(map[string]any{"slug": slug})); got.Code() != "FORBIDDEN" ||
			len(got.Errors[0].Path) != 2 ||
			!strings.Contains(string(got.Data["staffListing"]), `"status":"pending"`) {
			t.Errorf("a moderator sees customers: got %+v", got)
		}
		c.Staff(t, c.Tools, record.Manager).Do(t, look, in(map[string]any{"slug": slug}), &looked)
		if s := looked.StaffListing; s.Status != "pending" || s.Version != first.Version ||
			s.Customer.CellNumber != seller.Customer.Cell {
			t.Errorf("got %+v", s)
		}
		foreign.Refused(t, "NOT_FOUND", look, in(map[string]any{"shop": c.Mugs, "slug": slug}))
		moderator.Do(t, decide, in(map[string]any{"slug": slug, "in": map[string]any{"status": "published",
			"publishedAt": "2026-11-15T12:00:00Z"}}), nil)
		if !strings.Contains(shown(), id) {
			t.Errorf("it is published, and not in %s", shown())
		}

		change := in(map[string]any{
			"id": id, "in": map[string]any{"price": nil, "titleFa": "دستگاه تراش ارزان"},
		})
		stranger.Refused(t, "NOT_FOUND", updateListing, change)
		seller.Refused(t, "NOT_FOUND", updateListing,
			in(map[string]any{"shop": c.Mugs, "id": id, "in": change["in"]}))
		stranger.Refused(t, "NOT_FOUND", withdrawListing, in(map[string]any{"id": id}))
		seller.Refused(t, "CONFLICT", updateListing,
			in(map[string]any{"id": id, "in": change["in"], "version": first.Version}))
		seller.Do(t, updateListing, change, nil)
		if strings.Contains(shown(), id) {
			t.Error("what was changed is shown although nobody has approved it")
		}
		var own ownSeen
		seller.Do(t, ownListings, in(map[string]any{}), &own)
		if l := own.Me.Listings; l.Total != 1 || l.Items[0].Status != "pending" ||
			l.Items[0].Listing.TitleFa != "دستگاه تراش ارزان" {
			t.Errorf("got %+v", l)
		}
		stranger.Do(t, ownListings, in(map[string]any{}), &own)
		if own.Me.Listings.Total != 0 {
			t.Errorf("a stranger's: %+v", own)
		}
		want := "listing_submitted listing_submitted"
		if got := shoptest.EventTypes(c.Deliveries(t, all)); got != want {
			t.Errorf("got the events %s, want %s", got, want)
		}
		seller.Do(t, withdrawListing, in(map[string]any{"id": id}), nil)
		seller.Refused(t, "NOT_FOUND", withdrawListing, in(map[string]any{"id": id}))
		if n := c.Store.Client.AuditEntry.Query().Where(auditentry.Kind("userProduct")).
			CountX(t.Context()); n != 1 { // the moderator's
			t.Errorf("%d entries in the audit log", n)
		}
	})
}

// TestListingsHaveLimits submits listings until it is refused, many at once.
func TestListingsHaveLimits(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		seller := c.Customer(t)
		submit := func(int) string {
			return seller.Ask(t, submitListing, map[string]any{"shop": c.Tools, "in": listingOf("چکش")}).Code()
		}
		counts := map[string]int{}
		for _, code := range shoptest.Together(25, submit) {
			counts[code]++
		}
		if counts[""] != 20 || counts["RATE_LIMITED"] != 5 {
			t.Errorf("got %v", counts)
		}
		here := derive.Alone(tenancy.In(t.Context(), uuid.MustParse(c.Tools)))
		c.Store.Client.UserProduct.Update().Where(userproduct.UserID(uuid.MustParse(seller.ID))).
			SetStatus(userproduct.StatusRejected).ExecX(here)
		for range 80 {
			c.Store.Client.UserProduct.Create().SetUserID(uuid.MustParse(seller.ID)).SetSlug(uuid.NewString()).
				SetTitleFa("میخ").
				SetPriceCurrency("IRT").SetCondition("stock").SetStatus(userproduct.StatusRejected).
				SetSearchText("").ExecX(here)
		}
		if code := submit(0); code != "CONFLICT" {
			t.Errorf("the 101st listing: %s", code)
		}
	})
}
