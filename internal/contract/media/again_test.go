package media_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent/accesstoken"
	"storefront/ent/staffmember"
	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/media/blob"
	"storefront/internal/media/blob/blobtest"
	"storefront/internal/record"
)

// TestUploadAgainBeginsAnew uploads an image again when it is about to be swept.
func TestUploadAgainBeginsAnew(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		w, file := program(t, c, c.Tools), pngOf(t, 40, 30, 1)
		u := upload(t, w, c.Tools, file)
		c.Clock.Pass(7*24*time.Hour + time.Hour)
		got := c.Accounts.Fetch(t, "PUT", uploadAddress(t, w, c.Tools), bytes.NewReader(file))
		if got.Status != 200 || !strings.Contains(string(got.Body), u.ID) {
			t.Fatalf("again: got %d %s, want 200 and %s", got.Status, got.Body, u.ID)
		}
		c.Service.Sweep(t.Context())
		wantImage(t, c.Accounts, u.URL, "image/png", 40)
		c.Clock.Pass(7*24*time.Hour - time.Second)
		c.Service.Sweep(t.Context())
		wantImage(t, c.Accounts, u.URL, "image/png", 40)
		c.Clock.Pass(24*time.Hour + time.Second)
		c.Service.Sweep(t.Context())
		if got := c.Accounts.Fetch(t, "GET", u.URL, nil); got.Status != 404 {
			t.Errorf("8 days after the second upload: got %d, want 404", got.Status)
		}
	})
}

// TestUploadAgainMeetsSweep uploads images again while they are swept. Each returned address must have its
// image.
func TestUploadAgainMeetsSweep(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		w, second := program(t, c, c.Tools), c.Instance(t)
		for i := range 10 {
			upload(t, w, c.Tools, pngOf(t, 40, 30, i))
		}
		c.Clock.Pass(8 * 24 * time.Hour)
		address := uploadAddress(t, w, c.Tools)
		paths := shoptest.Together(11, func(i int) string {
			if i == 5 {
				c.Service.Sweep(t.Context())
				return ""
			}
			return put(t, []*shoptest.Accounts{c.Accounts, second}[i%2], address, pngOf(t, 40, 30, i%10)).URL
		})
		for _, path := range paths {
			if path != "" {
				wantImage(t, c.Accounts, path, "image/png", 40)
			}
		}
	})
}

// TestUploadAgainPutsTheFileBack deletes the stored files of an image, and then one of them, and uploads it
// again.
func TestUploadAgainPutsTheFileBack(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		w, file := c.Staff(t, c.Tools, record.Editor), pngOf(t, 40, 30, 1)
		address := uploadAddress(t, w, c.Tools)
		u := put(t, c.Accounts, address, file)
		key := kept(t, c.Accounts)[0]
		for name, damage := range map[string]func(){
			"the file": func() { lose(t, c.Accounts, key) },
			"its end":  func() { keep(t, c.Accounts, key, string(file[:10])) },
		} {
			damage()
			if again := put(t, c.Accounts, address, file); again.ID != u.ID || again.URL != u.URL {
				t.Errorf("without %s: got %+v, want %+v", name, again, u)
			}
			wantImage(t, c.Accounts, u.URL, "image/png", 40)
		}
		if files := kept(t, c.Accounts); len(files) != 1 {
			t.Errorf("got %v, want one file", files)
		}
	})
}

// TestTheSameFileIsOneImage uploads a turned photo twice, and then what is kept of it. It is encoded again, so that the
// files differ.
func TestTheSameFileIsOneImage(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		w := c.Staff(t, c.Tools, record.Editor)
		photo := jpegOf(t, 400, 300, 1)
		exif := "\xff\xe1\x00\x22Exif\x00\x00II*\x00\x08\x00\x00\x00" +
			"\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00"
		sent := append(append(bytes.Clone(photo[:2]), exif...), photo[2:]...)
		u := upload(t, w, c.Tools, sent)
		if u.Width != 300 || u.Height != 400 {
			t.Fatalf("got %+v", u)
		}
		stored := c.Accounts.Fetch(t, "GET", u.URL, nil).Body
		sum := sha256.Sum256(stored)
		if hash := hex.EncodeToString(sum[:8]); bytes.Equal(stored, sent) || !strings.Contains(u.URL, "/"+hash+"-") {
			t.Errorf("%s does not name the hash of what is kept, %s", u.URL, hash)
		}
		for name, file := range map[string][]byte{"the same": sent, "what is kept": stored} {
			if again := upload(t, w, c.Tools, file); again.ID != u.ID {
				t.Errorf("%s: got another image", name)
			}
		}
		if files := kept(t, c.Accounts); len(files) != 2 { // with a narrower one
			t.Errorf("got %v", files)
		}
	})
}

