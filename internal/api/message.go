package api

import (
	"context"
	"fmt"
	"io"

	"github.com/99designs/gqlgen/graphql"

	"storefront/internal/fault"
	"storefront/internal/request"
)

// Message is a text for people in a successful answer. It is a constant English text, which is the key of its
// translations, and is written in the reader's language.
type Message string

// Said returns the text of an error in the language of the reader, as part of an answer.
func Said(ctx context.Context, e *fault.Error) Message {
	return Message(request.Language(ctx).Error(e).Message)
}

// MarshalMessage writes a message for the reader of the request.
func MarshalMessage(m Message) graphql.ContextMarshaler {
	return graphql.ContextWriterFunc(func(ctx context.Context, w io.Writer) error {
		graphql.MarshalString(request.Language(ctx).Say(fault.Words(string(m)))).MarshalGQL(w)
		return nil
	})
}

// UnmarshalMessage always fails: messages occur in answers only.
func UnmarshalMessage(context.Context, any) (Message, error) {
	return "", fmt.Errorf("is an answer's alone")
}
