package media_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/media/blob"
	"storefront/internal/media/blob/blobtest"
	"storefront/internal/record"
)

// TestRefusedFilesAreCounted has customers send files that are refused after a look at them. Each may send only some,
// at whichever server, and so may each network.
func TestRefusedFilesAreCounted(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		second := c.Instance(t)
		damaged := func(n int) io.Reader {
			file := pngOf(t, 40, 30, n)
			return bytes.NewReader(file[:len(file)-20])
		}
		send := func(customer, n int, address, from string) {
			t.Helper()
			at := []*shoptest.Accounts{c.Accounts, second}
			for i := range n {
				got := at[i%2].Fetch(t, "PUT", address, damaged(i), "X-Forwarded-For", from)
				if got.Status != 400 {
					t.Fatalf("customer %d, file %d: got %d %s", customer, i, got.Status, got.Body)
				}
			}
		}
		var last string
		for i := range 4 {
			last = listingAddress(t, c.Customer(t), c.Tools)
			send(i, 40, last, "192.0.2.7")
		}
		wantRefused := func(name, address, from string) {
			t.Helper()
			got := c.Fetch(t, "PUT", address, bytes.NewReader(pngOf(t, 40, 30, 1)), "X-Forwarded-For", from)
			if got.Status != 429 || got.Header.Get("Retry-After") == "" {
				t.Errorf("%s: got %d %s", name, got.Status, got.Body)
			}
		}
		wantRefused("the last customer elsewhere", last, "198.51.100.1")
		fresh := listingAddress(t, c.Customer(t), c.Tools)
		wantRefused("another one of the network", fresh, "192.0.2.7")
		put(t, c.Accounts, fresh, pngOf(t, 40, 30, 2)) // from another network
		c.Clock.Pass(time.Hour)
		fresh = listingAddress(t, c.Customer(t), c.Tools)
		send(5, 1, fresh, "192.0.2.7")
		staffs := uploadAddress(t, c.Staff(t, c.Tools, record.Editor), c.Tools)
		send(6, 50, staffs, "203.0.113.5") // not limited
	})
}

// TestWhatTheServiceRefusesIsNotCounted has a customer send a file to a full disk, and then one that is kept already,
// more often than refused files may be sent.
func TestWhatTheServiceRefusesIsNotCounted(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		full := true
		disk := c.Instance(t, func(o *app.Options) { o.Media = fullStore{c.Files, &full} })
		address, file := listingAddress(t, c.Customer(t), c.Tools), pngOf(t, 40, 30, 1)
		for range 41 {
			got := disk.Fetch(t, "PUT", address, bytes.NewReader(file), "X-Forwarded-For", "192.0.2.7")
			if got.Status != 503 {
				t.Fatalf("a full disk: got %d %s", got.Status, got.Body)
			}
		}
		for range 41 {
			put(t, c.Accounts, address, file)
		}
		put(t, c.Accounts, address, pngOf(t, 40, 30, 2))
	})
}

// TestUploadsEndWithTheShop closes a shop to its customers, before an upload and while it comes.
func TestUploadsEndWithTheShop(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		seller, owner := c.Customer(t), c.Staff(t, c.Tools, record.Owner)
		address := listingAddress(t, seller, c.Tools)
		put(t, c.Accounts, address, pngOf(t, 40, 30, 1))
		change := func(to string) {
			owner.Do(t, `mutation($shop: ID!) { `+to+`(businessId: $shop) { shopAccess { domain } } }`,
				map[string]any{"shop": c.Tools}, nil)
		}
		closing := &asked{Reader: bytes.NewReader(pngOf(t, 40, 30, 2)), do: func() { change("closeShop") }}
		got := c.Accounts.Fetch(t, "PUT", address, closing, "Expect", "100-continue")
		if got.Status != 503 || !strings.Contains(string(got.Body), "SHOP_CLOSED") {
			t.Errorf("while it comes: got %d %s", got.Status, got.Body)
		}
		refused(t, "afterwards", c.Accounts, address, bytes.NewReader(pngOf(t, 40, 30, 3)), 503, "SHOP_CLOSED")
		upload(t, owner, c.Tools, pngOf(t, 40, 30, 4))
		change("openShop")
		put(t, c.Accounts, address, pngOf(t, 40, 30, 2))
	})
}

// fullStore is a store on a full disk.
type fullStore struct {
	blob.Store
	full *bool
}

func (s fullStore) Put(ctx context.Context, key string, from io.ReadSeeker, size int64) error {
	if *s.full {
		return syscall.ENOSPC
	}
	return s.Store.Put(ctx, key, from, size)
}

func (s fullStore) PutNew(ctx context.Context, key string, from io.ReadSeeker, size int64) (bool, error) {
	if *s.full {
		return false, syscall.ENOSPC
	}
	return s.Store.PutNew(ctx, key, from, size)
}

