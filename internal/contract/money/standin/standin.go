// Package standin has a stand-in for each payment gateway: Zibal, Zarinpal v4 and Stripe. A stand-in speaks the
// vendor's HTTP, has the pages on which a buyer pays or cancels, and sends the buyer back as the vendor does.
// It knows nothing of the service, so that a mistake in its clients is not made here again: it imports the
// standard library alone.
//
// Cards have a balance, so a buyer can be too poor. Each effect is a line of the ledger, on the disk before it
// is answered, and a stand-in that was killed goes on with its ledger. Faults are injected by operation, kind
// and moment, from another process by POST /control.
package standin

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"time"
)

// Options are where a stand-in writes, and its time.
type Options struct {
	Path  string           // of the ledger, which is continued; empty: it is in memory
	Now   func() time.Time // its clock
	Scale int              // how many times shorter its windows are than the vendor's; 0 is 1
	Life  time.Duration    // how long a buyer may pay at Zibal and Zarinpal, before it is scaled; 0 is 30 minutes
}

// An Account is a merchant's account at the gateway.
type Account struct {
	ID         string   `json:"id"`               // the merchant at Zibal and Zarinpal, acct_… at Stripe
	Keys       []string `json:"keys,omitempty"`   // Stripe: sk_live_…, sk_test_…
	Domain     string   `json:"domain,omitempty"` // the only host of callbacks; empty: any
	Most       int64    `json:"most,omitempty"`   // Zibal's ceiling of a payment; 0: none
	Test       bool     `json:"test,omitempty"`   // Zarinpal's sandbox
	AutoVerify bool     `json:"autoVerify,omitempty"`
	NoAddress  bool     `json:"noAddress,omitempty"` // Zarinpal does not reverse: no server address is set
	Closed     bool     `json:"closed,omitempty"`
	Hooks      []Hook   `json:"hooks,omitempty"` // Stripe
}

// A Hook is where events of an account are sent. It has two secrets while they are rolled.
type Hook struct {
	URL     string   `json:"url"`
	Secrets []string `json:"secrets"`
	Test    bool     `json:"test"` // events of test keys, else of live ones
}

// The states of a session. After cancelled, badCard and poor a buyer may try again until it has ended.
const (
	waiting   = "waiting"
	cancelled = "cancelled"
	badCard   = "badCard"
	poor      = "poor"
	paid      = "paid" // and not verified
	verified  = "verified"
	givenBack = "givenBack" // it was not verified in time
	reversed  = "reversed"
	refunding = "refunding" // Zibal's panel
	refunded  = "refunded"  // likewise
	disputed  = "disputed"
)

// A Session is a payment that a merchant began: a trackId, an authority, a Checkout Session.
type Session struct {
	ID             string            `json:"id"`
	Account        string            `json:"account"`
	Reference      string            `json:"reference"` // the merchant's
	Currency       string            `json:"currency"`
	Amount         int64             `json:"amount"`
	Callback       string            `json:"callback"`
	Cancel         string            `json:"cancel"`
	Metadata       map[string]string `json:"metadata"`
	IntentMetadata map[string]string `json:"intentMetadata"`
	Auto           bool              `json:"auto"` // verified as it is paid
	State          string            `json:"state"`
	Ended          bool              `json:"ended"` // it can be paid no more
	Card           string            `json:"card"`
	Paid           int64             `json:"paid"` // what the card paid
	Number         int64             `json:"number"`
	Began          time.Time         `json:"began"`
	Ends           time.Time         `json:"ends"`
	PaidAt         time.Time         `json:"paidAt"`
	VerifiedAt     time.Time         `json:"verifiedAt"`
	Refunds        []Refund          `json:"refunds"`
	Dispute        string            `json:"dispute"` // needs_response, won or lost; empty: there is none
}

// A Refund is pending, succeeded or failed.
type Refund struct {
	ID       string            `json:"id"`
	Amount   int64             `json:"amount"`
	Status   string            `json:"status"`
	Reason   string            `json:"reason"`
	Metadata map[string]string `json:"metadata"`
	At       time.Time         `json:"at"`
}

// A Line of the ledger is an effect. Those on money are pay, verify, given_back, reverse, refund, refund_done,
// refund_failed, dispute, dispute_won and dispute_lost; Stripe verifies as it is paid. A line "fault" says which
// fault was applied.
type Line struct {
	Seq       int64     `json:"seq"`
	Gateway   string    `json:"gateway"`
	Account   string    `json:"account,omitempty"`
	Operation string    `json:"operation"`
	Theirs    string    `json:"theirs,omitempty"`
	Refund    string    `json:"refund,omitempty"` // its id at the gateway
	Amount    int64     `json:"amount"`           // on the wire
	Currency  string    `json:"currency,omitempty"`
	Card      string    `json:"card,omitempty"`
	Note      string    `json:"note,omitempty"`
	At        time.Time `json:"at"`

	// What the line has changed, as it is afterwards, from which a stand-in goes on.
	Balance *int64   `json:"balance,omitempty"` // of Card
	Session *Session `json:"session,omitempty"`
	Owner   *Account `json:"owner,omitempty"`
	Kept    *kept    `json:"kept,omitempty"`
}

// vendor is what the gateways differ in. Its methods are called under the lock.
type vendor interface {
	name() string
	route(g *Gateway)
	cells() (operations []string, own []Cell)
	admit(g *Gateway, c *call) *answer // nil: the call goes on
	refuse(code string, status int) answer
	back(s *Session, id string) string // where the buyer is sent, with the session's id or a forged one
	events(s *Session, operation, refund string) []event
}

