package sms

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
)

// terminal prints messages for a developer, and sends none.
type terminal struct {
	mu    sync.Mutex
	to    io.Writer
	shown int
}

func (*terminal) Reaches(to string) bool { return reachable(to) }

// Send prints number and text. Its ids are log-1, log-2 and so on.
func (t *terminal) Send(_ context.Context, m Message) (string, error) {
	if !t.Reaches(m.To) {
		return "", &Error{Kind: Recipient, Provider: "log", To: Masked(m.To)}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	id := fmt.Sprintf("log-%d", t.shown+1)
	if _, err := fmt.Fprintf(t.to, "SMS %s to %s:\n    %s\n", id, m.To, harmless(m.Text)); err != nil {
		return "", &Error{Kind: Unreachable, Provider: "log", To: Masked(m.To), Cause: err}
	}
	t.shown++
	return id, nil
}

// harmless removes control characters, and indents every line so that none looks like another message.
func harmless(text string) string {
	shown := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return '?'
		}
		return r
	}, text)
	return strings.ReplaceAll(shown, "\n", "\n    ")
}
