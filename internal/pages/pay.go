package pages

import (
	"bytes"
	"context"
	_ "embed"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	g "maragu.dev/gomponents"
	. "maragu.dev/gomponents/html"

	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/locale/language"
	"storefront/internal/locale/money"
	"storefront/internal/platform/convert"
	"storefront/internal/platform/wire"
	"storefront/internal/request"
	"storefront/internal/sale/payment"
)

//go:embed pay.css
var payCSS string

// mostForm is the size of a form that the page of an order sends.
const mostForm = 4 << 10 // bytes

// Pay returns the handler of the pages where orders are paid, and of all that gateways call: payment.Path and below.
// What is below it is in no log. GET of an order's page changes nothing; a POST to it begins a payment.
func Pay(payments *payment.Service, log *slog.Logger) http.Handler {
	p := payPages{payments, log}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+payment.Path+"{code}", p.show)
	mux.HandleFunc("POST "+payment.Path+"{code}", p.begin)
	mux.HandleFunc("GET "+payment.Path+"{code}/{ours}", p.back)
	mux.HandleFunc("POST "+payment.Path+"{code}/{ours}", func(w http.ResponseWriter, r *http.Request) {
		if account, err := uuid.Parse(r.PathValue("ours")); err == nil { // which no reference of ours is
			p.event(w, r, r.PathValue("code"), account)
			return
		}
		p.back(w, r)
	})
	mux.HandleFunc(payment.Path, func(w http.ResponseWriter, r *http.Request) {
		wire.WriteError(w, r, fault.New(fault.NotFound, "there is nothing at this path"))
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("X-Robots-Tag", "noindex, nofollow")
		h.Set("Referrer-Policy", "origin") // a gateway may want to know which shop sends the customer
		mux.ServeHTTP(w, r)
	})
}

type payPages struct {
	payments *payment.Service
	log      *slog.Logger
}

// refuse answers with an error: with a page where a browser asks. One that is not for the customer is logged.
func (p payPages) refuse(w http.ResponseWriter, r *http.Request, err error) {
	p.note(r, err)
	e, reader := transaction.Fault(err), request.Language(r.Context())
	if !strings.Contains(r.Header.Get("Accept"), "text/html") {
		wire.WriteError(w, r, e)
		return
	}
	request.Of(r.Context()).Note.Answers(string(e.Code), 1)
	said, locale := reader.Error(e).Message, string(reader.Language())
	var content bytes.Buffer
	head := g.Group{bothSchemes(), TitleEl(g.Text(said)), Meta(Name("robots"), Content("noindex")),
		StyleEl(g.Raw(payCSS))}
	_ = document(locale, payIn[locale].direction, head, Main(P(Role("alert"), g.Text(said)))).Render(&content)
	h := w.Header()
	h.Set("Content-Security-Policy", policyOf(payCSS, "'none'"))
	h.Set("Content-Type", mediaTypes[".html"])
	reader.Label(h)
	if seconds := e.RetrySeconds(); seconds > 0 {
		h.Set("Retry-After", strconv.Itoa(seconds))
	}
	w.WriteHeader(wire.Status(e.Code))
	_, _ = w.Write(content.Bytes()) // an error is the client's, who has gone
}

func (p payPages) note(r *http.Request, err error) {
	if e := transaction.Fault(err); wire.Failed(e.Code) && e.Code != fault.Unavailable && r.Context().Err() == nil {
		p.log.ErrorContext(r.Context(), "a page of a payment failed", "error", err)
	}
}

func (p payPages) show(w http.ResponseWriter, r *http.Request) {
	shown, err := p.payments.Link(r.Context(), r.PathValue("code"))
	if err != nil {
		p.refuse(w, r, err)
		return
	}
	p.write(w, r, shown, http.StatusOK, "")
}

// write sends the page of an order, with what went wrong.
func (p payPages) write(w http.ResponseWriter, r *http.Request, shown *payment.Link, status int, wrong string) {
	forms := []string{"'self'"}
	for _, way := range shown.Ways {
		forms = append(forms, way.Hosts...)
	}
	h := w.Header()
	slices.Sort(forms)
	h.Set("Content-Security-Policy", policyOf(payCSS, strings.Join(slices.Compact(forms), " ")))
	h.Set("Content-Type", mediaTypes[".html"])
	h.Set("Content-Language", shown.Shop.DefaultLocale)
	var content bytes.Buffer
	if err := payDocument(shown, wrong).Render(&content); err != nil {
		p.refuse(w, r, err)
		return
	}
	w.WriteHeader(status)
	_, _ = w.Write(content.Bytes())
}

