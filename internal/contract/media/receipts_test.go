package media_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
	"storefront/internal/media/blob"
	"storefront/internal/media/blob/blobtest"
	"storefront/internal/record"
)

// TestReceipts follows a customer who pays by transfer, and what staff see.
func TestReceipts(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		b, w := buys(t, c, 1, "transfer"), c.Staff(t, c.Tools, record.Manager)
		endpoint := c.Listens(t, "tools", record.ReceiptUploaded)
		address, file := b.address(t), pngOf(t, 2400, 300, 1)
		first := put(t, c.Accounts, address, file)
		if first.Width != 1920 || first.Height != 240 || first.URL != "" {
			t.Errorf("got %+v", first)
		}
		if got := c.Accounts.Fetch(t, "PUT", address, bytes.NewReader(file)); got.Status != 200 ||
			!bytes.Contains(got.Body, []byte(first.ID)) {
			t.Errorf("the same again: got %d %s", got.Status, got.Body)
		}
		c.Clock.Pass(time.Minute)
		second := put(t, c.Instance(t), address, jpegOf(t, 40, 30, 2))
		put(t, c.Accounts, address, jpegOf(t, 40, 30, 3))
		refused(t, "a fourth", c.Accounts, address, bytes.NewReader(jpegOf(t, 40, 30, 4)), 409, "CONFLICT")
		if files := kept(t, c.Accounts); len(files) != 3 {
			t.Errorf("got %v, want nothing of what was refused", files)
		}
		b.Refused(t, "CONFLICT", createReceiptUpload, b.names())

		own, theirs := b.receipts(t), b.seenBy(t, w)
		if len(own) != 3 || len(theirs) != 3 || own[0].ID != first.ID || own[1].ID != second.ID ||
			theirs[1].ID != second.ID || own[0].Width != 1920 || !own[1].UploadedAt.After(own[0].UploadedAt) {
			t.Fatalf("got %+v and %+v", own, theirs)
		}
		wantReceipt(t, c.Accounts, *own[0].URL, 1920)
		wantReceipt(t, c.Instance(t), *theirs[1].URL, 40)
		got := shoptest.EventTypes(c.Deliveries(t, endpoint))
		if want := "receipt_uploaded receipt_uploaded receipt_uploaded"; got != want {
			t.Errorf("got the events %q, want %q", got, want)
		}

		// they are neither in the library nor at public addresses
		var lib listed
		c.Staff(t, c.Tools, record.Owner).Do(t, library, map[string]any{"shop": c.Tools}, &lib)
		if lib.Files.TotalCount != 0 || lib.Usage.Files != 0 || lib.Usage.Bytes != 0 {
			t.Errorf("the library has %+v", lib)
		}
		for _, key := range kept(t, c.Accounts) {
			path := "/media/" + strings.TrimPrefix(key, "receipts/")
			for _, path := range []string{path, "/media/" + key, strings.Replace(path, "receipt.jpg",
				"0123456789abcdef-40x30.jpg", 1)} {
				if got := c.Accounts.Fetch(t, "GET", path, nil); got.Status != 404 && got.Status != 403 {
					t.Errorf("%s: got %d", path, got.Status)
				}
			}
		}

		// they can be removed until the payment is settled
		b.Do(t, removeReceipt, b.names("receipt", second.ID), nil)
		b.Refused(t, "NOT_FOUND", removeReceipt, b.names("receipt", second.ID))
		unseen(t, "removed", c.Accounts, *own[1].URL, 404, "NOT_FOUND")
		if left := kept(t, c.Accounts); len(left) != 2 || rows(t, c) != 2 {
			t.Errorf("%v are left", left)
		}
		w.Do(t, markPayment, b.names("as", "failed"), nil)
		put(t, c.Accounts, address, jpegOf(t, 40, 30, 5))
		w.Do(t, markPayment, b.names("as", "paid"), nil)
		refused(t, "paid", c.Accounts, address, bytes.NewReader(jpegOf(t, 40, 30, 6)), 409, "CONFLICT")
		b.Refused(t, "CONFLICT", createReceiptUpload, b.names())
		b.Refused(t, "CONFLICT", removeReceipt, b.names("receipt", first.ID))
		wantReceipt(t, c.Accounts, *b.receipts(t)[0].URL, 1920)

		c.Clock.Pass(366 * 24 * time.Hour)
		c.Service.Sweep(t.Context())
		if left := kept(t, c.Accounts); len(left) != 0 || rows(t, c) != 0 {
			t.Errorf("%v are left after a year", left)
		}
	})
}

