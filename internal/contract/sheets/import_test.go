package sheets_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"storefront/ent/auditentry"
	"storefront/ent/product"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/tenancy"
)

// persian is a sheet as a Persian spreadsheet saves it, with two new products.
const persian = "\uFEFFslug;titleFa;sku;priceCurrency;price;stock\r\n" +
	"lamp;'=چراغ;L-1;IRT;۱٬۲۵۰٬۰۰۰;۷\r\n\r\n" +
	"torch;مشعل;T-1;IRT;۹۰۰;۰\r\n"

// hasProduct reports whether the tool shop has a product of a slug.
func (o testShop) hasProduct(t testing.TB, slug string) bool {
	t.Helper()
	return o.Store.Client.Product.Query().Where(product.Slug(slug)).
		ExistX(tenancy.In(t.Context(), uuid.MustParse(o.Tools)))
}

// TestSheetsAreTaken checks a sheet, imports it, and imports it again; then a program imports a sheet of
// offers.
func TestSheetsAreTaken(t *testing.T) {
	eachTestShop(t, func(t *testing.T, o testShop) {
		link, checkLink := o.link(t, o.owner, o.Tools, "createProductImport")
		checked := o.sent(t, checkLink, persian)
		if checked.Status != 200 || checked.Written || checked.Counts["products"].Created != 2 ||
			checked.Counts["variants"].Created != 2 || checked.Total != 0 || o.hasProduct(t, "lamp") {
			t.Errorf("the check: %+v", checked)
		}
		if got := o.sent(t, link, persian); got.Status != 200 || !got.Written || got.Counts["products"].Created != 2 {
			t.Errorf("got %+v", got)
		}
		again := read(t, o.at(t, http.MethodPut, link, strings.NewReader(persian))) // without a type, as curl -T
		if again.Status != 200 || again.Counts["products"].Unchanged != 2 || again.Counts["products"].Created != 0 {
			t.Errorf("again: %+v", again)
		}
		sheet := o.got(t, o.exports(t, "offers"))
		if !strings.Contains(sheet, "\r\nL-1,'=چراغ,IRT,1250000,,7,7,,true\r\n") {
			t.Errorf("offers:\n%s", sheet)
		}
		var stored struct {
			StaffProduct struct{ Content struct{ TitleFa string } }
		}
		o.owner.Do(t, `query($shop: ID!) { staffProduct(businessId: $shop, slug: "lamp") { content { titleFa } } }`,
			map[string]any{"shop": o.Tools}, &stored)
		if got := stored.StaffProduct.Content.TitleFa; got != "=چراغ" {
			t.Errorf("got the title %q", got)
		}

		id, program := o.program(t, "changeStock")
		offers, _ := o.link(t, program, o.Tools, "createOfferImport")
		if got := o.sent(t, offers, "sku;stock\nT-1;۴\n"); got.Status != 200 || got.Counts["variants"].Updated != 1 {
			t.Errorf("offers: got %+v", got)
		}
		for at, head := range map[string]string{link: "slug,sku\n", offers: "sku,stock\n"} {
			got := o.sent(t, at, head)
			for _, section := range []string{"products", "variants"} {
				if _, counted := got.Counts[section]; !counted || got.Status != 200 {
					t.Errorf("a sheet without rows: got %+v, want %s in it", got, section)
				}
			}
		}
		// Other columns would need another permission.
		for _, sheet := range []string{"slug,titleFa\nlamp,x\n", "sku,imageUrl\nL-1,/x.png\n",
			"sku,option.x\nL-1,x\n"} {
			if got := o.sent(t, offers, sheet); got.Status != 400 || got.Code != "VALIDATION_FAILED" {
				t.Errorf("%q as offers: got %+v", sheet, got)
			}
		}
		noted := o.Store.Client.AuditEntry.Query().Where(auditentry.Action("importSheet"), whole).
			Order(auditentry.ByID()).AllX(t.Context())
		if len(noted) != 2 || noted[0].Kind != "product" || noted[0].UserID == nil ||
			noted[0].UserID.String() != o.owner.ID || noted[1].Kind != "offer" || noted[1].UserID != nil ||
			noted[1].TokenID == nil || noted[1].TokenID.String() != id ||
			!sameJSON(t, noted[1].After, `{"file":"offers.csv","records":{"variants":{"created":0,"updated":1}},
				"written":{"variants":{"created":0,"updated":1}}}`) {
			t.Errorf("got %v", noted)
		}
		o.ComesBack(t)
	})
}

func sameJSON(t testing.TB, got []byte, want string) bool {
	t.Helper()
	var a, b any
	if err := errors.Join(json.Unmarshal(got, &a), json.Unmarshal([]byte(want), &b)); err != nil {
		t.Error(err)
	}
	return reflect.DeepEqual(a, b)
}

