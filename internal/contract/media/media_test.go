package media_test

import (
	"bytes"
	"fmt"
	"image"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"golang.org/x/image/webp"

	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/record"
)

const library = `query($shop: ID!) { mediaFilesConnection(businessId: $shop) { totalCount nodes {
	id kind size name altFa altEn image { mediaId url alt width height placeholderColor small: url(width: 300) srcset }
	uses { kind count } } } mediaUsage(businessId: $shop) { files bytes quota } }`

// TestImagesOfAShop uploads, uses, finds, describes and deletes images as staff.
func TestImagesOfAShop(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		w := c.Staff(t, c.Tools, record.Editor)
		file := jpegOf(t, 1000, 500, 7)
		address := uploadAddress(t, w, c.Tools)
		first := c.Accounts.Fetch(t, "PUT", address, bytes.NewReader(file), "Content-Type", "text/html")
		if first.Status != 201 || first.Header.Get("Cache-Control") != "no-store" {
			t.Fatalf("got %d %s %v", first.Status, first.Body, first.Header)
		}
		u := put(t, c.Accounts, address, file) // again: it is the same
		if u.Width != 1000 || u.Height != 500 || u.PlaceholderColor == nil || len(*u.PlaceholderColor) != 7 ||
			!strings.HasPrefix(u.URL, "/media/"+c.Tools+"/"+u.ID+"/") {
			t.Fatalf("got %+v", u)
		}
		wantImage(t, c.Accounts, u.URL, "image/jpeg", 1000)
		wantImage(t, c.Accounts, narrower(u.URL, "-320.webp"), "image/webp", 320)
		wantImage(t, c.Accounts, narrower(u.URL, "-320.jpg"), "image/jpeg", 320)
		for _, wider := range []string{"-1280.webp", "-1280.jpg", "-1920.webp"} {
			if got := c.Accounts.Fetch(t, "GET", narrower(u.URL, wider), nil); got.Status != 404 {
				t.Errorf("%s of an image 1,000 wide: got %d", wider, got.Status)
			}
		}

		w.Do(t, `mutation($shop: ID!, $image: ID!) { updateMediaFile(businessId: $shop, mediaId: $image,
			input: {altFa: "عکس", altEn: "a photo"}) { mediaFile { id } } }`,
			map[string]any{"shop": c.Tools, "image": u.ID}, nil)

		// used by its id alone, it has the description given at the upload
		w.Do(t, `mutation($shop: ID!, $image: String!) { updateProduct(businessId: $shop, slug: "drill",
			input: {images: [{mediaId: $image}]}) { id }
			updateBrand(businessId: $shop, slug: "ronix", input: {logoUrl: "`+u.URL+`"}) { id } }`,
			map[string]any{"shop": c.Tools, "image": u.ID}, nil)
		var shop struct {
			Data struct {
				Tenant struct {
					Product struct {
						ImageURL string `json:"imageUrl"`
						Image    struct {
							MediaID, URL, Alt, Small, Plain, Srcset, Original string
							Width, Height                                     int
							PlaceholderColor                                  string
						}
						Brand struct {
							Logo struct{ MediaID, Small string }
						}
					}
				}
			}
		}
		c.Graph(t, shoptest.AboutTools(`product(slug: "drill") { imageUrl image { mediaId url alt small: url(width: 300)
			plain: url(width: 300, format: original) original: url(format: original) srcset
			width height placeholderColor }
			brand { logo { mediaId small: url(width: 5000) } } }`), &shop)
		p := shop.Data.Tenant.Product
		if p.ImageURL != u.URL || p.Image.URL != u.URL || p.Image.Original != u.URL || p.Image.MediaID != u.ID ||
			p.Image.Alt != "a photo" && p.Image.Alt != "عکس" || p.Image.Width != 1000 || p.Image.Height != 500 ||
			p.Image.PlaceholderColor != *u.PlaceholderColor {
			t.Errorf("got %+v", p)
		}
		if p.Image.Small != narrower(u.URL, "-320.webp") || p.Image.Plain != narrower(u.URL, "-320.jpg") {
			t.Errorf("got %s and %s", p.Image.Small, p.Image.Plain)
		}
		set := strings.Split(p.Image.Srcset, ", ")
		if len(set) != 6 || set[5] != u.URL+" 1000w" {
			t.Errorf("got %q", set)
		}
		for _, one := range set {
			var width int
			path, described, _ := strings.Cut(one, " ")
			if _, err := fmt.Sscanf(described, "%dw", &width); err != nil {
				t.Fatal(err)
			}
			as := "image/webp"
			if path == u.URL {
				as = "image/jpeg"
			}
			wantImage(t, c.Accounts, path, as, width)
		}
		if p.Brand.Logo.MediaID != u.ID || p.Brand.Logo.Small != u.URL {
			t.Errorf("got the logo %+v", p.Brand.Logo)
		}
		got := c.Accounts.Fetch(t, "GET", "/api/v1/tenants/tools.example/products/drill", nil)
		if !strings.Contains(string(got.Body), `{"mediaId":"`+u.ID+`","url":"`+u.URL+`","alt":"`) {
			t.Errorf("REST: got %s", got.Body)
		}

		other := upload(t, w, c.Tools, pngOf(t, 40, 30, 1))
		var lib listed
		w.Do(t, library, map[string]any{"shop": c.Tools}, &lib)
		files := lib.Files.Nodes
		if lib.Files.TotalCount != 2 || files[0].ID != other.ID || files[1].ID != u.ID || lib.Usage.Files != 2 ||
			lib.Usage.Bytes != stored(t, c.Accounts) || lib.Usage.Quota != nil {
			t.Fatalf("got %+v", lib)
		}
		if of := fmt.Sprint(files[0].Uses, files[1].Uses); of != "[] [{product 1} {brand 1}]" {
			t.Errorf("got uses %s", of)
		}
		w.Do(t, `mutation($shop: ID!, $image: ID!) { updateMediaFile(businessId: $shop, mediaId: $image,
			input: {altEn: null, name: "  "}) { mediaFile { name altFa altEn image { alt } } } }`,
			map[string]any{"shop": c.Tools, "image": u.ID}, &lib)
		w.Do(t, library, map[string]any{"shop": c.Tools}, &lib)
		if one := lib.Files.Nodes[1]; one.Name != nil || one.AltEn != nil || one.Image.Alt != "عکس" {
			t.Errorf("got %+v", one)
		}

		remove := `mutation($shop: ID!, $image: ID!) {
			deleteMediaFile(businessId: $shop, mediaId: $image) { message } }`
		w.Refused(t, "CONFLICT", remove, map[string]any{"shop": c.Tools, "image": u.ID})
		wantImage(t, c.Accounts, u.URL, "image/jpeg", 1000)
		w.Do(t, `mutation($shop: ID!) { updateProduct(businessId: $shop, slug: "drill", input: {images: []}) { id }
			updateBrand(businessId: $shop, slug: "ronix", input: {logoUrl: null}) { id } }`,
			map[string]any{"shop": c.Tools}, nil)
		w.Do(t, remove, map[string]any{"shop": c.Tools, "image": u.ID}, nil)
		w.Refused(t, "NOT_FOUND", remove, map[string]any{"shop": c.Tools, "image": u.ID})
		for _, path := range []string{u.URL, narrower(u.URL, "-320.webp"), narrower(u.URL, "-640.webp")} {
			if got := c.Accounts.Fetch(t, "GET", path, nil); got.Status != 404 {
				t.Errorf("%s: got %d", path, got.Status)
			}
		}
		if left := kept(t, c.Accounts); len(left) != 1 || !strings.Contains(left[0], other.ID) {
			t.Errorf("%v are left", left)
		}
		w.Refused(t, "VALIDATION_FAILED", `mutation($shop: ID!, $image: String!) { updateProduct(businessId: $shop,
			slug: "drill", input: {images: [{url: $image}]}) { id } }`, map[string]any{"shop": c.Tools, "image": u.URL})
	})
}

