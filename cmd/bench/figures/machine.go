package figures

import (
	"bufio"
	"os"
	"runtime"
	"strings"
)

// Machine is what a run was measured on.
type Machine struct {
	Cores     int      `json:"cores"`
	Model     string   `json:"model"`
	System    string   `json:"system"`
	Go        string   `json:"go"`
	Databases []string `json:"databases"` // with their versions
}

// ThisMachine describes the machine, as far as Linux shows it.
func ThisMachine() Machine {
	return Machine{
		Cores:  runtime.NumCPU(),
		Model:  valueIn("/proc/cpuinfo", "model name", ":"),
		System: strings.Trim(valueIn("/etc/os-release", "PRETTY_NAME", "="), `"`),
		Go:     runtime.Version(),
	}
}

// valueIn is the value of a name in a file of lines.
func valueIn(path, name, between string) string {
	file, err := os.Open(path)
	if err != nil {
		return "unknown"
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), between); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}