// TestNarrowerOnesCount uploads an image: narrower ones are made with it, and count as what they take. Those in another
// format are made when they are asked for, and are shown but not kept where there is no room.
func TestNarrowerOnesCount(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		w := c.Staff(t, c.Tools, record.Owner)
		u := upload(t, w, c.Tools, jpegOf(t, 700, 500, 1))
		files := kept(t, c.Accounts)
		if len(files) != 5 {
			t.Errorf("got %v", files)
		}
		for _, width := range []int{160, 320, 480, 640} {
			wantImage(t, c.Accounts, narrower(u.URL, fmt.Sprintf("-%d.webp", width)), "image/webp", width)
		}
		wantUsage := func() {
			t.Helper()
			var lib listed
			w.Do(t, library, map[string]any{"shop": c.Tools}, &lib)
			if got, want := lib.Usage.Bytes, stored(t, c.Accounts); got != want {
				t.Errorf("got %d bytes, want %d", got, want)
			}
		}
		wantUsage()
		wantImage(t, c.Accounts, narrower(u.URL, "-640.jpg"), "image/jpeg", 640)
		wantUsage()
		full := true
		disk := c.Instance(t, func(o *app.Options) { o.Media = fullStore{c.Files, &full} })
		quota := c.Instance(t, func(o *app.Options) { o.MediaQuota = int64(stored(t, c.Accounts)) })
		for _, at := range []*shoptest.Accounts{disk, quota} {
			wantImage(t, at, narrower(u.URL, "-480.jpg"), "image/jpeg", 480)
		}
		if files := kept(t, c.Accounts); len(files) != 6 {
			t.Errorf("got %v", files)
		}
		refused(t, "a full disk", disk, uploadAddress(t, w, c.Tools), bytes.NewReader(pngOf(t, 40, 30, 1)), 503,
			"UNAVAILABLE")
		if !strings.Contains(disk.Log.String(), syscall.ENOSPC.Error()) {
			t.Error("the log does not say that the disk is full")
		}
		wantUsage()
		// a crash comes between a file and its size: the sweep finds it
		a, _ := record.ParseMediaAddress(narrower(u.URL, "-480.jpg"))
		if _, err := c.Files.PutNew(t.Context(), a.Key(), strings.NewReader("left"), 4); err != nil {
			t.Fatal(err)
		}
		c.Clock.Pass(24 * time.Hour)
		c.Service.Sweep(t.Context())
		w = c.Staff(t, c.Tools, record.Owner)
		wantUsage()
	})
}

// slow is a body that comes byte by byte until it is cut off, and then ends.
type slow struct{ cut <-chan struct{} }

func (s slow) Read(to []byte) (int, error) {
	select {
	case <-s.cut:
		return 0, errors.New("cut off")
	case <-time.After(200 * time.Millisecond):
		to[0] = 'x'
		return 1, nil
	}
}

// TestSlowUploadsGiveWay fills all places with slow uploads of some customers. Whoever comes may begin, and a customer
// has only some at once.
func TestSlowUploadsGiveWay(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		cut := make(chan struct{})
		var all, begun sync.WaitGroup
		gaveWay := make(chan struct{}, 32)
		for range 8 {
			address := listingAddress(t, c.Customer(t), c.Tools)
			for range 4 {
				begun.Add(1)
				body := &asked{Reader: slow{cut}, do: begun.Done}
				all.Go(func() {
					request, err := http.NewRequestWithContext(t.Context(), "PUT", c.URL+address, body)
					if err != nil {
						t.Error(err)
						return
					}
					if response, err := http.DefaultTransport.RoundTrip(request); err == nil {
						response.Body.Close()
					}
					gaveWay <- struct{}{}
				})
			}
		}
		begun.Wait()
		honest := listingAddress(t, c.Customer(t), c.Mugs)
		for i := 0; i < 3 || len(gaveWay) == 0; i++ { // the slow uploads may not have begun yet
			began := time.Now()
			put(t, c.Accounts, honest, pngOf(t, 40, 30, i))
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("upload %d took %v beside slow ones", i, took)
			}
		}
		close(cut)
		all.Wait()
	})
}

// TestBucketThatHangs asks for many images in a bucket that takes connections and does not answer: they are refused
// soon, and everything else works.
func TestBucketThatHangs(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		u := upload(t, c.Staff(t, c.Tools, record.Editor), c.Tools, pngOf(t, 400, 30, 1))
		mute, err := net.Listen("tcp", "127.0.0.1:0") // it never accepts
		if err != nil {
			t.Fatal(err)
		}
		defer mute.Close()
		hangs := c.Instance(t, func(o *app.Options) {
			o.Media = blobtest.At(t, blob.BucketOptions{URL: "http://" + mute.Addr().String() + "/images",
				Region: "us-east-1", KeyID: "x", Key: "y"})
		})
		impatient, stop := context.WithTimeout(t.Context(), 3*time.Second)
		defer stop()
		var refused atomic.Int32
		shoptest.Together(400, func(i int) int {
			if i%20 == 19 { // a customer, once the images wait
				time.Sleep(time.Second)
				began := time.Now()
				got := hangs.Fetch(t, "GET", "/api/v1/tenants/"+shoptest.ToolsShop, nil)
				if took := time.Since(began); got.Status != 200 || took > time.Second {
					t.Errorf("the shop: got %d after %v", got.Status, took)
				}
				return 0
			}
			request, err := http.NewRequestWithContext(impatient, "GET", hangs.URL+u.URL, nil)
			if err != nil {
				t.Error(err)
				return 0
			}
			if response, err := http.DefaultTransport.RoundTrip(request); err == nil {
				refused.Add(int32(response.StatusCode / 503))
				response.Body.Close()
			}
			return 0
		})
		if got := refused.Load(); got < 200 {
			t.Errorf("%d of 380 images were refused within 3s, want most", got)
		}
	})
}
