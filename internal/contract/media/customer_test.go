package media_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

const (
	createListingUpload = `mutation($shop: ID!) { createListingUpload(businessId: $shop) { url maxBytes } }`
	submitListing       = `mutation($shop: ID!, $images: [ImageInput!]) { submitListing(businessId: $shop,
		input: {titleFa: "دستگاه", priceCurrency: "IRT", condition: stock, images: $images}) {
		listing { listing { id slug images { mediaId url width height placeholderColor } } } } }`
)

type submitted struct {
	Made struct {
		Listing struct {
			Listing struct {
				ID, Slug string
				Images   []struct {
					MediaID, URL  string
					Width, Height int
				}
			}
		}
	} `json:"submitListing"`
}

// listingAddress asks for an address to upload images of listings to.
func listingAddress(t testing.TB, w shoptest.Worker, shop string) string {
	t.Helper()
	var got struct {
		Upload struct{ URL string } `json:"createListingUpload"`
	}
	w.Do(t, createListingUpload, map[string]any{"shop": shop}, &got)
	return got.Upload.URL
}

func named(of ...string) []map[string]any {
	images := make([]map[string]any, len(of))
	for i, one := range of {
		member := "mediaId"
		if strings.Contains(one, "/") {
			member = "url"
		}
		images[i] = map[string]any{member: one}
	}
	return images
}

// TestImagesOfListings has a customer upload an image and submit a listing with it, and checks what the
// shop sees of it until the listing is deleted.
func TestImagesOfListings(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		seller, w := c.Customer(t), c.Staff(t, c.Tools, record.Owner)
		file := jpegOf(t, 400, 300, 1)
		address := listingAddress(t, seller, c.Tools)
		u, second := put(t, c.Accounts, address, file), put(t, c.Accounts, address, pngOf(t, 40, 30, 2))
		if again := put(t, c.Accounts, address, file); again != u && again.ID != u.ID {
			t.Errorf("again: got %+v, want %+v", again, u)
		}
		if ours := upload(t, w, c.Tools, file); ours.ID == u.ID {
			t.Errorf("the shop is given its customer's image: %s", u.ID)
		}
		var made submitted
		seller.Do(t, submitListing, map[string]any{"shop": c.Tools, "images": named(u.ID, second.URL)}, &made)
		images := made.Made.Listing.Listing.Images
		if len(images) != 2 || images[0].URL != u.URL || images[0].Width != 400 || images[0].Height != 300 ||
			images[1].MediaID != second.ID {
			t.Fatalf("got %+v", images)
		}
		wantImage(t, c.Accounts, narrower(u.URL, "-320.webp"), "image/webp", 320)

		// the shop edits the listing, and does not see the image in its library
		w.Do(t, `mutation($shop: ID!, $slug: String!) { updateUserProduct(businessId: $shop, slug: $slug,
			input: {promoted: true, status: published}) { id } }`,
			map[string]any{"shop": c.Tools, "slug": made.Made.Listing.Listing.Slug}, nil)
		var lib listed
		w.Do(t, library, map[string]any{"shop": c.Tools}, &lib)
		if lib.Files.TotalCount != 1 || lib.Usage.Files != 3 {
			t.Errorf("got %+v", lib)
		}
		with := map[string]any{"shop": c.Tools, "image": u.ID, "url": u.URL}
		w.Refused(t, "CONFLICT", `mutation($shop: ID!, $image: ID!) {
			deleteMediaFile(businessId: $shop, mediaId: $image) { message } }`, with)
		w.Refused(t, "VALIDATION_FAILED", `mutation($shop: ID!, $url: String!) { updateBrand(businessId: $shop,
			slug: "ronix", input: {logoUrl: $url}) { id } }`, with)

		for range 9 { // an image in use is not swept
			c.Clock.Pass(24 * time.Hour)
			c.Service.Sweep(t.Context())
		}
		wantImage(t, c.Accounts, u.URL, "image/jpeg", 400)
		c.Staff(t, c.Tools, record.Owner).Do(t, `mutation($shop: ID!, $slug: String!) {
			deleteUserProduct(businessId: $shop, slug: $slug) { message } }`,
			map[string]any{"shop": c.Tools, "slug": made.Made.Listing.Listing.Slug}, nil)
		for range 9 {
			c.Clock.Pass(24 * time.Hour)
			c.Service.Sweep(t.Context())
		}
		if left := kept(t, c.Accounts); len(left) != 0 {
			t.Errorf("%v are left", left)
		}
	})
}

