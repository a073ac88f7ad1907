package api_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
)

// TestRefusedWithoutTheBody announces a body and never sends it. A request refused for its path or its
// credentials must be answered at once, and the connection closed (contract 1.2).
func TestRefusedWithoutTheBody(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		var all sync.WaitGroup // each takes half a second, while the server reads the rest of the request
		for _, length := range []string{"Content-Length: 1", "Content-Length: 262144", "Transfer-Encoding: chunked",
			"Content-Length: 1000\r\nExpect: 100-continue"} {
			for request, status := range map[string]int{
				"POST /api/v1/auth/addresses":               401,
				"PATCH /api/v1/auth/profile":                401,
				"POST /api/v1/auth/change-password":         401,
				"POST /api/v1/businesses/x/cart/items":      401,
				"POST /api/v1/businesses/x/cart/checkout":   401,
				"DELETE /api/v1/businesses/x/favorites/y":   401,
				"POST /api/v1/public/sms/send":              401,
				"POST /api/v1/nowhere":                      404,
				"DELETE /api/v1/businesses/x/favorites/%2F": 404,
				"POST /api/v1/cities":                       405,
				"GET /api/v1/cities?level=country":          200,
			} {
				all.Go(func() {
					answer, err := announce(p, request+" HTTP/1.1\r\nHost: x\r\n"+length)
					if err != nil {
						t.Errorf("%s, %s: %v", request, length, err)
					} else if answer.StatusCode != status || !answer.Close {
						t.Errorf("%s, %s: %d, close %t", request, length, answer.StatusCode, answer.Close)
					}
				})
			}
		}
		all.Wait()
	})
}

// announce sends the head of a request and nothing else. It returns the answer once the server has closed the
// connection.
func announce(p *shoptest.Place, head string) (*http.Response, error) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.URL, "http://"))
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second)) // the server would wait 15 s for the body
	if _, err := fmt.Fprintf(conn, "%s\r\n\r\n", head); err != nil {
		return nil, err
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return nil, err
	}
	if n, err := conn.Read(make([]byte, 1)); n > 0 || err != io.EOF {
		return nil, fmt.Errorf("the connection stays open: %w", err)
	}
	return answer, nil
}

// TestUnreadableBusinessIds sends ids in paths that are no text: they are of nothing, and not absent.
func TestUnreadableBusinessIds(t *testing.T) {
	shoptest.EachAccounts(t, func(t *testing.T, a *shoptest.Accounts) {
		d := a.REST()
		customer := d.Register(t, d.Cell(1))
		for _, id := range []string{"%00", "%FF", "a%00b", "%C0%AF", "none"} {
			for _, request := range []string{"GET /cart", "DELETE /cart", "GET /orders", "GET /favorites"} {
				method, path, _ := strings.Cut(request, " ")
				got := a.Send(t, method, "/businesses/"+id+path, "", "Authorization", "Bearer "+customer.Access)
				shoptest.WantFault(t, got, 404, "NOT_FOUND")
			}
		}
	})
}

// TestAnEscapedSlashIsNoSegment checks that a path with %2F is of no record and no other route.
func TestAnEscapedSlashIsNoSegment(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for _, request := range []string{
			"GET " + shoptest.ShopPath + "/products/%2F", "GET " + shoptest.ShopPath +
				"/products/%2f", "GET " + shoptest.ShopPath + "/blogs/%2F/",
			"GET /tenants/%2F", "GET /cities/%2F", "DELETE /businesses/x/favorites/%2F", "GET " +
				shoptest.ShopPath + "/%2F",
			"POST " + shoptest.ShopPath + "/comments/%2F", "GET " + shoptest.ShopPath +
				"/products/%2F%2F", "GET " + shoptest.ShopPath + "/products/a%2F",
		} {
			method, path, _ := strings.Cut(request, " ")
			shoptest.WantFault(t, p.At(t, method, "/api/v1"+path), 404, "NOT_FOUND")
			if t.Failed() {
				t.Fatalf("that was %s", request)
			}
		}
	})
}
