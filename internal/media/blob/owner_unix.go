//go:build unix

package blob

import (
	"os"
	"syscall"
)

// give changes the owner of a file that root created to the owner of the folder, which is the user of the servers. It
// does not follow links, since the owner of the folder could create one to any file.
func give(folder, name string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	info, err := os.Stat(folder)
	if err != nil {
		return err
	}
	of, ok := info.Sys().(*syscall.Stat_t)
	if !ok || of.Uid == 0 {
		return nil
	}
	return os.Lchown(name, int(of.Uid), int(of.Gid))
}
