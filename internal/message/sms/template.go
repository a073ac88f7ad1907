package sms

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// Template is the file that teaches SMS_PROVIDER=http to speak to one more provider. It is one JSON object:
//
//	{"path": "/v1/api/send",
//	 "headers": {"Authorization": "{{key}}"},
//	 "json": {"from_number": "{{sender}}", "message": "{{text}}", "params": {"recipients": ["{{to.e164}}"]}},
//	 "success": {"pointer": "/meta/status", "value": true},
//	 "id": "/data/message_outbox_ids/0",
//	 "code": "/meta/message_code",
//	 "kinds": {"400-1": "config", "400-2": "config"}}
//
// Placeholders may stand in the path, in the values of headers and of the form, and in every string within
// json. Values are encoded for their place and are not searched for further placeholders:
//
//	{{to.e164}} +989121234567   {{to.digits}} 989121234567   {{to.local}} 09121234567: then it reaches Iran only
//	{{text}} {{sender}} {{key}}   {{key.base64}}: for HTTP Basic, of a key user:password
//	{{ref}}: the number of the message as a string
//
// {{text}} may stand only in the query of the path, in json or in the form.
type Template struct {
	Method  string            // POST, which is the default, or GET
	Path    string            // follows SMS_BASE_URL, so no other host is called: "" or /path?query
	Headers map[string]string // sent beside, or in place of, Content-Type, Accept and User-Agent
	JSON    any               // the body, or
	Form    map[string]string // the body as a form; a GET has neither
	Success *Success          // what a good answer has beside an HTTP status of 200 to 299; absent: nothing
	ID      string            // JSON pointer (RFC 6901) to the message's id, a string or a whole number other than 0
	Code    string            // JSON pointer to the code of a bad answer
	Kinds   codes             // the kinds of codes; for other codes the HTTP status decides

	base string // the provider's own address
	body string // JSON as text
	said []said // further codes, of which the first one that is not accepted decides
}

// said is a code in an answer.
type said struct {
	at       string // JSON pointer
	word     string // what errors have before it
	accepted string // the code of an accepted message; empty: any other than those of kinds
	kinds    codes
}

// fromFile returns the template that the operator wrote.
func fromFile(s Settings) (Template, []string) {
	t, wrong := parseTemplate(s.Template, s)
	for i, fault := range wrong {
		wrong[i] = "SMS_HTTP_TEMPLATE " + fault
	}
	return t, wrong
}

// Success compares a member of the answer.
type Success struct {
	Pointer string // JSON pointer
	Value   any    // string, number or boolean it must be
}

// parseTemplate parses the text of a template, and returns everything that is wrong with it.
func parseTemplate(text string, s Settings) (Template, []string) {
	var t Template
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	decoder.UseNumber()
	err := decoder.Decode(&t)
	if _, more := decoder.Token(); err == nil && !errors.Is(more, io.EOF) {
		err = errors.New("more follows the object")
	}
	if err != nil {
		return t, []string{"is not the JSON of a template: " + err.Error()}
	}
	if t.JSON != nil {
		text, _ := json.Marshal(t.JSON) // never fails: it was JSON
		t.body = string(text)
	}
	return t, append(t.checkRequest(s), t.checkAnswer()...)
}

