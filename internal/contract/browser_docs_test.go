package contract_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"storefront/rest"
)

// TestDocsInBrowser reads the documentation of the routes in a browser and tries routes from it.
func TestDocsInBrowser(t *testing.T) {
	eachDemo(t, func(t *testing.T, p *place) {
		b := openBrowser(t)
		b.do(t, chromedp.Navigate(p.url+"/docs"), shows("#routes", "Storefront API"))
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

		b.do(t, chromedp.Navigate(p.url+"/docs#createExpertReview"),
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

		b.do(t, chromedp.Navigate(p.url+"/docs#addresses"),
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
