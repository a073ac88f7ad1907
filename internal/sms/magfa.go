package sms

import (
	"encoding/json"
	"net/http"
	"strings"
)

// magfa uses HTTP v2 of sms.magfa.com: JSON, and HTTP Basic.
type magfa struct {
	address, user, password, sender string
}

func newMagfa(s Settings) (format, []string) {
	user, password, _ := strings.Cut(s.APIKey, ":")
	name, domain, _ := strings.Cut(user, "/")
	if name == "" || domain == "" || password == "" {
		return nil, []string{"SMS_API_KEY must be USERNAME/DOMAIN:PASSWORD for SMS_PROVIDER=magfa"}
	}
	return magfa{address: base(s.BaseURL, "https://sms.magfa.com") + "/api/http/sms/v2/send", user: user,
		password: password, sender: s.Sender}, nil
}

func (magfa) Reaches(to string) bool { return iranianMobile.MatchString(to) }

func (g magfa) request(m Message) (*http.Request, error) {
	message := struct {
		Senders    []string `json:"senders"`
		Recipients []string `json:"recipients"`
		Messages   []string `json:"messages"`
		Refs       []int64  `json:"uids,omitempty"`
	}{Senders: []string{g.sender}, Recipients: []string{local(m.To)}, Messages: []string{m.Text}}
	if m.Ref != 0 {
		message.Refs = []int64{m.Ref}
	}
	body, err := json.Marshal(message)
	if err != nil {
		return nil, err
	}
	request, err := newRequest(http.MethodPost, g.address, "application/json", body)
	if err != nil {
		return nil, err
	}
	request.SetBasicAuth(g.user, g.password)
	return request, nil
}

var magfaCodes = codes{}.
	with(Recipient, "1 28").
	with(Blacklisted, "27 33").
	with(Credit, "14").
	with(Busy, "15 23").
	with(Config, "2 8 13 16 17 18 19 20 22 29 30 31 34 35 101 102 103 104 105 106 107 108 109 110")

// answer also reads the status of the message: that of the whole answer is 0 even if the message was
// refused.
func (magfa) answer(status int, body []byte) (string, refusal) {
	var read struct {
		Status   token           `json:"status"`
		Messages json.RawMessage `json:"messages"`
	}
	if err := json.Unmarshal(body, &read); err != nil {
		return "", refusal{httpKind(status), httpCode(status)}
	}
	message, ok := onlyItem[struct {
		Status token `json:"status"`
		ID     token `json:"id"`
	}](read.Messages)
	if status != http.StatusOK || read.Status != "0" || !ok {
		return "", magfaCodes.refused(status, read.Status)
	}
	if message.Status != "0" {
		return "", magfaCodes.refused(status, message.Status)
	}
	id, ok := message.ID.id()
	if !ok {
		return "", refusal{Unknown, httpCode(status)}
	}
	return id, refusal{}
}
