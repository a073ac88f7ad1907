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
	handler, lines := LogHandler(&out)
	if err := handler.Handle(t.Context(), slog.NewRecord(time.Time{}, slog.LevelInfo, "hello", 0)); err != nil {
		t.Fatal(err)
	}
	lines.Close()
	if !strings.HasPrefix(out.String(), "{") {
		t.Errorf("writes %s", out.String())
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if IsTerminal(file) {
		t.Error("a file is no terminal")
	}
}