// TestASheetThatWasExportedGivesNothingBack imports exported sheets after customers have bought. The units
// sold must not return to stock.
func TestASheetThatWasExportedGivesNothingBack(t *testing.T) {
	eachTestShop(t, func(t *testing.T, o testShop) {
		o.StockedUp(t, "D-13", 11)
		sheets := map[string]string{
			"createProductImport": o.got(t, o.exports(t, "products")),
			"createOfferImport":   o.got(t, o.exports(t, "offers")),
		}
		o.REST().Shopper(t, 1).Bought(t, "D-13", 2)
		for mutation, sheet := range sheets {
			link, _ := o.link(t, o.owner, o.Tools, mutation)
			got := o.sent(t, link, sheet)
			if got.Status != 200 || got.Counts["products"].Updated+got.Counts["variants"].Updated != 0 {
				t.Errorf("%s: got %+v", mutation, got)
			}
			if out := o.got(t, o.exports(t, "offers")); !strings.Contains(out, ",9,9,") {
				t.Errorf("%s: got\n%s\nwant 9 in stock", mutation, out)
			}
		}
	})
}

// TestFaultsOfSheets sends a sheet that is wrong in several places: all are named by row and column, in the reader's
// language, and nothing is written.
func TestFaultsOfSheets(t *testing.T) {
	eachTestShop(t, func(t *testing.T, o testShop) {
		wrong := strings.Replace(strings.Replace(persian, "۹۰۰", "۹۰۰تومان", 1), "۷", "-۷", 1)
		link, checkLink := o.link(t, o.owner, o.Tools, "createProductImport")
		checked := o.sent(t, checkLink, wrong, "Accept-Language", "fa")
		if checked.Status != 200 || checked.Written || checked.Total != 2 || checked.places() != "2 stock; 4 price" ||
			checked.Language != "fa" || checked.Faults[1].Message != "باید یک عدد باشد" {
			t.Errorf("the check: %+v", checked)
		}
		got := o.sent(t, link, wrong)
		if got.Status != 400 || got.Code != "VALIDATION_FAILED" || got.Details == nil || got.Details.Written ||
			got.Details.places() != "2 stock; 4 price" || got.Details.Total != 2 || o.hasProduct(t, "lamp") {
			t.Errorf("got %+v", got)
		}
		many := "slug,price\n" + strings.Repeat("lamp,x\n,y\n", 600)
		if got := o.sent(t, checkLink, many); got.Status != 200 || len(got.Faults) != 1000 || got.Total < 1001 {
			t.Errorf("got %d of %d faults", len(got.Faults), got.Total)
		}
		for sheet, places := range map[string]string{
			"": "1 -", "slug,colour\n": "1 colour", "titleFa\nx\n": "1 slug", "slug,titleFa\nx,\"y": "2 -",
			"\xff\xfes\x00": "1 -", "slug,titleFa\nx,\xff\n": "2 titleFa; 2 titleFa", "slug\rx": "1 -",
			"slug,sku,priceCurrency\nx,X-1,IRT\nlamp,X-1,IRT\n":               "2 titleFa; 3 sku; 3 titleFa",
			"slug,titleFa,status,sku,priceCurrency\nx,x,gone,,\n,,,X-1,IRT\n": "2 status",
			"slug,titleFa,value.a,sku,priceCurrency\nx,x,1,,\n,,2,X-1,IRT\n":  "2 value.a; 3 value.a",
		} {
			got := o.sent(t, link, sheet)
			if got.Status != 400 || got.Details == nil || got.Details.places() != places {
				t.Errorf("%.40q: got %+v, want %s", sheet, got, places)
			}
		}
		var rows strings.Builder
		for i := range 20_001 {
			fmt.Fprintf(&rows, "\nx-%d", i/2000)
		}
		long := o.sent(t, link, "slug"+rows.String())
		if long.Details == nil || !strings.Contains(long.Details.places()+"; ", "20002 -; ") {
			t.Errorf("too many rows: %+v", long)
		}
		large := o.sent(t, link, "slug"+strings.Repeat("\nx", 2_001))
		if large.Details == nil || !strings.Contains(large.Details.places()+"; ", "2002 slug; ") {
			t.Errorf("a product of too many rows: %+v", large)
		}
	})
}

