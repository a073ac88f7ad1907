package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"storefront/internal/config"
	"storefront/internal/database"
	"storefront/internal/database/store"
	"storefront/internal/media"
	"storefront/internal/media/blob"
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
		if err := refuseOtherKey(path, files[0]); err != nil {
			return fmt.Errorf("backup: %w", err)
		}
	}
	s, err := store.Open(ctx, settings.DatabaseURL)
	if err != nil {
		return err
	}
	defer s.Close()
	copied := false
	err = s.Backup(ctx, files[0], func() error {
		if copied, err = copyKey(path, files[0]); err != nil || copied {
			return err
		}
		return refuseOtherKey(path, files[0])
	})
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	info, err := os.Stat(files[0])
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s: %d bytes, checked\n", files[0], info.Size())
	if copied {
		fmt.Fprintf(p.stdout, "%s.key: the signing key, which is secret\n", files[0])
	}
	return nil
}

// refuseOtherKey fails if a key that is not that of the database is beside a copy.
func refuseOtherKey(path, file string) error {
	other, err := otherKey(path, file)
	if other {
		err = fmt.Errorf("%s.key is there already, and is not the key of %s: take it away first", file, path)
	}
	return err
}

// restore replaces the SQLite database by a copy, and keeps the old one with its key under another name, which comes
// first: whatever cuts it off, the old ones are there together, under one name or the other.
func restore(ctx context.Context, args []string, p program) (err error) {
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
	defer func() {
		if err != nil {
			err = fmt.Errorf("restore: %w", err)
		}
	}()
	if err := database.CheckFile(ctx, files[0]); err != nil {
		return err
	}
	target, err := database.Restore(ctx, settings.DatabaseURL)
	if err != nil {
		return err
	}
	defer target.Close()
	defer os.Remove(path + ".key.restoring")
	if there := target.There(); there != "" && !replace {
		return fmt.Errorf("%s is there already; with -replace it is kept under another name", there)
	}
	other, err := otherKey(files[0], path)
	if err != nil {
		return err
	}
	other = other && isThere(files[0]+".key") // otherwise the database keeps its key
	if other && !replace {
		return fmt.Errorf("%s.key is there already, and is not the key of %s; with -replace it is kept under "+
			"another name", path, files[0])
	}
	if err := copyFile(files[0], target.Incoming); err != nil {
		return err
	}
	if err := database.CheckFile(ctx, target.Incoming); err != nil {
		return err
	}
	if err := openAsServer(ctx, "sqlite://"+target.Incoming); err != nil {
		return err
	}
	kept := target.File + "." + time.Now().UTC().Format("20060102T150405.000Z")
	if err := target.MoveLog(ctx); err != nil {
		return err
	}
	if err := target.Keep(kept); err != nil {
		return err
	}
	if other {
		if err := database.Name(path+".key", kept+".key"); err != nil {
			return err
		}
		fmt.Fprintf(p.stdout, "%s.key: the signing key as it was, which is secret\n", kept)
	}
	keyCame := false
	switch err := copyFile(files[0]+".key", path+".key.restoring"); {
	case err == nil:
		keyCame = true
		if err := database.Rename(path+".key.restoring", path+".key"); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := target.Replace(); err != nil {
		return err
	}
	if isThere(kept) {
		fmt.Fprintf(p.stdout, "%s: the database as it was\n", kept)
	}
	if err := openAsServer(ctx, settings.DatabaseURL); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s: restored from %s, checked\n", path, files[0])
	switch {
	case keyCame:
		fmt.Fprintf(p.stdout, "%s.key: the signing key of %s\n", path, files[0])
	case isThere(path + ".key"):
		fmt.Fprintf(p.stdout, "%s.key: the signing key, as it was\n", path)
	default:
		fmt.Fprintf(p.stdout, "no signing key came along: without TOKEN_SIGNING_KEY a new one is made\n")
	}
	if err := claimImages(ctx, settings, p); err != nil {
		return fmt.Errorf("the database is restored, but where its images are: %w", err)
	}
	s, err := openWith(ctx, settings, (*store.Store).Migrated)
	if errors.Is(err, store.ErrNotMigrated) { // of a version before; `import` lists them
		return nil
	}
	if err != nil {
		return err
	}
	defer s.Close()
	key, err := knownKey(settings)
	if err != nil {
		return err
	}
	return tellUnreadable(ctx, s, p, key, settings.OtherKey)
}

// claimImages claims the folder or bucket of images for a restored database, unless a database has claimed it already.
func claimImages(ctx context.Context, settings config.Config, p program) error {
	log := slog.New(slog.NewTextHandler(p.stderr, nil))
	files, err := imagesOf(ctx, settings, log)
	if err != nil || files == nil {
		return err
	}
	s, err := openWith(ctx, settings, (*store.Store).Migrated)
	if errors.Is(err, store.ErrNotMigrated) { // the server that migrates the database claims them
		return nil
	}
	if err != nil {
		return err
	}
	defer s.Close()
	claimed, err := media.New(media.Options{Store: s.Client, Files: files, Clock: time.Now, Log: log}).Claim(ctx)
	if claimed {
		fmt.Fprintf(p.stdout, "%s is there now: the images belong to the database; copy those of the backup to it\n",
			blob.MarkKey)
	}
	return err
}

// openAsServer opens a database as a server does that does not migrate it.
func openAsServer(ctx context.Context, url string) error {
	s, err := store.Open(ctx, url)
	if err != nil {
		return err
	}
	if err = s.Migrated(ctx); errors.Is(err, store.ErrNotMigrated) { // a server of this version migrates it
		err = nil
	}
	return errors.Join(err, s.Close())
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
	made, err := os.CreateTemp(filepath.Dir(to), filepath.Base(to)+".key.unfinished-*") // mode 0600
	if err != nil {
		return false, err
	}
	defer os.Remove(made.Name())
	if err := made.Close(); err != nil {
		return false, err
	}
	if err := copyFile(from+".key", made.Name()); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return false, err
	}
	err = database.Name(made.Name(), to+".key")
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	return err == nil, err
}

// copyFile copies a file for its owner alone, and waits until it is on disk.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}
