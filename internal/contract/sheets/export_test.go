package sheets_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"storefront/ent/auditentry"
	"storefront/internal/content/bundle"
	"storefront/internal/contract/shoptest"
	"storefront/internal/record"
)

// filled adds the given number of products to the tool shop.
func (o testShop) filled(t testing.TB, products int) {
	t.Helper()
	all := make([]string, products)
	for i := range all {
		all[i] = fmt.Sprintf(`{"slug":"p-%d","titleFa":"ت","variants":[{"sku":"P-%d","priceCurrency":"IRT"}]}`, i, i)
	}
	text := `{"format":"storefront-bundle/1","tenant":{"domain":"tools.example"},"products":[` +
		strings.Join(all, ",") + `]}`
	if _, err := bundle.Import(t.Context(), o.Store, bundle.Bytes([]byte(text)), nil); err != nil {
		t.Fatal(err)
	}
}

// watched is a ResponseWriter that calls rows before it writes the rows of a sheet.
type watched struct {
	http.ResponseWriter
	rows func()
}

func (w watched) Write(p []byte) (int, error) {
	if len(p) > 1000 {
		w.rows()
	}
	return w.ResponseWriter.Write(p)
}

func (w watched) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// TestExportsAreCutOff removes the role while a sheet is sent. The response must end in a way that clients
// notice.
func TestExportsAreCutOff(t *testing.T) {
	eachTestShop(t, func(t *testing.T, o testShop) {
		o.filled(t, 450)
		member := o.Staff(t, o.Tools, "editor")
		link, _ := o.link(t, member, o.Tools, "createProductExport")
		var dismissed sync.Once
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			o.Service.ServeHTTP(watched{w, func() { dismissed.Do(func() { o.dismiss(t, member) }) }}, r)
		}))
		defer server.Close()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/"+link, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Encoding", "identity")
		response, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if response.StatusCode != 200 || !errors.Is(err, io.ErrUnexpectedEOF) ||
			strings.Contains(string(text), "p-449,") {
			t.Errorf("got %d, %d bytes, %v", response.StatusCode, len(text), err)
		}
		whole := o.got(t, o.exports(t, "products"))
		if !strings.Contains(whole, "\r\np-449,") || strings.Count(whole, "\r\n") < 450 {
			t.Errorf("the whole sheet has %d rows", strings.Count(whole, "\r\n"))
		}
	})
}

// TestFewExportsAtATime holds two sheets of a shop on their way; a third has to wait.
func TestFewExportsAtATime(t *testing.T) {
	eachTestShop(t, func(t *testing.T, o testShop) {
		link := o.exports(t, "products")
		begun, over := make(chan bool), make(chan bool)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			o.Service.ServeHTTP(watched{w, func() { begun <- true; <-over }}, r)
		}))
		defer server.Close()
		var asking sync.WaitGroup
		for range 2 {
			asking.Go(func() { discard(t, server.URL+"/"+link) })
			<-begun
		}
		refused(t, "a third", o.at(t, http.MethodGet, link, nil), 409, "CONFLICT")
		go func() {
			for range begun { // what is written further
			}
		}()
		close(over)
		asking.Wait()
		close(begun)
		o.got(t, link)
	})
}

// discard downloads a sheet and ignores it.
func discard(t testing.TB, link string) {
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, link, nil)
	r.Header.Set("Accept-Encoding", "identity")
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Error(err)
		return
	}
	_, _ = io.Copy(io.Discard, response.Body)
	response.Body.Close()
}

// TestSlowClientsOfOtherShops has seventeen shops whose clients stall, each with two exports and an import.
// Another shop must still be able to export and import.
func TestSlowClientsOfOtherShops(t *testing.T) {
	eachTestShop(t, func(t *testing.T, o testShop) {
		begun, over := make(chan bool), make(chan bool)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			o.Service.ServeHTTP(watched{w, func() { begun <- true; <-over }}, r)
		}))
		defer server.Close()
		var asking sync.WaitGroup
		for i := range 17 {
			text := fmt.Sprintf(`{"format":"storefront-bundle/1","tenant":{"domain":"s%[1]d.example","slug":"s%[1]d",
				"name":"S","nameFa":"S","defaultLocale":"fa"},
				"products":[{"slug":"p","titleFa":"P","description":"%[2]s"}]}`, i, strings.Repeat("0", 1500))
			made, err := bundle.Import(t.Context(), o.Store, bundle.Bytes([]byte(text)), nil)
			if err != nil {
				t.Fatal(err)
			}
			shop := made.Tenant.String()
			o.Employ(t, o.owner, shop, record.Owner)
			out, _ := o.link(t, o.owner, shop, "createProductExport")
			for range 2 {
				asking.Go(func() { discard(t, server.URL+"/"+out) })
				<-begun
			}
			in, _ := o.link(t, o.owner, shop, "createProductImport")
			rest, answer := o.begun(t, in, "slug,")
			defer func() {
				rest.CloseWithError(io.ErrUnexpectedEOF)
				<-answer
			}()
		}
		o.got(t, o.exports(t, "products"))
		link, _ := o.link(t, o.owner, o.Tools, "createProductImport")
		if got := o.sent(t, link, persian); got.Status != 200 {
			t.Errorf("got %+v", got)
		}
		go func() {
			for range begun { // what is written further
			}
		}()
		close(over)
		asking.Wait()
		close(begun)
	})
}

// TestHeadsOfSheets sends HEAD, which does not count as an export, and a request of HTTP/1.0, in which
// clients could not notice that an answer was cut off.
func TestHeadsOfSheets(t *testing.T) {
	eachTestShop(t, func(t *testing.T, o testShop) {
		link := o.exports(t, "customers")
		got := o.at(t, http.MethodHead, link, nil)
		if got.Status != 200 || len(got.Body) != 0 ||
			!strings.Contains(got.Header.Get("Content-Disposition"), "customers") {
			t.Errorf("got %+v", got)
		}
		if len(o.Store.Client.AuditEntry.Query().Where(auditentry.Action("exportSheet")).AllX(t.Context())) > 0 {
			t.Error("headers alone are noted as an export")
		}
		at, err := url.Parse(o.URL)
		if err != nil {
			t.Fatal(err)
		}
		conn, err := net.Dial("tcp", at.Host)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		asked := httptest.NewRequest(http.MethodGet, "/"+link, nil)
		fmt.Fprintf(conn, "GET %s HTTP/1.0\r\n\r\n", asked.RequestURI)
		old, err := http.ReadResponse(bufio.NewReader(conn), asked)
		if err != nil {
			t.Fatal(err)
		}
		refused(t, "HTTP/1.0", shoptest.Receive(t, old), 400, "BAD_REQUEST")
	})
}
