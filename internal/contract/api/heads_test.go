package api_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"storefront/internal/contract/shoptest"
)

// answersTo sends bytes over a new connection, and returns the statuses of all answers until the server
// closes it. It fails if the server leaves it open.
func answersTo(t testing.TB, p *shoptest.Place, sent string) (statuses []int) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
	if _, err := io.WriteString(conn, sent); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewReader(conn)
	for {
		answer, err := http.ReadResponse(answers, nil)
		if err == io.ErrUnexpectedEOF {
			return statuses
		}
		if err != nil {
			t.Fatalf("after %v: %v", statuses, err)
		}
		statuses = append(statuses, answer.StatusCode)
		if _, err := io.Copy(io.Discard, answer.Body); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTwoLengthsAreOneRequest sends requests with an ambiguous end. There must be one answer, and the
// connection must close before the rest is read as another request.
func TestTwoLengthsAreOneRequest(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		path := "/api/v1" + shoptest.ShopPath + "/contact-submissions"
		chunked := fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(shoptest.ContactForm), shoptest.ContactForm)
		const next = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
		for _, sent := range []struct {
			head, body string
			status     int
		}{
			{"POST " + path + " HTTP/1.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked", chunked, 201},
			{"POST " + path + " HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 400", chunked, 201},
			{"POST " + path + " HTTP/1.1\r\nTransfer-Encoding: chunked\r\ncontent-length: 0", chunked, 201},
			{"POST " + path + "s HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 4", chunked, 404},
			{"GET /healthz HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 4", "0\r\n\r\n", 200},
			{"POST " + path + " HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n" +
				fmt.Sprintf("Content-Length: %d", len(shoptest.ContactForm)), shoptest.ContactForm, 201},
			{"GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\nContent-Length: 0",
				"", 200},
		} {
			got := answersTo(t, p, sent.head+"\r\nHost: x\r\n\r\n"+sent.body+next)
			if len(got) != 1 || got[0] != sent.status {
				t.Errorf("%q: answers %v, want one of %d", sent.head, got, sent.status)
			}
		}
	})
}

// TestHeadersHaveALimit checks that the request line and the headers have at most 32 KiB together (contract 9), in the
// first request of a connection and in the next.
func TestHeadersHaveALimit(t *testing.T) {
	const limit = 32 << 10
	of := func(size int, more string) string {
		head := "GET /healthz HTTP/1.1\r\nHost: shop.example\r\n" + more + "X-Long: "
		return head + strings.Repeat("x", size-len(head)-4) + "\r\n\r\n"
	}
	const last = "Connection: close\r\n"
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for size, want := range map[int]int{
			1 << 10: 200, limit - 1: 200, limit: 200, limit + 1: 431, limit + 2000: 431, limit +
				4095: 431, limit + 4097: 431,
			2 * limit: 431,
		} {
			if got := answersTo(t, p, of(size, last)); len(got) != 1 || got[0] != want {
				t.Errorf("%d bytes: answers %v, want %d", size, got, want)
			}
			if got := answersTo(t, p, of(1<<10, "")+of(size, last)); len(got) != 2 || got[0] != 200 ||
				got[1] != want {
				t.Errorf("%d bytes in the second request: answers %v, want %d", size, got, want)
			}
		}
	})
}
