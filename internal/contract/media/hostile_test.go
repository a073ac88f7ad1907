package media_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent/accesstoken"
	"storefront/ent/staffmember"
	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/media/blob"
	"storefront/internal/media/imagefile"
	"storefront/internal/record"
)

const script = "<script>alert(document.domain)</script>"

// TestFilesThatAreRefused uploads files that are not images, and images that would take too much work.
func TestFilesThatAreRefused(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		w := c.Staff(t, c.Tools, record.Owner)
		address := uploadAddress(t, w, c.Tools)
		good := pngOf(t, 40, 30, 1)
		bomb := bytes.Clone(good)
		copy(bomb[16:], "\x00\x00\xff\xff\x00\x00\xff\xff")
		for name, one := range map[string]struct {
			file   io.Reader
			status int
			code   string
		}{
			"nothing": {strings.NewReader(""), 400, "BAD_REQUEST"},
			"SVG": {strings.NewReader("<svg xmlns='http://www.w3.org/2000/svg'>" + script + "</svg>"),
				415, "UNSUPPORTED_MEDIA_TYPE"},
			"HEIC":      {strings.NewReader("\x00\x00\x00\x18ftypheic"), 415, "UNSUPPORTED_MEDIA_TYPE"},
			"AVIF":      {strings.NewReader("\x00\x00\x00\x1cftypavif"), 415, "UNSUPPORTED_MEDIA_TYPE"},
			"HTML":      {strings.NewReader("<!doctype html>" + script), 415, "UNSUPPORTED_MEDIA_TYPE"},
			"a program": {strings.NewReader("\x7fELF\x02\x01\x01"), 415, "UNSUPPORTED_MEDIA_TYPE"},
			"cut off":   {bytes.NewReader(good[:len(good)-20]), 400, "VALIDATION_FAILED"},
			"damaged":   {bytes.NewReader(append(bytes.Clone(good[:60]), good[62:]...)), 400, "VALIDATION_FAILED"},
			"a bomb":    {bytes.NewReader(bomb), 400, "VALIDATION_FAILED"},
			"too long":  {bytes.NewReader(make([]byte, imagefile.MostBytes+1)), 413, "PAYLOAD_TOO_LARGE"},
			"too long, of no known length": {io.MultiReader(bytes.NewReader(make([]byte, imagefile.MostBytes+1))),
				413, "PAYLOAD_TOO_LARGE"},
		} {
			refused(t, name, c.Accounts, address, one.file, one.status, one.code)
		}
		got := c.Accounts.Fetch(t, "PUT", address, bytes.NewReader(good), "Content-Range", "bytes 0-9/20")
		if got.Status != 400 {
			t.Errorf("a part: got %d", got.Status)
		}
		for _, method := range []string{"GET", "POST", "DELETE", "PATCH"} {
			if got := c.Accounts.Fetch(t, method, address, nil); got.Status != 405 || got.Header.Get("Allow") != "PUT" {
				t.Errorf("%s: got %d", method, got.Status)
			}
		}
		if left := kept(t, c.Accounts); len(left) != 0 {
			t.Errorf("%v are kept", left)
		}
	})
}

// TestPolyglots uploads an image that is also a web page. The service must return only the image.
func TestPolyglots(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		w := c.Staff(t, c.Tools, record.Owner)
		file := jpegOf(t, 40, 30, 1)
		comment := append([]byte{0xff, 0xfe, 0, byte(len(script) + 2)}, script...)
		page := append(append(append(bytes.Clone(file[:2]), comment...), file[2:]...), script...)
		u := upload(t, w, c.Tools, page)
		got := c.Accounts.Fetch(t, "GET", u.URL, nil)
		if got.Status != 200 || bytes.Contains(got.Body, []byte("script")) {
			t.Errorf("got %d with the script: %t", got.Status, bytes.Contains(got.Body, []byte("script")))
		}
		wantImage(t, c.Accounts, u.URL, "image/jpeg", 40)
		// the same image without the page is the same
		if again := upload(t, w, c.Tools, file); again.ID != u.ID {
			t.Errorf("got another image: %s and %s", again.ID, u.ID)
		}
	})
}

