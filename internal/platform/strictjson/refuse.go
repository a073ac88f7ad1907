package strictjson

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"storefront/internal/fault"
)

const hasNull = "has the character U+0000"

// refuse returns the error for the body as a whole; what continues the sentence "the body …".
func refuse(what fault.Text) error { return fault.New(fault.BadRequest, "the body %s", what) }

// refuseAt returns the error for a place in the body: its byte offset and, below the top level, its path.
func refuseAt(what fault.Text, offset int64, pointer jsontext.Pointer) error {
	if pointer == "" {
		return fault.New(fault.BadRequest, "the body %s at byte %d", what, offset)
	}
	return fault.New(fault.BadRequest, "the body %s at byte %d, in %q", what, offset, path(pointer))
}

// refuseHere returns the error for the token read last; the offset is the end of that token.
func (r reader) refuseHere(what fault.Text) error {
	return refuseAt(what, r.decoder.InputOffset(), r.decoder.StackPointer())
}

// explain rewrites an error of the decoder, whose text would quote the body.
func (r reader) explain(err error) error {
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	if !ok {
		return refuse(fault.Say("cannot be read"))
	}
	return refuseAt(r.wrong(syntax), syntax.ByteOffset, syntax.JSONPointer)
}

// wrong names the fault that stopped the decoder.
func (r reader) wrong(err *jsontext.SyntacticError) fault.Text {
	rest := r.data[min(int(err.ByteOffset), len(r.data)):]
	switch {
	case err.Err == jsontext.ErrDuplicateName:
		return fault.Say("has a key twice")
	case err.Err == io.ErrUnexpectedEOF:
		return fault.Say("ends too early")
	case len(rest) > 0 && rest[0] == 0:
		return fault.Say(hasNull)
	case startsWithSurrogate(rest):
		return fault.Say("has half of a surrogate pair")
	}
	if char, size := utf8.DecodeRune(rest); char == utf8.RuneError && size == 1 {
		return fault.Say("is not valid UTF-8")
	}
	return fault.Say("is not valid JSON")
}

// startsWithSurrogate reports whether data begins with an escape such as \ud83d.
func startsWithSurrogate(data []byte) bool {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return false
	}
	unit, err := strconv.ParseUint(string(data[2:6]), 16, 16)
	return err == nil && utf16.IsSurrogate(rune(unit))
}

// path returns a pointer in the form of contract 1.11, "items.0.name", with each key cut to 64 characters.
func path(pointer jsontext.Pointer) string {
	var names []string
	for name := range pointer.Tokens() {
		names = append(names, cut(name))
	}
	return strings.Join(names, ".")
}

func cut(name string) string {
	const limit = 64 // characters
	length := 0
	for i := range name {
		if length == limit {
			return name[:i]
		}
		length++
	}
	return name
}
