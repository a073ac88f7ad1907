package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"storefront/internal/demo"
)

// served is a service that runs inside the test.
type served struct {
	url   string
	log   chan string // lines, until it ends
	out   chan string // receives its whole output after its end
	ended chan error
}

// serving runs serve until ctx ends, and waits until it listens.
func serving(t testing.TB, ctx context.Context, s settings, args ...string) *served {
	t.Helper()
	running := launched(ctx, s, args...)
	running.says(t, "listening")
	return running
}

// launched runs serve until ctx ends.
func launched(ctx context.Context, s settings, args ...string) *served {
	logged, log := io.Pipe()
	printed, out := io.Pipe()
	running := &served{log: make(chan string, 10_000), out: make(chan string, 1), ended: make(chan error, 1)}
	go func() {
		err := run(ctx, append([]string{"serve"}, args...), s.program(out, log))
		log.Close()
		out.Close()
		running.ended <- err
	}()
	go func() {
		text, _ := io.ReadAll(printed) // until it is closed
		running.out <- string(text)
	}()
	go func() {
		defer close(running.log)
		for lines := bufio.NewScanner(logged); lines.Scan(); {
			running.log <- lines.Text()
		}
	}()
	return running
}

// says waits until the service has logged a message with its address.
func (s *served) says(t testing.TB, message string) {
	t.Helper()
	if err := s.saysOrEnds(t, message); err != nil {
		t.Fatalf("it ended before it said %q: %v", message, err)
	}
}

// saysOrEnds is says for a service that may end instead. It then returns the error of the service.
func (s *served) saysOrEnds(t testing.TB, message string) error {
	t.Helper()
	for line := range s.log {
		var record struct{ Msg, URL string }
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatalf("log line %q: %v", line, err)
		}
		if record.Msg == message {
			s.url = record.URL
			return nil
		}
	}
	if err := <-s.ended; err != nil {
		return err
	}
	return errors.New("without an error")
}

// ends waits for the end of the service and returns what it printed.
func (s *served) ends(t testing.TB) string {
	t.Helper()
	for range s.log {
	}
	if err := <-s.ended; err != nil {
		t.Error(err)
	}
	return <-s.out
}

// fetch gets a URL.
func fetch(t testing.TB, address string) (status int, body string) {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, readAll(t, response.Body)
}

var printedURL = regexp.MustCompile(`http://[^\s']+`)

func TestServeDemo(t *testing.T) {
	eachEmpty(t, func(t *testing.T, database string) {
		var before string
		for i, state := range []string{"empty", "filled"} {
			ctx, stop := context.WithCancel(t.Context())
			running := serving(t, ctx, on(database), "--demo")
			for _, d := range demo.Bundles() {
				for _, path := range append(d.Paths, "", "/products", "/blogs") {
					status, body := fetch(t, running.url+"/api/v1/tenants/"+d.Domain+path)
					if status != 200 || strings.Contains(body, `"total":0,`) && path == d.Paths[0] {
						t.Errorf("%s: %s%s: %d %.200s", state, d.Domain, path, status, body)
					}
				}
			}
			for _, path := range []string{"/readyz", "/healthz", "/openapi.json"} {
				if status, body := fetch(t, running.url+path); status != 200 || !json.Valid([]byte(body)) {
					t.Errorf("%s: %d %.200s", path, status, body)
				}
			}
			pages := visit(t, running.url)
			pictures := printedImage.FindAllString(images(t, running.url), -1)
			for _, picture := range pictures {
				status, body := fetch(t, strings.Trim(picture, `"`))
				if status != 200 || !strings.HasPrefix(body, "<svg") {
					t.Errorf("%s: %s: %d %.100s", state, picture, status, body)
				}
			}
			if len(pictures) < 100 {
				t.Errorf("%s: the shops show %d images", state, len(pictures))
			}
			stop()
			// The printed addresses are read after the end of the service, and requested from the next one.
			out := running.ends(t)
			printed := slices.DeleteFunc(printedURL.FindAllString(out, -1), func(address string) bool {
				return strings.HasSuffix(address, "/auth/login")
			})
			signIn := printedJSON.FindStringSubmatch(out)
			if (signIn != nil) != (state == "empty") {
				t.Errorf("%s: it printed how to sign in: %v", state, signIn)
			}
			slices.Sort(printed)
			printed = slices.Compact(printed) // the address of the staff's page is printed with its sign-ins too
			if len(printed) != 3+2*len(demo.Bundles()) || !slices.Contains(printed, running.url+"/playground") ||
				!slices.Contains(printed, running.url+"/docs") || !slices.Contains(printed, running.url+"/staff") {
				t.Errorf("%s: printed %q", state, printed)
			}
			if i == 0 {
				before = pages
			} else if pages != before {
				t.Errorf("after the second start: got the shops %s\nwant %s", pages, before)
			}
			again, stopAgain := context.WithCancel(t.Context())
			other := serving(t, again, on(database))
			for _, address := range printed {
				if !strings.HasPrefix(address, running.url+"/") {
					t.Errorf("%s: got the address %s printed, want it to begin with %s", state, address, running.url)
				}
				status, body := fetch(t, strings.Replace(address, running.url, other.url, 1))
				if status != 200 || strings.Contains(body, `"items":[]`) {
					t.Errorf("%s: %d %.200s", address, status, body)
				}
			}
			if signIn != nil {
				response, err := http.Post(other.url+"/api/v1/auth/login", "application/json",
					strings.NewReader(signIn[1]))
				if err != nil {
					t.Fatal(err)
				}
				response.Body.Close()
				if response.StatusCode != 200 {
					t.Errorf("the printed sign-in gives %d", response.StatusCode)
				}
			}
			stopAgain()
			if out := other.ends(t); out != "" {
				t.Errorf("without --demo it printed %s", out)
			}
		}
	})
}

