package standin

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

type stripe struct{}

// Stripe opens the stand-in of api.stripe.com, with the hosted page of Checkout, for all accounts and their keys.
func Stripe(o Options) (*Gateway, error) { return open(stripe{}, o) }

func (stripe) name() string { return "stripe" }

func (v stripe) route(g *Gateway) {
	serve := func(pattern, operation string, effect func(*Gateway, *call) answer) {
		g.mux.HandleFunc(pattern, g.serve(operation, func(c *call) answer { return effect(g, c) }))
	}
	serve("POST /v1/checkout/sessions", "create", v.create)
	serve("GET /v1/checkout/sessions/{id}", "retrieve", v.retrieve)
	serve("POST /v1/checkout/sessions/{id}/expire", "expire", v.expire)
	serve("POST /v1/refunds", "refund", v.refundIntent)
	serve("GET /v1/refunds", "refunds", v.listRefunds)
	serve("GET /v1/disputes", "disputes", v.listDisputes)
	serve("GET /v1/refunds/{id}", "retrieveRefund", v.retrieveRefund)
	serve("/v1/", "unknown", func(*Gateway, *call) answer {
		return failure(http.StatusNotFound, "invalid_request_error", "", "Unrecognized request URL")
	})
	g.buyer("/c/pay/{id}")
}

func (stripe) cells() (operations []string, own []Cell) {
	operations = []string{"create", "retrieve", "expire", "refund", "refunds", "retrieveRefund", "disputes"}
	for _, operation := range operations {
		own = append(own, refusals(operation, "400", "401", "403", "409", "429", "500")...)
	}
	for _, kind := range []string{"lost", "twice", "eight", "late", "forged", "stale"} {
		own = append(own, Cell{"event", kind, "after", ""})
	}
	return operations, append(own, Cell{"create", "refuse", "before", "402"}, Cell{"create", "redirect", "after", ""},
		Cell{"refund", "pending", "after", ""}, Cell{"pay", "amount", "before", ""})
}

// kept is the first answer to an Idempotency-Key. Status is 0 while the first call is running.
type kept struct {
	Key        string    `json:"key"` // with account and mode
	Parameters [32]byte  `json:"parameters"`
	At         time.Time `json:"at"`
	answer
}

// admit finds the account and mode of the key, and the kept answer of an Idempotency-Key.
func (v stripe) admit(g *Gateway, c *call) *answer {
	key := strings.TrimPrefix(c.Header.Get("Authorization"), "Bearer ")
	for _, a := range g.accounts {
		if key != "" && slices.Contains(a.Keys, key) {
			c.account, c.live = a, strings.Contains(key, "_live_")
		}
	}
	var refused answer
	if c.account == nil {
		refused = failure(http.StatusUnauthorized, "invalid_request_error", "", "Invalid API Key provided")
		return &refused
	}
	body, err := url.ParseQuery(string(c.body))
	c.form = c.URL.Query()
	if c.Method == http.MethodPost {
		c.form = body
	}
	form := strings.HasPrefix(c.Header.Get("Content-Type"), "application/x-www-form-urlencoded")
	if c.Method == http.MethodPost && (!form || err != nil) {
		refused = failure(http.StatusBadRequest, "invalid_request_error", "", "The body is not a form")
		return &refused
	}
	name := c.Header.Get("Idempotency-Key")
	if name == "" || c.Method != http.MethodPost {
		return nil
	}
	name = fmt.Sprint(c.account.ID, " ", c.live, " ", name)
	parameters := sha256.Sum256([]byte(c.URL.Path + "?" + c.form.Encode()))
	k := g.keys[name]
	life := g.scaled(24 * time.Hour)
	if g.options.Scale > 1 {
		life /= 6 // as the service shortens windows in which nothing is expected
	}
	if k != nil && k.Status != 0 && g.options.Now().After(k.At.Add(life)) {
		k = nil
	}
	switch {
	case len(c.Header.Get("Idempotency-Key")) > 255:
		refused = failure(http.StatusBadRequest, "invalid_request_error", "", "The Idempotency-Key is too long")
		return &refused
	case k == nil:
	case k.Parameters != parameters:
		refused = failure(http.StatusBadRequest, "idempotency_error", "idempotency_key_in_use",
			"Keys for idempotent requests can only be used with the same parameters they were first used with.")
		return &refused
	case k.Status == 0:
		refused = failure(http.StatusConflict, "idempotency_error", "idempotency_key_in_use",
			"There is currently another in-progress request using this Idempotent Key.")
		return &refused
	default:
		c.replayed = &answer{Status: k.Status, Body: k.Body, replay: true}
		return nil
	}
	k = &kept{Key: name, Parameters: parameters, At: g.options.Now().UTC()}
	g.keys[name] = k
	c.done = func(a answer) {
		if a.Status == 0 || a.invalid || a.Status == http.StatusConflict || a.Status == http.StatusTooManyRequests {
			delete(g.keys, name)
			return
		}
		k.answer = a
		g.book(Line{Operation: "key", Account: c.account.ID, Kept: k}, nil)
	}
	return nil
}

