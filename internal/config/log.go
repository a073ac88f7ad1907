package config

import (
	"io"
	"log/slog"
	"os"
)

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
