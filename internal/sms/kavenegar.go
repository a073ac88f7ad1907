package sms

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
)

// kavenegar uses the REST API of kavenegar.com: a form, and the key in the path.
type kavenegar struct {
	address string // with the key
	sender  string // empty: the account's own line
}

func newKavenegar(s Settings) (format, []string) {
	address := base(s.BaseURL, "https://api.kavenegar.com") + "/v1/" + url.PathEscape(s.APIKey) + "/sms/send.json"
	return kavenegar{address: address, sender: s.Sender}, nil
}

func (kavenegar) Reaches(to string) bool { return iranianMobile.MatchString(to) }

func (k kavenegar) request(m Message) (*http.Request, error) {
	form := url.Values{"receptor": {local(m.To)}, "message": {m.Text}}
	if k.sender != "" {
		form.Set("sender", k.sender)
	}
	if m.Ref != 0 {
		form.Set("localid", strconv.FormatInt(m.Ref, 10))
	}
	return newRequest(http.MethodPost, k.address, "application/x-www-form-urlencoded", []byte(form.Encode()))
}

var kavenegarCodes = codes{}.
	with(Recipient, "411").
	with(Credit, "418").
	with(Busy, "409 429 451").
	with(Unknown, "402"). // "the operation failed"; as an HTTP status it would be an empty account
	with(Config, "400 401 403 404 405 406 407 412 413 414 416 417 419 420 422 424 426 427 428 431 432 501")

// Two of the states of a message mean that it will not arrive.
const (
	kavenegarFailed  = "6"
	kavenegarBlocked = "14"
)

// answer requires both statuses to be 200: a failure may come under HTTP 200.
func (kavenegar) answer(status int, body []byte) (string, refusal) {
	var read struct {
		Return struct {
			Status token `json:"status"`
		} `json:"return"`
		Entries json.RawMessage `json:"entries"`
	}
	if err := json.Unmarshal(body, &read); err != nil {
		return "", refusal{httpKind(status), httpCode(status)}
	}
	message, ok := onlyItem[struct {
		ID    token `json:"messageid"`
		State token `json:"status"`
	}](read.Entries)
	if status != http.StatusOK || read.Return.Status != "200" || !ok {
		return "", kavenegarCodes.refused(status, read.Return.Status)
	}
	switch message.State {
	case kavenegarBlocked:
		return "", refusal{Blacklisted, kavenegarBlocked}
	case kavenegarFailed:
		return "", refusal{Unknown, kavenegarFailed}
	default:
		id, ok := message.ID.id()
		if !ok {
			return "", refusal{Unknown, httpCode(status)}
		}
		return id, refusal{}
	}
}
