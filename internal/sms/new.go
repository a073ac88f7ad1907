package sms

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// New returns the sender that the settings choose; it makes no connection yet. Without a provider the
// sender reaches no number. The error names everything that is wrong, a line each, by the names of contract
// 4, and holds no secret.
func New(s Settings) (Sender, error) {
	switch s.Provider {
	case "", "none":
		return none{}, nil
	case "log":
		if s.Terminal == nil {
			return nil, errors.New("SMS_PROVIDER=log has no terminal to write to")
		}
		return &terminal{to: s.Terminal}, nil
	}
	if providers[s.Provider] == nil {
		return nil, fmt.Errorf("SMS_PROVIDER is %q, which is no provider", s.Provider)
	}
	var wrong []error
	if s.APIKey == "" {
		wrong = append(wrong, fmt.Errorf("SMS_API_KEY must be set for SMS_PROVIDER=%s", s.Provider))
	}
	if !isBaseURL(s.BaseURL) {
		wrong = append(wrong, errors.New(
			"SMS_BASE_URL must be an http or https address, without a query: https://api.example/v1"))
	}
	f, faults := newFormat(s)
	for _, fault := range faults {
		if name, _, _ := strings.Cut(fault, " "); !slices.ContainsFunc(wrong, func(err error) bool {
			return strings.HasPrefix(err.Error(), name+" ") // once is enough
		}) {
			wrong = append(wrong, errors.New(fault))
		}
	}
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	return &caller{format: f, provider: s.Provider, client: newClient()}, nil
}

// isBaseURL reports whether an address is empty or can stand before a provider's paths.
func isBaseURL(address string) bool {
	if address == "" {
		return true
	}
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "" &&
		!strings.ContainsAny(address, "?#")
}
