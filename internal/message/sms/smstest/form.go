package smstest

import (
	"net/http"
	"net/url"
	"strings"
)

// The providers that take a form.

var kavenegar = language{
	name: "kavenegar",
	read: func(r *http.Request) (Message, reason) {
		parts := strings.Split(r.URL.EscapedPath(), "/")
		if key, err := url.PathUnescape(parts[2]); err != nil || key != KavenegarKey {
			return Message{}, badKey
		}
		form, ok := readForm(r)
		if !ok {
			return Message{}, badForm
		}
		m := Message{Text: form.Get("message"), Sender: form.Get("sender"), Ref: form.Get("localid")}
		if m.Sender == "" {
			m.Sender = Line // the account's own
		}
		to, isNumber := fromLocal(form.Get("receptor"))
		m.To = to
		return checked(m, isNumber)
	},
	accept: `{"return":{"status":200,"message":"تایید شد"},"entries":[{"messageid":%s,"message":"…","status":1,` +
		`"statustext":"در صف ارسال","sender":30001234,"receptor":"09120000000","date":1356619709,"cost":120}]}`,
	refuse: map[reason]reply{
		badKey:       kavenegarRefusal(403, "403"),
		badForm:      kavenegarRefusal(400, "400"),
		badLine:      kavenegarRefusal(412, "412"),
		badRecipient: kavenegarRefusal(411, "411"),
		noCredit:     kavenegarRefusal(418, "418"),
		tooMany:      kavenegarRefusal(429, "451"),
		hidden:       kavenegarRefusal(200, "412"),
		blacklisted: {
			200,
			`{"return":{"status":200,"message":"تایید شد"},` +
				`"entries":[{"messageid":8792343,"status":14,"statustext":"بلاک شده"}]}`,
		},
		noID: {200, `{"return":{"status":200,"message":"تایید شد"},"entries":[{"messageid":0,"status":1}]}`},
	},
}

func kavenegarRefusal(status int, code string) reply {
	return reply{status, `{"return":{"status":` + code + `,"message":"خطا"},"entries":null}`}
}

// meliPayamak answers everything with HTTP 200.
var meliPayamak = language{
	name: "melipayamak",
	read: func(r *http.Request) (Message, reason) {
		form, ok := readForm(r)
		if !ok {
			return Message{}, badForm
		}
		if form.Get("username") != MeliPayamakUser || form.Get("password") != MeliPayamakPassword {
			return Message{}, badKey
		}
		to, isNumber := fromLocal(form.Get("to"))
		return checked(Message{To: to, Text: form.Get("text"), Sender: form.Get("from")}, isNumber)
	},
	accept: `{"Value":"%s","RetStatus":1,"StrRetStatus":"Ok"}`,
	refuse: map[reason]reply{
		badKey:       meliPayamakRefusal("0"),
		badForm:      meliPayamakRefusal("11"),
		badLine:      meliPayamakRefusal("5"),
		badRecipient: meliPayamakRefusal("5"),
		blacklisted:  meliPayamakRefusal("35"),
		noCredit:     meliPayamakRefusal("2"),
		tooMany:      {429, "Too Many Requests"},
		hidden:       meliPayamakRefusal("12"),
		noID:         {200, `{"Value":"0","RetStatus":1,"StrRetStatus":"Ok"}`},
	},
}

func meliPayamakRefusal(value string) reply {
	return reply{200, `{"Value":"` + value + `","RetStatus":9,"StrRetStatus":"Failed"}`}
}

// readForm requires a body of the right type and no query: proxies log queries, and the message would stand
// in it.
func readForm(r *http.Request) (url.Values, bool) {
	if r.Header.Get("Content-Type") != "application/x-www-form-urlencoded" || r.URL.RawQuery != "" ||
		r.ParseForm() != nil {
		return nil, false
	}
	return r.PostForm, true
}
