package main

import (
	"log/slog"
	"os/exec"
	"testing"

	"storefront/internal/config"
)

// TestAFullDiskOfImagesIsNoReasonNotToStart fills the disk of MEDIA_DIR, which only root can do.
func TestAFullDiskOfImagesIsNoReasonNotToStart(t *testing.T) {
	disk := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "mount", "-t", "tmpfs", "-o", "size=32k", "tmpfs",
		disk).CombinedOutput(); err != nil {
		t.Skipf("no small disk can be made: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", disk).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	images, err := imagesOf(t.Context(), config.Config{MediaDir: disk}, slog.New(slog.DiscardHandler))
	if err != nil || images == nil {
		t.Errorf("got %v, want images that can be read", err)
	}
}
