package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"storefront/internal/database"
	"storefront/internal/store"
)

// backup writes a copy of the SQLite database, and of its signing key, while the service runs.
func backup(ctx context.Context, args []string, p program) error {
	settings, files, err := loadWith("backup", args, p)
	if err != nil {
		return err
	}
	if len(files) != 1 {
		return errors.New("say where to: storefront backup FILE")
	}
	path, isFile := settings.SQLiteFile()
	if isFile {
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("there is no database to copy: %w", err)
		}
		switch other, err := otherKey(path, files[0]); {
		case err != nil:
			return fmt.Errorf("backup: %w", err)
		case other:
			return fmt.Errorf("backup: %s.key is there already, and is not the key of %s: take it away first",
				files[0], path)
		}
	}
	s, err := store.Open(ctx, settings.DatabaseURL)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Backup(ctx, files[0]); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	info, err := os.Stat(files[0])
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s: %d bytes, checked\n", files[0], info.Size())
	copied, err := copyKey(path, files[0])
	if copied {
		fmt.Fprintf(p.stdout, "%s.key: the signing key, which is secret\n", files[0])
	}
	return err
}

// restore replaces the SQLite database by a copy, and keeps the old one under another name.
func restore(ctx context.Context, args []string, p program) error {
	var replace bool
	settings, files, err := loadWith("restore", args, p, func(f *flag.FlagSet) {
		f.BoolVar(&replace, "replace", false, "replace a database that is there; it is kept under another name")
	})
	if err != nil {
		return err
	}
	path, isFile := settings.SQLiteFile()
	switch {
	case len(files) != 1:
		return errors.New("say what to restore: storefront restore [-replace] FILE")
	case !isFile:
		return errors.New("restore is for SQLite; PostgreSQL has pg_restore and pg_basebackup")
	}
	if err := database.CheckFile(ctx, files[0]); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	if _, err := os.Stat(path); err == nil && !replace {
		return fmt.Errorf("restore: %s is there already; with -replace it is kept under another name", path)
	}
	other, err := otherKey(files[0], path)
	if err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	other = other && isThere(files[0]+".key") // otherwise the database keeps its key
	if other && !replace {
		return fmt.Errorf("restore: %s.key is there already, and is not the key of %s; with -replace it is kept under "+
			"another name", path, files[0])
	}
	incoming, incomingKey := path+".restoring", path+".key.restoring"
	defer os.Remove(incoming) // after success it no longer exists, nor its key
	defer os.Remove(incomingKey)
	if err := copyFile(files[0], incoming, os.O_TRUNC); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	if err := copyFile(files[0]+".key", incomingKey, os.O_TRUNC); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("restore: %w", err)
	}
	if err := database.CheckFile(ctx, incoming); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	kept := path + "." + time.Now().UTC().Format("20060102T150405.000Z")
	if err := database.Retire(ctx, path, kept); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	if err := os.Rename(incoming, path); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	if isThere(kept) {
		fmt.Fprintf(p.stdout, "%s: the database as it was\n", kept)
	}
	fmt.Fprintf(p.stdout, "%s: restored from %s, checked\n", path, files[0])
	if other {
		if err := os.Rename(path+".key", kept+".key"); err != nil {
			return fmt.Errorf("restore: %w", err)
		}
		fmt.Fprintf(p.stdout, "%s.key: the signing key as it was, which is secret\n", kept)
	}
	err = os.Rename(incomingKey, path+".key")
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("restore: %w", err)
	case err == nil:
		fmt.Fprintf(p.stdout, "%s.key: the signing key of %s\n", path, files[0])
	case isThere(path + ".key"):
		fmt.Fprintf(p.stdout, "%s.key: the signing key, as it was\n", path)
	default:
		fmt.Fprintf(p.stdout, "no signing key came along: without TOKEN_SIGNING_KEY a new one is made\n")
	}
	return nil
}

// otherKey reports whether the signing key next to the file to differs from that next to the file from. The
// file from may have none, if TOKEN_SIGNING_KEY was set.
func otherKey(from, to string) (other bool, err error) {
	there, err := os.ReadFile(to + ".key")
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	key, err := os.ReadFile(from + ".key")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return !bytes.Equal(key, there), nil
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// copyKey copies the signing key next to a database to the place next to another, unless that has one.
func copyKey(from, to string) (copied bool, err error) {
	err = copyFile(from+".key", to+".key", os.O_EXCL)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	return err == nil, err
}

// copyFile copies a file for its owner alone, and waits until it is on disk. how is os.O_EXCL or os.O_TRUNC.
func copyFile(from, to string, how int) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|how, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}