// asked is a body that calls a function when the service reads it.
type asked struct {
	io.Reader
	once sync.Once
	do   func()
}

func (a *asked) Read(to []byte) (int, error) {
	a.once.Do(a.do)
	return a.Reader.Read(to)
}

// TestUploadAgainOfWhoMayNotAnyMore removes the permission after the link was checked, while the body is
// read.
func TestUploadAgainOfWhoMayNotAnyMore(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		w, p, file := c.Staff(t, c.Tools, record.Editor), program(t, c, c.Tools), pngOf(t, 40, 30, 1)
		upload(t, w, c.Tools, file)
		shop := uuid.MustParse(c.Tools)
		lose(t, c.Accounts, kept(t, c.Accounts)[0])
		for name, one := range map[string]struct {
			by   shoptest.Worker
			do   func(t *testing.T)
			want int
		}{
			"no staff any more": {w, func(t *testing.T) {
				c.Store.Client.StaffMember.Delete().Where(staffmember.BusinessID(shop),
					staffmember.UserID(uuid.MustParse(w.ID))).ExecX(t.Context())
			}, 403},
			"a revoked token": {p, func(t *testing.T) {
				c.Store.Client.AccessToken.Update().Where(accesstoken.BusinessID(shop)).
					SetRevokedAt(c.Clock.Now()).ExecX(t.Context())
			}, 401},
		} {
			body := &asked{Reader: bytes.NewReader(file), do: func() { one.do(t) }}
			got := c.Accounts.Fetch(t, "PUT", uploadAddress(t, one.by, c.Tools), body, "Expect", "100-continue")
			if got.Status != one.want {
				t.Errorf("%s: got %d %s, want %d", name, got.Status, got.Body, one.want)
			}
		}
		if files := kept(t, c.Accounts); len(files) != 0 {
			t.Errorf("%v were put back by who may not", files)
		}
	})
}

// TestUploadsWaitBriefly checks the time limits of statements before and after the body of an upload is
// read.
func TestUploadsWaitBriefly(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		s, counter := shoptest.OpenCounted(t, c.Database)
		service, err := app.New(s, slog.New(slog.DiscardHandler), app.Options{
			Clock: c.Clock.Now, Key: c.Key, PasswordCost: shoptest.CheapPasswords, Media: c.Files,
		})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(service)
		t.Cleanup(server.Close)
		most, statements := 8*time.Second, 0
		var mu sync.Mutex
		counter.Within = func(ctx context.Context, text string) {
			end, bounded := ctx.Deadline()
			mu.Lock()
			defer mu.Unlock()
			if statements++; !bounded || time.Until(end) > most {
				t.Errorf("a statement may take until %v, want %v: %s", end, most, text)
			}
		}
		for name, w := range map[string]shoptest.Worker{
			"staff": c.Staff(t, c.Tools, record.Editor), "a program": program(t, c, c.Tools),
		} {
			address := uploadAddress(t, w, c.Tools)
			file := pngOf(t, 40, 30, len(name))
			for _, one := range []struct {
				body   []byte
				most   time.Duration
				status int
			}{{nil, 8 * time.Second, 400}, {file, 20 * time.Second, 201}, {file, 20 * time.Second, 200}} {
				mu.Lock()
				most, statements = one.most, 0
				mu.Unlock()
				body := bytes.NewReader(one.body)
				request, err := http.NewRequestWithContext(t.Context(), "PUT", server.URL+address, body)
				if err != nil {
					t.Fatal(err)
				}
				response, err := http.DefaultTransport.RoundTrip(request)
				if err != nil {
					t.Fatal(err)
				}
				got := shoptest.Receive(t, response)
				mu.Lock()
				if got.Status != one.status || statements == 0 {
					t.Errorf("%s: got %d after %d statements, want %d", name, got.Status, statements, one.status)
				}
				mu.Unlock()
			}
		}
	})
}