// TestImagesOfOtherCustomers tries every way to name an image that belongs to another customer.
func TestImagesOfOtherCustomers(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		seller, other, w := c.Customer(t), c.Customer(t), c.Staff(t, c.Tools, record.Owner)
		file := pngOf(t, 400, 300, 1)
		u := put(t, c.Accounts, listingAddress(t, seller, c.Tools), file)
		shops := upload(t, w, c.Tools, pngOf(t, 40, 30, 2))
		elsewhere := put(t, c.Accounts, listingAddress(t, other, c.Mugs), file)
		var said string
		for name, image := range map[string]string{
			"another customer's": u.URL, "the shop's": shops.URL, "their own at another shop": elsewhere.URL,
			"a narrower one":        narrower(u.URL, "-320.webp"),
			"one that is not there": strings.ReplaceAll(u.URL, u.ID, uuid.NewString()),
		} {
			got := other.Refused(t, "VALIDATION_FAILED", submitListing,
				map[string]any{"shop": c.Tools, "images": named(image)})
			if name == "their own at another shop" {
				continue
			}
			if text := fmt.Sprint(got.Errors[0].Extensions.Errors); said == "" {
				said = text
			} else if text != said {
				t.Errorf("%s: got %s, and %s of another: it says which images are there", name, text, said)
			}
		}
		other.Refused(t, "VALIDATION_FAILED", submitListing, map[string]any{"shop": c.Tools, "images": named(u.ID)})
		// the same file by another is another image
		theirs := put(t, c.Accounts, listingAddress(t, other, c.Tools), file)
		if theirs.ID == u.ID || theirs.URL == u.URL {
			t.Errorf("got %+v, which is another customer's", theirs)
		}
		// an address of the same form at another host is not that of the upload
		_, path, _ := strings.Cut(theirs.URL, record.MediaPath)
		other.Refused(t, "VALIDATION_FAILED", submitListing, map[string]any{"shop": c.Tools,
			"images": named("https://stranger.example" + record.MediaPath + path)})
		guest := shoptest.Worker{API: c.GraphQL()}
		guest.Refused(t, "UNAUTHENTICATED", createListingUpload, map[string]any{"shop": c.Tools})
		seller.Refused(t, "FORBIDDEN", `mutation($shop: ID!) { createMediaUpload(businessId: $shop) { url } }`,
			map[string]any{"shop": c.Tools})
		seller.Refused(t, "NOT_FOUND", createListingUpload, map[string]any{"shop": uuid.NewString()})
	})
}

// TestListingUploadAddresses uses addresses of another customer, expired ones, and those of an ended session.
func TestListingUploadAddresses(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		seller, w, file := c.Customer(t), c.Staff(t, c.Tools, record.Owner), pngOf(t, 40, 30, 1)
		address := listingAddress(t, seller, c.Tools)
		_, link, _ := strings.Cut(address, "?")
		_, staffs, _ := strings.Cut(uploadAddress(t, w, c.Tools), "?")
		refused(t, "a customer's as staff's", c.Accounts, "/media/uploads?"+link, bytes.NewReader(file), 403,
			"FORBIDDEN")
		refused(t, "staff's as a customer's", c.Accounts, "/media/uploads/listings?"+staffs, bytes.NewReader(file), 403,
			"FORBIDDEN")
		refused(t, "nothing", c.Accounts, "/media/uploads/listings", bytes.NewReader(file), 403, "FORBIDDEN")
		shop := uuid.MustParse(c.Tools)
		if _, err := c.Store.Client.ExecContext(t.Context(), "UPDATE tenants SET closed_at = $2 WHERE id = $1", shop,
			c.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		refused(t, "a closed shop", c.Accounts, address, bytes.NewReader(file), 503, "SHOP_CLOSED")
		if _, err := c.Store.Client.ExecContext(t.Context(), "UPDATE tenants SET closed_at = NULL WHERE id = $1",
			shop); err != nil {
			t.Fatal(err)
		}
		put(t, c.Accounts, address, file)
		seller.Do(t, `mutation { logout { message } }`, nil, nil)
		refused(t, "signed out", c.Accounts, address, bytes.NewReader(file), 401, "UNAUTHENTICATED")
		c.Clock.Pass(15 * time.Minute)
		refused(t, "expired", c.Accounts, address, bytes.NewReader(file), 403, "FORBIDDEN")
	})
}

// TestFloodOfListingImages uploads more than a customer may in a day.
func TestFloodOfListingImages(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		seller, other := c.Customer(t), c.Customer(t)
		address := listingAddress(t, seller, c.Tools)
		var codes []int
		for round := range 6 {
			codes = append(codes, shoptest.Together(8, func(i int) int {
				return c.Accounts.Fetch(t, "PUT", address, bytes.NewReader(pngOf(t, 4, 3, 8*round+i))).Status
			})...)
		}
		count := map[int]int{}
		for _, one := range codes {
			count[one]++
		}
		if count[201] != 40 || count[201]+count[429]+count[503] != 48 {
			t.Errorf("got %v, want 40 that are taken", count)
		}
		refused(t, "the next", c.Accounts, address, bytes.NewReader(pngOf(t, 4, 3, 99)), 429, "RATE_LIMITED")
		seller.Refused(t, "RATE_LIMITED", createListingUpload, map[string]any{"shop": c.Tools})
		put(t, c.Accounts, listingAddress(t, other, c.Tools), pngOf(t, 4, 3, 99))
	}, func(o *app.Options) { o.MediaQuota = 1 << 20 })
}

