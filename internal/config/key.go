package config

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

const (
	minKey = 32       // bytes, contract 4.2
	maxKey = 16 << 10 // bytes; a larger file is not a key
)

func signingKey(to *Secret) func(string) error {
	return func(value string) error {
		*to = Secret(value)
		if value != "" && len(value) < minKey {
			return fmt.Errorf("has %d bytes; it must have at least %d: make one with openssl rand -hex 32",
				len(value), minKey)
		}
		return nil
	}
}

// SigningKey returns the key that signs tokens, at least 32 bytes. It is TOKEN_SIGNING_KEY when that is set.
// Otherwise, with SQLite, it is the content of a file next to the database, named after it with ".key"
// appended and readable by its owner alone (0600). The first start creates the file; processes that start at
// the same time get the same key. A file that other users may read, or that is too short, is an error. The
// text of the file without surrounding space can be used as TOKEN_SIGNING_KEY on another machine.
func SigningKey(c Config) ([]byte, error) {
	if c.SigningKey != "" {
		return []byte(c.SigningKey), nil
	}
	database, isFile := c.SQLiteFile()
	if !isFile {
		return nil, errors.New("TOKEN_SIGNING_KEY must be set with PostgreSQL")
	}
	path := database + ".key"
	key, err := readKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if folder := filepath.Dir(path); !isThere(folder) {
		return nil, fmt.Errorf("the folder %s does not exist: make it, or name another file in DATABASE_URL", folder)
	}
	if err := makeKey(path); err != nil {
		return nil, fmt.Errorf("making the signing key %s: %w; set TOKEN_SIGNING_KEY to do without the file",
			path, err)
	}
	return readKey(path)
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func readKey(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("opening the signing key: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("opening the signing key: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("the signing key %s is no file", path)
	}
	if info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" { // Windows has no such modes
		return nil, fmt.Errorf("the signing key %s is open to others (mode %#o); run chmod 600 on it, "+
			"and remove it if anybody may have read it: all sign in anew then", path, info.Mode().Perm())
	}
	text, err := io.ReadAll(io.LimitReader(file, maxKey))
	if err != nil {
		return nil, fmt.Errorf("reading the signing key: %w", err)
	}
	key := bytes.TrimSpace(text)
	if len(key) < minKey {
		return nil, fmt.Errorf(
			"the signing key %s has %d bytes and needs %d; remove it to have a new one made: all sign in anew then",
			path, len(key), minKey)
	}
	return key, nil
}

// makeKey writes a new key to a temporary file and links it to path. A key that another process has linked
// first is kept.
func makeKey(path string) error {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	random := make([]byte, minKey)
	_, _ = rand.Read(random) // never fails
	_, err = fmt.Fprintln(file, hex.EncodeToString(random))
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := os.Link(file.Name(), path); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