// Gateway is a stand-in. It is safe for concurrent use.
type Gateway struct {
	vendor
	options Options
	mux     *http.ServeMux
	client  http.Client
	work    sync.WaitGroup // effects, callbacks and events that follow an answer
	closed  chan struct{}

	mu       sync.Mutex
	file     *os.File
	pending  []byte // lines that are not written yet
	outgoing []func()
	lines    []Line
	accounts map[string]*Account
	sessions map[string]*Session
	order    []*Session
	cards    map[string]int64 // balances
	keys     map[string]*kept
	faults   []Fault
	sent     []sent

	verifying map[string]int // calls of verify that are under way
}

func open(v vendor, o Options) (*Gateway, error) {
	o.Scale = max(o.Scale, 1)
	if o.Life == 0 {
		o.Life = 30 * time.Minute
	}
	g := &Gateway{vendor: v, options: o, mux: http.NewServeMux(), closed: make(chan struct{}),
		accounts: map[string]*Account{}, sessions: map[string]*Session{}, cards: map[string]int64{},
		keys: map[string]*kept{}, verifying: map[string]int{}}
	g.client = http.Client{Timeout: 30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	g.mux.HandleFunc("POST /control", g.control)
	v.route(g)
	if o.Path == "" {
		return g, nil
	}
	file, err := os.OpenFile(o.Path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	g.file = file
	return g, g.resume()
}

// resume reads the ledger. A last line that was not written to its end is removed: it was not answered.
func (g *Gateway) resume() error {
	read, whole := bufio.NewReader(g.file), int64(0)
	for {
		text, err := read.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		var l Line
		if err := json.Unmarshal(text, &l); err != nil {
			return fmt.Errorf("%s, line %d: %w", g.options.Path, len(g.lines)+1, err)
		}
		whole += int64(len(text))
		g.apply(l)
	}
	if err := g.file.Truncate(whole); err != nil {
		return err
	}
	_, err := g.file.Seek(whole, io.SeekStart)
	return err
}

// apply takes over what a line read from the ledger has changed.
func (g *Gateway) apply(l Line) {
	if s := l.Session; s != nil {
		if before := g.sessions[s.ID]; before != nil {
			*before = *s
		} else {
			g.sessions[s.ID], g.order = s, append(g.order, s)
		}
	}
	if l.Owner != nil {
		g.accounts[l.Owner.ID] = l.Owner
	}
	if l.Balance != nil {
		g.cards[l.Card] = *l.Balance
	}
	if l.Kept != nil {
		g.keys[l.Kept.Key] = l.Kept
	}
	l.Session, l.Owner, l.Kept = nil, nil, nil
	g.lines = append(g.lines, l)
}

// book notes an effect, on a session or without one, under the lock; release writes it.
func (g *Gateway) book(l Line, s *Session) {
	l.Seq, l.Gateway, l.At, l.Session = int64(len(g.lines)+1), g.name(), g.options.Now().UTC(), s
	if s != nil {
		l.Account, l.Theirs, l.Currency = s.Account, s.ID, s.Currency
	}
	if balance, is := g.cards[l.Card]; is {
		l.Balance = &balance
	}
	if g.file != nil {
		text, err := json.Marshal(l)
		if err != nil {
			panic(err)
		}
		g.pending = append(append(g.pending, text...), '\n')
	}
	l.Session, l.Owner, l.Kept = nil, nil, nil
	g.lines = append(g.lines, l)
	if s != nil {
		for _, e := range g.events(s, l.Operation, l.Refund) {
			g.emit(s, e)
		}
	}
}

// release gives the lock back. What was booked is then on the disk, by one write, and what follows it begins.
func (g *Gateway) release() {
	defer g.mu.Unlock()
	if len(g.pending) > 0 {
		_, err := g.file.Write(g.pending)
		if err == nil {
			err = g.file.Sync()
		}
		if err != nil {
			panic(err) // the connection is cut: an effect without its line is not answered
		}
	}
	for _, do := range g.outgoing {
		g.work.Go(do)
	}
	g.pending, g.outgoing = nil, nil
}

// after does something when the lock is given back and a delay is over. Wait waits for it.
func (g *Gateway) after(delay time.Duration, do func()) {
	g.outgoing = append(g.outgoing, func() {
		t := time.NewTimer(delay)
		defer t.Stop()
		select {
		case <-t.C:
			do()
		case <-g.closed:
		}
	})
}

// Close ends what was still to be sent, and the ledger.
func (g *Gateway) Close() error {
	close(g.closed)
	g.work.Wait()
	if g.file == nil {
		return nil
	}
	return g.file.Close()
}

// Wait returns when the effects, callbacks and events that follow the answers so far are done.
func (g *Gateway) Wait() { g.work.Wait() }

// ServeHTTP answers merchants, buyers and the control of tests.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) { g.mux.ServeHTTP(w, r) }

// id returns hexadecimal digits that no other call returns, 64 at most.
func (g *Gateway) id(digits int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %d", g.name(), len(g.lines), len(g.sent)))
	return fmt.Sprintf("%x", sum)[:digits]
}

func (g *Gateway) scaled(window time.Duration) time.Duration {
	return window / time.Duration(g.options.Scale)
}

// object is a JSON object.
type object = map[string]any

// numbers decodes a JSON object, whose numbers keep their digits.
func numbers(body []byte) (in object, err error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	err = d.Decode(&in)
	return in, err
}

// whole returns a member that is an integer, as a number and not as a text.
func whole(in object, name string) (int64, bool) {
	n, is := in[name].(json.Number)
	if !is {
		return 0, false
	}
	v, err := n.Int64()
	return v, err == nil
}

// text returns a member that is a text, or the digits of one that is a number.
func text(in object, name string) string {
	if in[name] == nil {
		return ""
	}
	return fmt.Sprint(in[name])
}
