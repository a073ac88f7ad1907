package config

import (
	"io"
	"log/slog"
	"os"
)

// LogHandler writes the log to w in the format of LOG_FORMAT, from level Info on.
func (c Config) LogHandler(w io.Writer) slog.Handler {
	if c.LogFormat == "text" || c.LogFormat == "" && isTerminal(w) {
		return slog.NewTextHandler(w, nil)
	}
	return slog.NewJSONHandler(w, nil)
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
