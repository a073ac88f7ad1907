package media_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/media"
	"storefront/internal/media/blob"
	"storefront/internal/record"
)

// TestForeignImages opens services over stores that do not belong to the database: an empty one, like a folder that is
// not mounted, and one of another database. Only a database without images claims an empty store.
func TestForeignImages(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		at := func(files blob.Store) *shoptest.Accounts {
			return c.Instance(t, func(o *app.Options) { o.Media = files })
		}
		mark := func(files blob.Store, text string) {
			t.Helper()
			if err := files.Put(t.Context(), blob.MarkKey, strings.NewReader(text), int64(len(text))); err != nil {
				t.Fatal(err)
			}
		}
		isForeign := func(a *shoptest.Accounts, names ...string) {
			t.Helper()
			err := a.Service.Images.Reach(t.Context())
			for _, name := range append(names, blob.MarkKey) {
				if !errors.Is(err, media.ErrForeign) || !strings.Contains(err.Error(), name) {
					t.Errorf("got %v, want %v that names %s", err, media.ErrForeign, name)
				}
			}
			ready := a.Fetch(t, http.MethodGet, "/readyz", nil)
			if ready.Status != 200 || !strings.Contains(string(ready.Body), `"images":"unavailable"`) {
				t.Errorf("/readyz: got %d %s", ready.Status, ready.Body)
			}
		}
		isOurs := func(a *shoptest.Accounts) {
			t.Helper()
			ready := a.Fetch(t, http.MethodGet, "/readyz", nil)
			if ready.Status != 200 || strings.Contains(string(ready.Body), "images") {
				t.Errorf("/readyz: got %d %s; %v", ready.Status, ready.Body, a.Service.Images.Reach(t.Context()))
			}
		}
		elsewhere := shoptest.FilesBeside(t, c.Database)
		mark(elsewhere, "another's")
		isForeign(at(elsewhere), "another's")

		isOurs(c.Accounts)
		kept, err := c.Files.Open(t.Context(), blob.MarkKey)
		if err != nil {
			t.Fatal(err)
		}
		id, err := io.ReadAll(kept)
		if err = errors.Join(err, kept.Close()); err != nil || len(id) == 0 {
			t.Fatalf("the mark is %q, %v", id, err)
		}
		address := uploadAddress(t, c.Staff(t, c.Tools, record.Editor), c.Tools)
		put(t, c.Accounts, address, pngOf(t, 40, 30, 1))
		isOurs(at(c.Files))

		empty := shoptest.FilesBeside(t, c.Database)
		lost := at(empty)
		isForeign(lost, string(id))
		refused(t, "to an empty place", lost, address, strings.NewReader("x"), 503, "UNAVAILABLE")
		mark(empty, string(id)+"\n")
		c.Clock.Pass(11 * time.Second)
		isOurs(lost)

		mark(c.Files, "another's")
		c.Clock.Pass(11 * time.Second)
		refused(t, "before anybody asked /readyz", c.Accounts, address, strings.NewReader("x"), 503, "UNAVAILABLE")
		isForeign(c.Accounts, string(id), "another's")
	})
}
