package pgserver

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Programs returns the folder of the newest PostgreSQL programs, for callers that start a server in another
// way.
func Programs() (string, error) { return findPrograms() }

// AsOwner makes a command run as a user who may run PostgreSQL, in a process group of its own, and changes
// the owner of files and folders to that user.
func AsOwner(cmd *exec.Cmd, files ...string) error {
	who, err := owner()
	if err != nil {
		return err
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: who, Setpgid: true}
	if who == nil {
		return nil
	}
	var errs []error
	for _, file := range files {
		errs = append(errs, os.Chown(file, int(who.Uid), int(who.Gid)))
	}
	return errors.Join(errs...)
}

// KillAt kills all processes of the server of a data folder.
func KillAt(data string) {
	text, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
	if err != nil {
		return // no server is running
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil || pid <= 1 {
		return
	}
	children := childrenOf(pid)
	_ = syscall.Kill(pid, syscall.SIGKILL) // first, so that it restarts nothing
	for _, child := range append(children, childrenOf(pid)...) {
		_ = syscall.Kill(child, syscall.SIGKILL)
	}
}
