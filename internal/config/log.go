package config

import (
	"cmp"
	"io"
	"log/slog"
	"os"
)

// LogHandler returns a handler that writes the log to w in the format of LOG_FORMAT, from LOG_LEVEL on. flush
// writes the lines that still wait, and must be called before the program ends.
func (c Config) LogHandler(w io.Writer) (h slog.Handler, flush func()) {
	var level slog.Level // info
	_ = level.UnmarshalText([]byte(cmp.Or(c.LogLevel, "info")))
	options := &slog.HandlerOptions{Level: level}
	if c.LogFormat == "text" || c.LogFormat == "" && isTerminal(w) {
		return gatherLines(w, func(w io.Writer) slog.Handler { return slog.NewTextHandler(w, options) })
	}
	return gatherLines(w, func(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, options) })
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
