package browser_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"storefront/internal/app"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store/storetest"
	"storefront/rest"
)

// TestDocsInBrowser reads the documentation of the routes in a browser and tries routes from it.
func TestDocsInBrowser(t *testing.T) {
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		b := openBrowser(t)
		b.do(t, chromedp.Navigate(p.URL+"/docs"), shows("#routes", "Storefront API"))
		var want []string
		for _, route := range rest.Routes {
			want = append(want, route.Method+" "+route.Path)
		}
		got := evaluate[[]string](t, b, `[...document.querySelectorAll('.operation > summary')].map((s) => `+
			`s.querySelector('.method').innerText + ' ' + s.querySelector('.path').innerText)`)
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("it shows the routes %q, want %q", got, want)
		}
		b.picture(t, "routes")

		b.do(t, chromedp.Navigate(p.URL+"/docs#createExpertReview"),
			shows("#createExpertReview .inside", "domain", "productId", "rate", "1 to 10", "positivePoints",
				"1 to 200 characters", "VALIDATION_FAILED", "UNSUPPORTED_MEDIA_TYPE"),
			click("#createExpertReview .answer > summary", "400\nBAD_REQUEST\nVALIDATION_FAILED"),
			shows("#createExpertReview .answer", "BAD_REQUEST or VALIDATION_FAILED", "requestId"))
		b.picture(t, "review")

		b.do(t, chromedp.SendKeys("#search", "promoted condition"),
			chromedp.WaitNotVisible("#products"), chromedp.WaitVisible("#userProducts"),
			click("#userProducts .path", "/tenants/{domain}/user-products"),
			chromedp.SetValue("#userProducts select[name=condition]", "stock", chromedp.ByQuery),
			click("#userProducts .send button", "Send"),
			shows("#userProducts .output", "200", `"condition": "stock"`, `"countryNameFa": "ایران"`),
			chromedp.ScrollIntoView("#userProducts .output"))
		b.picture(t, "tried")

		b.do(t, chromedp.Navigate(p.URL+"/docs#addresses"),
			chromedp.SendKeys("#addresses input[data-key]", registeredToken(t, p)),
			click("#addresses .send button", "Send"), shows("#addresses .output", "200", `"items": []`))

		b.do(t, chromedp.EmulateViewport(390, 844), chromedp.Click("#theme"),
			chromedp.Evaluate(`location.hash = 'register'`, nil),
			shows("#register .inside", "acknowledgeExistingAccount", "CELL_EXISTS_OTHER_SITE"))
		b.picture(t, "phone, dark")
		if body := evaluate[string](t, b, `document.querySelector('#register textarea').value`); !strings.Contains(
			body, `"domain": "paperlane.example"`) {
			t.Errorf("the body to try is not the document's example: %s", body)
		}
		if wider := evaluate[int](t, b, `document.documentElement.scrollWidth - innerWidth`); wider > 0 {
			t.Errorf("on a phone the page is %d pixels too wide", wider)
		}
		b.wasQuiet(t, p)
	})
}

// TestPagesWithAxeInBrowser has axe-core look for what hinders people with disabilities, on the first page, in the
// guides and in the documentation, light and dark, with an operation open.
func TestPagesWithAxeInBrowser(t *testing.T) {
	axe := axeScript(t)
	shoptest.EachCopy(t, shoptest.WireShops, func(t *testing.T, p *shoptest.Place) {
		b := openBrowser(t)
		for _, scheme := range []string{"light", "dark"} {
			b.do(t, emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{
				{Name: "prefers-color-scheme", Value: scheme},
			}))
			for _, page := range []struct{ path, shows string }{{"/", "REST reference"},
				{"/docs#checkout", "shippingAddress"}, {"/guides?q=cart", "Guests and their carts"},
				{"/guides/storefronts", "REST or GraphQL"}} {
				var found []string
				b.do(t, chromedp.Navigate(p.URL+page.path), shows("main", page.shows),
					chromedp.Evaluate(axe, nil),
					chromedp.Evaluate(`axe.run().then(({ violations }) => violations
						.filter(({ impact }) => ['serious', 'critical'].includes(impact))
						.map(({ id, help, nodes }) => id + ': ' + help + ': ' + `+
						`nodes.slice(0, 3).map(({ html }) => html).join(' ')))`,
						&found, func(p *runtime.EvaluateParams) *runtime.EvaluateParams {
							return p.WithAwaitPromise(true)
						}))
				for _, violation := range found {
					t.Errorf("%s, %s: %s", page.path, scheme, violation)
				}
			}
		}
		b.wasQuiet(t, p)
	})
}

