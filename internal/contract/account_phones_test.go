package contract_test

import (
	"context"
	"errors"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"storefront/internal/sms"
)

// phones is a fake SMS provider and the phones behind it. It is safe for concurrent use.
type phones struct {
	mu     sync.Mutex
	boxes  map[string]chan string // the texts to a cell
	sent   int
	beyond map[string]bool // cells that cannot be reached
	hold   chan struct{}   // where there is one, no message is delivered, and each fails when it is closed
}

func newPhones() *phones { return &phones{boxes: map[string]chan string{}, beyond: map[string]bool{}} }

// Reaches reports whether the provider can reach a cell.
func (p *phones) Reaches(cell string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.beyond[cell]
}

// Send delivers a message.
func (p *phones) Send(_ context.Context, m sms.Message) (string, error) {
	p.mu.Lock()
	hold := p.hold
	p.mu.Unlock()
	if hold != nil {
		<-hold // longer than ctx lives: as bad as a provider can be
		return "", errors.New("the provider failed")
	}
	p.box(m.To) <- m.Text
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sent++
	return strconv.Itoa(p.sent), nil
}

func (p *phones) box(cell string) chan string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.boxes[cell] == nil {
		p.boxes[cell] = make(chan string, 100)
	}
	return p.boxes[cell]
}

// outOfReach makes cells unreachable.
func (p *phones) outOfReach(cells ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, cell := range cells {
		p.beyond[cell] = true
	}
}

// text waits for the next message to a cell.
func (p *phones) text(t testing.TB, cell string) string {
	t.Helper()
	select {
	case text := <-p.box(cell):
		return text
	case <-time.After(30 * time.Second):
		t.Fatalf("no message came to %s", cell)
		return ""
	}
}

var sixDigits = regexp.MustCompile(`\b\d{6}\b`)

// code waits for the next message to a cell and gives the code in it.
func (p *phones) code(t testing.TB, cell string) string {
	t.Helper()
	text := p.text(t, cell)
	code := sixDigits.FindString(text)
	if code == "" {
		t.Fatalf("the message %q has no code", text)
	}
	return code
}

// otherThan returns a code that is not this one.
func anotherCode(code string) string {
	if code == "000000" {
		return "111111"
	}
	return "000000"
}
