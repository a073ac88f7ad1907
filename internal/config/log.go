package config

import (
	"cmp"
	"io"
	"log/slog"
	"os"
)

// LogHandler writes the log to w in the format of LOG_FORMAT, from LOG_LEVEL on.
func (c Config) LogHandler(w io.Writer) slog.Handler {
	var level slog.Level // info
	_ = level.UnmarshalText([]byte(cmp.Or(c.LogLevel, "info")))
	options := &slog.HandlerOptions{Level: level}
	if c.LogFormat == "text" || c.LogFormat == "" && isTerminal(w) {
		return slog.NewTextHandler(w, options)
	}
	return slog.NewJSONHandler(w, options)
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