// TestUploadAddresses uses forged and expired addresses, and addresses of people who may no longer upload.
func TestUploadAddresses(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		w := c.Staff(t, c.Tools, record.Editor)
		file := pngOf(t, 40, 30, 1)
		address := uploadAddress(t, w, c.Tools)
		link := strings.TrimPrefix(address, "/media/uploads?link=")
		sealed := shoptest.Must(base64.RawURLEncoding.DecodeString(link))(t)
		sealed[len(sealed)/2] ^= 1
		forged := base64.RawURLEncoding.EncodeToString(sealed)
		var sheet struct {
			Made struct{ URL string } `json:"createProductImport"`
		}
		w.Do(t, `mutation($shop: ID!) { createProductImport(businessId: $shop) { url } }`,
			map[string]any{"shop": c.Tools}, &sheet)
		_, others, _ := strings.Cut(sheet.Made.URL, "link=")
		for name, one := range map[string]string{
			"changed": forged, "nothing": "", "no link": "x", "a session": w.Access,
			"cut off": link[:len(link)-1], "a link for sheets": others,
		} {
			refused(t, name, c.Accounts, "/media/uploads?link="+one, bytes.NewReader(file), 403, "FORBIDDEN")
		}
		refused(t, "two links", c.Accounts, address+"&link=x", bytes.NewReader(file), 400, "BAD_REQUEST")
		c.Clock.Pass(15*time.Minute - time.Second)
		put(t, c.Accounts, address, file)
		c.Clock.Pass(time.Second)
		refused(t, "expired", c.Accounts, address, bytes.NewReader(file), 403, "FORBIDDEN")

		w = c.Staff(t, c.Tools, record.Editor)
		address, programs := uploadAddress(t, w, c.Tools), uploadAddress(t, program(t, c, c.Tools), c.Tools)
		put(t, c.Accounts, programs, pngOf(t, 40, 30, 2))
		shop := uuid.MustParse(c.Tools)
		c.Store.Client.StaffMember.Delete().Where(staffmember.BusinessID(shop),
			staffmember.UserID(uuid.MustParse(w.ID))).ExecX(t.Context())
		c.Store.Client.AccessToken.Update().Where(accesstoken.BusinessID(shop)).SetRevokedAt(c.Clock.Now()).
			ExecX(t.Context())
		refused(t, "no staff any more", c.Accounts, address, bytes.NewReader(file), 403, "FORBIDDEN")
		refused(t, "a revoked token", c.Accounts, programs, bytes.NewReader(file), 401, "UNAUTHENTICATED")
	})
}

