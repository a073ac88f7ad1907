package browser_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store/storetest"
)

// refreshBarrier is a proxy that holds the requests to refresh a session until all of a group have arrived, and
// then passes them on one after the other. So all of a group use the token that the first one has spent.
type refreshBarrier struct {
	mu      sync.Mutex
	arrived chan struct{} // closed when the group is there
	missing int           // how many of the group have not arrived
	inTurn  sync.Mutex
	seen    int // how many have arrived
}

// expect sets the size of the next group.
func (b *refreshBarrier) expect(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.arrived, b.missing, b.seen = make(chan struct{}), n, 0
}

func (b *refreshBarrier) arrive() (all chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seen++
	if b.missing--; b.missing == 0 {
		close(b.arrived)
	}
	return b.arrived
}

// proxy returns a proxy in front of a service.
func (b *refreshBarrier) proxy(t *testing.T, service string) string {
	t.Helper()
	to, err := url.Parse(service)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ErrorHandler = func(http.ResponseWriter, *http.Request, error) {} // a page that is left takes no answer
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		if r.Method == http.MethodPost && strings.Contains(string(body), "refreshTokens") {
			<-b.arrive()
			b.inTurn.Lock()
			defer b.inTurn.Unlock()
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// tab is another tab of a browser: it has the same storage.
func (b *browser) tab(t *testing.T) *browser {
	t.Helper()
	ctx, end := chromedp.NewContext(b.ctx)
	t.Cleanup(end)
	other, err := watch(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return other
}

// TestTwoTabsInBrowser lets the access token expire in two tabs of the example storefront that send
// requests at the same moment: once with the locks by which its tabs take turns, and once without locks,
// where only the grace of a used refresh token helps.
func TestTwoTabsInBrowser(t *testing.T) {
	t.Parallel()
	shoptest.DemoShops.Each(t, func(t *testing.T, database string) {
		p := shoptest.StartWith(t, storetest.Open(t, database), app.Options{Clock: shoptest.Noon,
			PasswordCost: shoptest.CheapPasswords})
		var barrier refreshBarrier
		shop := storefrontFor(t, barrier.proxy(t, p.URL), shoptest.PaperShop)
		first, orders := openBrowser(t), shows("main", "No orders yet.")
		first.do(t, chromedp.Navigate(shop+"/sign-in"), click("button", "Use a password"),
			click("button", "I am new here"), shows("h1", "Register"),
			chromedp.SetValue("input[name=cellNumber]", "+989125550177", chromedp.ByQuery),
			chromedp.SendKeys("input[name=password]", "correct horse", chromedp.ByQuery),
			chromedp.SendKeys("input[name=firstName]", "Sara", chromedp.ByQuery),
			chromedp.SendKeys("input[name=lastName]", "Karimi", chromedp.ByQuery),
			click("form button", "Register"), orders)
		tabs := []*browser{first, first.tab(t)}
		tabs[1].do(t, chromedp.Navigate(shop+"/orders"), orders)

		both := func(requests int) {
			t.Helper()
			barrier.expect(requests)
			first.do(t, chromedp.Evaluate(
				`localStorage['storefront.session'] = JSON.stringify({`+
					`...JSON.parse(localStorage['storefront.session']), accessToken: 'ended'})`, nil))
			shoptest.Together(len(tabs), func(i int) error { return chromedp.Run(tabs[i].ctx, chromedp.Reload()) })
			for _, tab := range tabs {
				tab.do(t, orders)
				if token := evaluate[string](t, tab,
					`JSON.parse(localStorage['storefront.session']).accessToken`); token == "ended" {
					t.Error("the session was not refreshed")
				}
			}
			// A tab that has waited for the lock may read the other's new session late, because browsers
			// copy the storage between processes asynchronously.
			if barrier.seen < requests || requests == 1 && barrier.seen > len(tabs) {
				t.Errorf("got %d refreshes of the session, want %d", barrier.seen, requests)
			}
			barrier.expect(1)
			for _, tab := range tabs { // and it lives on
				tab.do(t, chromedp.Reload(), orders)
			}
			if barrier.seen > 0 {
				t.Error("the new session was refreshed at once")
			}
		}
		both(1)
		for _, tab := range tabs {
			tab.do(t, chromedp.ActionFunc(func(ctx context.Context) error {
				_, err := page.AddScriptToEvaluateOnNewDocument(
					`navigator.locks.request = (name, run) => run()`).Do(ctx)
				return err
			}), chromedp.Reload(), orders)
		}
		both(2)
		// An item in the cart of one tab appears in the other, and signing out in one signs out in both.
		first.do(t, chromedp.Navigate(shop+"/p/letters-from-shiraz"), click("button", "Add to cart"),
			shows(".basket", "1"))
		tabs[1].do(t, shows(".basket", "1"), click("button", "Sign out"))
		first.do(t, shows(".top", "Sign in"), shows(".basket", "0"))
		for _, tab := range tabs {
			if said, _ := tab.heard(); len(said) > 0 {
				t.Errorf("the console said %q", said)
			}
		}
	})
}
