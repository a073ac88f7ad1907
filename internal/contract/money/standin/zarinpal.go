package standin

import (
	"cmp"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

type zarinpal struct{}

// Zarinpal opens the stand-in of payment.zarinpal.com. Refunds, which are of another API, are made in the panel.
func Zarinpal(o Options) (*Gateway, error) { return open(zarinpal{}, o) }

func (zarinpal) name() string { return "zarinpal" }

func (z zarinpal) route(g *Gateway) {
	for name, effect := range map[string]func(*Gateway, *call) answer{"request": z.request, "verify": z.verify,
		"inquiry": z.inquiry, "unVerified": z.unverified, "reverse": z.reverse} {
		g.mux.HandleFunc("POST /pg/v4/payment/"+name+".json",
			g.serve(name, func(c *call) answer { return effect(g, c) }))
	}
	g.buyer("/pg/StartPay/{id}")
}

func (zarinpal) cells() (operations []string, own []Cell) {
	own = append(refusals("request", "-9", "-10", "-11", "-12", "-14", "-15", "-41"),
		refusals("verify", "-10", "-52")...)
	return []string{"request", "verify", "inquiry", "unVerified", "reverse"}, append(own,
		Cell{"verify", "verified", "before", ""}, Cell{"verify", "numbers", "after", ""},
		Cell{"request", "numbers", "after", ""}, Cell{"request", "redirect", "after", ""},
		Cell{"pay", "amount", "before", ""})
}

func (zarinpal) events(*Session, string, string) []event { return nil }

var isUUID = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

func (z zarinpal) admit(g *Gateway, c *call) *answer {
	in, err := numbers(c.body)
	merchant := text(in, "merchant_id")
	c.in, c.account = in, g.accounts[merchant]
	var a answer
	switch {
	case err != nil:
		a = z.invalid("body", "the body is not a JSON object")
	case !isUUID.MatchString(merchant):
		a = z.invalid("merchant_id", "the merchant id must be 36 characters")
	case c.account == nil:
		a = z.refuse("-10", 0)
	case c.account.Closed:
		a = z.refuse("-11", 0)
	default:
		return nil
	}
	return &a
}

// refuse answers under HTTP 200 from -50 on, and with 422 before.
func (zarinpal) refuse(code string, status int) answer {
	n, _ := strconv.Atoi(code)
	if status == 0 && n > -50 {
		status = http.StatusUnprocessableEntity
	}
	failure := object{"code": n, "message": "refused: " + code, "validations": []any{}}
	if n == -9 {
		failure["validations"] = []object{{"amount": "the amount is invalid"}}
	}
	return reply(cmp.Or(status, http.StatusOK), object{"data": []any{}, "errors": failure})
}

func (zarinpal) invalid(member, why string) answer {
	return reply(http.StatusUnprocessableEntity, object{"data": object{}, "errors": object{"code": -9,
		"message": "The input params invalid, validation error.", "validations": []object{{member: why}}}})
}

func accepted(data any) answer { return reply(http.StatusOK, object{"data": data, "errors": []any{}}) }

// number returns a code as the documentation writes it: mostly a number, sometimes a text.
func (c *call) number(code int) any {
	if c.fault.Kind == "numbers" {
		return strconv.Itoa(code)
	}
	return code
}

func (z zarinpal) request(g *Gateway, c *call) answer {
	amount, isWhole := whole(c.in, "amount")
	currency := cmp.Or(text(c.in, "currency"), "IRR")
	rial := amount
	if currency == "IRT" {
		rial *= 10
	}
	description, callback := text(c.in, "description"), text(c.in, "callback_url")
	switch {
	case !isWhole || rial < 1000:
		return z.invalid("amount", "the amount must be an integer of at least 1000 rial")
	case currency != "IRR" && currency != "IRT":
		return z.invalid("currency", "the currency must be IRR or IRT")
	case description == "" || utf8.RuneCountInString(description) > 500:
		return z.invalid("description", "the description must have 1 to 500 characters")
	case !allowed(callback, &Account{}):
		return z.invalid("callback_url", "the callback is not an address")
	case !allowed(callback, c.account):
		return z.refuse("-14", 0)
	case rial > 1_000_000_000:
		return z.refuse("-41", 0)
	}
	metadata, _ := c.in["metadata"].(object)
	auto, says := metadata["auto_verify"].(bool)
	prefix := "A"
	if c.account.Test {
		prefix = "S"
	}
	s := &Session{ID: prefix + g.id(35), Account: c.account.ID, Reference: text(metadata, "order_id"),
		Currency: currency, Amount: amount, Callback: callback, Auto: auto || !says && c.account.AutoVerify}
	g.begin(s)
	authority := s.ID
	if c.fault.Kind == "redirect" {
		authority = "../../elsewhere.example/" + s.ID[24:]
	}
	return accepted(object{"code": c.number(100), "message": "Success", "authority": authority,
		"fee_type": "Merchant", "fee": 100})
}

// session returns the merchant's session, or why it is refused.
func (z zarinpal) session(g *Gateway, c *call) (*Session, *answer) {
	s := g.sessions[text(c.in, "authority")]
	if s != nil && s.Account == c.account.ID {
		return s, nil
	}
	a := z.refuse("-54", 0)
	if s != nil {
		a = z.refuse("-53", 0)
	}
	return nil, &a
}

func (z zarinpal) verify(g *Gateway, c *call) answer {
	s, refused := z.session(g, c)
	amount, isWhole := whole(c.in, "amount")
	switch {
	case refused != nil:
		return *refused
	case !isWhole:
		return z.invalid("amount", "the amount must be an integer")
	case s.State != paid && s.State != verified:
		return z.refuse("-51", 0)
	case amount != s.Amount || s.Paid != s.Amount:
		return z.refuse("-50", 0)
	}
	code := 101
	if s.State == paid {
		g.verify(s)
		if c.fault.Kind != "verified" {
			code = 100
		}
	}
	var reference any = 10_000_000_000 + s.Number
	if c.fault.Kind == "numbers" {
		reference = strconv.FormatInt(10_000_000_000+s.Number, 10)
	}
	return accepted(object{"code": c.number(code), "message": "Verified", "card_hash": strings.Repeat("1EBE", 16),
		"card_pan": masked(s.Card, 6), "ref_id": reference, "fee_type": "Merchant", "fee": 0})
}

func (z zarinpal) inquiry(g *Gateway, c *call) answer {
	s, refused := z.session(g, c)
	if refused != nil {
		return *refused
	}
	status := map[string]string{waiting: "IN_BANK", paid: "PAID", verified: "VERIFIED", disputed: "VERIFIED",
		givenBack: "REVERSED", reversed: "REVERSED"}[s.State]
	if status == "" || status == "IN_BANK" && s.Ended {
		status = "FAILED" // also while the buyer may try again
	}
	return accepted(object{"code": 100, "message": "Success", "status": status})
}

func (z zarinpal) unverified(g *Gateway, c *call) answer {
	all := []object{}
	for _, s := range slices.Backward(g.order) {
		if s.Account == c.account.ID && s.State == paid && len(all) < 100 {
			all = append(all, object{"authority": s.ID, "amount": s.Amount, "callback_url": s.Callback,
				"referer": "", "date": s.PaidAt.In(time.FixedZone("", 12600)).Format(time.DateTime)})
		}
	}
	return accepted(object{"code": "100", "message": "Success", "authorities": all})
}

func (z zarinpal) reverse(g *Gateway, c *call) answer {
	s, refused := z.session(g, c)
	switch {
	case refused != nil:
		return *refused
	case c.account.NoAddress:
		return z.refuse("-62", 0)
	case s.State != paid && s.State != verified || s.State == verified && s.rest() < s.Paid:
		return z.refuse("-61", 0)
	case g.options.Now().After(s.PaidAt.Add(g.scaled(30 * time.Minute))):
		return z.refuse("-63", 0)
	}
	g.reverse(s, reversed, "reverse")
	return accepted(object{"code": 100, "message": "Reversed"})
}

func (zarinpal) back(s *Session, id string) string {
	status := "NOK"
	if s.State == paid || s.State == verified {
		status = "OK"
	}
	return with(s.Callback, url.Values{"Authority": {id}, "Status": {status}})
}