// images requests everything with images: each list, and an order.
func images(t testing.TB, base string) (bodies string) {
	for _, path := range []string{
		"paperlane.example", "paperlane.example/products", "paperlane.example/store-items?pageSize=30",
		"paperlane.example/website/sliders", "paperlane.example/website/brand-groups", "paperlane.example/blogs",
		"paperlane.example/categories", "memar-novin.example/portfolios", "sanat-mashin.example/user-products",
	} {
		_, body := fetch(t, base+"/api/v1/tenants/"+path)
		bodies += body
		if strings.Contains(body, `"/demo/images`) || !strings.Contains(body, `"`+base+"/demo/images/") {
			t.Errorf("%s has images elsewhere than at %s: %.300s", path, base, body)
		}
	}
	return bodies
}

var printedImage = regexp.MustCompile(`"http://[^"]*/demo/images/[^"]*"`)

// printedJSON matches the body of the sign-in command that the demo prints.
var printedJSON = regexp.MustCompile(`--json '([^']*)'`)

// visit returns the numbers of records of the demo shops.
func visit(t testing.TB, base string) string {
	var totals strings.Builder
	for _, d := range demo.Bundles() {
		for _, list := range []string{"products", "store-items", "user-products", "blogs", "portfolios"} {
			var page struct{ Total int }
			_, body := fetch(t, base+"/api/v1/tenants/"+url.PathEscape(d.Domain)+"/"+list)
			if err := json.Unmarshal([]byte(body), &page); err != nil {
				t.Error(err)
			}
			fmt.Fprintf(&totals, "%s %s %d\n", d.Domain, list, page.Total)
		}
	}
	return totals.String()
}

// TestServeWithoutExplorer checks that GRAPHQL_EXPLORER=off reaches the service: no playground, no
// introspection.
func TestServeWithoutExplorer(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		for _, explorer := range []string{"on", "off"} {
			ctx, stop := context.WithCancel(t.Context())
			running := serving(t, ctx, on(database, "GRAPHQL_EXPLORER", explorer), "--demo")
			page, _ := fetch(t, running.url+"/playground")
			docs, _ := fetch(t, running.url+"/docs")
			_, schema := fetch(t, running.url+"/graphql?query="+url.QueryEscape(`{ __schema { queryType { name } } }`))
			stop()
			open := explorer == "on"
			if (page == 200) != open || docs != 200 || strings.Contains(schema, `"errors"`) == open {
				t.Errorf("%s: the playground answers %d, /docs %d, introspection %s", explorer, page, docs, schema)
			}
			printed := running.ends(t)
			if strings.Contains(printed, "/playground") != open || !strings.Contains(printed, "/docs") {
				t.Errorf("%s: printed %s", explorer, printed)
			}
		}
	})
}

// TestServeDemoLeavesShopsAlone starts with --demo on a database that already has a shop.
func TestServeDemoLeavesShopsAlone(t *testing.T) {
	eachMigrated(t, func(t *testing.T, database string) {
		s := on(database)
		s.succeed(t, "tenant", "add", "own.example", "Own", "خودم")
		ctx, stop := context.WithCancel(t.Context())
		running := serving(t, ctx, s, "--demo")
		if status, body := fetch(t, running.url+"/api/v1/tenants/own.example"); status != 200 {
			t.Errorf("%d %s", status, body)
		}
		stop()
		if printed := running.ends(t); printedURL.MatchString(printed) || !strings.Contains(printed, "not loaded") {
			t.Errorf("printed %s", printed)
		}
		if list := s.succeed(t, "tenant", "list"); strings.Count(list, "\n") != 2 {
			t.Errorf("tenants:\n%s", list)
		}
	})
}
