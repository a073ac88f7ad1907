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

func TestContentTypes(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for _, media := range []string{
			"", "application/json", "application/json; charset=utf-8", "application/json;charset=UTF-8",
			"APPLICATION/JSON",
		} {
			shoptest.WantStatus(t, as(t, p, media, "POST", shoptest.ContactPath, shoptest.ContactForm), 201)
		}
		for _, media := range []string{
			"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonx",
			"application/ld+json",
			"text/json", "json", "application/json;;", "application/json, text/plain",
		} {
			shoptest.WantFault(t, as(t, p, media, "POST", shoptest.ContactPath, shoptest.ContactForm), 415,
				"UNSUPPORTED_MEDIA_TYPE")
		}
	})
}

// TestCompressedBodies checks that a compressed body, or one with a Content-Encoding, is refused as such and
// not as broken JSON.
func TestCompressedBodies(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for encoding, status := range map[string]int{"gzip": 415, "br": 415, "identity": 201, "Identity": 201} {
			got := p.Send(t, "POST", shoptest.ShopPath+"/contact-submissions", shoptest.ContactForm,
				"Content-Encoding", encoding)
			if got.Status != status {
				t.Errorf("%s: %d %s, want %d", encoding, got.Status, got.Body, status)
			}
			got = p.Send(t, "POST", "/graphql", shoptest.GraphQLBody(shoptest.DomainQuery,
				`{"d": "shop.example"}`), "Content-Encoding", encoding)
			if refused := got.Status == 415; refused != (status == 415) {
				t.Errorf("/graphql, %s: got %d %s", encoding, got.Status, got.Body)
			}
		}
	})
}

// padded returns a valid body of the given length, padded by an undocumented key.
func padded(length int) string {
	const begin, end = `{"padding": "`, `", "title": "Question", "name": "Sara", "text": "How much?"}`
	return begin + strings.Repeat("x", length-len(begin)-len(end)) + end
}

func TestBodySize(t *testing.T) {
	const most = 256 << 10
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for length, status := range map[int]int{most - 1: 201, most: 201, most + 1: 413, 2 * most: 413} {
			for name, body := range map[string]io.Reader{
				"with a length": strings.NewReader(padded(length)),
				"in chunks":     struct{ io.Reader }{strings.NewReader(padded(length))},
			} {
				request, err := http.NewRequestWithContext(t.Context(), "POST", p.URL+shoptest.ContactPath, body)
				if err != nil {
					t.Fatal(err)
				}
				got := p.Perform(t, request)
				if got.Status != status {
					t.Errorf("%d bytes %s: %d, want %d", length, name, got.Status, status)
				} else if status == 413 {
					shoptest.WantFault(t, got, 413, "PAYLOAD_TOO_LARGE")
				}
			}
		}
		// White space counts as well, and so does what comes before an error.
		shoptest.WantFault(t, p.Send(t, "POST", shoptest.ShopPath+"/contact-submissions",
			shoptest.ContactForm+strings.Repeat(" ", most)), 413,
			"PAYLOAD_TOO_LARGE")
		shoptest.WantFault(t, p.Send(t, "POST", shoptest.ShopPath+"/contact-submissions",
			strings.Repeat("{", most+1)), 413,
			"PAYLOAD_TOO_LARGE")
	})
}

// TestBodiesAnnouncedTooLargeAreRefusedAtOnce announces a body above the limit and sends none of it, with and
// without Expect: 100-continue. The answer must come without asking for the body.
func TestBodiesAnnouncedTooLargeAreRefusedAtOnce(t *testing.T) {
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for _, path := range []string{shoptest.ContactPath, "/graphql"} {
			for _, expect := range []string{"", "Expect: 100-continue\r\n"} {
				conn, err := net.Dial("tcp", strings.TrimPrefix(p.URL, "http://"))
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second)) // before the server gives up on the body
				fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n%s"+
					"Content-Length: %d\r\n\r\n", path, expect, 1<<20)
				line, err := bufio.NewReader(conn).ReadString('\n')
				if want := "HTTP/1.1 413 Request Entity Too Large\r\n"; err != nil || line != want {
					t.Errorf("%s, %q: got %q, %v; want %q", path, expect, line, err, want)
				}
			}
		}
	})
}