func (t Template) checkRequest(s Settings) (wrong []string) {
	if t.Method != "" && t.Method != http.MethodPost && t.Method != http.MethodGet {
		wrong = append(wrong, "method must be POST or GET")
	}
	if t.JSON != nil && t.Form != nil || t.Method == http.MethodGet && (t.JSON != nil || t.Form != nil) {
		wrong = append(wrong, "has too many bodies: a POST has json or form, a GET none")
	}
	path, _, _ := strings.Cut(t.Path, "?")
	if path != "" && path[0] != '/' || strings.Contains(t.Path, "#") || !sendable(t.Path) {
		wrong = append(wrong, "path must be empty or begin with / and hold nothing but ASCII, without # and spaces")
	} else if _, err := url.Parse("http://host" + placeholder.ReplaceAllString(t.Path, "x")); err != nil {
		wrong = append(wrong, "path cannot be read; a % is written %25")
	}
	for _, header := range slices.Sorted(maps.Keys(t.Headers)) {
		if !isToken(header) || slices.Contains(ownHeaders, http.CanonicalHeaderKey(header)) ||
			!visible(t.Headers[header]) {
			wrong = append(wrong, fmt.Sprintf("headers has %q, which cannot be sent", header))
		}
	}
	bare, used := t.bare(), t.used()
	if bare.has("text") {
		wrong = append(wrong, "has {{text}} in the path or in a header; it stands in the query, in json or in form")
	}
	if bare.has("sender") && !visible(s.Sender) || bare.has("key") && !visible(s.APIKey) {
		wrong = append(wrong, "has {{sender}} or {{key}} in the path or a header, so what it stands for must be ASCII")
	}
	if !used.has("text") || !used.has("to.e164", "to.digits", "to.local") {
		wrong = append(wrong, "must use {{text}} and one of {{to.e164}}, {{to.digits}}, {{to.local}}")
	}
	if used.has("sender") && s.Sender == "" {
		wrong = append(wrong, "uses {{sender}}, so SMS_SENDER must be set")
	}
	return append(wrong, used.wrong...)
}

// bare collects the placeholders in places that cannot hold every text: the path before its query, and
// headers.
func (t Template) bare() (n names) {
	path, _, _ := strings.Cut(t.Path, "?")
	n.addFrom("path", path)
	for _, header := range slices.Sorted(maps.Keys(t.Headers)) {
		n.addFrom("headers", t.Headers[header])
	}
	return n
}

// used collects all placeholders.
func (t Template) used() names {
	n := t.bare()
	_, query, _ := strings.Cut(t.Path, "?")
	n.addFrom("path", query)
	for _, name := range slices.Sorted(maps.Keys(t.Form)) {
		n.addFrom("form", t.Form[name])
	}
	n.addFrom("json", t.body)
	return n
}

func (t Template) checkAnswer() (wrong []string) {
	if t.ID == "" || !isPointer(t.ID) {
		wrong = append(wrong, "id must be the JSON pointer of the message's id: /data/id")
	}
	if !isPointer(t.Code) {
		wrong = append(wrong, "code must be a JSON pointer: /meta/code")
	}
	if (t.Code == "") != (len(t.Kinds) == 0) {
		wrong = append(wrong, "needs both code and kinds, or neither")
	}
	if t.Success != nil && (t.Success.Pointer == "" || !isPointer(t.Success.Pointer) || scalar(t.Success.Value) == "") {
		wrong = append(wrong, "success must have a pointer and a value that is a string, a number or a boolean")
	}
	kinds := []Kind{Recipient, Blacklisted, Config, Credit, Busy, Unknown}
	for _, code := range slices.Sorted(maps.Keys(t.Kinds)) {
		if !slices.Contains(kinds, t.Kinds[code]) {
			wrong = append(wrong, fmt.Sprintf("kinds has %q for %q; it must be one of %s", t.Kinds[code], code, kinds))
		}
	}
	return wrong
}

// ownHeaders are the headers that net/http writes, and those that make it repeat a request.
var ownHeaders = []string{
	"Connection", "Content-Length", "Host", "Idempotency-Key", "Transfer-Encoding", "X-Idempotency-Key",
}

func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_'
	})
}

// visible reports whether s can be the value of a header: ASCII without control characters.
func visible(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

// sendable reports whether s can be a path with a query once its placeholders are filled.
func sendable(s string) bool {
	bare := placeholder.ReplaceAllString(s, "")
	return visible(bare) && !strings.ContainsAny(bare, " \"<>\\^`{|}")
}
