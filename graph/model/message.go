package model

import (
	"context"
	"fmt"
	"io"

	"github.com/99designs/gqlgen/graphql"

	"storefront/internal/fault"
	"storefront/internal/language"
)

// Message is what a successful answer says to people: constant English words, the key to their
// translations. It is written in the language of its reader.
type Message string

// Said returns what an error says to the reader of the request, as a part of an answer.
func Said(ctx context.Context, e *fault.Error) Message {
	return Message(language.Of(ctx).Error(e).Message)
}

// MarshalMessage writes a message for the reader of the request.
func MarshalMessage(m Message) graphql.ContextMarshaler {
	return graphql.ContextWriterFunc(func(ctx context.Context, w io.Writer) error {
		graphql.MarshalString(language.Of(ctx).Say(fault.Words(string(m)))).MarshalGQL(w)
		return nil
	})
}

// UnmarshalMessage always fails: messages stand in answers only.
func UnmarshalMessage(context.Context, any) (Message, error) {
	return "", fmt.Errorf("is an answer's alone")
}
