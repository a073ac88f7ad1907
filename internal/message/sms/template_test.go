package sms

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
)

const right = `"path": "/send?to={{to.digits}}&text={{text}}", "id": "/id"`

func custommade(template string) Settings {
	return Settings{
		Provider: "http",
		BaseURL:  "https://sms.example/base/",
		APIKey:   "user:word",
		Sender:   "3000",
		Template: template,
	}
}

func TestWrongTemplates(t *testing.T) {
	for template, want := range map[string]string{
		``:                                 "must be set",
		`[]`:                               "is not the JSON",
		`{` + right + `} {}`:               "more follows",
		`{` + right + `, "url": 1}`:        "unknown field",
		`{` + right + `, "method": "PUT"}`: "method must be",
		`{` + right + `, "json": {}, "form": {}}`:                            "too many bodies",
		`{` + right + `, "method": "GET", "json": {}}`:                       "too many bodies",
		`{"path": ".evil.example?{{text}}{{to.e164}}", "id": "/id"}`:         "path must be",
		`{"path": "https://evil.example/?{{text}}{{to.e164}}", "id": "/id"}`: "path must be",
		`{"path": "@evil.example/?{{text}}{{to.e164}}", "id": "/id"}`:        "path must be",
		`{"path": ":80/?{{text}}{{to.e164}}", "id": "/id"}`:                  "path must be",
		`{"path": "{{to.e164}}?{{text}}", "id": "/id"}`:                      "path must be",
		`{"path": "/a b?{{text}}{{to.e164}}", "id": "/id"}`:                  "path must be",
		`{"path": "/?{{text}}{{to.e164}}#x", "id": "/id"}`:                   "path must be",
		`{"path": "/é?{{text}}{{to.e164}}", "id": "/id"}`:                    "path must be",
		`{"path": "/%zz?{{text}}{{to.e164}}", "id": "/id"}`:                  "path cannot be read",
		`{"path": "/{{text}}/{{to.e164}}", "id": "/id"}`:                     "has {{text}} in the path",
		`{` + right + `, "headers": {"X-Text": "{{text}}"}}`:                 "has {{text}} in the path",
		`{` + right + `, "headers": {"Host": "evil.example"}}`:               `headers has "Host"`,
		`{` + right + `, "headers": {"idempotency-key": "{{ref}}"}}`:         `headers has "idempotency-key"`,
		`{` + right + `, "headers": {"a b": "c"}}`:                           `headers has "a b"`,
		`{` + right + `, "headers": {"A": "b\r\nC: d"}}`:                     `headers has "A"`,
		`{"path": "/?{{text}}", "id": "/id"}`:                                "must use",
		`{"path": "/?{{to.local}}", "id": "/id"}`:                            "must use",
		`{` + right + `, "form": {"x": "{{sender.local}}"}}`:                 "form has {{sender.local}}",
		`{` + right + `, "json": ["{{text}"]}`:                               "json has {{ or }}",
		`{"path": "/?{{text}}{{to.e164}}"}`:                                  "id must be",
		`{"path": "/?{{text}}{{to.e164}}", "id": "id"}`:                      "id must be",
		`{"path": "/?{{text}}{{to.e164}}", "id": "/~2"}`:                     "id must be",
		`{` + right + `, "code": "x", "kinds": {"1": "busy"}}`:               "code must be",
		`{` + right + `, "code": "/x"}`:                                      "needs both",
		`{` + right + `, "kinds": {"1": "busy"}}`:                            "needs both",
		`{` + right + `, "code": "/x", "kinds": {"1": "Busy"}}`:              `kinds has "Busy"`,
		`{` + right + `, "code": "/x", "kinds": {"1": "unreachable"}}`:       `kinds has "unreachable"`,
		`{` + right + `, "success": {"pointer": "/ok"}}`:                     "success must",
		`{` + right + `, "success": {"value": 1}}`:                           "success must",
		`{` + right + `, "success": {"pointer": "/ok", "value": {}}}`:        "success must",
	} {
		_, err := New(custommade(template))
		if err == nil || strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "SMS_HTTP_TEMPLATE ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: got\n%v\nwant\n%s", template, err, want)
		}
	}
	s := custommade(`{"path": "/{{sender}}?{{text}}{{to.e164}}", "headers": {"A": "{{key}}"}, "id": "/id"}`)
	if _, err := New(s); err != nil {
		t.Error(err)
	}
	for _, wrong := range []func(*Settings){
		func(s *Settings) { s.Sender = "" },
		func(s *Settings) { s.Sender = "فروشگاه" },
		func(s *Settings) { s.APIKey = "رمز" },
	} {
		spoiled := s
		wrong(&spoiled)
		if _, err := New(spoiled); err == nil {
			t.Errorf("taken: %+v", spoiled)
		}
	}
}

func requestOf(t testing.TB, template string, m Message) (*http.Request, string) {
	t.Helper()
	f, wrong := newFormat(custommade(template))
	if wrong != nil {
		t.Fatal(wrong)
	}
	request, err := f.request(m)
	if err != nil {
		t.Fatal(err)
	}
	if request.Body == nil {
		return request, ""
	}
	body, err := io.ReadAll(request.Body)
	if err != nil {
		t.Fatal(err)
	}
	return request, string(body)
}

