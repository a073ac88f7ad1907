package procfs_test

import (
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"storefront/internal/testkit/procfs"
)

// TestCPU uses a tenth of a second of processor time, once itself and once in a child that ends.
func TestCPU(t *testing.T) {
	before, err := procfs.CPU(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	const use = 100 * time.Millisecond
	for took := before; took < before+use; took, err = procfs.CPU(os.Getpid()) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := exec.Command("sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done").Run(); err != nil {
		t.Fatal(err)
	}
	own, err := procfs.CPU(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	all, err := procfs.CPUWithEnded(os.Getpid())
	if err != nil || all <= own {
		t.Errorf("with the child that has ended %v, without it %v, %v", all, own, err)
	}
	if _, err := procfs.CPU(1 << 30); err == nil {
		t.Error("a process that is not there has a processor time")
	}
}

// TestMemory allocates 64 MiB.
func TestMemory(t *testing.T) {
	const more = 64 << 20
	block := make([]byte, more)
	for i := range block {
		block[i] = 1
	}
	for name, of := range map[string]func(int) (int64, error){"memory": procfs.Memory, "its peak": procfs.PeakMemory} {
		if got, err := of(os.Getpid()); err != nil || got < more {
			t.Errorf("with %d bytes in use %s is %d, %v", len(block), name, got, err)
		}
	}
	runtime.KeepAlive(block)
}