type listed struct {
	Files struct {
		TotalCount int
		Nodes      []struct {
			ID, Kind           string
			Size               int
			Name, AltFa, AltEn *string
			Image              struct{ Alt string }
			Uses               []struct {
				Kind  string
				Count int
			}
		}
	} `json:"mediaFilesConnection"`
	Usage struct {
		Files, Bytes int
		Quota        *int
	} `json:"mediaUsage"`
}

// wantImage checks an image and the headers it is sent with.
func wantImage(t testing.TB, a *shoptest.Accounts, path, mediaType string, width int) {
	t.Helper()
	got := a.Fetch(t, "GET", path, nil, "Origin", "https://elsewhere.example")
	h := got.Header
	for name, want := range map[string]string{
		"Content-Type": mediaType, "X-Content-Type-Options": "nosniff", "Set-Cookie": "",
		"Content-Security-Policy": "default-src 'none'; sandbox", "Cross-Origin-Resource-Policy": "cross-origin",
		"Cache-Control": "public, max-age=31536000, immutable",
	} {
		if h.Get(name) != want {
			t.Errorf("%s: %s is %q, want %q", path, name, h.Get(name), want)
		}
	}
	decode := func() (image.Image, error) {
		m, _, err := image.Decode(bytes.NewReader(got.Body))
		return m, err
	}
	if mediaType == "image/webp" {
		decode = func() (image.Image, error) { return webp.Decode(bytes.NewReader(got.Body)) }
	}
	m, err := decode()
	if got.Status != 200 || err != nil || m.Bounds().Dx() != width {
		t.Fatalf("%s: got %d, %v", path, got.Status, err)
	}
	again := a.Fetch(t, "GET", path, nil, "If-None-Match", h.Get("ETag"))
	if again.Status != http.StatusNotModified || len(again.Body) > 0 || h.Get("ETag") == "" {
		t.Errorf("%s: got %d with the ETag %s", path, again.Status, h.Get("ETag"))
	}
	head := a.Fetch(t, "HEAD", path, nil)
	if head.Status != 200 || len(head.Body) > 0 || head.Header.Get("Content-Type") != mediaType {
		t.Errorf("HEAD %s: got %d %v", path, head.Status, head.Header)
	}
	part := a.Fetch(t, "GET", path, nil, "Range", "bytes=1-3")
	if part.Status != http.StatusPartialContent || !bytes.Equal(part.Body, got.Body[1:4]) {
		t.Errorf("%s: got %d, %q of a range", path, part.Status, part.Body)
	}
}

