package database

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// makePrivate sees to it that only the owner can read and write the database's file, which holds the names and
// addresses of customers. It makes the file where there is none: SQLite then gives the same mode, whatever the
// umask is, to the files that it makes beside it. Those that are there already, beside, are made private too,
// as far as they are ours.
//
// A file that exists is never opened here: closing it would release the locks that this process's other
// connections hold on it.
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