// TestBodiesOfSheets sends bodies that are not sheets, or too large.
func TestBodiesOfSheets(t *testing.T) {
	eachTestShop(t, func(t *testing.T, o testShop) {
		link, _ := o.link(t, o.owner, o.Tools, "createProductImport")
		csv := func(headers ...string) shoptest.Answer {
			return o.at(t, http.MethodPost, link, strings.NewReader(persian), headers...)
		}
		for _, kind := range []string{"application/json", "multipart/form-data; boundary=x", "text/html",
			"application/x-www-form-urlencoded"} {
			refused(t, kind, csv("Content-Type", kind), 415, "UNSUPPORTED_MEDIA_TYPE")
		}
		refused(t, "compressed", csv("Content-Encoding", "gzip"), 415, "UNSUPPORTED_MEDIA_TYPE")
		refused(t, "another word", o.at(t, "POST", link+"&check=yes", strings.NewReader(persian)), 400,
			"VALIDATION_FAILED")
		endless := io.LimitReader(zeros{}, 33<<20)
		refused(t, "too long, in chunks", o.at(t, "POST", link, endless), 413, "PAYLOAD_TOO_LARGE")
		if o.hasProduct(t, "lamp") {
			t.Error("a body that was refused is written")
		}
		for _, kind := range []string{"text/csv; charset=utf-8", "application/vnd.ms-excel"} {
			if got := read(t, csv("Content-Type", kind)); got.Status != 200 {
				t.Errorf("%s: got %+v", kind, got)
			}
		}

		page := []string{"Origin", "https://tools.example", "Access-Control-Request-Method", "POST",
			"Access-Control-Request-Headers", "content-type"}
		if got := o.at(t, http.MethodOptions, link, nil, page...); got.Status/100 != 2 ||
			got.Header.Get("Access-Control-Allow-Origin") != "https://tools.example" {
			t.Errorf("a page of the shop asks: got %d %v", got.Status, got.Header)
		}

		// One that announces too much is refused before it is sent.
		at, err := url.Parse(o.URL)
		if err != nil {
			t.Fatal(err)
		}
		conn, err := net.Dial("tcp", at.Host)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST /%s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", link, 33<<20)
		early, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || early.StatusCode != 413 || !early.Close {
			t.Errorf("got %v, %v", early, err)
		}
	})
}

// zeros are letters without an end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

// begun sends the beginning of a sheet once the service asks for the body. The rest is written to the
// returned pipe.
func (o testShop) begun(t testing.TB, link, sheet string) (rest *io.PipeWriter, answer <-chan outcome) {
	t.Helper()
	body, rest := io.Pipe()
	answered := make(chan outcome, 1)
	go func() {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, o.URL+"/"+link, body)
		if err != nil {
			t.Error(err)
			return
		}
		r.Header.Set("Expect", "100-continue")
		patient := &http.Transport{ExpectContinueTimeout: time.Minute}
		defer patient.CloseIdleConnections()
		response, err := patient.RoundTrip(r)
		if err != nil { // of a body that the test cuts
			answered <- outcome{}
			return
		}
		answered <- read(t, shoptest.Receive(t, response))
	}()
	if _, err := io.WriteString(rest, sheet); err != nil {
		t.Fatal(err)
	}
	return rest, answered
}

// TestOneImportAtATime begins an import, and sends another sheet meanwhile to the same shop and to another
// shop. Then it cuts the first import.
func TestOneImportAtATime(t *testing.T) {
	eachTestShop(t, func(t *testing.T, o testShop) {
		link, checkLink := o.link(t, o.owner, o.Tools, "createProductImport")
		half := persian[:len(persian)/2]
		rest, answer := o.begun(t, link, half)
		if got := o.sent(t, checkLink, persian); got.Status != 409 || got.Code != "CONFLICT" {
			t.Errorf("beside another one: got %+v", got)
		}
		mugs, _ := o.link(t, o.Staff(t, o.Mugs, "owner"), o.Mugs, "createProductImport")
		if got := o.sent(t, mugs, persian); got.Status != 200 {
			t.Errorf("at another shop: got %+v", got)
		}
		rest.CloseWithError(io.ErrUnexpectedEOF)
		<-answer
		got := o.sent(t, checkLink, persian)
		for try := 0; got.Status == 409 && try < 10_000; try++ { // until the service notices it
			got = o.sent(t, checkLink, persian)
		}
		if got.Status != 200 || got.Counts["products"].Created != 2 || o.hasProduct(t, "lamp") {
			t.Errorf("a sheet that was cut is written: got %+v", got)
		}
		if got := o.sent(t, link, persian); got.Status != 200 || got.Counts["products"].Created != 2 {
			t.Errorf("the whole sheet: got %+v", got)
		}
	})
}

// TestRightsEndDuringAnUpload removes the role while the sheet is being sent.
func TestRightsEndDuringAnUpload(t *testing.T) {
	eachTestShop(t, func(t *testing.T, o testShop) {
		member := o.Staff(t, o.Tools, "editor")
		link, _ := o.link(t, member, o.Tools, "createProductImport")
		rest, answer := o.begun(t, link, persian[:20])
		o.dismiss(t, member)
		if _, err := io.WriteString(rest, persian[20:]); err != nil {
			t.Fatal(err)
		}
		rest.Close()
		if got := <-answer; got.Status != 403 || got.Code != "FORBIDDEN" || o.hasProduct(t, "lamp") {
			t.Errorf("got %+v", got)
		}
	})
}
