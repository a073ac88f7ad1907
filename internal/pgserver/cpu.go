package pgserver

import (
	"errors"
	"io/fs"
	"time"

	"storefront/internal/procfs"
)

// CPU is the processor time, user's and system's, that all processes of the server have taken since it began. It reads
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
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // it has ended meanwhile
			return 0, err
		}
		total += took
	}
	return total, nil
}