// TestReceiptsOfManyOrders reads the receipts of a list of orders.
func TestReceiptsOfManyOrders(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		b := buys(t, c, 1, "transfer")
		none := b.orders(t, "transfer")
		second := b.orders(t, "transfer")
		first := put(t, c.Accounts, b.address(t), pngOf(t, 40, 30, 1)).ID
		// the same file for another order is another receipt
		other := put(t, c.Accounts, second.address(t), pngOf(t, 40, 30, 1)).ID
		var got struct {
			Me struct {
				Orders struct {
					Items []struct {
						ID string
						paidOrder
					}
				}
			}
		}
		b.Do(t, `query($shop: ID!) { me { orders(businessId: $shop) { items {
			id payment { receipts { id url } } } } } }`, map[string]any{"shop": c.Tools}, &got)
		found := map[string]string{}
		for _, o := range got.Me.Orders.Items {
			for _, r := range o.Payment.Receipts {
				found[o.ID] += r.ID
			}
		}
		if len(found) != 2 || found[b.order] != first || found[second.order] != other || found[none.order] != "" {
			t.Errorf("got %v", found)
		}
	})
}

// TestReceiptFiles uploads files that are refused, an image that is a web page as well, and a transparent image.
func TestReceiptFiles(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		b := buys(t, c, 1, "transfer")
		address, good := b.address(t), pngOf(t, 40, 30, 1)
		bomb := bytes.Clone(good)
		copy(bomb[16:], "\x00\x00\xff\xff\x00\x00\xff\xff")
		for name, one := range map[string]struct {
			file   []byte
			status int
			code   string
		}{
			"nothing": {nil, 400, "BAD_REQUEST"},
			"PDF":     {[]byte("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj"), 415, "UNSUPPORTED_MEDIA_TYPE"},
			"SVG": {[]byte("<svg xmlns='http://www.w3.org/2000/svg'>" + script + "</svg>"), 415,
				"UNSUPPORTED_MEDIA_TYPE"},
			"cut off":  {good[:len(good)-20], 400, "VALIDATION_FAILED"},
			"a bomb":   {bomb, 400, "VALIDATION_FAILED"},
			"too long": {make([]byte, 20<<20+1), 413, "PAYLOAD_TOO_LARGE"},
		} {
			refused(t, name, c.Accounts, address, bytes.NewReader(one.file), one.status, one.code)
		}
		if left := kept(t, c.Accounts); len(left) != 0 || rows(t, c) != 0 {
			t.Errorf("%v are kept", left)
		}
		page := append(jpegOf(t, 40, 30, 1), script...)
		put(t, c.Accounts, address, page)
		if got := wantReceipt(t, c.Accounts, *b.receipts(t)[0].URL, 40); bytes.Contains(got, []byte("script")) {
			t.Error("a receipt has the script that it was sent with")
		}
		var clear bytes.Buffer // fully transparent
		if err := png.Encode(&clear, image.NewNRGBA(image.Rect(0, 0, 40, 30))); err != nil {
			t.Fatal(err)
		}
		put(t, c.Accounts, address, clear.Bytes())
		of := b.receipts(t)
		shown, err := jpeg.Decode(bytes.NewReader(wantReceipt(t, c.Accounts, *of[len(of)-1].URL, 40)))
		if err != nil {
			t.Fatal(err)
		}
		if got, _, _, _ := shown.At(20, 15).RGBA(); got < 0xf000 {
			t.Errorf("where nothing is seen a receipt is %#x, want white", got)
		}
	})
}

// TestReceiptLimits uploads more than a customer may in a day, where removed receipts count, and more than the quota of
// the shop.
func TestReceiptLimits(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		b, other := buys(t, c, 1, "transfer"), buys(t, c, 2, "transfer")
		address := b.address(t)
		for n := range 20 {
			u := put(t, c.Accounts, address, pngOf(t, 4, 3, n))
			b.Do(t, removeReceipt, b.names("receipt", u.ID), nil)
		}
		refused(t, "the next", c.Accounts, address, bytes.NewReader(pngOf(t, 4, 3, 99)), 429, "RATE_LIMITED")
		b.Refused(t, "RATE_LIMITED", createReceiptUpload, b.names())
		full := c.Instance(t, func(o *app.Options) { o.MediaQuota = 1 << 10 })
		refused(t, "no room", full, other.address(t), bytes.NewReader(pngOf(t, 400, 300, 1)), 409, "CONFLICT")
		put(t, c.Accounts, other.address(t), pngOf(t, 400, 300, 1))
		c.Clock.Pass(2 * time.Hour)
		c.Service.Sweep(t.Context())
		if left := kept(t, c.Accounts); len(left) != 1 || rows(t, c) != 1 {
			t.Errorf("%v are left", left)
		}
	})
}