func TestPlaceholdersFitTheirPlace(t *testing.T) {
	m := Message{To: "+989121234567", Text: "a&b=\"{{key}}\"\n/؟", Ref: 7}
	request, body := requestOf(t, `{
		"path": "/to/{{to.e164}}/{{ key }}/{{sender}}?text={{text}}&ref={{ref}}&to={{to.e164}}",
		"headers": {"authorization": "Basic {{key.base64}}", "Content-Type": "application/json; charset=utf-8"},
		"json": {"list": ["{{to.local}}", "00{{to.digits}}", 12345678901234567890, null, true], "text": "«{{text}}»",
			"{{text}}": {"a": {"b": 1}}},
		"id": "/id"}`, m)
	const want = "https://sms.example/base/to/+989121234567/user:word/3000?" +
		"text=a%26b%3D%22%7B%7Bkey%7D%7D%22%0A%2F%D8%9F&ref=7&to=%2B989121234567"
	if got := request.URL.String(); got != want {
		t.Errorf("calls %s", got)
	}
	user, password, _ := request.BasicAuth()
	if user != "user" || password != "word" || request.Method != http.MethodPost {
		t.Errorf("%s with %v", request.Method, request.Header)
	}
	var read map[string]any
	if err := json.Unmarshal([]byte(body), &read); err != nil || read["text"] != "«"+m.Text+"»" ||
		read[m.Text] == nil ||
		!strings.Contains(body, `["09121234567","00989121234567",12345678901234567890,null,true]`) {
		t.Errorf("%v: sends %s", err, body)
	}
	request, body = requestOf(
		t,
		`{"form": {"m": "{{text}}", "r": "{{ref}}", "t": "{{to.e164}}"}, "id": "/id"}`,
		Message{To: m.To, Text: m.Text},
	)
	if body != "m=a%26b%3D%22%7B%7Bkey%7D%7D%22%0A%2F%D8%9F&r=&t=%2B989121234567" ||
		request.URL.String() != "https://sms.example/base" {
		t.Errorf("sends %s to %s", body, request.URL)
	}
}

func TestAnswersByTemplate(t *testing.T) {
	f, wrong := newFormat(custommade(`{` + right + `, "success": {"pointer": "/list/0/a~1b", "value": 1},
		"code": "/code", "kinds": {"E-17": "credit", "5": "busy"}}`))
	if wrong != nil {
		t.Fatal(wrong)
	}
	for answer, want := range map[string]refusal{
		`{"list": [{"a/b": 1}], "id": 0}`:              {Unknown, "HTTP 200"},
		`{"list": [{"a/b": 1}], "id": null}`:           {Unknown, "HTTP 200"},
		`{"list": [{"a/b": 1}], "id": 1.5}`:            {Unknown, "HTTP 200"},
		`{"list": [{"a/b": 1}], "id": ["x"]}`:          {Unknown, "HTTP 200"},
		`{"list": [{"a/b": 1}], "id": "x"} trailing`:   {Unknown, "HTTP 200"},
		`{"list": [{"a/b": "1"}], "id": 3}`:            {Unknown, "HTTP 200"},
		`{"list": [], "id": 3, "code": "E-17"}`:        {Credit, "E-17"},
		`{"list": {"0": 1}, "id": 3, "code": 5}`:       {Busy, "5"},
		`{"id": 3, "code": "۵"}`:                       {Unknown, "HTTP 200"},
		`{"id": 3, "code": 404}`:                       {Unknown, "404"},
		`{"id": 3, "code": 123456}`:                    {Unknown, "HTTP 200"},
		`{"id": 3, "code": "989121234567"}`:            {Unknown, "HTTP 200"},
		`{"id": 3, "code": "the text of the message"}`: {Unknown, "HTTP 200"},
	} {
		if id, got := f.answer(200, []byte(answer)); id != "" || got != want {
			t.Errorf("%s: %q, %v", answer, id, got)
		}
	}
	for answer, want := range map[string]string{
		`{"list": [{"a/b": 1}], "id": 12345678901234567890}`: "12345678901234567890",
		` {"list": [{"a/b": 1}], "id": " x-1 "}` + "\n":      "x-1",
	} {
		if id, why := f.answer(202, []byte(answer)); id != want {
			t.Errorf("%s: %q, %v", answer, id, why)
		}
		if id, why := f.answer(500, []byte(answer)); id != "" || why.kind != Unknown {
			t.Errorf("HTTP 500, %s: %q, %v", answer, id, why)
		}
	}
}

// FuzzTemplate checks what is sent to the host of SMS_BASE_URL, whatever the template and the message.
func FuzzTemplate(f *testing.F) {
	f.Add(`{`+right+`}`, "+989121234567", "x", int64(1))
	for _, name := range []string{"ippanel", "melipayamak"} {
		template, err := os.ReadFile("testdata/" + name + ".json")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(template), "+14155552671", "{{key}}\n", int64(0))
	}
	f.Add(`{"path": "//evil.example/?{{to.e164}}", "form": {"a": "{{text}}"}, "id": "/id"}`, "+98", "..", int64(-1))
	f.Fuzz(func(t *testing.T, template, to, text string, ref int64) {
		made, wrong := newFormat(custommade(template))
		if wrong != nil || !made.Reaches(to) {
			return
		}
		request, err := made.request(Message{To: to, Text: text, Ref: ref})
		if err != nil {
			t.Fatalf("%s makes no request: %v", template, err)
		}
		if request.URL.Scheme != "https" || request.URL.Host != "sms.example" || request.Host != "sms.example" ||
			request.URL.User != nil {
			t.Fatalf("%s calls %s", template, request.URL)
		}
		made.answer(200, []byte(template))
	})
}