func failure(status int, kind, code, message string) answer {
	wrong := object{"type": kind, "message": message}
	if code != "" {
		wrong["code"] = code
	}
	return reply(status, object{"error": wrong})
}

// invalid refuses a parameter, before the work: the answer is kept for no key.
func invalid(parameter, message string) answer {
	a := reply(http.StatusBadRequest, object{"error": object{"type": "invalid_request_error", "param": parameter,
		"message": message}})
	a.invalid = true
	return a
}

func missing(kind, id string) answer {
	return failure(http.StatusNotFound, "invalid_request_error", "resource_missing", "No such "+kind+": '"+id+"'")
}

func (stripe) refuse(code string, status int) answer {
	of, _ := strconv.Atoi(code)
	status = cmp.Or(status, of)
	kind := map[int]string{402: "card_error", 409: "idempotency_error", 500: "api_error"}[status]
	a := failure(status, cmp.Or(kind, "invalid_request_error"), "", "refused: "+code)
	a.invalid = status == http.StatusBadRequest || status == http.StatusUnauthorized
	return a
}

// members returns a map that is given as name[member].
func members(form url.Values, name string) map[string]string {
	all := map[string]string{}
	for key := range form {
		if inner, is := strings.CutPrefix(key, name+"["); is && strings.HasSuffix(inner, "]") {
			all[strings.TrimSuffix(inner, "]")] = form.Get(key)
		}
	}
	return all
}

// create begins a session. Which parameters there are, stripe-mock knows better.
func (v stripe) create(g *Gateway, c *call) answer {
	const line = "line_items[0]"
	currency := c.form.Get(line + "[price_data][currency]")
	unit, badUnit := strconv.ParseInt(c.form.Get(line+"[price_data][unit_amount]"), 10, 64)
	quantity, badQuantity := strconv.ParseInt(c.form.Get(line+"[quantity]"), 10, 64)
	amount := unit * quantity
	now := g.options.Now()
	ends := now.Add(g.scaled(24 * time.Hour))
	if at := c.form.Get("expires_at"); at != "" {
		seconds, err := strconv.ParseInt(at, 10, 64)
		ahead := time.Unix(seconds, 0).Sub(now)
		switch {
		case err != nil || ahead > 24*time.Hour+time.Minute || ahead < g.scaled(30*time.Minute)-time.Second:
			return invalid("expires_at", "The `expires_at` timestamp must be 30 minutes to 24 hours ahead.")
		case ahead < 30*time.Minute-time.Second: // scaled by the caller
			ends = time.Unix(seconds, 0)
		default:
			ends = now.Add(g.scaled(ahead))
		}
	}
	least := map[string]int64{"usd": 50, "eur": 50, "gbp": 30}[currency]
	switch {
	case c.form.Get("mode") != "payment":
		return invalid("mode", "Invalid mode")
	case c.form.Get(line+"[price_data][product_data][name]") == "":
		return invalid(line+"[price_data][product_data][name]", "Missing required param")
	case badUnit != nil || badQuantity != nil || unit < 0 || quantity < 1:
		return invalid(line, "Invalid integer")
	case len(currency) != 3 || currency != strings.ToLower(currency) || currency == "irr" || currency == "irt":
		return invalid("currency", "Invalid currency: "+currency)
	case amount < max(least, 1):
		return failure(http.StatusBadRequest, "invalid_request_error", "amount_too_small", "The amount is too small")
	case amount > 99_999_999:
		return failure(http.StatusBadRequest, "invalid_request_error", "amount_too_large", "The amount is too large")
	case !allowed(c.form.Get("success_url"), &Account{}):
		return invalid("success_url", "Not a valid URL")
	case c.form.Has("cancel_url") && !allowed(c.form.Get("cancel_url"), &Account{}):
		return invalid("cancel_url", "Not a valid URL")
	case len(c.form.Get("client_reference_id")) > 200:
		return invalid("client_reference_id", "Too long")
	}
	mode := "test"
	if c.live {
		mode = "live"
	}
	s := &Session{ID: "cs_" + mode + "_" + g.id(58), Account: c.account.ID, Currency: currency, Amount: amount,
		Reference: c.form.Get("client_reference_id"), Callback: c.form.Get("success_url"),
		Cancel: c.form.Get("cancel_url"), Metadata: members(c.form, "metadata"),
		IntentMetadata: members(c.form, "payment_intent_data[metadata]"), Auto: true, Ends: ends.UTC()}
	g.begin(s)
	page := "http://" + c.Host
	if c.fault.Kind == "redirect" {
		page = "https://elsewhere.example"
	}
	view := v.view(s, c.form)
	view["url"] = page + "/c/pay/" + s.ID
	return reply(http.StatusOK, view)
}

