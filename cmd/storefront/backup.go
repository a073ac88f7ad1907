package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"storefront/internal/config"
	"storefront/internal/database"
	"storefront/internal/store"
)

// backup writes a copy of the SQLite database, and of its signing key, while the service runs.
func backup(ctx context.Context, args []string, p program) error {
	settings, files, err := config.Load("backup", args, p.getenv, p.stderr)
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

// restore puts a copy in the place of the SQLite database, which is kept under another name.
func restore(ctx context.Context, args []string, p program) error {
	var replace bool
	settings, files, err := config.Load("restore", args, p.getenv, p.stderr, func(f *flag.FlagSet) {
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
	incoming := path + ".restoring"
	if err := copyFile(files[0], incoming, os.O_TRUNC); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	defer os.Remove(incoming) // it is gone when all went well
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
	if _, err := os.Stat(kept); err == nil {
		fmt.Fprintf(p.stdout, "%s: the database as it was\n", kept)
	}
	fmt.Fprintf(p.stdout, "%s: restored from %s, checked\n", path, files[0])
	_, err = copyKey(files[0], path)
	return err
}

// copyKey copies the signing key beside a database to that beside another, unless the other has one.
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
