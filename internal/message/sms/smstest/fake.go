// Package smstest is a stand-in for SMS providers, for tests. One handler answers as Kavenegar, SMS.ir,
// Magfa, IPPanel and MeliPayamak do, at their paths. It checks credentials, keeps a journal of the
// messages, and fails in the way that the last four digits of a recipient ask for:
//
//	0001 malformed recipient        0009 HTTP 200, JSON cut in half
//	0002 blacklisted                0010 an id over 2^53
//	0003 no credit                  0011 accepted, then the connection drops
//	0004 HTTP 500, HTML             0012 a redirect
//	0005 hangs                      0013 begins an answer and hangs
//	0006 HTTP 429                   0014 HTTP 200, an empty body
//	0007 HTTP 200, an error inside  0015 HTTP 200, a body over 64 KiB
//	0008 HTTP 200, no JSON          0016 HTTP 200, accepted without an id
//
// All other recipients are accepted. A request that hangs does so until the client leaves.
package smstest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// The credentials that the fake accepts, and the line of every account.
const (
	KavenegarKey        = "keY/of shop?%41"
	SMSIrKey            = "key-of-sms-ir"
	MagfaKey            = "shop/domain:pass:word" // USERNAME/DOMAIN:PASSWORD
	IPPanelKey          = "key-of-ippanel="
	MeliPayamakUser     = "shop"
	MeliPayamakPassword = "pass&word"
	Line                = "30001234"
)

// LongID is the id of scenario 0010.
const LongID = "5243690627088685351"

// Message is a call with the right credentials. It is in the journal whatever the answer was.
type Message struct {
	Provider string `json:"provider"`
	To       string `json:"to"` // E.164
	Text     string `json:"text"`
	Sender   string `json:"sender"`
	Ref      string `json:"ref"`      // as it was sent, or empty
	ServerID string `json:"serverId"` // empty: refused, or answered without an id
}

// Fake is the handler. Its zero value is ready for use, and it is safe for concurrent use.
type Fake struct {
	mu       sync.Mutex
	journal  []Message
	requests int
	ids      int
	arrived  func(Message)
}

// Start serves a fake on a local address until the test ends.
func Start(t testing.TB) (fake *Fake, baseURL string) {
	t.Helper()
	fake = new(Fake)
	server := httptest.NewServer(fake)
	t.Cleanup(server.Close)
	return fake, server.URL
}

// Messages returns the journal, oldest first.
func (f *Fake) Messages() []Message {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.journal)
}

// LastTo returns the newest message to a number in E.164 form.
func (f *Fake) LastTo(to string) (Message, bool) {
	for _, m := range slices.Backward(f.Messages()) {
		if m.To == to {
			return m, true
		}
	}
	return Message{}, false
}

// Requests returns the number of requests, those with wrong credentials included, those to the fake's own
// routes not.
func (f *Fake) Requests() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.requests
}

// Reset empties the journal and the count of requests. Ids go on.
func (f *Fake) Reset() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.journal, f.requests = nil, 0
}

// OnArrival makes the fake call a function with each message before it is answered.
func (f *Fake) OnArrival(call func(Message)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.arrived = call
}

// ServeHTTP answers as a provider, GET /_fake/messages with the journal, and POST /_fake/reset after Reset.
func (f *Fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method + " " + r.URL.Path {
	case "GET /_fake/messages":
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(append([]Message{}, f.Messages()...)) // an error means that the client is gone
		return
	case "POST /_fake/reset":
		f.Reset()
		w.WriteHeader(http.StatusNoContent)
		return
	}
	f.mu.Lock()
	f.requests++
	f.mu.Unlock()
	spoken, known := languageOf(r)
	if !known {
		http.NotFound(w, r)
		return
	}
	m, wrong := spoken.read(r)
	m.Provider = spoken.name
	if wrong != "" {
		spoken.refuse[wrong].write(w)
		return
	}
	number := f.note(&m)
	f.act(w, r, spoken, m, number)
}

// note adds a message to the journal, with the id it will get, and calls the function of OnArrival.
func (f *Fake) note(m *Message) (id string) {
	f.mu.Lock()
	f.ids++
	id = strconv.Itoa(8792343 + f.ids)
	if strings.HasSuffix(m.To, "0010") {
		id = LongID
	}
	if accepted(m.Provider, m.To) {
		m.ServerID = id
	}
	f.journal = append(f.journal, *m)
	arrived := f.arrived
	f.mu.Unlock()
	if arrived != nil {
		arrived(*m)
	}
	return id
}