// TestReceiptLinksAreNotStored checks that the stored answer to a mutation with an Idempotency-Key has no link.
func TestReceiptLinksAreNotStored(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		b := buys(t, c, 1, "transfer")
		address := b.address(t)
		first := put(t, c.Accounts, address, pngOf(t, 40, 30, 1))
		put(t, c.Accounts, address, pngOf(t, 40, 30, 2))
		got := b.Keyed(t, "key", `mutation($shop: ID!, $order: ID!, $receipt: ID!) {
			removeReceipt(businessId: $shop, orderId: $order, receiptId: $receipt) {
				order { payment { receipts { url } } } } }`, b.names("receipt", first.ID))
		if !strings.Contains(got.Said, "/media/receipts?link=") {
			t.Fatalf("got %s, want a link", got.Said)
		}
		for _, row := range shoptest.Must(c.Store.Client.IdempotencyKey.Query().All(t.Context()))(t) {
			if row.Answer != nil && strings.Contains(*row.Answer, "link=") {
				t.Errorf("the stored answer has the link: %s", *row.Answer)
			}
		}
	})
}

// TestReceiptsOutOfReach uploads to a bucket that cannot be reached, loses a file, and puts it back.
func TestReceiptsOutOfReach(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		b := buys(t, c, 1, "transfer")
		address, file := b.address(t), pngOf(t, 40, 30, 1)
		away := c.Instance(t, func(o *app.Options) {
			o.Media = blobtest.At(t, blob.BucketOptions{URL: "http://127.0.0.1:1/images", KeyID: "x", Key: "y"})
		})
		refused(t, "out of reach", away, address, bytes.NewReader(file), 503, "UNAVAILABLE")
		if rows(t, c) != 0 {
			t.Error("a receipt without a file is kept")
		}
		u := put(t, c.Accounts, address, file)
		link := *b.receipts(t)[0].URL
		unseen(t, "out of reach", away, link, 503, "UNAVAILABLE")
		lose(t, c.Accounts, kept(t, c.Accounts)[0])
		unseen(t, "lost", c.Accounts, link, 404, "NOT_FOUND")
		if again := put(t, c.Accounts, address, file); again.ID != u.ID {
			t.Errorf("got %+v, want %s", again, u.ID)
		}
		wantReceipt(t, c.Accounts, link, 40)

		// one that is cut is put back too, and described as it is then: an older encoder made another file
		own, key := tenancy.In(t.Context(), uuid.MustParse(c.Tools)), kept(t, c.Accounts)[0]
		if _, err := c.Store.Client.ExecContext(own, "UPDATE receipts SET size = 9 WHERE tenant_id = $1",
			c.Tools); err != nil {
			t.Fatal(err)
		}
		keep(t, c.Accounts, key, "cut")
		put(t, c.Accounts, address, file)
		wantReceipt(t, c.Accounts, link, 40)
		stored := shoptest.Must(c.Accounts.Files.Open(t.Context(), key))(t)
		defer stored.Close()
		if row := shoptest.Must(c.Store.Client.Receipt.Query().Only(own))(t); row.Size != stored.Size {
			t.Errorf("the row says %d bytes, the file has %d", row.Size, stored.Size)
		}
	})
}

// TestReceiptsAreForgotten exports and erases a customer with receipts. Those of another customer stay.
func TestReceiptsAreForgotten(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		b, other := buys(t, c, 1, "transfer"), buys(t, c, 2, "transfer")
		u := put(t, c.Accounts, b.address(t), pngOf(t, 40, 30, 1))
		stays := put(t, c.Accounts, other.address(t), pngOf(t, 40, 30, 1))
		link := *b.receipts(t)[0].URL
		owner, in := c.Staff(t, c.Tools, record.Owner), map[string]any{"shop": c.Tools, "id": b.ID}
		var out struct {
			Export struct {
				Shops []struct {
					Orders []struct{ Receipts []struct{ ID string } }
				}
			} `json:"customerExport"`
		}
		owner.Do(t, `query($shop: ID!, $id: ID!) { customerExport(businessId: $shop, customerId: $id) }`, in, &out)
		if got := out.Export.Shops[0].Orders[0].Receipts; len(got) != 1 || got[0].ID != u.ID {
			t.Errorf("got %+v", got)
		}
		theirs := *b.seenBy(t, owner)[0].URL
		owner.Do(t, eraseCustomer, in, nil)
		unseen(t, "their own link", c.Accounts, link, 401, "UNAUTHENTICATED")
		unseen(t, "staff's link", c.Accounts, theirs, 404, "NOT_FOUND")
		c.Service.Sweep(t.Context())
		if left := kept(t, c.Accounts); len(left) != 1 || !strings.Contains(left[0], stays.ID) || rows(t, c) != 1 {
			t.Errorf("%v are left", left)
		}
		if got := b.seenBy(t, owner); len(got) != 0 {
			t.Errorf("got %+v", got)
		}
	})
}
