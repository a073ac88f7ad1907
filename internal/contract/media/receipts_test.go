package media_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent/staffmember"
	"storefront/internal/app"
	"storefront/internal/blob"
	"storefront/internal/blob/blobtest"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
	"storefront/internal/tenancy"
)

const (
	createReceiptUpload = `mutation($shop: ID!, $order: ID!) {
		createReceiptUpload(businessId: $shop, orderId: $order) { url expiresAt maxBytes } }`
	removeReceipt = `mutation($shop: ID!, $order: ID!, $receipt: ID!) {
		removeReceipt(businessId: $shop, orderId: $order, receiptId: $receipt) {
			message order { payment { receipts { id } } } } }`
	ownReceipts = `query($shop: ID!, $order: ID!) { me { order(businessId: $shop, orderId: $order) {
		payment { receipts { id url width height uploadedAt } } } } }`
	shopReceipts = `query($shop: ID!, $order: ID!) { shopOrder(businessId: $shop, orderId: $order) { order {
		payment { receipts { id url width height uploadedAt } } } } }`
	markPayment = `mutation($shop: ID!, $order: ID!, $as: PaymentStatus!) { markPayment(businessId: $shop,
		orderId: $order, input: {status: $as}) { order { payment { receipts { id url } } } } }`
	eraseCustomer = `mutation($shop: ID!, $id: ID!) {
		eraseCustomer(businessId: $shop, customerId: $id) { orders } }`
	moveOrder = `mutation($shop: ID!, $order: ID!) { moveOrder(businessId: $shop, orderId: $order, status: cancelled) {
		message } }`
)

// buyer is a customer with an order.
type buyer struct {
	shoptest.Worker
	shopper     shoptest.Shopper
	shop, order string
}

// buys registers the nth customer, who orders at the tool shop and pays by some way.
func buys(t testing.TB, c *shoptest.Crew, n int, by string) buyer {
	t.Helper()
	s := c.REST().Shopper(t, n)
	w := shoptest.Worker{Door: c.GraphQL().With(s.Access), Customer: s.Customer}
	return buyer{Worker: w, shopper: s, shop: c.Tools}.orders(t, by)
}

// orders is the customer with another order.
func (b buyer) orders(t testing.TB, by string) buyer {
	t.Helper()
	b.shopper.Right(t, "AddCartItem", shoptest.Adding("D-13", 1))
	b.order = b.shopper.Right(t, "Checkout",
		strings.Replace(shoptest.ToHome, `"cash"`, `"`+by+`"`, 1)).Order(t).ID
	return b
}

func (b buyer) names(more ...string) map[string]any {
	named := map[string]any{"shop": b.shop, "order": b.order}
	for i := 0; i < len(more); i += 2 {
		named[more[i]] = more[i+1]
	}
	return named
}

// address asks for an address to upload receipts to.
func (b buyer) address(t testing.TB) string {
	t.Helper()
	var got struct {
		Upload struct{ URL string } `json:"createReceiptUpload"`
	}
	b.Do(t, createReceiptUpload, b.names(), &got)
	return got.Upload.URL
}

// shownReceipt is a receipt as GraphQL shows it.
type shownReceipt struct {
	ID            string
	URL           *string
	Width, Height int
	UploadedAt    time.Time
}

type paidOrder struct {
	Payment struct{ Receipts []shownReceipt }
}

// receipts are those of the order, as its customer sees them.
func (b buyer) receipts(t testing.TB) []shownReceipt {
	t.Helper()
	var got struct{ Me struct{ Order paidOrder } }
	b.Do(t, ownReceipts, b.names(), &got)
	return got.Me.Order.Payment.Receipts
}

// seenBy are the receipts of the order, as staff see them.
func (b buyer) seenBy(t testing.TB, w shoptest.Worker) []shownReceipt {
	t.Helper()
	var got struct{ ShopOrder struct{ Order paidOrder } }
	w.Do(t, shopReceipts, b.names(), &got)
	return got.ShopOrder.Order.Payment.Receipts
}