// TestUnusedImagesAreDeleted advances the clock until unused images are deleted.
func TestUnusedImagesAreDeleted(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		w, mugs := program(t, c, c.Tools), program(t, c, c.Mugs)
		shown := upload(t, w, c.Tools, pngOf(t, 40, 30, 1))
		inText := upload(t, w, c.Tools, pngOf(t, 40, 30, 2))
		upload(t, w, c.Tools, pngOf(t, 40, 30, 3))
		foreign := upload(t, mugs, c.Mugs, pngOf(t, 40, 30, 1))
		w.Do(t, `mutation($shop: ID!) {
			updateBrand(businessId: $shop, slug: "ronix", input: {logoUrl: "`+shown.URL+`"}) { id }
			updateProduct(businessId: $shop, slug: "drill",
				input: {description: "<img src='`+inText.URL+`'>"}) { id } }`,
			map[string]any{"shop": c.Tools}, nil)
		// a crash in the middle of an upload has left a file
		lost := uuid.NewString() + "/"
		c.Store.Client.FileRemoval.Create().SetPrefix(lost).SetDueAt(c.Clock.Now().Add(time.Hour)).SaveX(t.Context())
		keep(t, c.Accounts, lost+"x.png", "x")

		c.Service.Sweep(t.Context())
		if got := len(kept(t, c.Accounts)); got != 5 {
			t.Fatalf("at once: got %d files, want 5", got)
		}
		for range 8 {
			c.Clock.Pass(24 * time.Hour)
			c.Service.Sweep(t.Context())
		}
		for path, status := range map[string]int{shown.URL: 200, inText.URL: 200, foreign.URL: 404} {
			if got := c.Accounts.Fetch(t, "GET", path, nil); got.Status != status {
				t.Errorf("%s: got %d, want %d", path, got.Status, status)
			}
		}
		if got := kept(t, c.Accounts); len(got) != 2 {
			t.Errorf("%v are left", got)
		}
		rows := c.Store.Client.MediaFile.Query().CountX(tenancy.In(t.Context(), uuid.MustParse(c.Tools)))
		if left := c.Store.Client.FileRemoval.Query().CountX(t.Context()); rows != 2 || left != 0 {
			t.Errorf("got %d rows and %d removals", rows, left)
		}
		// once unused, it stays for seven days from when it was last seen in use
		w.Do(t, `mutation($shop: ID!) { updateBrand(businessId: $shop, slug: "ronix", input: {logoUrl: null}) { id } }`,
			map[string]any{"shop": c.Tools}, nil)
		c.Clock.Pass(2 * 24 * time.Hour)
		c.Service.Sweep(t.Context())
		if got := len(kept(t, c.Accounts)); got != 2 {
			t.Errorf("two days later: got %d files, want 2", got)
		}
		c.Clock.Pass(6 * 24 * time.Hour)
		c.Service.Sweep(t.Context())
		if got := len(kept(t, c.Accounts)); got != 1 {
			t.Errorf("eight days later: got %d files, want 1", got)
		}
	})
}
