// Package media_test uploads images through HTTP, as browsers, curl and programs do.
package media_test

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"path"
	"strings"
	"testing"

	"storefront/internal/contract/shoptest"
	"storefront/internal/media/blob/blobtest"
	"storefront/internal/record"
	"storefront/internal/testkit/testdb/isolation"
)

// TestMain refuses statements on a shop's tables that do not name the shop.
func TestMain(m *testing.M) { isolation.Main(m, "internal/contract/media") }

// picture returns an image whose content depends on n.
func picture(width, height, n int) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.SetRGBA(x, y, color.RGBA{byte(x * 255 / width), byte(y * 255 / height), byte(n), 255})
		}
	}
	return m
}

func pngOf(t testing.TB, width, height, n int) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, picture(width, height, n)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func jpegOf(t testing.TB, width, height, n int) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, picture(width, height, n), nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// uploaded is the answer to an upload.
type uploaded struct {
	ID, URL          string
	Width, Height    int
	PlaceholderColor *string
}

// program returns a program with an access token of a shop that does not expire while the test moves the clock. It
// may edit, unless other permissions are given.
func program(t testing.TB, c *shoptest.Crew, shop string, may ...string) shoptest.Worker {
	t.Helper()
	var made struct {
		Token struct{ Token string } `json:"createAccessToken"`
	}
	if may == nil {
		may = []string{"editContent", "editCatalog", "editShop"}
	}
	c.Staff(t, shop, record.Owner).Do(t, `mutation($shop: ID!, $may: [Permission!]!) { createAccessToken(
		businessId: $shop, input: {name: "a program", permissions: $may}) { token } }`,
		map[string]any{"shop": shop, "may": may}, &made)
	return shoptest.Worker{API: c.GraphQL().With(made.Token.Token)}
}

// uploadAddress asks for an address to upload to.
func uploadAddress(t testing.TB, w shoptest.Worker, shop string) string {
	t.Helper()
	var got struct {
		Upload struct{ URL string } `json:"createMediaUpload"`
	}
	w.Do(t, `mutation($shop: ID!) { createMediaUpload(businessId: $shop,
		input: {name: "a photo"}) { url expiresAt maxBytes } }`, map[string]any{"shop": shop}, &got)
	return got.Upload.URL
}

// put uploads a file, which must be taken.
func put(t testing.TB, a *shoptest.Accounts, address string, file []byte) (u uploaded) {
	t.Helper()
	got := a.Fetch(t, "PUT", address, bytes.NewReader(file))
	if got.Status != 201 && got.Status != 200 {
		t.Fatalf("upload: got %d %s", got.Status, got.Body)
	}
	if err := json.Unmarshal(got.Body, &u); err != nil {
		t.Fatal(err)
	}
	return u
}

func upload(t testing.TB, w shoptest.Worker, shop string, file []byte) uploaded {
	t.Helper()
	return put(t, w.Accounts, uploadAddress(t, w, shop), file)
}

// refused uploads a file, which must be refused.
func refused(t testing.TB, name string, a *shoptest.Accounts, address string, file io.Reader, status int, code string) {
	t.Helper()
	got := a.Fetch(t, "PUT", address, file)
	var body struct{ Code, Message string }
	if err := json.Unmarshal(got.Body, &body); err != nil || got.Status != status || body.Code != code {
		t.Errorf("%s: got %d %s, want %d %s", name, got.Status, got.Body, status, code)
	}
}

// kept returns the keys of the stored files.
func kept(t testing.TB, a *shoptest.Accounts) []string {
	t.Helper()
	return blobtest.Keys(t, a.Files, "")
}

// stored returns the bytes of the stored files.
func stored(t testing.TB, a *shoptest.Accounts) (sum int) {
	t.Helper()
	for _, key := range kept(t, a) {
		f, err := a.Files.Open(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		sum += int(f.Size)
		f.Close()
	}
	return sum
}

// keep stores a file without a row.
func keep(t testing.TB, a *shoptest.Accounts, key, content string) {
	t.Helper()
	if err := a.Files.Put(t.Context(), key, strings.NewReader(content), int64(len(content))); err != nil {
		t.Fatal(err)
	}
}

// lose deletes a stored file and all other files of its image.
func lose(t testing.TB, a *shoptest.Accounts, key string) {
	t.Helper()
	if err := a.Files.RemoveAll(t.Context(), path.Dir(key)+"/"); err != nil {
		t.Fatal(err)
	}
}

// narrower returns the address of a narrower image.
func narrower(address, end string) string {
	return address[:strings.LastIndex(address, ".")] + end
}
