package media_test

import (
	"bytes"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
	"storefront/internal/testkit/testdb"
)

// TestLostCommitKeepsTheFile loses the answer to the commit of an upload: the image may be there, and then its file is.
func TestLostCommitKeepsTheFile(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		if !strings.HasPrefix(c.Database, "postgres") { // SQLite answers at once
			return
		}
		address := uploadAddress(t, c.Staff(t, c.Tools, record.Editor), c.Tools)
		network, database := testdb.Through(t, c.Database)
		store, counter := shoptest.OpenCounted(t, database)
		var commits atomic.Bool
		counter.Trips = true
		counter.Before = func(text string) {
			if strings.Contains(text, "audit_entries") {
				commits.Store(true)
			}
			if text == "COMMIT" && commits.CompareAndSwap(true, false) {
				network.CutNext()
			}
		}
		lost := *c.Accounts
		lost.Place = shoptest.StartWith(t, store, app.Options{
			Clock: c.Clock.Now, Key: c.Key, PasswordCost: shoptest.CheapPasswords, Media: c.Files})
		file := pngOf(t, 40, 30, 1)
		got := lost.Fetch(t, "PUT", address, bytes.NewReader(file))
		if got.Status < 500 || len(kept(t, c.Accounts)) != 1 {
			t.Errorf("got %d %s, and the files %v", got.Status, got.Body, kept(t, c.Accounts))
		}
		if again := c.Fetch(t, "PUT", address, bytes.NewReader(file)); again.Status != 200 {
			t.Errorf("sent again: got %d %s", again.Status, again.Body)
		}
		c.Clock.Pass(2 * time.Hour)
		c.Service.Sweep(t.Context())
		if len(kept(t, c.Accounts)) != 1 {
			t.Errorf("swept: %v", kept(t, c.Accounts))
		}
	})
}