// with returns a valid body with further members in front.
func with(members string) string {
	return strings.Replace(shoptest.ContactForm, "{", "{"+members+", ", 1)
}

func TestBodies(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	objects := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	eachWire(t, func(t *testing.T, p *shoptest.Place) {
		for name, body := range map[string]string{
			"white space around":     " \t\r\n" + shoptest.ContactForm + "\n ",
			"31 lists below":         with(`"x": ` + nested(31)),
			"31 objects below":       with(`"x": ` + objects(31)),
			"a pair of surrogates":   with(`"x": "\ud83d\ude00"`),
			"escapes of what is not": with(`"x": "\\u0000 \\ud800"`),
			"a huge number":          with(`"x": 1e999999`),
			"documented elsewhere": with(`"status": "approved", "price": 1, "userId": "x", "id": "x", ` +
				`"createdAt": 5`),
			"keys that differ": with(`"Title": 5, "TEXT": null, "": {}, "domain": "no.example", "input": {}`),
		} {
			if got := p.Send(t, "POST", shoptest.ShopPath+"/contact-submissions", body); got.Status != 201 {
				t.Errorf("%s: got %d %s", name, got.Status, got.Body)
			}
		}
		for name, body := range map[string]string{
			"none":                     ``,
			"white space":              "\n ",
			"byte order mark":          "\uFEFF" + shoptest.ContactForm,
			"null":                     `null`,
			"text":                     `"x"`,
			"list":                     `[` + shoptest.ContactForm + `]`,
			"empty list":               `[]`,
			"form":                     `title=a&name=b`,
			"cut":                      strings.TrimSuffix(shoptest.ContactForm, "}"),
			"trailing word":            shoptest.ContactForm + "x",
			"trailing object":          shoptest.ContactForm + shoptest.ContactForm,
			"trailing comma":           `{"title": "a",}`,
			"comment":                  "/**/" + shoptest.ContactForm,
			"single quotes":            `{'title': 'a'}`,
			"NaN":                      with(`"x": NaN`),
			"32 lists below":           with(`"x": ` + nested(32)),
			"32 objects below":         with(`"x": ` + objects(32)),
			"key twice":                with(`"title": "Other"`),
			"key twice, escaped":       with(`"\u0074itle": "Other"`),
			"ignored key twice":        with(`"x": 1, "x": 1`),
			"key twice below":          with(`"x": [{"y": {"z": 1, "z": 2}}]`),
			"invalid UTF-8":            with("\"x\": \"\xff\""),
			"invalid UTF-8 in a key":   with("\"\xff\": 1"),
			"cut UTF-8":                with("\"x\": \"\xd8\""),
			"overlong UTF-8":           with("\"x\": \"\xc0\xaf\""),
			"raw surrogate":            with("\"x\": \"\xed\xa0\x80\""),
			"high surrogate":           with(`"x": "\ud83d"`),
			"low surrogate":            with(`"x": "\ude00"`),
			"surrogates in wrong turn": with(`"x": "\ude00\ud83d"`),
			"NUL":                      with(`"x": "\u0000"`),
			"raw NUL":                  with("\"x\": \"\x00\""),
			"NUL in a key":             with(`"\u0000": 1`),
			"raw line break":           with("\"x\": \"\n\""),
		} {
			got := p.Send(t, "POST", shoptest.ShopPath+"/contact-submissions", body)
			if shoptest.WantFault(t, got, 400, "BAD_REQUEST"); t.Failed() {
				t.Fatalf("that was %q", name)
			}
		}
	})
}
