package browser_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store/storetest"
)

const storefrontSource = "../../../examples/storefront"

// buildStorefront builds examples/storefront once.
var buildStorefront = sync.OnceValues(func() (string, error) {
	command := exec.Command("bash", "-c",
		`../../scripts/build-client && ../../scripts/npm-ci "$PWD" && npm run --silent build`)
	command.Dir = storefrontSource
	if said, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, said)
	}
	return filepath.Join(storefrontSource, "dist"), nil
})

// storefrontFor serves the example on an origin of its own, for a shop of a service: its files, and its page at every
// other path.
func storefrontFor(t *testing.T, service, shop string) string {
	t.Helper()
	dist, err := buildStorefront()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dist, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer("http://127.0.0.1:8080", service, shoptest.PaperShop, shop).Replace(string(page))
	files := http.FileServer(http.Dir(dist))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/assets/") {
			files.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(text))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// isFine takes a picture of the page, and checks that it fits the screen and that no image in sight is broken.
func (b *browser) isFine(t *testing.T, name string) {
	t.Helper()
	b.do(t, chromedp.PollFunction(`() => [...document.images].every((i) => i.complete || i.loading === 'lazy')`, nil))
	b.picture(t, name)
	if broken := evaluate[[]string](t, b, `[...document.images].filter((i) => i.complete && i.naturalWidth === 0 `+
		`&& i.getBoundingClientRect().top < innerHeight).map((i) => i.src)`); len(broken) > 0 {
		t.Errorf("%s: broken images: %q", name, broken)
	}
	if wider := evaluate[int](t, b, `document.documentElement.scrollWidth - innerWidth`); wider > 0 {
		t.Errorf("%s: the page is %d pixels too wide", name, wider)
	}
}

