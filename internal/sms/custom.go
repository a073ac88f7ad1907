package sms

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

// custom calls a provider as a template describes.
type custom struct {
	Template
	base, sender, key string
	reach             func(to string) bool
	codes             codes
}

func newCustom(s Settings) (format, []string) {
	if s.BaseURL == "" {
		return nil, []string{"SMS_BASE_URL must be set for SMS_PROVIDER=http"}
	}
	t, wrong := parseTemplate(s.Template, s)
	for i, fault := range wrong {
		wrong[i] = "SMS_HTTP_TEMPLATE " + fault
	}
	c := custom{Template: t, base: base(s.BaseURL, ""), sender: s.Sender, key: s.APIKey,
		reach: reachable, codes: codes{}}
	if used := t.used(); used.has("to.local") {
		c.reach = iranianMobile.MatchString
	}
	for code, kind := range t.Kinds {
		c.codes[token(code)] = kind
	}
	return c, wrong
}

func (c custom) Reaches(to string) bool { return c.reach(to) }

func (c custom) request(m Message) (*http.Request, error) {
	f := filler{m, c.sender, c.key}
	path, query, asked := strings.Cut(c.Path, "?")
	address := c.base + f.fill(path, url.PathEscape)
	if asked {
		address += "?" + f.fill(query, url.QueryEscape)
	}
	contentType, body, err := c.body(f)
	if err != nil {
		return nil, err
	}
	request, err := newRequest(c.Method, address, contentType, body)
	if err != nil {
		return nil, err
	}
	for name, value := range c.Headers {
		request.Header.Set(name, f.fill(value, plain))
	}
	return request, nil
}

func (c custom) body(f filler) (contentType string, body []byte, err error) {
	switch {
	case c.JSON != nil:
		body, err = json.Marshal(f.fillJSON(c.JSON))
		return "application/json", body, err
	case c.Form != nil:
		form := url.Values{}
		for name, value := range c.Form {
			form.Set(name, f.fill(value, plain))
		}
		return "application/x-www-form-urlencoded", []byte(form.Encode()), nil
	}
	return "", nil, nil
}

func (c custom) answer(status int, body []byte) (string, refusal) {
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
	if good {
		if id, ok := tokenOf(lookUp(read, c.ID)).id(); ok {
			return id, refusal{}
		}
	}
	return "", c.codes.refused(status, tokenOf(lookUp(read, c.Code)))
}

// tokenOf returns a string or whole number as a token, and anything else as an empty one.
func tokenOf(value any) token {
	switch value.(type) {
	case string, json.Number:
	default:
		return ""
	}
	var t token
	text, err := json.Marshal(value)
	if err != nil || t.UnmarshalJSON(text) != nil {
		return ""
	}
	return t
}
