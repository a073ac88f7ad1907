package sms

import (
	"fmt"
	"strconv"
	"strings"
)

// Names are the providers, in the order in which messages list them.
var Names = []string{"http", "kavenegar", "log", "magfa", "none", "smsir"}

// providers make the templates of the providers called over HTTP, or say what is wrong with the settings.
var providers = map[string]func(Settings) (Template, []string){
	"kavenegar": kavenegar,
	"smsir":     smsIr,
	"magfa":     magfa,
	"http":      fromFile,
}

// kavenegar is the REST API of kavenegar.com: a form, and the key in the path. Two of the states of a message
// mean that it will not arrive.
func kavenegar(s Settings) (Template, []string) {
	t := Template{
		base: "https://api.kavenegar.com",
		Path: "/v1/{{key}}/sms/send.json",
		Form: map[string]string{"receptor": "{{to.local}}", "message": "{{text}}", "localid": "{{ref}}"},
		said: []said{{at: "/return/status", accepted: "200", kinds: codes{}.
			with(Recipient, "411").
			with(Credit, "418").
			with(Busy, "409 429 451").
			with(Unknown, "402"). // "the operation failed"; as an HTTP status it would be an empty account
			with(Config, "400 401 403 404 405 406 407 412 413 414 416 417 419 420 422 424 426 427 428 431 432 501")},
			{at: "/entries/only/status", kinds: codes{"6": Unknown, "14": Blacklisted}}},
		ID: "/entries/only/messageid",
	}
	if s.Sender != "" { // else the account's own line
		t.Form["sender"] = "{{sender}}"
	}
	return t, nil
}

// smsIr is the REST API v1 of sms.ir: JSON, and the key in a header. The code 0 ("system error") is left out: the
// message may have been sent. The id of a blacklisted number is 0, that of a wrong one null.
func smsIr(s Settings) (Template, []string) {
	line, err := strconv.ParseUint(s.Sender, 10, 63)
	if err != nil {
		return Template{}, []string{"SMS_SENDER must be the number of a line, in digits alone, for SMS_PROVIDER=smsir"}
	}
	return Template{
		base:    "https://api.sms.ir",
		Path:    "/v1/send/bulk",
		Headers: map[string]string{"X-API-KEY": "{{key}}"},
		body: fmt.Sprintf(
			`{"lineNumber":%d,"messageText":"{{text}}","mobiles":["{{to.local}}"],"sendDateTime":null}`, line),
		said: []said{{at: "/status", accepted: "1", kinds: codes{}.
			with(Recipient, "104").
			with(Blacklisted, "115").
			with(Credit, "102").
			with(Busy, "20").
			with(Config, "10 11 12 13 14 101 103 105 107 117 123")},
			{at: "/data/messageIds/only", word: "id ", kinds: codes{"id 0": Blacklisted, "id null": Recipient}}},
		ID: "/data/messageIds/only",
	}, nil
}

// magfa is HTTP v2 of sms.magfa.com: JSON, and HTTP Basic. The status of the whole answer is 0 even if the
// message was refused.
func magfa(s Settings) (Template, []string) {
	user, password, _ := strings.Cut(s.APIKey, ":")
	if name, domain, _ := strings.Cut(user, "/"); name == "" || domain == "" || password == "" {
		return Template{}, []string{"SMS_API_KEY must be USERNAME/DOMAIN:PASSWORD for SMS_PROVIDER=magfa"}
	}
	kinds := codes{}.
		with(Recipient, "1 28").
		with(Blacklisted, "27 33").
		with(Credit, "14").
		with(Busy, "15 23").
		with(Config, "2 8 13 16 17 18 19 20 22 29 30 31 34 35 101 102 103 104 105 106 107 108 109 110")
	return Template{
		base:    "https://sms.magfa.com",
		Path:    "/api/http/sms/v2/send",
		Headers: map[string]string{"Authorization": "Basic {{key.base64}}"},
		body:    `{"senders":["{{sender}}"],"recipients":["{{to.local}}"],"messages":["{{text}}"],"uids":[{{ref}}]}`,
		said: []said{{at: "/status", accepted: "0", kinds: kinds},
			{at: "/messages/only/status", accepted: "0", kinds: kinds}},
		ID: "/messages/only/id",
	}, nil
}
