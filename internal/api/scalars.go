package api

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"storefront/internal/fault"
	"storefront/internal/locale/money"
	"storefront/internal/request"
)

// MarshalID writes a record's id.
func MarshalID(id uuid.UUID) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) {
		var buf [38]byte
		_, _ = w.Write(AppendID(buf[:0], id))
	})
}

// AppendID appends a record's id to b as a JSON string.
func AppendID(b []byte, id uuid.UUID) []byte {
	b = hex.AppendEncode(append(b, '"'), id[:4])
	for _, part := range [][]byte{id[4:6], id[6:8], id[8:10], id[10:]} {
		b = hex.AppendEncode(append(b, '-'), part)
	}
	return append(b, '"')
}

// UnmarshalID reads a record's id. Ids are opaque, so a text that is not an id is not refused: it is read as
// uuid.Nil, which no record has. Null is read as uuid.Nil too: the id of a shop is null if its domain is
// given.
func UnmarshalID(v any) (uuid.UUID, error) {
	if v == nil {
		return uuid.Nil, nil
	}
	text, ok := v.(string)
	if !ok {
		return uuid.Nil, fmt.Errorf("must be a string")
	}
	id, err := uuid.Parse(text)
	if err != nil || id.String() != text {
		return uuid.Nil, nil
	}
	return id, nil
}

// MarshalTime writes a time as RFC 3339 in UTC.
func MarshalTime(t time.Time) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) {
		var buf [40]byte
		_, _ = w.Write(AppendTime(buf[:0], t))
	})
}

// AppendTime appends a time to b as a JSON string: RFC 3339 in UTC, with the fraction of a second if it is not zero.
func AppendTime(b []byte, t time.Time) []byte {
	b = append(b, '"')
	b = t.UTC().AppendFormat(b, time.RFC3339Nano)
	return append(b, '"')
}

// UnmarshalTime reads an RFC 3339 time.
func UnmarshalTime(v any) (time.Time, error) {
	text, ok := v.(string)
	if !ok {
		return time.Time{}, fmt.Errorf("must be a string")
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("must be an RFC 3339 time")
	}
	return t.UTC(), nil
}

// MarshalDecimal writes a decimal number as it was given.
func MarshalDecimal(n json.Number) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) { _, _ = io.WriteString(w, string(n)) })
}

// UnmarshalDecimal reads a JSON number, or a literal number of a document, which package document keeps as written.
func UnmarshalDecimal(v any) (json.Number, error) {
	switch v := v.(type) {
	case json.Number:
		return v, nil
	case string:
		return json.Number(v), nil
	}
	return "", fmt.Errorf("must be a number")
}

// MarshalJSON writes a JSON value without the white space that PostgreSQL adds, so that answers are the same
// bytes with both databases.
func MarshalJSON(raw json.RawMessage) graphql.Marshaler {
	bare, ok := AppendJSON(nil, raw)
	if !ok {
		return graphql.Null // not JSON; neither database stores that
	}
	return graphql.WriterFunc(func(w io.Writer) { _, _ = w.Write(bare) })
}

// AppendJSON appends a JSON value to b without blanks. It reports false if raw is not JSON.
func AppendJSON(b []byte, raw json.RawMessage) ([]byte, bool) {
	to := bytes.NewBuffer(b)
	err := json.Compact(to, raw)
	return to.Bytes(), err == nil
}

// UnmarshalJSON keeps any value as JSON.
func UnmarshalJSON(v any) (json.RawMessage, error) { return json.Marshal(v) }

// MarshalAmount writes an amount as a decimal number of its currency's unit.
func MarshalAmount(a money.Amount) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) {
		var buf [32]byte
		_, _ = w.Write(a.AppendJSON(buf[:0]))
	})
}

// UnmarshalAmount always fails: an amount needs its currency. Arguments are read as decimals.
func UnmarshalAmount(any) (money.Amount, error) {
	return money.Amount{}, fmt.Errorf("must come with a currency")
}

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
