package sms

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"storefront/internal/platform/httpcall"
)

var placeholder = regexp.MustCompile(`\{\{([^{}]*)\}\}`)

var placeholders = []string{"to.local", "to.e164", "to.digits", "text", "sender", "ref", "key", "key.base64"}

// filler returns the values of one message.
type filler struct {
	m           Message
	sender, key string
}

func (f filler) value(name string) string {
	switch name {
	case "to.local":
		return local(f.m.To)
	case "to.e164":
		return f.m.To
	case "to.digits":
		return digits(f.m.To)
	case "text":
		return f.m.Text
	case "sender":
		return f.sender
	case "key":
		return f.key
	case "key.base64":
		return base64.StdEncoding.EncodeToString([]byte(f.key))
	case "ref":
		if f.m.Ref != 0 {
			return strconv.FormatInt(f.m.Ref, 10)
		}
	}
	return ""
}

// fill replaces placeholders by their values, in one pass: a value that looks like a placeholder is not
// replaced again.
func (f filler) fill(s string, encode func(string) string) string {
	return placeholder.ReplaceAllStringFunc(s, func(found string) string {
		return encode(f.value(strings.Trim(found, "{} ")))
	})
}

func plain(s string) string { return s }

// inJSON encodes s for a string within JSON.
func inJSON(s string) string {
	text, _ := json.Marshal(s) // never fails
	return string(text[1 : len(text)-1])
}

// names collects the placeholders of a template.
type names struct {
	used  map[string]bool
	wrong []string
}

func (n *names) has(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return n.used[name] })
}

// addFrom collects the placeholders of s, which stands in a member of the template.
func (n *names) addFrom(member, s string) {
	if n.used == nil {
		n.used = map[string]bool{}
	}
	for _, found := range placeholder.FindAllStringSubmatch(s, -1) {
		name := strings.Trim(found[1], " ")
		if !slices.Contains(placeholders, name) {
			n.wrong = append(n.wrong, fmt.Sprintf("%s has {{%s}}; the placeholders are %s",
				member, name, strings.Join(placeholders, ", ")))
		}
		n.used[name] = true
	}
	rest := placeholder.ReplaceAllString(s, "")
	if strings.Contains(rest, "{{") || member != "json" && strings.Contains(rest, "}}") { // which JSON may end with
		n.wrong = append(n.wrong, member+" has {{ or }} that is no placeholder")
	}
}

// format is the protocol of one provider, as its template describes it.
type format struct {
	Template
	sender, key string
	reach       func(to string) bool
}

// newFormat returns the format of the provider, or what is wrong with the settings.
func newFormat(s Settings) (format, []string) {
	t, wrong := providers[s.Provider](s)
	t.base = strings.TrimRight(cmp.Or(s.BaseURL, t.base), "/")
	f := format{Template: t, sender: s.Sender, key: s.APIKey, reach: reachable}
	if used := t.used(); used.has("to.local") {
		f.reach = iranianMobile.MatchString
	}
	return f, wrong
}

func (c format) Reaches(to string) bool { return c.reach(to) }

// request makes the request for a message to a number that the provider reaches.
func (c format) request(m Message) (*http.Request, error) {
	f := filler{m, c.sender, c.key}
	path, query, asked := strings.Cut(c.Path, "?")
	address := c.base + f.fill(path, url.PathEscape)
	if asked {
		address += "?" + f.fill(query, url.QueryEscape)
	}
	contentType, body := c.content(f)
	request, err := httpcall.NewRequest(cmp.Or(c.Method, http.MethodPost), address, contentType, body)
	if err != nil {
		return nil, err
	}
	for name, value := range c.Headers {
		request.Header.Set(name, f.fill(value, plain))
	}
	return request, nil
}

func (c format) content(f filler) (contentType string, body []byte) {
	switch {
	case c.body != "":
		return "application/json", []byte(f.fill(c.body, inJSON))
	case c.Form != nil:
		form := url.Values{}
		for name, value := range c.Form {
			form.Set(name, f.fill(value, plain))
		}
		return "application/x-www-form-urlencoded", []byte(form.Encode())
	}
	return "", nil
}

// answer reads an HTTP status and body: the id of the message, or else why there is none.
func (c format) answer(status int, body []byte) (string, refusal) {
	var read any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	err := decoder.Decode(&read)
	if err != nil || decoder.InputOffset() < int64(len(bytes.TrimRight(body, " \t\r\n"))) {
		return "", refusal{httpKind(status), httpCode(status)}
	}
	good := status >= 200 && status < 300
	if c.Success != nil {
		good = good && scalar(lookUp(read, c.Success.Pointer)) == scalar(c.Success.Value)
	}
	for _, said := range c.said {
		code := said.word + codeOf(lookUp(read, said.at))
		if !good || said.kinds[code] != "" || said.accepted != "" && code != said.accepted {
			return "", said.kinds.refused(status, code)
		}
	}
	if id := codeOf(lookUp(read, c.ID)); good && isID(id) {
		return id, refusal{}
	}
	return "", c.Kinds.refused(status, codeOf(lookUp(read, c.Code)))
}

var (
	iranianMobile = regexp.MustCompile(`^\+989[0-9]{9}$`)
	international = regexp.MustCompile(`^\+[1-9][0-9]{7,14}$`)
)

// reachable reports whether an SMS can reach a number in E.164 form: in Iran mobile numbers only.
func reachable(e164 string) bool {
	return international.MatchString(e164) && (!strings.HasPrefix(e164, "+98") || iranianMobile.MatchString(e164))
}

// local returns an Iranian number in its national form: 09121234567.
func local(e164 string) string { return "0" + strings.TrimPrefix(e164, "+98") }

// digits returns a number with its country code and no plus: 989121234567.
func digits(e164 string) string { return strings.TrimPrefix(e164, "+") }

// Masked hides the middle of a number in E.164 form, for logs: +98912***4567. Of a short number it hides
// more, and of a text in another form everything.
func Masked(e164 string) string {
	switch {
	case !international.MatchString(e164):
		return "***"
	case len(e164) < 13:
		return e164[:4] + "***" + e164[len(e164)-2:]
	}
	return e164[:6] + "***" + e164[len(e164)-4:]
}
