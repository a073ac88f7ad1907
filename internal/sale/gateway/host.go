package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"storefront/internal/fault"
	"storefront/internal/platform/httpcall"
)

const maxAnswer = 256 << 10 // bytes

// origins are the gateways' own, by the names that GATEWAY_URLS uses.
var origins = map[string]string{
	"zarinpal":         "https://payment.zarinpal.com",
	"zarinpal-sandbox": "https://sandbox.zarinpal.com",
	"zibal":            "https://gateway.zibal.ir",
	"stripe":           "https://api.stripe.com",
}

// CheckAddress returns an error if a gateway may not be called at an address. It completes a sentence that begins with
// the address.
func CheckAddress(name, address string) error {
	if origins[name] == "" {
		return fmt.Errorf("belongs to one of %s", strings.Join(slices.Sorted(maps.Keys(origins)), ", "))
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.User != nil || strings.Trim(address, "/") != u.Scheme+"://"+u.Host ||
		u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u.Hostname())) {
		return errors.New("must be https, or http of this machine, and have no path: https://relay.example")
	}
	return nil
}

func isLoopback(hostname string) bool {
	addr, err := netip.ParseAddr(hostname)
	return hostname == "localhost" || err == nil && addr.Unmap().IsLoopback()
}

// host is where a gateway is called and where customers are sent.
type host struct {
	client *httpcall.Client
	title  fault.Text
	api    string // https://gateway.example
	pages  string // the same, unless api is a relay
}

// newHost returns the host of a name in origins. What an operator has at a loopback address stands in for the gateway,
// so customers are sent there, too; anything else is a relay of the service's own calls.
func newHost(client *httpcall.Client, name string, title fault.Text, address string) host {
	h := host{client, title, cmp.Or(strings.TrimRight(address, "/"), origins[name]), origins[name]}
	if u, err := url.Parse(h.api); err == nil && isLoopback(u.Hostname()) {
		h.pages = h.api
	}
	return h
}

// failure is a call without an answer that can be read.
type failure struct {
	sent  bool
	cause error // holds nothing of the request and the answer
}

func (e *failure) Error() string { return e.cause.Error() }

func (e *failure) Unwrap() error { return e.cause }

// post sends a body as JSON and decodes the answer.
func (h host) post(ctx context.Context, path string, body, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return &failure{cause: errors.New("the attempt makes no request")}
	}
	request, err := httpcall.NewRequest(http.MethodPost, h.api+path, "application/json", text)
	if err != nil {
		return &failure{cause: errors.New("the attempt makes no request")}
	}
	_, err = h.call(ctx, request, answer)
	return err
}

// call decodes an answer. It fails if that is by something before the gateway, such as a page in HTML or a redirect.
func (h host) call(ctx context.Context, request *http.Request, answer any) (status int, err error) {
	got, err := h.client.Call(ctx, request)
	switch {
	case err != nil:
		return 0, &failure{got.Sent, err}
	case got.Status < 200 || got.Status > 499 || got.Status >= 300 && got.Status < 400:
		err = fmt.Errorf("the answer is HTTP %d", got.Status)
	case json.Unmarshal(got.Body, answer) != nil:
		err = fmt.Errorf("the answer of HTTP %d is not the gateway's JSON", got.Status)
	default:
		return got.Status, nil
	}
	return 0, &failure{true, err}
}

// text is a member that gateways write as a string or as a number. Anything else is empty.
type text string

func (t *text) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*t = text(strings.TrimSpace(s))
	} else if b[0] == '-' || b[0] >= '0' && b[0] <= '9' {
		*t = text(b)
	}
	return nil
}

// lastFour returns the digits at the end of a masked card number, four at most.
func lastFour(masked string) string {
	end := masked[strings.LastIndexFunc(masked, func(r rune) bool { return r < '0' || r > '9' })+1:]
	return end[max(0, len(end)-4):]
}

func unknown(err error) Outcome { return Outcome{Kind: Unknown, Err: err} }

// unpaid returns the outcome of an attempt that is not paid, at a gateway that does not say when it is over.
func (a Attempt) unpaid() Outcome {
	if a.Now.After(a.PayableUntil) {
		return Outcome{Kind: Dead}
	}
	return Outcome{Kind: Payable}
}
