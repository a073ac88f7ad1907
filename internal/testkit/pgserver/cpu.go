package pgserver

import (
	"errors"
	"io/fs"
	"time"

	"storefront/internal/testkit/procfs"
)

// CPU returns the processor time, user and system, of all processes of the server since it started. It reads
// /proc and so needs Linux.
func (s *Server) CPU() (time.Duration, error) {
	pid, err := s.pid()
	if err != nil {
		return 0, err
	}
	total, err := procfs.CPUWithEnded(pid)
	if err != nil {
		return 0, err
	}
	for _, child := range childrenOf(pid) {
		took, err := procfs.CPU(child)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // the process has ended meanwhile
			return 0, err
		}
		total += took
	}
	return total, nil
}