// wantReceipt looks at what is behind the link of a receipt.
func wantReceipt(t testing.TB, a *shoptest.Accounts, link string, width int) []byte {
	t.Helper()
	got := send(t, a, "GET", link, nil)
	for name, want := range map[string]string{
		"Content-Type": "image/jpeg", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
		"Content-Security-Policy": "default-src 'none'; sandbox", "Referrer-Policy": "no-referrer", "ETag": "",
	} {
		if has := got.Header.Get(name); has != want {
			t.Errorf("%s is %q, want %q", name, has, want)
		}
	}
	drawn, err := jpeg.DecodeConfig(bytes.NewReader(got.Body))
	if err != nil || got.Status != 200 || drawn.Width != width {
		t.Fatalf("got %d, %v, %d pixels wide, want %d: %.200q", got.Status, err, drawn.Width, width, got.Body)
	}
	return got.Body
}

// unseen looks that the link of a receipt is refused.
func unseen(t testing.TB, name string, a *shoptest.Accounts, link string, status int, code string) {
	t.Helper()
	got := send(t, a, "GET", link, nil)
	var body struct{ Code string }
	if err := json.Unmarshal(got.Body, &body); err != nil || got.Status != status || body.Code != code ||
		got.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%s: got %d %.200s, want %d %s", name, got.Status, got.Body, status, code)
	}
}

// rows is how many receipts the tool shop has.
func rows(t testing.TB, c *shoptest.Crew) int {
	t.Helper()
	return shoptest.Must(c.Store.Client.Receipt.Query().Count(tenancy.In(t.Context(), uuid.MustParse(c.Tools))))(t)
}

