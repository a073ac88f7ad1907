package browser_test

import (
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store/storetest"
)

// screen is a page of the example storefront, with words that it shows in each language.
type screen struct{ path, selector, english, persian string }

var (
	homeScreen    = screen{path: "/", selector: "main", english: "New arrivals", persian: "تازه\u200cها"}
	listScreen    = screen{path: "/c/books", selector: ".list", english: "results", persian: "نتیجه"}
	productScreen = screen{path: "/p/letters-from-shiraz", selector: ".product",
		english: "Add to cart", persian: "افزودن به سبد"}
	cartScreen     = screen{path: "/cart", selector: ".cart footer", english: "Check out", persian: "ثبت سفارش"}
	checkoutScreen = screen{path: "/checkout", selector: ".total", english: "$", persian: "$"}
	emptyCart      = screen{path: "/cart", selector: ".empty",
		english: "Your cart is empty.", persian: "سبد خرید شما خالی است."}
	signInScreen = screen{path: "/sign-in", selector: ".narrow", english: "Sign in", persian: "ورود"}
	ordersScreen = screen{path: "/orders", selector: ".cart",
		english: "No orders yet.", persian: "هنوز سفارشی ندارید."}
)

// TestScreensAskOnceInBrowser opens each screen of the example storefront as the first of a visit, in both
// languages: as a new visitor, as a guest with a cart and as a customer. Each sends one request, including
// the shop's name and the cart.
func TestScreensAskOnceInBrowser(t *testing.T) {
	t.Parallel()
	shoptest.DemoShops.Each(t, func(t *testing.T, database string) {
		p := shoptest.StartWith(t, storetest.Open(t, database), app.Options{Clock: shoptest.Noon,
			PasswordCost: shoptest.CheapPasswords, Settings: app.Settings{CacheSize: 64 << 20}})
		shop, b := storefrontFor(t, p.URL, shoptest.PaperShop), openBrowser(t)
		opened := func(who, units, unitsInPersian string, screens ...screen) {
			t.Helper()
			for _, language := range []string{"en", "fa"} {
				b.do(t, chromedp.Evaluate(`localStorage.language = '`+language+`'`, nil))
				for _, one := range screens {
					name, words, count := "Paperlane", one.english, units
					if language == "fa" {
						name, words, count = "پیپرلین", one.persian, unitsInPersian
					}
					asked := b.postsOf(t, chromedp.Navigate(shop+one.path), shows(one.selector, words),
						shows(".brand", name), shows(".basket", count))
					want := 1
					if one == checkoutScreen {
						want = 2 // what delivery costs to the address that the first one has read
					}
					if asked != want {
						t.Errorf("%s, %s in %s: got %d requests, want %d", who, one.path, language, asked, want)
					}
				}
			}
		}

		b.do(t, chromedp.Navigate(shop+"/"), shows("main", "New arrivals"))
		moved := b.postsOf(t, chromedp.Click(`a.tile[href="/c/books"]`, chromedp.ByQuery), shows(".list", "Poetry"))
		moved += b.postsOf(t, chromedp.Click(".cards a", chromedp.ByQuery), shows(".product", "Ships within"))
		if moved != 2 {
			t.Errorf("from page to page: got %d requests for two pages, want 2", moved)
		}
		opened("a new visitor", "0", "۰", homeScreen, listScreen, productScreen, emptyCart, signInScreen)

		b.do(t, chromedp.Evaluate(`localStorage.language = 'en'`, nil), chromedp.Navigate(shop+productScreen.path),
			click("button", "Add to cart"), shows(".basket", "1"))
		opened("a guest", "1", "۱", homeScreen, listScreen, productScreen, cartScreen)

		b.do(t, chromedp.Evaluate(`localStorage.language = 'en'`, nil), chromedp.Navigate(shop+"/sign-in"),
			click("button", "Use a password"), click("button", "I am new here"), shows("h1", "Register"),
			chromedp.SetValue("input[name=cellNumber]", "+989125550188", chromedp.ByQuery),
			chromedp.SendKeys("input[name=password]", "correct horse", chromedp.ByQuery),
			chromedp.SendKeys("input[name=firstName]", "Sara", chromedp.ByQuery),
			chromedp.SendKeys("input[name=lastName]", "Karimi", chromedp.ByQuery),
			click("form button", "Register"), shows("main", "No orders yet."))
		opened("a customer", "1", "۱", homeScreen, listScreen, productScreen, cartScreen, checkoutScreen, ordersScreen)
		b.wasQuietOn(t, p, shop)
	})
}

// rests is a script that resolves after a page has had time to send further requests.
const rests = `new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(done, 50)), 50))`

func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// postsOf returns how many POSTs the tab has sent during some steps and a moment afterwards.
func (b *browser) postsOf(t *testing.T, steps ...chromedp.Action) int {
	t.Helper()
	posted := func() int {
		b.mu.Lock()
		defer b.mu.Unlock()
		return len(b.posted)
	}
	before := posted()
	b.do(t, append(steps, chromedp.Evaluate(rests, nil, awaited))...)
	return posted() - before
}
