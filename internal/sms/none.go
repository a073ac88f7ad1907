package sms

import (
	"context"
	"errors"
)

// none is the sender when no provider is set.
type none struct{}

func (none) Reaches(string) bool { return false }

func (none) Send(_ context.Context, m Message) (string, error) {
	return "", &Error{Kind: Config, Provider: "none", To: Masked(m.To), Cause: errors.New("no provider is set")}
}
