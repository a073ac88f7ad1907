package standin

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

type zibal struct{}

// Zibal opens the stand-in of gateway.zibal.ir, with the sandbox's merchant "zibal".
func Zibal(o Options) (*Gateway, error) {
	g, err := open(zibal{}, o)
	if err == nil && g.accounts["zibal"] == nil {
		_, err = g.Do(Command{Do: "account", Account: &Account{ID: "zibal"}})
	}
	return g, err
}

func (zibal) name() string { return "zibal" }

func (z zibal) route(g *Gateway) {
	g.mux.HandleFunc("POST /v1/request", g.serve("request", func(c *call) answer { return z.request(g, c) }))
	g.mux.HandleFunc("POST /v1/verify", g.serve("verify", func(c *call) answer { return z.verify(g, c) }))
	g.mux.HandleFunc("POST /v1/inquiry", g.serve("inquiry", func(c *call) answer { return z.inquiry(g, c) }))
	g.buyer("/start/{id}")
	g.buyer("/start/{id}/direct")
}

func (zibal) cells() (operations []string, own []Cell) {
	own = append(refusals("request", "102", "103", "105", "113", "115"), refusals("verify", "103")...)
	return []string{"request", "verify", "inquiry"}, append(own, Cell{"verify", "verified", "before", ""},
		Cell{"verify", "reference", "after", ""}, Cell{"inquiry", "reference", "after", ""},
		Cell{"request", "redirect", "after", ""}, Cell{"pay", "amount", "before", ""})
}

func (zibal) events(*Session, string, string) []event { return nil }

func (z zibal) admit(g *Gateway, c *call) *answer {
	in, err := numbers(c.body)
	if err != nil {
		a := z.refuse("104", 0)
		return &a
	}
	c.in, c.account = in, g.accounts[text(in, "merchant")]
	return nil
}

func (zibal) refuse(code string, status int) answer {
	result, _ := strconv.Atoi(code)
	return reply(cmp.Or(status, http.StatusOK), object{"result": result, "message": "refused: " + code})
}

func (z zibal) request(g *Gateway, c *call) answer {
	amount, isWhole := whole(c.in, "amount")
	callback := text(c.in, "callbackUrl")
	switch {
	case c.account == nil:
		return z.refuse("102", 0)
	case c.account.Closed:
		return z.refuse("103", 0)
	case !isWhole || amount <= 1000:
		return z.refuse("105", 0)
	case c.account.Most > 0 && amount > c.account.Most:
		return z.refuse("113", 0)
	case callback == "":
		return z.refuse("140", 0)
	case !allowed(callback, c.account):
		return z.refuse("106", 0)
	}
	track := 15966442233311 + 7919*int64(len(g.lines))
	s := &Session{ID: strconv.FormatInt(track, 10), Account: c.account.ID, Reference: text(c.in, "orderId"),
		Currency: "IRR", Amount: amount, Callback: callback}
	g.begin(s)
	if c.fault.Kind == "redirect" {
		return reply(http.StatusOK, object{"result": 100, "trackId": "1@elsewhere.example/", "message": "success"})
	}
	return reply(http.StatusOK, object{"result": 100, "trackId": track, "message": "success"})
}

// allowed reports whether a callback is an address on the account's domain.
func allowed(callback string, a *Account) bool {
	u, err := url.Parse(callback)
	return err == nil && strings.HasPrefix(u.Scheme, "http") && u.Host != "" &&
		(a.Domain == "" || u.Hostname() == a.Domain)
}

// session returns the merchant's session; those of other merchants are unknown.
func (zibal) session(g *Gateway, c *call) *Session {
	if s := g.sessions[text(c.in, "trackId")]; s != nil && c.account != nil && s.Account == c.account.ID {
		return s
	}
	return nil
}

func (z zibal) verify(g *Gateway, c *call) answer {
	s := z.session(g, c)
	switch {
	case c.account == nil:
		return z.refuse("102", 0)
	case s == nil:
		return z.refuse("203", 0)
	case s.State == verified, s.State == refunding, s.State == refunded:
		return reply(http.StatusOK, object{"result": 201, "message": "verified before", "status": z.status(s)})
	case s.State != paid:
		return z.refuse("202", 0)
	}
	g.verify(s)
	if c.fault.Kind == "verified" {
		return reply(http.StatusOK, object{"result": 201, "message": "verified before", "status": 1})
	}
	return reply(http.StatusOK, z.view(s, c.fault))
}

func (z zibal) inquiry(g *Gateway, c *call) answer {
	s := z.session(g, c)
	switch {
	case c.account == nil:
		return z.refuse("102", 0)
	case s == nil:
		return z.refuse("203", 0)
	}
	view := z.view(s, c.fault)
	view["createdAt"], view["verifiedAt"], view["wage"] = tehran(s.Began), tehran(s.VerifiedAt), 0
	return reply(http.StatusOK, view)
}

func (z zibal) view(s *Session, f Fault) object {
	amount, reference := s.Amount, s.Reference
	if s.Paid > 0 {
		amount = s.Paid
	}
	if f.Kind == "reference" {
		reference = "of-another-order"
	}
	var refNumber any // of three types, all of which are seen
	switch number := 9_876_543_210 + s.Number; s.Number % 3 {
	case 0:
		refNumber = number
	case 1:
		refNumber = strconv.FormatInt(number, 10)
	}
	return object{"result": 100, "message": "success", "status": z.status(s), "amount": amount,
		"paidAt": tehran(s.PaidAt), "refNumber": refNumber, "description": nil, "cardNumber": masked(s.Card, 5),
		"orderId": reference}
}

// tehran returns a time as Iran's gateways write it: without a zone; null for one that has not come.
func tehran(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return at.In(time.FixedZone("", 12600)).Format("2006-01-02T15:04:05.000000")
}

// masked returns the first digits of a card and its last.
func masked(card string, first int) string {
	if len(card) < 12 {
		return ""
	}
	return card[:first] + strings.Repeat("*", len(card)-first-4) + card[len(card)-4:]
}

func (zibal) status(s *Session) int {
	return map[string]int{waiting: -1, verified: 1, paid: 2, cancelled: 3, badCard: 4, poor: 5, refunded: 15,
		refunding: 16, givenBack: 18, reversed: 18}[s.State]
}

func (z zibal) back(s *Session, id string) string {
	success := "0"
	if s.State == paid || s.State == verified {
		success = "1"
	}
	return with(s.Callback, url.Values{"trackId": {id}, "success": {success},
		"status": {strconv.Itoa(z.status(s))}, "orderId": {s.Reference}})
}

// with adds a query to an address.
func with(address string, query url.Values) string {
	if strings.Contains(address, "?") {
		return address + "&" + query.Encode()
	}
	return address + "?" + query.Encode()
}
