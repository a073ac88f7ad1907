package browser_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/chromedp/chromedp"

	"storefront/internal/contract/shoptest"
	"storefront/internal/pages"
)

const runButton = ".graphiql-execute-button"

// TestPlaygroundInBrowser uses the playground: it runs an example, opens the schema's documentation, and
// queries its own account with a token.
func TestPlaygroundInBrowser(t *testing.T) {
	examples, err := pages.Examples()
	if err != nil {
		t.Fatal(err)
	}
	shoptest.EachDemo(t, func(t *testing.T, p *shoptest.Place) {
		b := openBrowser(t)
		b.do(t, chromedp.Navigate(p.URL+"/playground"), chromedp.WaitVisible(runButton))
		var titles []string
		for _, example := range examples {
			titles = append(titles, example.Title)
		}
		b.do(t, shows(".graphiql-tab-button", titles...))

		b.do(t, chromedp.Click(runButton), shows(".graphiql-response", "صنعت ماشین", `"businessInfo"`))
		b.picture(t, "home page")
		if _, received := b.heard(); received < 100_000 || received > 1_000_000 {
			t.Errorf("the playground loads %.0f bytes", received)
		}

		b.do(t,
			click("button", "Show Documentation Explorer"),
			click(".graphiql-plugin a", "Query"), click(".graphiql-plugin a", "Tenant"),
			click(".graphiql-plugin a", "product"), click(".graphiql-plugin a", "Product"),
			shows(".graphiql-plugin", "A product of a shop. Customers add one of its variants to the cart."),
		)
		b.picture(t, "documentation")

		b.do(t, chromedp.SendKeys("#token", registeredToken(t, p)), shows(".bar", "12:15"))
		runExample(t, b, "Addresses", "Addresses", `"+989121112233"`, `"addresses": []`)
		b.picture(t, "token")
		if kept := evaluate[string](t, b,
			`JSON.stringify([Object.keys(localStorage), document.cookie])`); kept != `[[],""]` {
			t.Errorf("the page has left %s for other tabs", kept)
		}

		runExample(t, b, "Sign in", "Register", `"accessToken"`)
		b.do(t, click("#use-token", "Use the new token"))
		runExample(t, b, "Addresses", "AddAddress", `"label": "خانه"`)
		runExample(t, b, "Addresses", "Addresses", `"+989121234567"`, `"label": "خانه"`)
		runExample(t, b, "Cart", "AddToCart", `"PL-1576-01"`, `"totalQuantity": 2`)
		runExample(t, b, "Checkout", "Checkout", `"orderNumber"`, `"status": "pending"`)
		runExample(t, b, "Checkout", "Orders", `"total": 1`, `"PL-1576-01"`)
		runExample(t, b, "My listings", "SubmitListing", `"status": "pending"`, `"amount": "12.50"`)
		b.picture(t, "ordered")
		b.wasQuiet(t, p)
	})
}

// runExample opens an example's tab, runs one of its operations and waits for an answer with all the words.
func runExample(t *testing.T, b *browser, tab, operation string, words ...string) {
	t.Helper()
	// GraphiQL reads the operations of a tab a moment after it shows their text.
	read := chromedp.PollFunction(`(operation) => document.querySelector('.graphiql-query-editor `+
		`.CodeMirror').CodeMirror.operations
		?.some(({ name }) => name.value === operation)`, nil, chromedp.WithPollingArgs(operation),
		chromedp.WithPollingTimeout(browserTime))
	// On a busy machine the menu may move away from under a click; then it is opened again.
	run := chromedp.ActionFunc(func(ctx context.Context) (err error) {
		for range 3 {
			short, cancel := context.WithTimeout(ctx, browserTime/4)
			err = chromedp.Tasks{chromedp.Click(runButton),
				chromedp.Click(`//*[@role="menuitem"][.="` + operation + `"]`),
				shows(".graphiql-response", words...)}.Do(short)
			cancel()
			if err == nil {
				break
			}
		}
		return err
	})
	b.do(t, click(".graphiql-tab-button", tab), read, chromedp.WaitVisible(runButton+"[aria-haspopup]"), run)
}

// registeredToken returns the access token of a new customer, made over REST.
func registeredToken(t *testing.T, p *shoptest.Place) string {
	t.Helper()
	got := p.Ask(t, `POST /auth/register {"cellNumber":"+989121112233","password":"correct horse",`+
		`"firstName":"سارا","lastName":"کریمی","domain":"paperlane.example"}`)
	var signedIn struct{ AccessToken string }
	if err := json.Unmarshal(got.Body, &signedIn); err != nil || signedIn.AccessToken == "" {
		t.Fatalf("got %v: %s", err, got.Body)
	}
	return signedIn.AccessToken
}
