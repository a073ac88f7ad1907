package smstest

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
)

// The providers that take JSON.

var smsIr = language{
	name: "smsir",
	read: func(r *http.Request) (Message, reason) {
		if r.Header.Get("X-API-KEY") != SMSIrKey {
			return Message{}, badKey
		}
		var body struct {
			Line    int64   `json:"lineNumber"`
			Text    string  `json:"messageText"`
			Mobiles only    `json:"mobiles"`
			At      *string `json:"sendDateTime"`
		}
		if !readJSON(r, &body) {
			return Message{}, badForm
		}
		to, isNumber := fromLocal(string(body.Mobiles))
		return checked(Message{To: to, Text: body.Text, Sender: strconv.FormatInt(body.Line, 10)}, isNumber)
	},
	accept: `{"status":1,"message":"موفق","data":{"packId":"2b99e63c-9b8a-4a30-9f2c-0f2e0a6a6b1d",` +
		`"messageIds":[%s],"cost":1.0}}`,
	refuse: map[reason]reply{
		badKey:       smsIrRefusal(401, "10"),
		badForm:      smsIrRefusal(400, "103"),
		badLine:      smsIrRefusal(400, "101"),
		badRecipient: smsIrRefusal(400, "104"),
		blacklisted:  {200, `{"status":1,"message":"موفق","data":{"packId":"2b99e63c","messageIds":[0],"cost":0.0}}`},
		noCredit:     smsIrRefusal(400, "102"),
		tooMany:      smsIrRefusal(429, "20"),
		hidden:       smsIrRefusal(200, "101"),
		noID:         {200, `{"status":1,"message":"موفق","data":{"packId":"2b99e63c","messageIds":[],"cost":0.0}}`},
	},
}

func smsIrRefusal(status int, code string) reply {
	return reply{status, `{"status":` + code + `,"message":"خطا","data":null}`}
}

// magfa answers everything but a flood with HTTP 200.
var magfa = language{
	name: "magfa",
	read: func(r *http.Request) (Message, reason) {
		if user, password, ok := r.BasicAuth(); !ok || user+":"+password != MagfaKey {
			return Message{}, badKey
		}
		var body struct {
			Senders    only    `json:"senders"`
			Recipients only    `json:"recipients"`
			Messages   only    `json:"messages"`
			Refs       []int64 `json:"uids"`
		}
		if !readJSON(r, &body) || len(body.Refs) > 1 {
			return Message{}, badForm
		}
		to, isNumber := fromLocal(string(body.Recipients))
		m := Message{To: to, Text: string(body.Messages), Sender: string(body.Senders)}
		for _, ref := range body.Refs {
			m.Ref = strconv.FormatInt(ref, 10)
		}
		return checked(m, isNumber)
	},
	accept: `{"status":0,"messages":[{"status":0,"id":%s,"userId":"123456","parts":1,` +
		`"tariff":160.0,"alphabet":"UCS2","recipient":"989120000000"}]}`,
	refuse: map[reason]reply{
		badKey:       {200, `{"status":18}`},
		badForm:      {200, `{"status":31}`},
		badLine:      magfaRefusal("2"),
		badRecipient: magfaRefusal("1"),
		blacklisted:  magfaRefusal("27"),
		noCredit:     {200, `{"status":14}`},
		tooMany:      {429, "Too Many Requests"},
		hidden:       magfaRefusal("20"),
		noID:         {200, `{"status":0,"messages":[{"status":0,"id":null}]}`},
	},
}

func magfaRefusal(code string) reply {
	return reply{200, `{"status":0,"messages":[{"status":` + code + `,"id":null,"userId":null,"recipient":"98…"}]}`}
}

// ipPanel takes every message whose number it can read: blacklisted numbers and missing credit show only in
// its reports.
var ipPanel = language{
	name: "ippanel",
	read: func(r *http.Request) (Message, reason) {
		if r.Header.Get("Authorization") != IPPanelKey {
			return Message{}, badKey
		}
		var body struct {
			Kind   string `json:"sending_type"`
			From   string `json:"from_number"`
			Text   string `json:"message"`
			Params struct {
				Recipients only `json:"recipients"`
			} `json:"params"`
		}
		if !readJSON(r, &body) || body.Kind != "webservice" {
			return Message{}, badForm
		}
		to := string(body.Params.Recipients)
		isNumber := strings.HasPrefix(to, "+") && strings.Trim(to[1:], "0123456789") == ""
		return checked(Message{To: to, Text: body.Text, Sender: body.From}, isNumber)
	},
	accept: `{"data":{"message_outbox_ids":[%s]},"meta":{"status":true,"message":"انجام شد",` +
		`"message_parameters":[],"message_code":"200-1"}}`,
	refuse: map[reason]reply{
		badKey:       ipPanelRefusal(401, "400-1", "null"),
		badForm:      ipPanelRefusal(422, "400-2", `{"message":["required"]}`),
		badLine:      ipPanelRefusal(422, "400-2", `{"from_number":["invalid"]}`),
		badRecipient: ipPanelRefusal(422, "400-2", `{"params.recipients":["invalid"]}`),
		tooMany:      {429, "Too Many Requests"},
		hidden:       ipPanelRefusal(200, "400-1", "null"),
		noID:         {200, `{"data":{"message_outbox_ids":[]},"meta":{"status":true,"message_code":"200-1"}}`},
	},
}

func ipPanelRefusal(status int, code, fields string) reply {
	return reply{
		status,
		`{"data":null,"meta":{"status":false,"message":"خطا","message_code":"` + code + `","errors":` + fields + `}}`,
	}
}

// only is the one string of a list.
type only string

func (o *only) UnmarshalJSON(data []byte) error {
	var all []string
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	if len(all) != 1 {
		return errors.New("not one")
	}
	*o = only(all[0])
	return nil
}

func readJSON(r *http.Request, to any) bool {
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	return r.Header.Get("Content-Type") == "application/json" && decoder.Decode(to) == nil && !decoder.More()
}
