package shoptest

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"storefront/internal/message/sms"
)

// Phones is a fake SMS provider and the phones behind it. It is safe for concurrent use.
type Phones struct {
	mu     sync.Mutex
	boxes  map[string]chan string // the messages to a cell
	Sent   int
	beyond map[string]bool // cells that cannot be reached
	Hold   chan struct{}   // if not nil, no message is delivered, and each fails once it is closed
	fails  sms.Kind        // how each message fails; empty: none fails
}

// Fail makes all further messages fail with kind, or succeed if kind is empty.
func (p *Phones) Fail(kind sms.Kind) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fails = kind
}

// NewPhones returns phones without messages.
func NewPhones() *Phones { return &Phones{boxes: map[string]chan string{}, beyond: map[string]bool{}} }

// Reaches reports whether the provider can reach a cell.
func (p *Phones) Reaches(cell string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.beyond[cell]
}

// Send delivers a message.
func (p *Phones) Send(_ context.Context, m sms.Message) (string, error) {
	p.mu.Lock()
	hold, fails := p.Hold, p.fails
	p.mu.Unlock()
	if fails != "" {
		return "", &sms.Error{Kind: fails, Provider: "phones", To: sms.Masked(m.To)}
	}
	if hold != nil {
		<-hold // ignores ctx, as a bad provider might
		return "", errors.New("the provider failed")
	}
	p.box(m.To) <- m.Text
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Sent++
	return strconv.Itoa(p.Sent), nil
}

func (p *Phones) box(cell string) chan string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.boxes[cell] == nil {
		p.boxes[cell] = make(chan string, 100)
	}
	return p.boxes[cell]
}

// OutOfReach makes cells unreachable.
func (p *Phones) OutOfReach(cells ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, cell := range cells {
		p.beyond[cell] = true
	}
}

// Text waits for the next message to a cell.
func (p *Phones) Text(t testing.TB, cell string) string {
	t.Helper()
	select {
	case text := <-p.box(cell):
		return text
	case <-time.After(30 * time.Second):
		t.Fatalf("no message came to %s", cell)
		return ""
	}
}

// SixDigits matches the code in a message.
var SixDigits = regexp.MustCompile(`\b\d{6}\b`)

// Code waits for the next message to a cell and returns the code in it.
func (p *Phones) Code(t testing.TB, cell string) string {
	t.Helper()
	text := p.Text(t, cell)
	code := SixDigits.FindString(text)
	if code == "" {
		t.Fatalf("the message %q has no code", text)
	}
	return code
}

// AnotherCode returns a code different from the given one.
func AnotherCode(code string) string {
	if code == "000000" {
		return "111111"
	}
	return "000000"
}
