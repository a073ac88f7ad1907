package browser_test

import (
	"fmt"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"storefront/internal/app"
	"storefront/internal/content/bundle"
	"storefront/internal/contract/shoptest"
	"storefront/internal/database/store"
	"storefront/internal/database/store/storetest"
)

// payingWords are what the example storefront and the demo's gateway say to a customer who pays.
var payingWords = map[string]map[string]string{
	"en": {"switch": "English", "add": "Add to cart", "one": "1", "by password": "Use a password",
		"cell": "Cell number", "password": "Password", "sign in": "Sign in", "delivery": "Delivery",
		"province": "Province", "city": "City", "address": "Address", "in province": "Tehran", "in city": "Tehran",
		"post": "Post", "courier": "Courier", "there": "Not to this address", "$5": "$5.00", "$12": "$12.00",
		"with post": "$21.49", "with courier": "$28.49", "then": "$29.49", "gateway": "Payment gateway",
		"place": "Place the order", "changed": "the order comes to",
		"bank": "Payment gateway of this demo", "cancel": "Cancel", "pay": "Pay", "unpaid": "Not paid yet",
		"pay now": "Pay now", "paid": "Paid", "by courier": "Courier", "tax": "VAT", "days": "1–2 days"},
	"fa": {"switch": "فارسی", "add": "افزودن به سبد", "one": "۱",
		"by password": "ورود با گذرواژه", "cell": "شمارهٔ همراه", "password": "گذرواژه",
		"sign in": "ورود", "delivery": "تحویل", "province": "استان", "city": "شهر",
		"address": "نشانی", "in province": "تهران", "in city": "تهران", "post": "پست",
		"courier": "پیک", "there": "به این نشانی نمی‌رسد", "$5": "۵٫۰۰", "$12": "۱۲٫۰۰",
		"with post": "۲۱٫۴۹", "with courier": "۲۸٫۴۹", "then": "۲۹٫۴۹",
		"gateway": "درگاه پرداخت", "place": "ثبت نهایی", "changed": "مبلغ",
		"bank": "درگاه پرداخت این نمایش", "cancel": "انصراف", "pay": "پرداخت",
		"unpaid": "هنوز پرداخت نشده است", "pay now": "پرداخت", "paid": "پرداخت شد",
		"by courier": "پیک", "tax": "مالیات", "days": "۱–۲ روز"},
}

// delivers gives the book shop three delivery methods, one of which is not for Tehran, and a tax.
func delivers(t *testing.T, s *store.Store, courier string) {
	t.Helper()
	_, err := bundle.Import(t.Context(), s, bundle.Bytes([]byte(`{"format":"storefront-bundle/1","tenant":{"domain":"`+
		shoptest.PaperShop+`"},"deliveryMethods":[
		{"key":"post","name":"Post","nameFa":"پست","kind":"flat","priceCurrency":"USD","price":5},
		{"key":"courier","name":"Courier","nameFa":"پیک","kind":"flat","priceCurrency":"USD","price":`+courier+`,
			"daysFrom":1,"daysTo":2,"position":1},
		{"key":"local","name":"Rider","nameFa":"دوچرخه","kind":"flat","priceCurrency":"USD","price":2,
			"provinces":["alborz"],"position":2}],
		"taxRates":[{"key":"vat","category":"standard","name":"VAT","nameFa":"مالیات","rate":100000}]}`)), nil)
	if err != nil {
		t.Fatal(err)
	}
}

// TestStorefrontPaysInBrowser orders in the example storefront with a delivery method whose price changes meanwhile,
// leaves the demo's gateway without paying, and pays later, in both languages.
func TestStorefrontPaysInBrowser(t *testing.T) {
	t.Parallel()
	axe := axeScript(t)
	shoptest.DemoShops.Each(t, func(t *testing.T, database string) {
		s, clock := storetest.Open(t, database), shoptest.NewClock()
		server := httptest.NewUnstartedServer(nil)
		service, err := app.New(s, slog.New(slog.DiscardHandler), app.Options{Clock: clock.Now,
			PasswordCost: shoptest.CheapPasswords, Shops: []string{shoptest.PaperShop}, Settings: app.Settings{
				CacheSize: 64 << 20, PublicURL: "http://" + server.Listener.Addr().String()}})
		if err == nil {
			err = service.OpenDemoGateways(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		server.Config.Handler = service
		server.Start()
		t.Cleanup(server.Close)
		p := &shoptest.Place{URL: server.URL, Store: s}
		shop := storefrontFor(t, p.URL, shoptest.PaperShop)
		for n, language := range []string{"en", "fa"} {
			cell := fmt.Sprintf("+98912555020%d", n)
			shoptest.WantStatus(t, p.Send(t, "POST", "/auth/register",
				shoptest.Registering(cell, shoptest.GoodPassword, shoptest.PaperShop)), 201)
			delivers(t, s, "12")
			b, w := openBrowser(t), payingWords[language]
			b.do(t, chromedp.Navigate(shop+"/p/letters-from-shiraz"), shows("main", "Letters from Shiraz"))
			if language == "fa" {
				b.do(t, click("button", w["switch"]), shows("main", w["add"]),
					network.SetExtraHTTPHeaders(network.Headers{"Accept-Language": language}))
			}
			b.do(t, click("button", w["add"]), shows(".basket", w["one"]),
				chromedp.Navigate(shop+"/sign-in?to=%2Fcheckout"), click("button", w["by password"]),
				fill(w["cell"], cell), fill(w["password"], shoptest.GoodPassword),
				click("form button", w["sign in"]), shows("h1", w["delivery"]),
				fill(w["province"], w["in province"]), fill(w["city"], w["in city"]),
				fill(w["address"], "7 Enghelab"), shows(".choices", w["post"], w["$5"], w["courier"], w["$12"],
					w["days"], w["there"]), shows(".total", w["tax"], w["with post"]))
			b.looks(t, axe, "checkout-"+language)
			b.do(t, chromedp.Click(`//label[contains(., "`+w["courier"]+`")]/input`, chromedp.BySearch),
				shows(".total", w["with courier"]),
				chromedp.Click(`//label[contains(., "`+w["gateway"]+`")]/input`, chromedp.BySearch))
			delivers(t, s, "13")
			b.do(t, click("form button", w["place"]), shows("[role=alert]", w["changed"]), shows(".total", w["then"]),
				click("form button", w["place"]), shows("main > form", "Pay"),
				chromedp.Click("main > form button", chromedp.ByQuery), shows("h1", w["bank"]),
				click("button", w["cancel"]), shows(".cart", w["unpaid"], w["then"], w["by courier"], w["tax"]))
			b.looks(t, axe, "unpaid-"+language)
			if at := evaluate[string](t, b, `location.search`); !strings.Contains(at, "state=notPaid") {
				t.Errorf("came back with %s", at)
			}
			clock.Pass(10 * time.Second) // a gateway is asked once in five seconds
			b.do(t, click(".cart button", w["pay now"]), shows("main > form", "Pay"),
				chromedp.Click("main > form button", chromedp.ByQuery), shows("h1", w["bank"]),
				click("button", w["pay"]), shows(".cart", w["paid"], w["then"]), gone(".cart .button"))
			b.looks(t, axe, "paid-"+language)
			b.wasQuietOn(t, p, shop)
		}
	})
}