// TestReceipts walks what a customer does who pays by transfer, and what staff see of it.
func TestReceipts(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		b, w := buys(t, c, 1, "transfer"), c.Staff(t, c.Tools, record.Manager)
		told := c.Listens(t, "tools", record.ReceiptUploaded)
		address, file := b.address(t), pngOf(t, 2400, 300, 1)
		first := put(t, c.Accounts, address, file)
		if first.Width != 1920 || first.Height != 240 || first.URL != "" {
			t.Errorf("got %+v", first)
		}
		if got := send(t, c.Accounts, "PUT", address, bytes.NewReader(file)); got.Status != 200 ||
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
		if got := shoptest.EventTypes(c.Told(t, told)); got != "receipt_uploaded receipt_uploaded receipt_uploaded" {
			t.Errorf("webhooks are told %q", got)
		}

		// neither the library nor public addresses have them
		var lib listed
		c.Staff(t, c.Tools, record.Owner).Do(t, library, map[string]any{"shop": c.Tools}, &lib)
		if lib.Files.TotalCount != 0 || lib.Usage.Files != 0 || lib.Usage.Bytes != 0 {
			t.Errorf("the library has %+v", lib)
		}
		for _, key := range kept(t, c.Accounts) {
			path := "/media/" + strings.TrimPrefix(key, "receipts/")
			for _, path := range []string{path, "/media/" + key, strings.Replace(path, "receipt.jpg",
				"0123456789abcdef-40x30.jpg", 1)} {
				if got := send(t, c.Accounts, "GET", path, nil); got.Status != 404 && got.Status != 403 {
					t.Errorf("%s: got %d", path, got.Status)
				}
			}
		}

		// removed, until the payment is settled
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

// TestReceiptsOfManyOrders reads those of a list of orders, each where it belongs.
func TestReceiptsOfManyOrders(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		b := buys(t, c, 1, "transfer")
		none := b.orders(t, "transfer")
		second := b.orders(t, "transfer")
		first := put(t, c.Accounts, b.address(t), pngOf(t, 40, 30, 1)).ID
		other := put(t, c.Accounts, second.address(t), pngOf(t, 40, 30, 1)).ID // of another order: another one
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

// TestReceiptsOfOthers tries whatever leads to a receipt, or to an order, that is another one's.
func TestReceiptsOfOthers(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		b, other := buys(t, c, 1, "transfer"), buys(t, c, 2, "transfer")
		guest := shoptest.Worker{Door: c.GraphQL()}
		address := b.address(t)
		u := put(t, c.Accounts, address, pngOf(t, 40, 30, 1))
		elsewhere := b.names()
		elsewhere["shop"] = c.Mugs
		other.Refused(t, "NOT_FOUND", createReceiptUpload, b.names())
		other.Refused(t, "NOT_FOUND", removeReceipt, b.names("receipt", u.ID))
		other.Refused(t, "NOT_FOUND", removeReceipt, other.names("receipt", u.ID))
		b.Refused(t, "NOT_FOUND", createReceiptUpload, elsewhere)
		b.Refused(t, "NOT_FOUND", createReceiptUpload, map[string]any{"shop": c.Tools, "order": uuid.NewString()})
		guest.Refused(t, "UNAUTHENTICATED", createReceiptUpload, b.names())
		for _, by := range []string{"cash", "pos"} {
			third := other.orders(t, by)
			third.Refused(t, "CONFLICT", createReceiptUpload, third.names())
		}
		c.Staff(t, c.Tools, record.Editor).Refused(t, "FORBIDDEN", shopReceipts, b.names())
		stranger := c.Staff(t, c.Mugs, record.Owner)
		stranger.Refused(t, "FORBIDDEN", shopReceipts, b.names())
		stranger.Refused(t, "NOT_FOUND", shopReceipts, elsewhere)
		c.Staff(t, c.Tools, record.Owner).Refused(t, "NOT_FOUND", createReceiptUpload, b.names())

		// a program that may mark payments, and no more, sees that there is a receipt
		var marked struct{ MarkPayment struct{ Order paidOrder } }
		program(t, c, c.Tools, "markPayments").Do(t, markPayment, b.names("as", "failed"), &marked)
		if got := marked.MarkPayment.Order.Payment.Receipts; len(got) != 1 || got[0].URL != nil {
			t.Errorf("got %+v", got)
		}

		// links are good for one purpose
		w := c.Staff(t, c.Tools, record.Manager)
		own, theirs := *b.receipts(t)[0].URL, *b.seenBy(t, w)[0].URL
		_, uploads, _ := strings.Cut(address, "?")
		_, listings, _ := strings.Cut(listingAddress(t, other.Worker, c.Tools), "?")
		_, reads, _ := strings.Cut(own, "?")
		for name, link := range map[string]string{
			"an upload's": "?" + uploads, "of listings": "?" + listings, "none": "", "no link": "?link=x",
			"cut off": "?" + reads[:len(reads)-1],
		} {
			unseen(t, name, c.Accounts, "/media/receipts"+link, 403, "FORBIDDEN")
		}
		unseen(t, "two", c.Accounts, own+"&link=x", 400, "BAD_REQUEST")
		for name, link := range map[string]string{"to see": reads, "of listings": listings, "none": ""} {
			refused(t, name, c.Accounts, "/media/uploads/receipts?"+link, bytes.NewReader(pngOf(t, 4, 3, 1)), 403,
				"FORBIDDEN")
		}
		refused(t, "as an image of a listing", c.Accounts, "/media/uploads/listings?"+uploads,
			bytes.NewReader(pngOf(t, 4, 3, 1)), 403, "FORBIDDEN")
		for _, method := range []string{"PUT", "POST", "DELETE"} {
			if got := send(t, c.Accounts, method, own, nil); got.Status != 405 {
				t.Errorf("%s: got %d", method, got.Status)
			}
		}
		wantReceipt(t, c.Accounts, own, 40)
		wantReceipt(t, c.Accounts, theirs, 40)

		// who may not any more
		programs := *b.seenBy(t, program(t, c, c.Tools, "manageOrders"))[0].URL
		wantReceipt(t, c.Accounts, programs, 40)
		c.Store.Client.StaffMember.Delete().Where(staffmember.UserID(uuid.MustParse(w.ID))).ExecX(t.Context())
		c.Store.Client.AccessToken.Update().SetRevokedAt(c.Clock.Now()).ExecX(t.Context())
		unseen(t, "no staff any more", c.Accounts, theirs, 403, "FORBIDDEN")
		unseen(t, "a revoked token", c.Accounts, programs, 401, "UNAUTHENTICATED")
		b.Do(t, `mutation { logout { message } }`, nil, nil)
		unseen(t, "signed out", c.Accounts, own, 401, "UNAUTHENTICATED")
		refused(t, "signed out", c.Accounts, address, bytes.NewReader(pngOf(t, 40, 30, 2)), 401, "UNAUTHENTICATED")
		c.Clock.Pass(15 * time.Minute)
		unseen(t, "expired", c.Accounts, own, 403, "FORBIDDEN")
		if got := send(t, c.Accounts, "GET", own, nil); !bytes.Contains(got.Body, []byte("has expired")) {
			t.Errorf("expired: got %s", got.Body)
		}
		refused(t, "expired", c.Accounts, address, bytes.NewReader(pngOf(t, 40, 30, 2)), 403, "FORBIDDEN")
	})
}

