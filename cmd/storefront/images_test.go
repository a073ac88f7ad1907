package main

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"syscall"
	"testing"
)

// TestAFullDiskOfImagesIsNoReasonNotToStart checks which errors of MEDIA_DIR end the start.
func TestAFullDiskOfImagesIsNoReasonNotToStart(t *testing.T) {
	for of, starts := range map[error]bool{
		nil: true, syscall.ENOSPC: true, syscall.EDQUOT: true, syscall.EACCES: false, syscall.EROFS: false,
	} {
		err := of
		if err != nil {
			err = &os.PathError{Op: "write", Path: "/media", Err: of}
		}
		var log bytes.Buffer
		got := unlessFull(err, slog.New(slog.NewTextHandler(&log, nil)))
		if starts != (got == nil) || !starts && !errors.Is(got, of) || (log.Len() > 0) != (starts && of != nil) {
			t.Errorf("%v: got %v, log %q", of, got, &log)
		}
	}
}
