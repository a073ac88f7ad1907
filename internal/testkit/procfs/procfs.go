// Package procfs reads what Linux says about processes, for commands and tests that measure.
package procfs

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of times in /proc; Linux shows it as 100 Hz everywhere.
const tick = 10 * time.Millisecond

// CPU returns the processor time, user's and system's, that a process has taken since it began.
func CPU(pid int) (time.Duration, error) { return times(pid, 2) }

// CPUWithEnded is CPU with the time of its children that have ended.
func CPUWithEnded(pid int) (time.Duration, error) { return times(pid, 4) }

// times adds the first n of a process's times: user's, system's, and the same of its children that have ended.
func times(pid, n int) (total time.Duration, err error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	// The second field, the name, may hold spaces; it ends with the last parenthesis. The times begin with the 14th.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 15 {
		return 0, fmt.Errorf("/proc/%d/stat is too short", pid)
	}
	for _, text := range fields[11 : 11+n] {
		ticks, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return 0, err
		}
		total += time.Duration(ticks) * tick
	}
	return total, nil
}

// PeakMemory returns the most memory in bytes that a process has had.
func PeakMemory(pid int) (int64, error) { return status(pid, "VmHWM:") }

// Memory returns the memory in bytes that a process has now.
func Memory(pid int) (int64, error) { return status(pid, "VmRSS:") }

func status(pid int, field string) (int64, error) {
	name := fmt.Sprintf("/proc/%d/status", pid)
	text, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, field); ok {
			kb, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
			return kb << 10, err
		}
	}
	return 0, fmt.Errorf("%s has no %s", name, field)
}