// TestReceiptFiles sends what is no receipt, and one that is a page, too.
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
		var clear bytes.Buffer // nothing of it is opaque
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

// TestReceiptLimits uploads more than a customer may in a day, removed ones counted, and than the shop has room for.
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

// TestReceiptLinksAreNotStored gets the link of a receipt in the answer to a mutation with an Idempotency-Key.
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

// TestReceiptRaces uploads while the order is settled, cancelled or forgotten: what was acknowledged is there, nothing
// is left that no row names, and what came too late is refused.
func TestReceiptRaces(t *testing.T) {
	shoptest.EachCrew(t, func(t *testing.T, c *shoptest.Crew) {
		second, owner := c.Instance(t), c.Staff(t, c.Tools, record.Owner)
		at := []*shoptest.Accounts{c.Accounts, second}
		whole := func(name string, want int) {
			t.Helper()
			c.Clock.Pass(2 * time.Hour)
			c.Service.Sweep(t.Context())
			left, has := kept(t, c.Accounts), rows(t, c)
			if len(left) != has || want >= 0 && has != want {
				t.Errorf("%s: %d rows, want %d, and the files %v", name, has, want, left)
			}
			owner = c.Staff(t, c.Tools, record.Owner) // sessions end while the clock moves
		}
		b := buys(t, c, 1, "transfer")
		address := b.address(t)
		ids := shoptest.Together(6, func(i int) string { return put(t, at[i%2], address, pngOf(t, 40, 30, 1)).ID })
		if got := shoptest.Tallied(ids); len(got) != 1 {
			t.Errorf("the same file has become %d receipts", len(got))
		}
		different := shoptest.Together(6, func(i int) string {
			return fmt.Sprint(send(t, at[i%2], "PUT", address, bytes.NewReader(pngOf(t, 40, 30, i+2))).Status)
		})
		if got := shoptest.Tallied(different); got["201"] != 2 || got["409"] != 4 {
			t.Errorf("got %v, want two beside the one that is there", got)
		}
		whole("uploads", 3)
		all := 3
		for n, end := range []func(b buyer){
			func(b buyer) { owner.Do(t, markPayment, b.names("as", "paid"), nil) },
			func(b buyer) { owner.Do(t, moveOrder, b.names(), nil) },
			func(b buyer) {
				owner.Do(t, eraseCustomer, map[string]any{"shop": c.Tools, "id": b.ID}, nil)
			},
		} {
			b := buys(t, c, n+2, "transfer")
			address := b.address(t)
			codes := shoptest.Together(4, func(i int) int {
				if i == 1 {
					end(b)
					return 0
				}
				return send(t, at[i%2], "PUT", address, bytes.NewReader(pngOf(t, 40, 30, i))).Status
			})
			acknowledged := 0
			for _, code := range codes {
				switch code {
				case 201:
					acknowledged++
				case 0, 401, 404, 409:
				default:
					t.Errorf("%d: got %v", n, codes)
				}
			}
			if n == 2 { // erased
				acknowledged = 0
			}
			all += acknowledged
			whole(fmt.Sprint(n), all)
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
	})
}

// TestReceiptsAreForgotten exports and erases a customer with receipts; another customer's stay.
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
