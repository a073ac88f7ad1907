package pgserver

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of times in /proc; Linux shows it as 100 Hz everywhere.
const tick = 10 * time.Millisecond

// CPU is the processor time, user's and system's, that all processes of the server have taken since it began. It reads
// /proc and so needs Linux.
func (s *Server) CPU() (time.Duration, error) {
	pid, err := s.pid()
	if err != nil {
		return 0, err
	}
	total, err := cpuOf(pid, 4) // with that of children that have ended
	if err != nil {
		return 0, err
	}
	for _, child := range childrenOf(pid) {
		took, err := cpuOf(child, 2)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // it has ended meanwhile
			return 0, err
		}
		total += took
	}
	return total, nil
}

// cpuOf adds the first of the times of a process: user's and system's, and the same of its children that have ended.
func cpuOf(pid, times int) (total time.Duration, err error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 15 {
		return 0, fmt.Errorf("/proc/%d/stat is too short", pid)
	}
	for _, text := range fields[11 : 11+times] {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return 0, err
		}
		total += time.Duration(n) * tick
	}
	return total, nil
}