// TestBucketOutOfReach uploads to a bucket that cannot be reached, and asks for an image in it.
func TestBucketOutOfReach(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		w := c.Staff(t, c.Tools, record.Editor)
		u := upload(t, w, c.Tools, pngOf(t, 400, 30, 1))
		away := c.Instance(t, func(o *app.Options) {
			o.Media = blobtest.At(t, blob.BucketOptions{URL: "http://127.0.0.1:1/images", KeyID: "x", Key: "y"})
		})
		refused(t, "another image", away, uploadAddress(t, w, c.Tools), bytes.NewReader(pngOf(t, 40, 30, 2)), 503,
			"UNAVAILABLE")
		for _, path := range []string{u.URL, narrower(u.URL, "-320.webp")} {
			got := away.Fetch(t, "GET", path, nil)
			if got.Status != 503 || got.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s: got %d %s, want 503", path, got.Status, got.Body)
			}
		}
		wantImage(t, c.Accounts, u.URL, "image/png", 400)
	})
}

// TestTwoServersShareTheFiles uploads at one server, and asks another.
func TestTwoServersShareTheFiles(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		second := c.Instance(t)
		u := upload(t, c.Staff(t, c.Tools, record.Editor), c.Tools, pngOf(t, 400, 30, 1))
		wantImage(t, second, narrower(u.URL, "-320.webp"), "image/webp", 320)
		wantImage(t, second, u.URL, "image/png", 400)
	})
}

// TestUploadsInTheAuditLog checks the audit entries of uploads. A repeated upload of the same image has none.
func TestUploadsInTheAuditLog(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		owner, w, p := c.Staff(t, c.Tools, record.Owner), c.Staff(t, c.Tools, record.Editor), program(t, c, c.Tools)
		address := uploadAddress(t, w, c.Tools)
		byStaff := put(t, c.Accounts, address, pngOf(t, 40, 30, 1))
		put(t, c.Accounts, address, pngOf(t, 40, 30, 1))
		byProgram := upload(t, p, c.Tools, pngOf(t, 40, 30, 2))
		refused(t, "no image", c.Accounts, address, strings.NewReader("x"), 415, "UNSUPPORTED_MEDIA_TYPE")
		var log struct {
			AuditLogConnection struct {
				Nodes []struct {
					Kind, RecordID, RecordName string
					UserID, Role               *string
					AccessToken                *struct{ Name string }
					Before, After              json.RawMessage
				}
			}
		}
		owner.Do(t, `query($shop: ID!) { auditLogConnection(businessId: $shop, action: "createMediaUpload") { nodes {
			kind recordId recordName userId role accessToken { name } before after } } }`,
			map[string]any{"shop": c.Tools}, &log)
		items := log.AuditLogConnection.Nodes
		if len(items) != 2 {
			t.Fatalf("got %+v, want an entry of each image", items)
		}
		for i, u := range []uploaded{byProgram, byStaff} {
			var after struct{ URL, Name string }
			if err := json.Unmarshal(items[i].After, &after); err != nil {
				t.Fatal(err)
			}
			if e := items[i]; e.Kind != "mediaFile" || e.RecordID != u.ID || e.RecordName != "a photo" ||
				after.URL != u.URL || after.Name != "a photo" || e.Before != nil && string(e.Before) != "null" {
				t.Errorf("got %+v, want one of %+v", e, u)
			}
		}
		if e := items[0]; e.UserID != nil || e.AccessToken == nil || e.AccessToken.Name != "a program" {
			t.Errorf("by a program: got %+v", e)
		}
		if e := items[1]; e.UserID == nil || *e.UserID != w.ID || e.AccessToken != nil || e.Role == nil ||
			!strings.EqualFold(*e.Role, "editor") {
			t.Errorf("by staff: got %+v", e)
		}
	})
}
