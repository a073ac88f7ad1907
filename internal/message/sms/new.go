package sms

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"storefront/internal/platform/httpcall"
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
	ofLine := s.Provider == "smsir" || s.Provider == "magfa"
	for _, one := range []struct {
		name    string
		missing bool
	}{
		{"SMS_BASE_URL", s.BaseURL == "" && s.Provider == "http"},
		{"SMS_API_KEY", s.APIKey == ""},
		{"SMS_SENDER", s.Sender == "" && ofLine},
		{"SMS_HTTP_TEMPLATE", s.Template == "" && s.Provider == "http"},
	} {
		if one.missing {
			wrong = append(wrong, fmt.Errorf("%s must be set for SMS_PROVIDER=%s", one.name, s.Provider))
		}
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
	return &caller{format: f, provider: s.Provider, client: httpcall.New(maxAnswer)}, nil
}

// none is the sender when no provider is set.
type none struct{}

func (none) Reaches(string) bool { return false }

func (none) Send(_ context.Context, m Message) (string, error) {
	return "", &Error{Kind: Config, Provider: "none", To: Masked(m.To), Cause: errors.New("no provider is set")}
}
