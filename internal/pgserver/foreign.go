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

// Programs is the folder of the newest programs of PostgreSQL, for those who start a server in another way than New.
func Programs() (string, error) { return findPrograms() }

// AsOwner makes a command run as who may run PostgreSQL, in a group of processes of its own, and gives it
// files and folders.
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

// KillAt ends the server of a data folder at once, with all of its processes.
func KillAt(data string) {
	text, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
	if err != nil {
		return // there is none
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil || pid <= 1 {
		return
	}
	children := childrenOf(pid)
	_ = syscall.Kill(pid, syscall.SIGKILL) // first, so that it starts nothing again
	for _, child := range append(children, childrenOf(pid)...) {
		_ = syscall.Kill(child, syscall.SIGKILL)
	}
}
