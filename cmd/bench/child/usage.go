package child

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"storefront/internal/procfs"
)

// CPU is the processor time that the server has taken since it began.
func (s *Server) CPU() (time.Duration, error) { return procfs.CPU(s.cmd.Process.Pid) }

// Peak is the most memory in bytes that the server has had since Forgive, or since it began.
func (s *Server) Peak() (int64, error) { return s.memory("VmHWM:") }

// Memory is the memory in bytes that the server has now.
func (s *Server) Memory() (int64, error) { return s.memory("VmRSS:") }

func (s *Server) memory(field string) (int64, error) {
	status, err := os.ReadFile(s.proc("status"))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, field); ok {
			kb, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
			return kb << 10, err
		}
	}
	return 0, fmt.Errorf("%s has no %s", s.proc("status"), field)
}

// Forgive makes Peak begin anew from the memory that the server has now.
func (s *Server) Forgive() error { return os.WriteFile(s.proc("clear_refs"), []byte("5"), 0) }

func (s *Server) proc(file string) string { return fmt.Sprintf("/proc/%d/%s", s.cmd.Process.Pid, file) }
