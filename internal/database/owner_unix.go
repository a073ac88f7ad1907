//go:build unix

package database

import (
	"io/fs"
	"os"
	"syscall"
)

// ownerOf returns the owner of a file, and the user of this process.
func ownerOf(info fs.FileInfo) (owner, group, self int) {
	if of, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(of.Uid), int(of.Gid), os.Geteuid()
	}
	return 0, 0, 0
}