// TestStorefrontInBrowser buys a book as a new customer in the example storefront, who signs up by phone, and looks at
// it on a phone in Persian.
func TestStorefrontInBrowser(t *testing.T) {
	t.Parallel()
	shoptest.DemoShops.Each(t, func(t *testing.T, database string) {
		phones := shoptest.NewPhones()
		p := shoptest.StartWith(t, storetest.Open(t, database), app.Options{Clock: shoptest.Noon, Sender: phones,
			PasswordCost: shoptest.CheapPasswords, Settings: app.Settings{CacheSize: 64 << 20}})
		shop := storefrontFor(t, p.URL, shoptest.PaperShop)
		b := openBrowser(t)
		fine := func(name string) {
			t.Helper()
			b.isFine(t, name)
		}

		b.do(t, chromedp.Navigate(shop+"/"), shows("main", "Long evenings, good books", "On offer", "New arrivals"))
		fine("home")
		b.do(t, chromedp.Click(`a.tile[href="/c/books"]`, chromedp.ByQuery),
			shows(".list", "Books", "Categories", "Poetry", "Brands"), click(".facets a",
				"Poetry"), shows(".list h1", "Poetry"))
		fine("list")
		b.do(t, chromedp.SendKeys("input[type=search]", "letters shiraz"+kb.Enter, chromedp.ByQuery),
			shows(".cards", "Letters from Shiraz"), chromedp.Click(`a[href="/p/letters-from-shiraz"]`,
				chromedp.ByQuery),
			shows(".product", "Letters from Shiraz", "By Farid Eriksen", "$14.99", "Paperback", "Hardcover"),
			chromedp.Poll(`document.title === 'Letters from Shiraz · Paperlane'`, nil,
				chromedp.WithPollingTimeout(browserTime)))
		fine("product")
		b.do(t, click(".options button", "Hardcover"), shows(".product .price", "$25.50"),
			click("button", "Add to cart"), shows(".toast", "In your cart now."), shows(".basket", "1"),
			chromedp.Click(".basket", chromedp.ByQuery),
			shows(".cart", "Letters from Shiraz", "Hardcover", "$25.50"), click("button",
				"+"), shows(".cart footer", "$51.00"))
		fine("cart of a guest")

		b.do(t, click("a", "Check out"), shows("h1", "Sign in"),
			chromedp.SendKeys("input[name=cellNumber]", "0912555", chromedp.ByQuery),
			click("form button", "Send a code"), shows("form", "must be"))
		fine("refused cell number")
		b.do(t, chromedp.SendKeys("input[name=cellNumber]", "0101", chromedp.ByQuery),
			click("form button", "Send a code"), shows("form", "Code"))
		code := phones.Code(t, "+989125550101")
		b.do(t, chromedp.SendKeys("input[name=code]", shoptest.AnotherCode(code), chromedp.ByQuery),
			click("form button", "Sign in"), shows("form", "the code is wrong"),
			chromedp.Evaluate(`document.querySelector('input[name=code]').value = ''`, nil),
			chromedp.SendKeys("input[name=code]", code, chromedp.ByQuery),
			click("form button", "Sign in"), shows("h1", "What is your name?"))
		fine("sign-up by phone")
		b.do(t, chromedp.SendKeys("input[name=firstName]", "سارا", chromedp.ByQuery),
			chromedp.SendKeys("input[name=lastName]", "کریمی", chromedp.ByQuery),
			click("form button", "Register"), shows("h1", "Delivery"), shows(".total",
				"$51.00"), shows(".basket", "2"))
		b.do(t, chromedp.SendKeys("input[name=province]", "Tehran", chromedp.ByQuery),
			chromedp.SendKeys("input[name=city]", "Tehran", chromedp.ByQuery),
			chromedp.SendKeys("input[name=address]", "7 Enghelab Street", chromedp.ByQuery),
			click("form button", "Place the order"), shows(".cart", "Thank you for your order", "pending", "$51.00"),
			shows(".basket", "0"))
		fine("order")

		// A page with a session whose access token has ended goes on by its refresh token, in two tabs' worth
		// of requests.
		b.do(t, chromedp.Evaluate(`localStorage['storefront.session'] = JSON.stringify({`+
			`...JSON.parse(localStorage['storefront.session']), accessToken: 'ended'})`,
			nil), chromedp.Navigate(shop+"/orders"), shows(".cart .lines", "pending"))
		if token := evaluate[string](t, b,
			`JSON.parse(localStorage['storefront.session']).accessToken`); token == "ended" {
			t.Error("the session was not refreshed")
		}

		// An unknown address has a page that says so and links to the home page; so has a malformed one.
		b.do(t, chromedp.Navigate(shop+"/nowhere"), shows("h1", "There is no page at this address."),
			click("main a", "Home"), shows("main", "New arrivals"),
			chromedp.Evaluate(`history.pushState(null, '', '/%zz'); dispatchEvent(new Event('popstate'))`, nil),
			shows("h1", "There is no page at this address."), click("button", "فارسی"),
			shows("main", "در این نشانی صفحه‌ای نیست.", "خانه"))
		fine("no page")

		b.do(t, click("button", "English"), chromedp.EmulateViewport(390, 844), chromedp.Navigate(shop+"/"),
			click("button", "فارسی"),
			shows("main", "تازه\u200cها", "پیشنهاد ویژه", "کتاب\u200cهای خوب"),
			shows(".tiles", "کتاب", "مردانه"), shows(".brand", "پیپرلین"))
		if dir := evaluate[string](t, b, `document.documentElement.dir`); dir != "rtl" {
			t.Errorf("in Persian the page is %s", dir)
		}
		fine("home on a phone")
		b.do(t, chromedp.Navigate(shop+"/c/books"), shows(".list", "کتاب", "نتیجه"))
		fine("list on a phone")
		b.do(t, chromedp.Navigate(shop+"/p/letters-from-shiraz"),
			shows(".product", "نامه\u200cهایی از شیراز", "افزودن به سبد"))
		fine("product on a phone")
		b.do(t, click("button", "افزودن به سبد"), shows(".basket", "۱"),
			chromedp.Click(".basket", chromedp.ByQuery),
			shows(".cart", "نامه\u200cهایی از شیراز", "ثبت سفارش"))
		fine("cart on a phone")
		b.wasQuietOn(t, p, shop)
	})
}

