package child

import (
	"fmt"
	"os"
	"time"

	"storefront/internal/procfs"
)

// CPU is the processor time that the server has taken since it began.
func (s *Server) CPU() (time.Duration, error) { return procfs.CPU(s.cmd.Process.Pid) }

// Peak is the most memory in bytes that the server has had since Forgive, or since it began.
func (s *Server) Peak() (int64, error) { return procfs.PeakMemory(s.cmd.Process.Pid) }

// Memory is the memory in bytes that the server has now.
func (s *Server) Memory() (int64, error) { return procfs.Memory(s.cmd.Process.Pid) }

// Forgive makes Peak begin anew from the memory that the server has now.
func (s *Server) Forgive() error {
	return os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", s.cmd.Process.Pid), []byte("5"), 0)
}