// TestImagesOfOtherShops uses every name of an image as staff of another shop.
func TestImagesOfOtherShops(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		w, other := c.Staff(t, c.Tools, record.Owner), c.Staff(t, c.Mugs, record.Owner)
		u := upload(t, w, c.Tools, pngOf(t, 40, 30, 1))
		with := map[string]any{"shop": c.Mugs, "image": u.ID, "id": u.ID, "url": u.URL}
		for code, documents := range map[string][]string{
			"NOT_FOUND": {
				`query($shop: ID!, $image: ID!) { mediaFile(businessId: $shop, mediaId: $image) { id } }`,
				`mutation($shop: ID!, $image: ID!) { deleteMediaFile(businessId: $shop, mediaId: $image) { message } }`,
				`mutation($shop: ID!, $image: ID!) { updateMediaFile(businessId: $shop, mediaId: $image,
					input: {name: "mine"}) { mediaFile { id } } }`,
			},
			"VALIDATION_FAILED": {
				`mutation($shop: ID!, $id: String!) { updateProduct(businessId: $shop, slug: "drill",
					input: {images: [{mediaId: $id}]}) { id } }`,
				`mutation($shop: ID!, $url: String!) { updateProduct(businessId: $shop, slug: "drill",
					input: {images: [{url: $url}]}) { id } }`,
				`mutation($shop: ID!, $url: String!) { updateBrand(businessId: $shop, slug: "acme",
					input: {logoUrl: $url}) { id } }`,
				`mutation($shop: ID!, $url: String!) { updateShop(businessId: $shop, input: {logoUrl: $url}) { id } }`,
				`mutation($shop: ID!, $url: String!) { createSlider(businessId: $shop, key: "new",
					input: {slides: [{imageUrl: $url}]}) { id } }`,
			},
		} {
			for _, document := range documents {
				other.Refused(t, code, document, with)
			}
		}
		for _, document := range []string{library,
			`mutation($shop: ID!) { createMediaUpload(businessId: $shop) { url } }`} {
			other.Refused(t, "FORBIDDEN", document, map[string]any{"shop": c.Tools})
		}
		var lib listed
		other.Do(t, library, map[string]any{"shop": c.Mugs}, &lib)
		if len(lib.Files.Nodes) != 0 {
			t.Errorf("got %+v", lib)
		}
		// the same file of another shop is another image
		same := upload(t, other, c.Mugs, pngOf(t, 40, 30, 1))
		if same.ID == u.ID {
			t.Error("two shops share an image")
		}
		swapped := strings.Replace(narrower(u.URL, "-160.webp"), c.Tools, c.Mugs, 1)
		if got := c.Accounts.Fetch(t, "GET", swapped, nil); got.Status != 404 {
			t.Errorf("got %d", got.Status)
		}
		wantImage(t, c.Accounts, u.URL, "image/png", 40)
	})
}

// TestPaths requests paths that belong to no image.
func TestPaths(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		w := c.Staff(t, c.Tools, record.Owner)
		u := upload(t, w, c.Tools, pngOf(t, 400, 300, 1))
		keep(t, c.Accounts, "secret.png", "x")
		hash := u.URL[strings.LastIndex(u.URL, "/")+1:][:16]
		for _, path := range []string{
			"/media", "/media/", "/media/../secret.png", "/media/%2e%2e/secret.png", "/media/..%2fsecret.png",
			"/media/" + c.Tools, "/media/" + c.Tools + "/", "/media/" + c.Tools + "/" + u.ID + "/",
			"/media/" + c.Tools + "/" + u.ID + "/../../../secret.png", u.URL + "/", u.URL + "%00.png",
			"/media" + u.URL, narrower(u.URL, "-161.webp"),
			strings.Replace(u.URL, "/"+u.ID, "%2F"+u.ID, 1), strings.Replace(u.URL, u.ID+"/", u.ID+"%2f", 1),
			strings.Replace(u.URL, "/media/", "/media%2F", 1),
			narrower(u.URL, "-99999.webp"), narrower(u.URL, "-320.avif"),
			narrower(u.URL, "-320.jpg"), narrower(u.URL, "-320.gif"), narrower(u.URL, "-0320.webp"),
			narrower(u.URL, ".jpg"), narrower(u.URL, ".webp"), strings.ToUpper(u.URL),
			strings.Replace(u.URL, hash, "0123456789abcdef", 1),
			strings.Replace(narrower(u.URL, "-320.webp"), hash, "0123456789abcdef", 1),
			strings.Replace(narrower(u.URL, "-320.webp"), "400x300", "400x301", 1),
			strings.Replace(narrower(u.URL, "-320.webp"), u.ID, uuid.NewString(), 1),
		} {
			if got := c.Accounts.Fetch(t, "GET", path, nil); got.Status != 404 || bytes.Equal(got.Body, []byte("x")) {
				t.Errorf("%s: got %d", path, got.Status)
			}
		}
		for _, method := range []string{"POST", "PUT", "DELETE", "PATCH"} {
			if got := c.Accounts.Fetch(t, method, u.URL, nil); got.Status != 405 {
				t.Errorf("%s: got %d", method, got.Status)
			}
		}
		if files := kept(t, c.Accounts); len(files) != 4 { // two narrower ones
			t.Errorf("got %v", files)
		}
	})
}