// TestCustomersLeaveRoom uploads more than the share of the quota that customers have.
func TestCustomersLeaveRoom(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		seller, w := c.Customer(t), c.Staff(t, c.Tools, record.Owner)
		address := listingAddress(t, seller, c.Tools)
		for i := range 20 {
			if c.Accounts.Fetch(t, "PUT", address, bytes.NewReader(pngOf(t, 400, 300, i))).Status != 201 {
				break
			}
		}
		refused(t, "by a customer", c.Accounts, address, bytes.NewReader(pngOf(t, 400, 300, 99)), 409, "CONFLICT")
		upload(t, w, c.Tools, pngOf(t, 400, 300, 99)) // staff can use the other half
	}, func(o *app.Options) { o.MediaQuota = 30 << 10 })
}

// TestErasingDeletesUploads erases a customer whose images are in use and not.
func TestErasingDeletesUploads(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		seller, other := c.Customer(t), c.Customer(t)
		address := listingAddress(t, seller, c.Tools)
		u := put(t, c.Accounts, address, pngOf(t, 40, 30, 1))
		put(t, c.Accounts, address, pngOf(t, 40, 30, 2))
		stays := put(t, c.Accounts, listingAddress(t, other, c.Tools), pngOf(t, 40, 30, 1))
		seller.Do(t, submitListing, map[string]any{"shop": c.Tools, "images": named(u.ID)}, nil)
		owner := c.Staff(t, c.Tools, record.Owner)
		in := map[string]any{"shop": c.Tools, "id": seller.ID}
		var out struct {
			Export struct {
				Shops []struct{ Uploads []struct{ Address string } }
			} `json:"customerExport"`
		}
		owner.Do(t, `query($shop: ID!, $id: ID!) { customerExport(businessId: $shop, customerId: $id) }`, in, &out)
		if got := out.Export.Shops[0].Uploads; len(got) != 2 || got[0].Address != u.URL {
			t.Errorf("got %+v", got)
		}
		owner.Do(t, `mutation($shop: ID!, $id: ID!) {
			eraseCustomer(businessId: $shop, customerId: $id) { listings } }`, in, nil)
		refused(t, "erased", c.Accounts, address, bytes.NewReader(pngOf(t, 40, 30, 3)), 401, "UNAUTHENTICATED")
		c.Service.Sweep(t.Context())
		if got := c.Accounts.Fetch(t, "GET", u.URL, nil); got.Status != 404 {
			t.Errorf("got %d, want 404", got.Status)
		}
		wantImage(t, c.Accounts, stays.URL, "image/png", 40)
		if left := kept(t, c.Accounts); len(left) != 1 {
			t.Errorf("%v are left", left)
		}
		rows := c.Store.Client.MediaFile.Query().CountX(tenancy.In(t.Context(), uuid.MustParse(c.Tools)))
		if rows != 1 {
			t.Errorf("%d rows are left, want 1", rows)
		}
	})
}

// TestErasingMeetsUploads erases a customer during uploads. Nothing of the customer may be left.
func TestErasingMeetsUploads(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		seller, owner, second := c.Customer(t), c.Staff(t, c.Tools, record.Owner), c.Instance(t)
		address := listingAddress(t, seller, c.Tools)
		put(t, c.Accounts, address, pngOf(t, 40, 30, 0)) // so that the shop knows the customer
		codes := shoptest.Together(9, func(i int) int {
			if i == 4 {
				owner.Do(t, `mutation($shop: ID!, $id: ID!) {
					eraseCustomer(businessId: $shop, customerId: $id) { message } }`,
					map[string]any{"shop": c.Tools, "id": seller.ID}, nil)
				return 0
			}
			return second.Fetch(t, "PUT", address, bytes.NewReader(pngOf(t, 40, 30, i+1))).Status
		})
		for _, code := range codes {
			if code >= 500 && code != 503 || code == 404 {
				t.Errorf("got %v, want that each is taken or refused", codes)
				break
			}
		}
		c.Clock.Pass(2 * time.Hour) // files without a row are swept
		c.Service.Sweep(t.Context())
		rows := c.Store.Client.MediaFile.Query().CountX(tenancy.In(t.Context(), uuid.MustParse(c.Tools)))
		if left := kept(t, c.Accounts); rows > 0 || len(left) > 0 {
			t.Errorf("%d rows and %v are left", rows, left)
		}
	})
}
