package config

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

const (
	linesWait  = 5 * time.Millisecond // how long a line may wait for other lines
	linesBytes = 32 << 10             // about the most bytes that wait
)

// gatherLines returns a handler that writes its lines in fewer, larger writes, as a busy server has thousands
// of lines a second and a write costs more than a line. A warning is written at once, with all lines before it.
func gatherLines(to io.Writer, handler func(io.Writer) slog.Handler) (gathering slog.Handler, flush func()) {
	l := &lines{to: to}
	l.timer = time.AfterFunc(linesWait, l.flush)
	return linesHandler{handler(l), l}, l.flush
}

// lines holds the lines that wait to be written. Each Write adds one or several.
type lines struct {
	to    io.Writer
	timer *time.Timer

	mu      sync.Mutex
	waiting []byte

	writing sync.Mutex // keeps the order
	spare   []byte     // memory for waiting; guarded by writing
}

func (l *lines) Write(line []byte) (int, error) {
	l.mu.Lock()
	first := len(l.waiting) == 0
	l.waiting = append(l.waiting, line...)
	full := len(l.waiting) >= linesBytes
	l.mu.Unlock()
	switch {
	case full:
		l.flush()
	case first:
		l.timer.Reset(linesWait)
	}
	return len(line), nil
}

func (l *lines) flush() {
	l.writing.Lock()
	defer l.writing.Unlock()
	l.mu.Lock()
	due := l.waiting
	l.waiting = l.spare[:0]
	l.mu.Unlock()
	if len(due) > 0 {
		_, _ = l.to.Write(due) // there is nowhere to report that the log cannot be written
	}
	l.spare = due
}

// linesHandler is a handler that writes warnings at once.
type linesHandler struct {
	slog.Handler
	lines *lines
}

func (h linesHandler) Handle(ctx context.Context, record slog.Record) error {
	err := h.Handler.Handle(ctx, record)
	if record.Level >= slog.LevelWarn {
		h.lines.flush()
	}
	return err
}

func (h linesHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return linesHandler{h.Handler.WithAttrs(attrs), h.lines}
}

func (h linesHandler) WithGroup(name string) slog.Handler {
	return linesHandler{h.Handler.WithGroup(name), h.lines}
}
