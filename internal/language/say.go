package language

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"

	"storefront/internal/fault"
)

// A line of fa.json is an English format and its Farsi translation: the same verbs, in an order of its own
// ("%[2]d"). A %d is written in Persian digits; other arguments stay as they are.
//
//go:embed fa.json
var farsiLines []byte

// farsi has the Farsi formats by their English ones.
var farsi = mustRead(farsiLines)

// mustRead panics when the lines, which are part of the program, are not JSON or have a format twice.
func mustRead(lines []byte) map[string]string {
	formats := map[string]string{}
	if err := json.Unmarshal(lines, &formats); err != nil {
		panic(err)
	}
	return formats
}

// Say returns a text in the language; in English when there is no translation, which a test rules out.
func (l Language) Say(text fault.Text) string {
	format, known := farsi[text.Format]
	if l != Farsi || !known {
		return text.String()
	}
	args := make([]any, len(text.Args))
	for i, arg := range text.Args {
		if part, ok := arg.(fault.Text); ok {
			args[i] = l.Say(part)
		} else {
			args[i] = prose{arg}
		}
	}
	return fmt.Sprintf(format, args...)
}

// prose formats an argument as Farsi prose writes it.
type prose struct{ value any }

var persianDigits = strings.NewReplacer(
	"0", "۰", "1", "۱", "2", "۲", "3", "۳", "4", "۴", "5", "۵", "6", "۶", "7", "۷", "8", "۸", "9", "۹")

// Format implements fmt.Formatter.
func (p prose) Format(to fmt.State, verb rune) {
	written := fmt.Sprintf(fmt.FormatString(to, verb), p.value)
	if verb == 'd' {
		written = persianDigits.Replace(written)
	}
	_, _ = io.WriteString(to, written)
}
