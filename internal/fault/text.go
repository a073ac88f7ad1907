package fault

import (
	"fmt"
	"strings"
)

// Text is words for people: an English format of package fmt, which is the key to its translations, and what it is filled
// with. A Text among that is said in the same language.
type Text struct {
	Format string
	Args   []any

	english string
}

// Say makes a text of a constant English format.
func Say(format string, args ...any) Text { return Text{format, args, fmt.Sprintf(format, args...)} }

// Words makes a text of words that are no format, and stand elsewhere than in a call: in the schema, or in a type of their own.
func Words(words string) Text {
	return Text{Format: strings.ReplaceAll(words, "%", "%%"), english: words}
}

// String gives the text in English.
func (t Text) String() string { return t.english }
