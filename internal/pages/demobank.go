package pages

import (
	"bytes"
	"net/http"
	"strings"

	g "maragu.dev/gomponents"
	. "maragu.dev/gomponents/html"

	"storefront/internal/fault"
	"storefront/internal/locale/language"
	"storefront/internal/platform/wire"
	"storefront/internal/sale/gateway"
	"storefront/internal/sale/payment"
)

// DemoBankPath is where the page of a demo's payment gateway is, which stands below the page of each try.
const DemoBankPath = payment.Path + "{code}/{ours}" + gateway.DemoPage

type bankWords struct{ direction, title, lead, pay, cancel string }

var bankIn = map[language.Language]bankWords{
	language.English: {"ltr", "Payment gateway of this demo",
		"Nothing is paid here: choose how a payment ends.", "Pay", "Cancel"},
	language.Farsi: {"rtl", "درگاه پرداخت این نمایش",
		"اینجا پولی پرداخت نمی‌شود: پایان پرداخت را برگزینید.",
		"پرداخت", "انصراف"},
}

// DemoBank returns the handler of DemoBankPath: a page with two buttons, which send the customer back.
func DemoBank(demo *gateway.Demo) http.Handler {
	policy := policyOf(payCSS, "*") // browsers hold the redirects of a form to it, and the last leads to a storefront
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("X-Robots-Tag", "noindex, nofollow")
		if r.Method == http.MethodPost {
			r.Body = http.MaxBytesReader(w, r.Body, mostForm)
			if !demo.Choose(r.PathValue("ours"), r.PostFormValue("do") == "pay") {
				wire.WriteError(w, r, fault.New(fault.Conflict, "this payment has ended; begin another one"))
				return
			}
			http.Redirect(w, r, strings.TrimSuffix(r.URL.Path, gateway.DemoPage), http.StatusSeeOther)
			return
		}
		if !reads(w, r) {
			return
		}
		spoken := speak(h, r, policy)
		words := bankIn[spoken]
		var content bytes.Buffer
		err := document(string(spoken), words.direction,
			g.Group{bothSchemes(), TitleEl(g.Text(words.title)), StyleEl(g.Raw(payCSS))},
			Main(
				H1(g.Text(words.title)),
				P(Class("test"), g.Text(words.lead)),
				Form(Method("post"),
					Button(Type("submit"), Name("do"), Value("pay"), g.Text(words.pay)),
					Button(Type("submit"), Name("do"), Value("cancel"), g.Text(words.cancel)),
				),
			),
		).Render(&content)
		sendFresh(w, r, content.Bytes(), err)
	})
}
