package language

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"

	"storefront/internal/fault"
)

// farsiLines holds English formats and their Farsi translations: the same verbs, in any order ("%[2]d"). A
// %d is written in Persian digits; other arguments are unchanged.
//
//go:embed fa.json
var farsiLines []byte

// farsi maps English formats to their Farsi ones.
var farsi = mustRead(farsiLines)

// mustRead parses the lines, which are part of the program. It panics if they are not JSON or have a format
// twice.
func mustRead(lines []byte) map[string]string {
	formats := map[string]string{}
	if err := json.Unmarshal(lines, &formats); err != nil {
		panic(err)
	}
	return formats
}

// Say returns a text in the language, or in English if there is no translation, which a test rules out.
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

// prose formats an argument for Farsi prose.
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
