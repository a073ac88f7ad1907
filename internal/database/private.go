package database

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// makePrivate makes the database's file, which holds the names and addresses of customers, readable and
// writable by its owner only. It creates the file if there is none: SQLite gives the files that it creates
// beside it the same mode, whatever the umask. Those that exist already, beside, are made private too if
// this user owns them.
//
// An existing file is never opened here: closing it would release the locks that other connections of this
// process hold on it.
func makePrivate(path string, beside ...string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err == nil {
		return file.Close()
	}
	if !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make the file: %w", err)
	}
	for _, one := range append([]string{path}, beside...) {
		info, err := os.Stat(one)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().Perm()&0o077 == 0 {
			continue
		}
		if err == nil {
			err = os.Chmod(one, 0o600)
		}
		if err != nil && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("make the file private: %w", err)
		}
	}
	return nil
}
