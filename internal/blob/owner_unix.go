//go:build unix

package blob

import (
	"os"
	"syscall"
)

// give gives what root has made in a folder to the owner of the folder, as whom the servers run. Of a link it gives the
// link, not what it leads to: the owner of the folder can make one to any other folder.
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
