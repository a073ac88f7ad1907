package sms

import (
	"encoding/json"
	"net/http"
	"strconv"
)

// smsIr uses the REST API v1 of sms.ir: JSON, and the key in a header.
type smsIr struct {
	address, key string
	line         int64
}

func newSMSIr(s Settings) (format, []string) {
	line, err := strconv.ParseUint(s.Sender, 10, 63)
	if err != nil {
		return nil, []string{"SMS_SENDER must be the number of a line, in digits alone, for SMS_PROVIDER=smsir"}
	}
	return smsIr{base(s.BaseURL, "https://api.sms.ir") + "/v1/send/bulk", s.APIKey, int64(line)}, nil
}

func (smsIr) Reaches(to string) bool { return iranianMobile.MatchString(to) }

func (s smsIr) request(m Message) (*http.Request, error) {
	body, err := json.Marshal(struct {
		Line    int64    `json:"lineNumber"`
		Text    string   `json:"messageText"`
		Mobiles []string `json:"mobiles"`
		At      *string  `json:"sendDateTime"` // null: now
	}{Line: s.line, Text: m.Text, Mobiles: []string{local(m.To)}})
	if err != nil {
		return nil, err
	}
	request, err := newRequest(http.MethodPost, s.address, "application/json", body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("X-API-KEY", s.key)
	return request, nil
}

// smsIrCodes leaves out 0 ("system error"): the message may have been sent.
var smsIrCodes = codes{}.
	with(Recipient, "104").
	with(Blacklisted, "115").
	with(Credit, "102").
	with(Busy, "20").
	with(Config, "10 11 12 13 14 101 103 105 107 117 123")

// answer also reads the id: under status 1, an id of 0 means a blacklisted number, and null a wrong one.
func (smsIr) answer(status int, body []byte) (string, refusal) {
	var read struct {
		Status token           `json:"status"`
		Data   json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(body, &read); err != nil {
		return "", refusal{httpKind(status), httpCode(status)}
	}
	if status != http.StatusOK || read.Status != "1" {
		return "", smsIrCodes.refused(status, read.Status)
	}
	var data struct {
		IDs json.RawMessage `json:"messageIds"`
	}
	if err := json.Unmarshal(read.Data, &data); err != nil {
		return "", refusal{Unknown, httpCode(status)}
	}
	first, ok := onlyItem[token](data.IDs)
	if !ok {
		return "", refusal{Unknown, httpCode(status)}
	}
	if id, ok := first.id(); ok {
		return id, refusal{}
	}
	switch first {
	case "0":
		return "", refusal{Blacklisted, "id 0"}
	case "":
		return "", refusal{Recipient, "id null"}
	}
	return "", refusal{Unknown, httpCode(status)}
}