// TestQuota uses up a shop's quota, also by concurrent uploads.
func TestQuota(t *testing.T) {
	one := pngOf(t, 40, 30, 1)
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		w := c.Staff(t, c.Tools, record.Owner)
		address := uploadAddress(t, w, c.Tools)
		statuses := shoptest.Together(8, func(i int) string {
			return fmt.Sprint(c.Accounts.Fetch(t, "PUT", address, bytes.NewReader(pngOf(t, 40, 30, i))).Status)
		})
		if got := shoptest.Tallied(statuses); got["201"] != 3 || got["409"] != 5 {
			t.Errorf("got %v, want 3 of 8", got)
		}
		var lib listed
		w.Do(t, library, map[string]any{"shop": c.Tools}, &lib)
		if lib.Usage.Files != 3 || lib.Usage.Quota == nil || lib.Usage.Bytes > *lib.Usage.Quota {
			t.Errorf("got %+v", lib.Usage)
		}
		upload(t, c.Staff(t, c.Mugs, record.Owner), c.Mugs, one) // has its own
		if files := kept(t, c.Accounts); len(files) != 4 {
			t.Errorf("got %v", files)
		}
	}, func(o *app.Options) { o.MediaQuota = int64(3*len(one) + len(one)/2) })
}

// countingStore counts the files that are written to a store.
type countingStore struct {
	blob.Store
	n *atomic.Int32
}

func (w countingStore) Put(ctx context.Context, key string, from io.ReadSeeker, size int64) error {
	w.n.Add(1)
	return w.Store.Put(ctx, key, from, size)
}

// TestFilesWithoutRoomAreNotStored uploads files that are larger than what is left of a quota. If they were stored, one
// client could fill the disk.
func TestFilesWithoutRoomAreNotStored(t *testing.T) {
	var n atomic.Int32
	small, large := pngOf(t, 4, 3, 1), pngOf(t, 400, 300, 1)
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		n.Store(0)
		for _, address := range []string{
			uploadAddress(t, c.Staff(t, c.Tools, record.Editor), c.Tools), listingAddress(t, c.Customer(t), c.Tools),
		} {
			put(t, c.Accounts, address, small)
			for range 3 {
				refused(t, "no room", c.Accounts, address, bytes.NewReader(large), 409, "CONFLICT")
			}
		}
		if got := n.Load(); got != 2 || len(kept(t, c.Accounts)) != 2 {
			t.Errorf("%d files were stored, and %d are there, want 2", got, len(kept(t, c.Accounts)))
		}
	}, func(o *app.Options) {
		o.MediaQuota = int64(len(large))
		o.Media = countingStore{o.Media, &n}
	})
}

// TestNowhereToKeepImages checks a service without a store of images.
func TestNowhereToKeepImages(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		w := c.Staff(t, c.Tools, record.Owner)
		w.Refused(t, "UNAVAILABLE", `mutation($shop: ID!) { createMediaUpload(businessId: $shop) { url } }`,
			map[string]any{"shop": c.Tools})
	}, func(o *app.Options) { o.Media = nil })
}

// TestRaces runs operations that may conflict concurrently.
func TestRaces(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		w, second := c.Staff(t, c.Tools, record.Owner), c.Instance(t)
		address := uploadAddress(t, w, c.Tools)
		file := jpegOf(t, 800, 600, 1)
		at := []*shoptest.Accounts{c.Accounts, second}
		ids := shoptest.Together(16, func(i int) string { return put(t, at[i%2], address, file).ID })
		if got := shoptest.Tallied(ids); len(got) != 1 {
			t.Errorf("the same file has become %d images", len(got))
		}
		files := kept(t, c.Accounts)
		if len(files) != 5 {
			t.Fatalf("got %v", files)
		}
		statuses := shoptest.Together(100, func(i int) string {
			got := at[i%2].Fetch(t, "GET", "/media/"+narrower(files[4], "-640.jpg"), nil)
			return fmt.Sprint(got.Status, len(got.Body))
		})
		if got := shoptest.Tallied(statuses); len(got) != 1 {
			t.Errorf("got %v of a width that 100 ask for first", got)
		}
		if files := kept(t, c.Accounts); len(files) != 6 {
			t.Errorf("got %v", files)
		}
	})
}