// TestStorefrontLateAnswerInBrowser changes the language before the first answer arrives. The late answer
// in the old language must not be shown.
func TestStorefrontLateAnswerInBrowser(t *testing.T) {
	t.Parallel()
	shoptest.DemoShops.Each(t, func(t *testing.T, database string) {
		p := shoptest.StartWith(t, storetest.Open(t, database), app.Options{Clock: shoptest.Noon,
			PasswordCost: shoptest.CheapPasswords, Settings: app.Settings{CacheSize: 64 << 20}})
		b := openBrowser(t)
		// The first answer is held until let is called. late is true once it has been processed.
		const holding = `{
			const original = fetch
			const released = new Promise((done) => { window.let = done })
			let isFirst = true
			window.fetch = async (...asked) => {
				const held = isFirst
				isFirst = false
				const answer = await original(...asked)
				if (!held) return answer
				await released
				setTimeout(() => { window.late = true }, 500)
				return answer
			}
		}`
		b.do(t, chromedp.ActionFunc(func(ctx context.Context) error {
			_, err := page.AddScriptToEvaluateOnNewDocument(holding).Do(ctx)
			return err
		}), chromedp.Navigate(storefrontFor(t, p.URL, shoptest.PaperShop)+"/"), click("button", "فارسی"),
			shows(".brand", "پیپرلین"), chromedp.Evaluate(`window.let()`, nil),
			chromedp.PollFunction(`() => window.late`, nil))
		const name = "پیپرلین"
		if got := evaluate[string](t, b, `document.querySelector('.brand').innerText`); got != name {
			t.Errorf("the name of the shop is %s, want %s", got, name)
		}
		if got := evaluate[string](t, b, `document.title`); got != name {
			t.Errorf("the title of the page is %s, want %s", got, name)
		}
	})
}

// wasQuietOn is wasQuiet for a page of another origin, which sends requests to that origin and to the
// service.
func (b *browser) wasQuietOn(t *testing.T, p *shoptest.Place, shop string) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, words := range b.said {
		t.Errorf("the console said: %s", words)
	}
	for _, address := range b.asked {
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "data" && u.Scheme+"://"+u.Host != p.URL && u.Scheme+"://"+u.Host != shop {
			t.Errorf("the page asked for %s", address)
		}
	}
}

// TestStorefrontNewPasswordInBrowser signs in by a code to an account that somebody else registered: the
// storefront says that the former password has ended, and offers to set another.
func TestStorefrontNewPasswordInBrowser(t *testing.T) {
	t.Parallel()
	shoptest.DemoShops.Each(t, func(t *testing.T, database string) {
		const cell, fresh = "+989125550188", "green grass today"
		phones := shoptest.NewPhones()
		p := shoptest.StartWith(t, storetest.Open(t, database), app.Options{Clock: shoptest.Noon, Sender: phones,
			PasswordCost: shoptest.CheapPasswords})
		post := func(path, body string, want int) {
			t.Helper()
			shoptest.WantStatus(t, p.Send(t, "POST", path, body), want)
		}
		post("/auth/register", shoptest.Registering(cell, "correct horse", shoptest.PaperShop), 201)
		b := openBrowser(t)
		code := func() chromedp.Action {
			return chromedp.SendKeys("input[name=code]", phones.Code(t, cell), chromedp.ByQuery)
		}
		shop := storefrontFor(t, p.URL, shoptest.PaperShop)
		b.do(t, chromedp.Navigate(shop+"/sign-in?to=%2Fcart"), shows("h1", "Sign in"),
			chromedp.SendKeys("input[name=cellNumber]", "09125550188", chromedp.ByQuery),
			click("form button", "Send a code"), shows("form", "Code"))
		b.do(t, code(), click("form button", "Sign in"), shows("h1", "Set a new password"), shows("main p", "password"))
		b.isFine(t, "new password")
		b.do(t, click("form button", "Send a code"), shows("form", "Code"))
		b.do(t, code(), chromedp.SendKeys("input[name=newPassword]", fresh, chromedp.ByQuery),
			click("form button", "Set a new password"), shows("h1", "Cart"))
		post("/auth/login", fmt.Sprintf(`{"cellNumber": %q, "password": "correct horse"}`, cell), 401)
		post("/auth/login", fmt.Sprintf(`{"cellNumber": %q, "password": %q}`, cell, fresh), 200)
	})
}
