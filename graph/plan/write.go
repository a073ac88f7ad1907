package plan

import (
	"fmt"
	"math"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
)

// Writer collects the JSON of a field.
type Writer struct {
	json     []byte
	counted  int                   // the bytes of json that grow knows of
	grow     func(bytes int) error // nil: bytes are not counted
	tooLarge error                 // the error of grow; nothing more is written
	err      error                 // why gqlgen has to write the value
}

// countEvery is how many bytes are written before they are counted.
const countEvery = 32 << 10

func (w *Writer) fail(err error) { w.err = err }

// stopped reports whether nothing more needs to be written. It is called after each element of a list.
func (w *Writer) stopped() bool {
	if len(w.json)-w.counted > countEvery {
		w.count()
	}
	return w.err != nil || w.tooLarge != nil
}

func (w *Writer) count() {
	if w.grow != nil && w.tooLarge == nil {
		w.tooLarge = w.grow(len(w.json) - w.counted)
	}
	w.counted = len(w.json)
}

// null writes null. If null is not allowed, the value is left to gqlgen.
func (w *Writer) null(mustNot bool) {
	if mustNot {
		w.fail(errNull)
	}
	w.json = append(w.json, "null"...)
}

// list writes a list of n elements, or null.
func (w *Writer) list(n int, null bool, element func(i int)) {
	if null {
		w.null(false)
		return
	}
	w.json = append(w.json, '[')
	for i := range n {
		if i > 0 {
			w.json = append(w.json, ',')
		}
		element(i)
		if w.stopped() {
			return
		}
	}
	w.json = append(w.json, ']')
}

// The scalars of GraphQL, byte for byte as gqlgen writes them.
var (
	String  = Leaf(AppendString)
	Int     = Leaf(func(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) })
	Int64   = Leaf(func(b []byte, n int64) []byte { return strconv.AppendInt(b, n, 10) })
	Boolean = Leaf(strconv.AppendBool)
	Float   = Checked(AppendFloat)
)

// AppendFloat appends a number as JSON. It reports false for NaN and infinities, which JSON lacks.
func AppendFloat(b []byte, f float64) ([]byte, bool) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return b, false
	}
	return fmt.Appendf(b, "%g", f), true
}

// Marshaled returns the shape of a type that marshals itself, such as an enum.
//
//go:noinline
func Marshaled[V graphql.Marshaler]() Shape[V] {
	return leaf(func(w *Writer, v V) { v.MarshalGQL(w) })
}

// Write appends JSON.
func (w *Writer) Write(json []byte) (int, error) {
	w.json = append(w.json, json...)
	return len(json), nil
}

// WriteString appends JSON.
func (w *Writer) WriteString(json string) (int, error) {
	w.json = append(w.json, json...)
	return len(json), nil
}

// AppendString appends a text as JSON. Bytes that are not UTF-8 are not changed.
func AppendString(b []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[start:i]...)
		start = i + 1
		switch c {
		case '\t':
			b = append(b, `\t`...)
		case '\r':
			b = append(b, `\r`...)
		case '\n':
			b = append(b, `\n`...)
		case '\\', '"':
			b = append(b, '\\', c)
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
		}
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}