// TestPagesBelowAPrefixInBrowser uses the pages through a reverse proxy that serves the service below a path.
func TestPagesBelowAPrefixInBrowser(t *testing.T) {
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		service, err := url.Parse(p.URL)
		if err != nil {
			t.Fatal(err)
		}
		proxy := httptest.NewServer(http.StripPrefix("/shop-api", httputil.NewSingleHostReverseProxy(service)))
		t.Cleanup(proxy.Close)
		outside := &shoptest.Place{URL: proxy.URL}
		b := openBrowser(t)
		b.do(t, chromedp.Navigate(proxy.URL+"/shop-api/"), shows("main", "REST reference"))
		staff := evaluate[string](t, b, `document.querySelector('main a[href=staff]').href`)
		docs := evaluate[string](t, b, `document.querySelector('main a[href=docs]').href`)
		b.do(t, chromedp.Navigate(staff), shows("main", "Sign in"), chromedp.Navigate(docs),
			shows("#routes", "below /shop-api/api/v1"),
			chromedp.SendKeys("#search", "brand-groups"+kb.Enter), shows("#brandGroups[open] .inside", "Public"),
			click("#brandGroups .send button", "Send"), shows("#brandGroups .output", "200", "items"),
			shows("#brandGroups .curl", "/shop-api/api/v1/tenants/"))
		b.picture(t, "documentation")
		b.do(t, chromedp.EmulateViewport(390, 844), chromedp.Navigate(proxy.URL+"/shop-api/playground/"),
			chromedp.WaitVisible(runButton), chromedp.Click(runButton), shows(".graphiql-response", "صنعت ماشین"))
		b.picture(t, "playground on a phone")
		size := evaluate[[]float64](t, b, `(({ width, height }) => [width, height])(
			document.querySelector('.graphiql-response').getBoundingClientRect())`)
		if size[0] < 300 || size[1] < 200 {
			t.Errorf("on a phone the answer has %v pixels", size)
		}
		heights := evaluate[[]float64](t, b, `['.graphiql-query-editor .CodeMirror',
			'.graphiql-editor-tool .CodeMirror', '.graphiql-sidebar'].map((part) =>
			document.querySelector(part).getBoundingClientRect().height)`)
		if heights[0] < 250 || heights[1] < 100 || heights[2] > 60 {
			t.Errorf("on a phone query, variables and buttons are %v pixels high", heights)
		}
		// without Escape the editor inserts a tab
		b.do(t, chromedp.Click(".graphiql-query-editor .CodeMirror-line"), chromedp.KeyEvent(kb.Escape),
			chromedp.KeyEvent(kb.Tab))
		if in := evaluate[bool](t, b, `!!document.activeElement.closest('.CodeMirror')`); in {
			t.Error("Escape and Tab do not leave the editor")
		}
		b.wasQuiet(t, outside)
	})
}

// TestDocsFindAndRefuseInBrowser checks that the forms look up the ids they need, and send nothing without them.
func TestDocsFindAndRefuseInBrowser(t *testing.T) {
	shoptest.DemoShops.Each(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url)
		in := shoptest.WithCustomers(t, s.Client)
		service, err := app.New(s, slog.New(slog.DiscardHandler), app.Options{})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(service)
		defer server.Close()
		p := &shoptest.Place{URL: server.URL, Store: s}
		token := p.Ask(t, `POST /auth/login {"cellNumber":"`+in.Cell+`","password":"`+in.Password+`"}`).
			Text(t, "accessToken")

		b := openBrowser(t)
		b.do(t, chromedp.Navigate(p.URL+"/docs#storeVariant"), shows("#storeVariant .inside", "variantId"),
			click("#storeVariant .send button", "Send"))
		if sent := evaluate[bool](t, b, `document.querySelector('#storeVariant form').checkValidity()
			|| document.querySelector('#storeVariant .output').innerText !== ''`); sent {
			t.Error("a form is sent without an id")
		}
		b.do(t, chromedp.Evaluate(`sessionStorage.setItem('storefront.token', '`+token+`')`, nil),
			click("#storeVariant .find", "find one"), filled("#storeVariant input[name=variantId]"),
			click("#storeVariant .send button", "Send"), shows("#storeVariant .output", "200", `"sku"`))
		for operation, last := range map[string]string{"order": "orderId", "updateCartItem": "itemId",
			"products": "brandId"} {
			b.do(t, chromedp.Evaluate(`location.hash = '`+operation+`'`, nil), shows("#"+operation+" .inside", last))
			names := evaluate[[]string](t, b, `[...document.querySelectorAll('#`+operation+
				` .field:has(.find) input')].map((i) => i.name)`)
			if !slices.Contains(names, last) {
				t.Errorf("%s: values are found for %q alone", operation, names)
			}
			for _, name := range names {
				field := "#" + operation + " input[name=" + name + "]"
				b.do(t, chromedp.Evaluate(`document.querySelector('`+field+
					`').parentElement.querySelector('.find').click()`, nil),
					filled(field))
			}
			b.do(t, click("#"+operation+" .send button", "Send"), shows("#"+operation+" .output", "200"))
		}
		b.wasQuiet(t, p)
	})
}

// filled waits until a field has a value.
func filled(selector string) chromedp.Action {
	return chromedp.PollFunction(`(selector) => document.querySelector(selector).value !== ''`, nil,
		chromedp.WithPollingArgs(selector), chromedp.WithPollingTimeout(browserTime))
}
