// Package language translates messages for the client into English or Farsi, as Accept-Language asks. The
// server puts a Reader into the request's context; rest and graph translate with it the texts of the answer.
// The messages themselves are made by internal/fault; fa.json holds their Farsi.
package language

import (
	_ "embed"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json"

	"storefront/internal/fault"
	"storefront/internal/locale/money"
)

// Reader translates the messages of the answer to one request.
type Reader struct {
	accepts []string // the Accept-Language headers as sent, parsed when there is a message
	once    sync.Once
	chosen  Language
	said    atomic.Bool
	shown   atomic.Bool // Language was called, so the answer shows texts in it
}

// For returns the reader for the headers of a request.
func For(header http.Header) *Reader { return &Reader{accepts: header.Values("Accept-Language")} }

func (r *Reader) language() Language {
	r.once.Do(func() { r.chosen = Choose(strings.Join(r.accepts, ",")) })
	return r.chosen
}

// Asked returns the language that the request asks for, for texts outside its answer, such as an SMS; ok is
// false if the request asks for none, or for another one.
func (r *Reader) Asked() (asked Language, ok bool) {
	chosen := r.language()
	for entry := range strings.SplitSeq(strings.Join(r.accepts, ","), ",") {
		tag, weight, read := parseEntry(entry)
		named, known := languageOf(tag)
		ok = ok || read && known && named == chosen && weight > 0
	}
	return chosen, ok
}

// Say returns a text in the reader's language.
func (r *Reader) Say(text fault.Text) string {
	r.said.Store(true)
	return r.language().Say(text)
}

// Error returns an error with its message in the reader's language.
func (r *Reader) Error(e *fault.Error) *fault.Error {
	if e.IsForeign() {
		return e
	}
	r.said.Store(true)
	return e.In(r.language().Say)
}

// Language returns the reader's language, for texts that the answer shows in it. The answer is labelled with it.
func (r *Reader) Language() Language {
	r.shown.Store(true)
	return r.language()
}

// Said reports whether the answer contains a message.
func (r *Reader) Said() bool { return r.said.Load() }

// Label sets the headers that name the reader's language, if the answer has a message or shows texts in it.
func (r *Reader) Label(h http.Header) {
	if r.said.Load() || r.shown.Load() {
		h.Set("Content-Language", string(r.language()))
		h.Add("Vary", "Accept-Language")
	}
}

// farsiLines holds English formats and their Farsi translations: the same verbs, in any order ("%[2]d"). A
// %d is written in Persian digits, an amount in Farsi; other arguments are unchanged.
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
		switch part := arg.(type) {
		case fault.Text:
			args[i] = l.Say(part)
		case money.Words:
			args[i] = part.Farsi()
		default:
			args[i] = prose{arg}
		}
	}
	return fmt.Sprintf(format, args...)
}

// prose formats an argument for Farsi prose.
type prose struct{ value any }

// Format implements fmt.Formatter.
func (p prose) Format(to fmt.State, verb rune) {
	written := fmt.Sprintf(fmt.FormatString(to, verb), p.value)
	if verb == 'd' {
		written = money.Persian(written)
	}
	_, _ = io.WriteString(to, written)
}
