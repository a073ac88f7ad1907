package sms

import (
	"context"
	"errors"
	"math/rand/v2"

	"storefront/internal/platform/httpcall"
)

const maxAnswer = 64 << 10 // bytes

// refusal is why a message got no id.
type refusal struct {
	kind Kind
	code string
}

// caller sends each message in one HTTP request.
type caller struct {
	format
	provider string
	client   *httpcall.Client
}

// String keeps the key out of printed callers.
func (c *caller) String() string { return "sms sender " + c.provider }

// GoString is String.
func (c *caller) GoString() string { return c.String() }

func (c *caller) Send(ctx context.Context, m Message) (string, error) {
	if !c.Reaches(m.To) {
		return "", c.failed(m, refusal{kind: Recipient}, errors.New("the provider does not reach this number"))
	}
	if m.Ref == 0 {
		m.Ref = 1 + rand.Int64N(1<<62)
	}
	request, err := c.request(m)
	if err != nil {
		return "", c.failed(m, refusal{kind: Config}, errors.New("the settings make no request"))
	}
	answer, err := c.client.Call(ctx, request)
	switch {
	case err != nil && !answer.Sent:
		return "", c.failed(m, refusal{kind: Unreachable}, err)
	case err != nil && answer.Status == 0:
		return "", c.failed(m, refusal{kind: Unknown}, err)
	case err != nil:
		return "", c.failed(m, refusal{kind: Unknown, code: httpCode(answer.Status)}, err)
	}
	id, refused := c.answer(answer.Status, answer.Body)
	if id == "" {
		return "", c.failed(m, refused, nil)
	}
	return id, nil
}

func (c *caller) failed(m Message, why refusal, cause error) *Error {
	return &Error{Kind: why.kind, Provider: c.provider, Code: why.code, To: Masked(m.To), Cause: cause}
}
