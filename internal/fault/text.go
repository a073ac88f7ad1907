package fault

import (
	"fmt"
	"strings"
)

// Text is a message for people: an English format of package fmt, which is the key of its translations, and
// its arguments. An argument that is a Text is translated too.
type Text struct {
	Format string
	Args   []any

	english string
}

// Say returns a text. format must be a constant.
func Say(format string, args ...any) Text { return Text{format, args, fmt.Sprintf(format, args...)} }

// Words returns a text that is not a format, such as words of the schema or of a typed constant.
func Words(words string) Text {
	return Text{Format: strings.ReplaceAll(words, "%", "%%"), english: words}
}

// String returns the text in English.
func (t Text) String() string { return t.english }
