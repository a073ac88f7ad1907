package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"storefront/internal/fault"
	"storefront/internal/platform/hostname"
	"storefront/internal/platform/httpcall"
)

const maxAnswer = 256 << 10 // bytes

// origins are the gateways' own, of their API and their pages, by the names that GATEWAY_URLS uses.
var origins = map[string]struct{ api, pages string }{
	"zarinpal":         {"https://payment.zarinpal.com", "https://payment.zarinpal.com"},
	"zarinpal-sandbox": {"https://sandbox.zarinpal.com", "https://sandbox.zarinpal.com"},
	"zibal":            {"https://gateway.zibal.ir", "https://gateway.zibal.ir"},
	"stripe":           {"https://api.stripe.com", "https://checkout.stripe.com"},
}

// CheckAddress returns an error if a gateway may not be called at an address. It completes a sentence that begins with
// the address.
func CheckAddress(name, address string) error {
	if origins[name].api == "" {
		return fmt.Errorf("belongs to one of %s", strings.Join(slices.Sorted(maps.Keys(origins)), ", "))
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || strings.TrimRight(address, "/") != u.Scheme+"://"+u.Host ||
		u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(address)) {
		return errors.New("must be https, or http of this machine, and have no path: https://relay.example")
	}
	return nil
}

// Shown reports whether customers are sent to one of the addresses of CheckAddress: those of this machine, where
// something stands in for the gateway. Any other is a relay of the service's own calls.
func Shown(addresses map[string]string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(addresses)), isLoopback)
}

// StoodIn reports whether every gateway is called at one of the addresses of this machine, so that none takes money.
func StoodIn(addresses map[string]string) bool {
	for name := range origins {
		if !isLoopback(addresses[name]) {
			return false
		}
	}
	return true
}

func isLoopback(address string) bool {
	u, err := url.Parse(address)
	return err == nil && hostname.IsLoopback(u.Hostname())
}

// host is where a gateway is called, and where customers are sent.
type host struct {
	client     *httpcall.Client
	title      fault.Text
	api, pages string // origins
}

// newHost returns the host of a name in origins.
func newHost(client *httpcall.Client, name string, title fault.Text, address string) host {
	h := host{client, title, cmp.Or(strings.TrimRight(address, "/"), origins[name].api), origins[name].pages}
	if isLoopback(h.api) {
		h.pages = h.api
	}
	return h
}

// The errors of calls, beside those of httpcall. They hold nothing of the request and the answer.
var (
	errUnsent   = errors.New("the gateway was not reached")
	errNoState  = errors.New("the answer names no state that is known")
	errNotBegun = errors.New("the gateway gave the attempt no reference")
)

// post sends a body as JSON, and decodes the answer.
func (h host) post(ctx context.Context, path string, body map[string]any, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return errUnsent
	}
	request, err := httpcall.NewRequest(http.MethodPost, h.api+path, "application/json", text)
	if err != nil {
		return errUnsent
	}
	_, err = h.call(ctx, request, answer)
	return err
}

// call decodes an answer. It fails if that is by something before the gateway, such as a page in HTML or a redirect.
func (h host) call(ctx context.Context, request *http.Request, answer any) (status int, err error) {
	got, err := h.client.Call(ctx, request)
	switch {
	case err != nil && !got.Sent:
		return 0, fmt.Errorf("%w: %w", errUnsent, err)
	case err != nil:
		return 0, err
	case got.Status < 200 || got.Status > 499 || got.Status >= 300 && got.Status < 400:
		return 0, fmt.Errorf("the answer is HTTP %d", got.Status)
	case json.Unmarshal(got.Body, answer) != nil:
		return 0, fmt.Errorf("the answer of HTTP %d is not the gateway's JSON", got.Status)
	}
	return got.Status, nil
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
func lastFour(masked text) string {
	s := string(masked)
	end := s[strings.LastIndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })+1:]
	return end[max(0, len(end)-4):]
}