// session returns a session of the account and mode of the key.
func (stripe) session(g *Gateway, c *call) *Session {
	s := g.sessions[c.PathValue("id")]
	if s == nil || s.Account != c.account.ID || s.live() != c.live {
		return nil
	}
	return s
}

func (s *Session) live() bool     { return strings.HasPrefix(s.ID, "cs_live_") }
func (s *Session) intent() string { return "pi_" + s.ID[len(s.ID)-24:] }
func (s *Session) charge() string { return "ch_" + s.ID[len(s.ID)-24:] }

func (v stripe) retrieve(g *Gateway, c *call) answer {
	s := v.session(g, c)
	if s == nil {
		return missing("checkout.session", c.PathValue("id"))
	}
	return reply(http.StatusOK, v.view(s, c.form))
}

func (v stripe) expire(g *Gateway, c *call) answer {
	s := v.session(g, c)
	switch {
	case s == nil:
		return missing("checkout.session", c.PathValue("id"))
	case s.Ended:
		return failure(http.StatusBadRequest, "invalid_request_error", "",
			"Only Checkout Sessions with a status in [\"open\"] can be expired.")
	}
	g.expire(s)
	return reply(http.StatusOK, v.view(s, c.form))
}

func (v stripe) refundIntent(g *Gateway, c *call) answer {
	var s *Session
	for _, each := range g.order {
		wanted := c.form.Get("payment_intent") == each.intent() || c.form.Get("charge") == each.charge()
		if wanted && each.Account == c.account.ID && each.live() == c.live && each.Paid > 0 {
			s = each
		}
	}
	if s == nil {
		return missing("payment_intent", c.form.Get("payment_intent"))
	}
	amount, err := strconv.ParseInt(cmp.Or(c.form.Get("amount"), strconv.FormatInt(s.rest(), 10)), 10, 64)
	reason := c.form.Get("reason")
	switch {
	case reason != "" && reason != "duplicate" && reason != "fraudulent" && reason != "requested_by_customer":
		return invalid("reason", "Invalid reason")
	case s.State == disputed:
		return failure(http.StatusBadRequest, "invalid_request_error", "charge_disputed", "The charge is disputed.")
	case s.rest() == 0:
		return failure(http.StatusBadRequest, "invalid_request_error", "charge_already_refunded",
			"Charge "+s.charge()+" has already been refunded.")
	case err != nil || amount < 1:
		return invalid("amount", "Invalid positive integer")
	case amount > s.rest():
		return failure(http.StatusBadRequest, "invalid_request_error", "",
			"Refund amount is greater than unrefunded amount on charge")
	}
	r := Refund{Amount: amount, Status: "succeeded", Reason: reason, Metadata: members(c.form, "metadata")}
	if c.fault.Kind == "pending" {
		r.Status = "pending"
	}
	return reply(http.StatusOK, v.viewRefund(s, g.refund(s, r)))
}

// refunds returns the views of the refunds of the key's account and mode, newest first.
func (v stripe) refunds(g *Gateway, c *call) (all []object) {
	for _, s := range slices.Backward(g.order) {
		for _, r := range slices.Backward(s.Refunds) {
			if s.Account == c.account.ID && s.live() == c.live {
				all = append(all, v.viewRefund(s, r))
			}
		}
	}
	return all
}

func (v stripe) retrieveRefund(g *Gateway, c *call) answer {
	for _, r := range v.refunds(g, c) {
		if r["id"] == c.PathValue("id") {
			return reply(http.StatusOK, r)
		}
	}
	return missing("refund", c.PathValue("id"))
}

func (v stripe) listRefunds(g *Gateway, c *call) answer {
	limit, err := strconv.Atoi(cmp.Or(c.form.Get("limit"), "10"))
	if err != nil || limit < 1 || limit > 100 {
		return invalid("limit", "Invalid integer")
	}
	page, more, skip := []object{}, false, c.form.Has("starting_after")
	for _, r := range v.refunds(g, c) {
		intent := c.form.Get("payment_intent")
		switch {
		case skip:
			skip = r["id"] != c.form.Get("starting_after")
		case intent != "" && r["payment_intent"] != intent:
		case len(page) == limit:
			more = true
		default:
			page = append(page, r)
		}
	}
	return reply(http.StatusOK, object{"object": "list", "url": "/v1/refunds", "has_more": more, "data": page})
}

func (v stripe) listDisputes(g *Gateway, c *call) answer {
	page := []object{}
	for _, s := range g.order {
		isTheirs := s.Account == c.account.ID && s.live() == c.live
		if s.Dispute != "" && isTheirs && c.form.Get("payment_intent") == s.intent() {
			page = append(page, v.viewDispute(s))
		}
	}
	return reply(http.StatusOK, object{"object": "list", "url": "/v1/disputes", "has_more": false, "data": page})
}
