package config

import (
	"context"
	"io"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const (
	linesWait  = 5 * time.Millisecond // how long a line may wait for other lines
	linesBytes = 32 << 10             // so many bytes that wait are written without waiting for more
	linesMost  = 1 << 20              // size of the buffer in bytes
	lastWrite  = time.Second          // how long the end of the program waits for its last lines
)

// gatherLines returns a handler that writes its lines in fewer, larger writes, as a busy server has thousands
// of lines a second and a write costs more than a line. A warning hurries its write and that of all lines before it. No
// caller waits for a write: lines that find no place are dropped and counted.
func gatherLines(to io.Writer, handler func(io.Writer) slog.Handler) (h slog.Handler, log *Log) {
	l := &Log{to: to, writing: make(chan struct{}, 1)}
	l.timer = time.AfterFunc(linesWait, l.write)
	return linesHandler{handler(l), l}, l
}

// Log holds the lines of the log that wait to be written. Each Write adds one or several.
type Log struct {
	to      io.Writer
	timer   *time.Timer
	dropped atomic.Int64

	mu      sync.Mutex
	waiting []byte
	soon    bool // a write is about to begin, or waits for the one before it

	writing chan struct{} // has room for one writer, which keeps the order
	spare   []byte        // memory for waiting; guarded by writing
}

func (l *Log) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	first := len(l.waiting) == 0
	if len(l.waiting)+len(line) > linesMost {
		l.dropped.Add(1)
		return len(line), nil
	}
	l.waiting = append(l.waiting, line...)
	switch {
	case len(l.waiting) >= linesBytes:
		l.hurry()
	case first && !l.soon:
		l.timer.Reset(linesWait)
	}
	return len(line), nil
}

// hurry lets a write begin at once. l.mu is held.
func (l *Log) hurry() {
	if !l.soon {
		l.soon = true
		l.timer.Reset(0)
	}
}

// write writes what waits. It waits for whoever reads the log, perhaps for ever.
func (l *Log) write() {
	l.writing <- struct{}{}
	defer func() { <-l.writing }()
	l.mu.Lock()
	due := l.waiting
	l.waiting, l.soon = l.spare[:0], false
	l.mu.Unlock()
	if len(due) > 0 {
		_, _ = l.to.Write(due) // there is nowhere to report that the log cannot be written
	}
	l.spare = due
}

// Dropped returns the number of lines that were dropped because the buffer was full.
func (l *Log) Dropped() int64 { return l.dropped.Load() }

// Close writes the lines that still wait. It must be called before the program ends, and gives up after a second.
func (l *Log) Close() {
	written := make(chan struct{})
	time.AfterFunc(0, func() {
		l.write()
		close(written)
	})
	select {
	case <-written:
	case <-time.After(lastWrite):
	}
}

// linesHandler is a handler that writes warnings at once.
type linesHandler struct {
	slog.Handler
	lines *Log
}

func (h linesHandler) Handle(ctx context.Context, record slog.Record) error {
	err := h.Handler.Handle(ctx, record)
	if record.Level >= slog.LevelWarn {
		h.lines.mu.Lock()
		defer h.lines.mu.Unlock()
		h.lines.hurry()
	}
	return err
}

func (h linesHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return linesHandler{h.Handler.WithAttrs(attrs), h.lines}
}

func (h linesHandler) WithGroup(name string) slog.Handler {
	return linesHandler{h.Handler.WithGroup(name), h.lines}
}

// LogHandler returns a handler that writes the log to w: text on a terminal, JSON elsewhere. log is to be closed before
// the program ends.
func LogHandler(w io.Writer) (h slog.Handler, log *Log) {
	return gatherLines(w, func(to io.Writer) slog.Handler {
		if IsTerminal(w) {
			return slog.NewTextHandler(to, nil)
		}
		return slog.NewJSONHandler(to, nil)
	})
}

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
