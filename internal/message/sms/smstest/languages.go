package smstest

import (
	"net/http"
	"strings"
)

var languages = []language{kavenegar, smsIr, magfa, ipPanel, meliPayamak}

// languageOf returns the provider whose path was called.
func languageOf(r *http.Request) (language, bool) {
	path := r.URL.EscapedPath()
	if r.Method != http.MethodPost {
		return language{}, false
	}
	switch {
	case strings.HasPrefix(path, "/v1/") && strings.HasSuffix(path, "/sms/send.json") && strings.Count(path, "/") == 4:
		return kavenegar, true
	case path == "/v1/send/bulk":
		return smsIr, true
	case path == "/api/http/sms/v2/send":
		return magfa, true
	case path == "/v1/api/send":
		return ipPanel, true
	case path == "/api/SendSMS/SendSMS":
		return meliPayamak, true
	}
	return language{}, false
}

// fromLocal returns the E.164 form of 09121234567.
func fromLocal(number string) (e164 string, ok bool) {
	rest, ok := strings.CutPrefix(number, "0")
	return "+98" + rest, ok && len(rest) == 10 && strings.Trim(rest, "0123456789") == ""
}

// checked returns what is wrong with a message whose credentials are right.
func checked(m Message, isNumber bool) (Message, reason) {
	switch {
	case m.Text == "":
		return m, badForm
	case m.Sender != Line:
		return m, badLine
	case !isNumber:
		return m, badRecipient
	}
	return m, ""
}