func (p payPages) begin(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, mostForm)
	code := r.PathValue("code")
	with, err := uuid.Parse(r.PostFormValue("with"))
	if err != nil {
		with = uuid.Nil // of no way: the page says which there are
	}
	client, _ := netip.ParseAddrPort(r.RemoteAddr)
	redirect, err := p.payments.Begin(r.Context(), client.Addr(), code, with)
	if err == nil {
		http.Redirect(w, r, redirect, http.StatusSeeOther)
		return
	}
	p.note(r, err)
	shown, failure := p.payments.Link(context.WithoutCancel(r.Context()), code)
	if failure != nil {
		p.refuse(w, r, failure)
		return
	}
	e := transaction.Fault(err)
	if seconds := e.RetrySeconds(); seconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(seconds))
	}
	request.Of(r.Context()).Note.Answers(string(e.Code), 1)
	p.write(w, r, shown, wire.Status(e.Code), e.In(language.Language(shown.Shop.DefaultLocale).Say).Message)
}

func (p payPages) back(w http.ResponseWriter, r *http.Request) {
	code := r.PathValue("code")
	redirect, err := p.payments.Return(r, code, r.PathValue("ours"))
	if err != nil {
		p.refuse(w, r, err)
		return
	}
	if redirect == "" {
		redirect = payment.Path + code
	}
	http.Redirect(w, r, redirect, http.StatusSeeOther)
}

// event takes a call of a gateway about an account. Any answer but 200 has the gateway repeat it.
func (p payPages) event(w http.ResponseWriter, r *http.Request, gateway string, account uuid.UUID) {
	body, err := wire.ReadJSON(w, r)
	if err == nil {
		err = p.payments.Event(r.Context(), gateway, account, r.Header, body)
	}
	if err != nil {
		p.refuse(w, r, err)
	}
}

type payWords struct {
	direction, order, back, test, small, begin string
	states                                     map[payment.State]string
}

var payIn = map[string]payWords{
	"en": {
		direction: "ltr", order: "Order", back: "Back to the shop", begin: "Pay with %s",
		test: "This is a test: no real money is paid.", small: " (a test, without real money)",
		states: map[payment.State]string{
			payment.Paid:    "The order is paid. Thank you.",
			payment.Waiting: "The payment gateway has not confirmed the payment yet. This page asks again by itself.",
			payment.NotPaid: "The order is not paid yet.",
		},
	},
	"fa": {
		direction: "rtl", order: "سفارش", back: "بازگشت به فروشگاه", begin: "پرداخت با %s",
		test:  "این پرداخت آزمایشی است: پولی جابه‌جا نمی‌شود.",
		small: " (آزمایشی، بدون پول واقعی)",
		states: map[payment.State]string{
			payment.Paid: "سفارش پرداخت شد. سپاس از شما.",
			payment.Waiting: "درگاه هنوز پرداخت را تأیید نکرده است. " +
				"این صفحه خودش دوباره می‌پرسد.",
			payment.NotPaid: "سفارش هنوز پرداخت نشده است.",
		},
	},
}

func payDocument(shown *payment.Link, wrong string) g.Node {
	locale := shown.Shop.DefaultLocale
	words, say := payIn[locale], language.Language(locale).Say
	name, total := shown.Shop.Name, money.Words(shown.Total).String()
	if locale == "fa" {
		name, total = shown.Shop.NameFa, money.Words(shown.Total).Farsi()
	}
	buttons := convert.All(shown.Ways, func(way payment.Way) g.Node {
		return Button(Type("submit"), Name("with"), Value(way.Account.ID.String()),
			g.Textf(words.begin, say(way.Title)),
			g.If(way.Account.IsTest && !shown.IsTest, Small(g.Text(words.small))))
	})
	state := words.states[shown.State]
	if len(buttons) == 0 && shown.State == payment.NotPaid {
		state = say(shown.Reason)
	}
	return document(locale, words.direction,
		g.Group{
			bothSchemes(),
			TitleEl(g.Text(name + " · " + words.order + " " + shown.Number)),
			Meta(Name("robots"), Content("noindex")),
			g.If(shown.State == payment.Waiting, Meta(g.Attr("http-equiv", "refresh"), Content("10"))),
			StyleEl(g.Raw(payCSS)),
		},
		Main(
			g.If(shown.IsTest, P(Class("test"), g.Text(words.test))),
			H1(g.Text(name)),
			P(g.Text(words.order+" "), bdi(g.Text(shown.Number))),
			Strong(g.Text(total)),
			P(Role("status"), g.Text(state)),
			g.If(wrong != "", P(Role("alert"), g.Text(wrong))),
			g.If(len(buttons) > 0, Form(Method("post"), g.Group(buttons))),
			g.If(shown.Back != "", P(anchor(shown.Back, words.back))),
		),
	)
}
