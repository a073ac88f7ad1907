// Package strictjson parses request bodies by the rules of contract 1.3: JSON that two parsers could
// interpret differently is refused, not repaired. Package wire calls it for REST and GraphQL bodies;
// jsontext does the lexing, and refuse.go turns its errors into messages for the client.
package strictjson

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"storefront/internal/fault"
)

// Object reads one JSON object (RFC 8259, UTF-8) and nothing after it but white space. Its values are nil,
// bool, string, json.Number with the text as it was sent, []any and map[string]any, nested at most maxDepth
// deep; the object itself is 1.
//
// It fails with BAD_REQUEST for an empty body, malformed JSON, a byte order mark, a value other than an
// object, trailing data, a duplicate key, invalid UTF-8, half a surrogate pair, and U+0000 in a string or
// key, escaped or not. Its message has the byte offset and the path of keys; of the body it shows only keys,
// cut to 64 characters.
func Object(data []byte, maxDepth int) (map[string]any, error) {
	r := newReader(data, maxDepth)
	if kind := r.decoder.PeekKind(); kind != '{' && kind != jsontext.KindInvalid {
		return nil, refuse(fault.Say("must be a JSON object"))
	}
	value, err := r.document()
	if err != nil {
		return nil, err
	}
	return value.(map[string]any), nil
}

// Value reads any one JSON value by the rules of Object. A value other than an object or array has depth 0.
func Value(data []byte, maxDepth int) (any, error) {
	return newReader(data, maxDepth).document()
}

type reader struct {
	decoder  *jsontext.Decoder // refuses malformed JSON, duplicate keys, invalid UTF-8 and lone surrogates
	data     []byte
	maxDepth int
}

func newReader(data []byte, maxDepth int) reader {
	return reader{jsontext.NewDecoder(bytes.NewBuffer(data)), data, maxDepth}
}

// document reads the one value that the data must consist of.
func (r reader) document() (any, error) {
	if len(bytes.TrimLeft(r.data, " \t\r\n")) == 0 {
		return nil, refuse(fault.Say("is empty"))
	}
	if bytes.HasPrefix(r.data, []byte("\uFEFF")) {
		return nil, refuse(fault.Say("must not begin with a byte order mark"))
	}
	value, err := r.value()
	if err != nil {
		return nil, err
	}
	if rest := bytes.TrimLeft(r.decoder.UnreadBuffer(), " \t\r\n"); len(rest) > 0 {
		return nil, refuseAt(fault.Say("goes on after its JSON value"), int64(len(r.data)-len(rest)), "")
	}
	return value, nil
}

func (r reader) value() (any, error) {
	token, err := r.decoder.ReadToken()
	if err != nil {
		return nil, r.explain(err)
	}
	switch token.Kind() {
	case '{':
		return r.object()
	case '[':
		return r.array()
	case '"':
		return r.text(token)
	case '0':
		return json.Number(token.String()), nil
	case 't', 'f':
		return token.Bool(), nil
	default:
		return nil, nil // null; the decoder itself refuses a closing bracket in place of a value
	}
}

func (r reader) object() (any, error) {
	if err := r.checkDepth(); err != nil {
		return nil, err
	}
	members := map[string]any{}
	for r.decoder.PeekKind() != '}' {
		token, err := r.decoder.ReadToken()
		if err != nil {
			return nil, r.explain(err)
		}
		key, err := r.text(token)
		if err != nil {
			return nil, err
		}
		if members[key], err = r.value(); err != nil {
			return nil, err
		}
	}
	return members, r.leave()
}

func (r reader) array() (any, error) {
	if err := r.checkDepth(); err != nil {
		return nil, err
	}
	items := []any{}
	for r.decoder.PeekKind() != ']' {
		item, err := r.value()
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, r.leave()
}

func (r reader) checkDepth() error {
	if r.decoder.StackDepth() > r.maxDepth {
		return r.refuseHere(fault.Say("is nested too deep"))
	}
	return nil
}

// leave reads the closing bracket of an object or array.
func (r reader) leave() error {
	if _, err := r.decoder.ReadToken(); err != nil {
		return r.explain(err)
	}
	return nil
}

// text returns a string or key without its quotes and escapes.
func (r reader) text(token jsontext.Token) (string, error) {
	text := token.String()
	if strings.IndexByte(text, 0) >= 0 {
		return "", r.refuseHere(fault.Say(hasNull))
	}
	return text, nil
}
