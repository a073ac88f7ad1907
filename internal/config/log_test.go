package config

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestLogHandler(t *testing.T) {
	var out bytes.Buffer
	for format, json := range map[string]bool{"": true, "json": true, "text": false} {
		out.Reset()
		record := slog.NewRecord(time.Time{}, slog.LevelInfo, "hello", 0)
		handler, flush := Config{LogFormat: format}.LogHandler(&out)
		if err := handler.Handle(t.Context(), record); err != nil {
			t.Fatal(err)
		}
		flush()
		if strings.HasPrefix(out.String(), "{") != json {
			t.Errorf("format %q writes %s", format, out.String())
		}
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if isTerminal(file) {
		t.Error("a file is no terminal")
	}
}