// TestSweepMeetsUse lets staff use images while they are swept. Used images must stay.
func TestSweepMeetsUse(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		w := program(t, c, c.Tools)
		var images []uploaded
		for i := range 12 {
			images = append(images, upload(t, w, c.Tools, pngOf(t, 40, 30, i)))
		}
		c.Clock.Pass(8 * 24 * time.Hour)
		used := shoptest.Together(len(images), func(i int) string {
			if i == len(images)/2 {
				c.Service.Sweep(t.Context())
				return ""
			}
			got := w.Ask(t, `mutation($shop: ID!, $key: String!, $url: String!) {
				createSlider(businessId: $shop, key: $key, input: {slides: [{imageUrl: $url}]}) { id } }`,
				map[string]any{"shop": c.Tools, "key": fmt.Sprint("slider", i), "url": images[i].URL})
			switch got.Code() {
			case "":
				return images[i].URL
			case "VALIDATION_FAILED":
				return "-" + images[i].URL
			}
			t.Errorf("got %+v", got.Errors)
			return ""
		})
		for _, address := range used {
			path, gone := strings.CutPrefix(address, "-")
			if path == "" {
				continue
			}
			if got := c.Accounts.Fetch(t, "GET", path, nil); (got.Status == 404) != gone {
				t.Errorf("%s: got %d, and it was refused: %t", path, got.Status, gone)
			}
		}
	})
}

// broken is a reader that returns the beginning of a file byte by byte, and then an error.
type broken struct{ left []byte }

func (b *broken) Read(to []byte) (int, error) {
	if len(b.left) == 0 {
		return 0, errors.New("the line is cut")
	}
	to[0] = b.left[0]
	b.left = b.left[1:]
	return 1, nil
}

// TestCutLines interrupts uploads. Nothing must be stored, and the same address must accept the file
// afterwards.
func TestCutLines(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		w := c.Staff(t, c.Tools, record.Owner)
		address, file := uploadAddress(t, w, c.Tools), pngOf(t, 40, 30, 1)
		request, err := http.NewRequestWithContext(t.Context(), "PUT", c.URL+address, &broken{left: file[:len(file)/2]})
		if err != nil {
			t.Fatal(err)
		}
		if answer, err := http.DefaultTransport.RoundTrip(request); err == nil {
			answer.Body.Close()
			t.Errorf("an upload that was cut is answered with %d", answer.StatusCode)
		}
		if files := kept(t, c.Accounts); len(files) != 0 {
			t.Errorf("got %v", files)
		}
		put(t, c.Accounts, address, file)
	})
}

// TestSameFileWithoutRoomForTwo uploads a file again while its first upload, which takes the last room, ends: that is
// the same image, and no lack of room.
func TestSameFileWithoutRoomForTwo(t *testing.T) {
	file := pngOf(t, 40, 30, 1)
	full := func(o *app.Options) { o.MediaQuota = int64(len(file)) }
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		address := uploadAddress(t, c.Staff(t, c.Tools, record.Editor), c.Tools)
		var first uploaded
		var begun atomic.Bool
		second := c.Watched(t, func(text string) {
			if strings.Contains(text, "SUM(") && begun.CompareAndSwap(false, true) {
				first = put(t, c.Accounts, address, file)
			}
		}, full, func(o *app.Options) { o.Media = c.Files })
		if again := put(t, second, address, file); !begun.Load() || again.ID != first.ID {
			t.Errorf("got the images %q and %q", first.ID, again.ID)
		}
	}, full)
}
