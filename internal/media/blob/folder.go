package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sync/singleflight"
)

// Folder keeps files in a folder, which several servers may share. A file is written beside its place, flushed to the
// disk and then renamed.
type Folder struct {
	root   string
	sync   func(folder string) error
	checks singleflight.Group
}

// unfinished begins the names of files that are being written.
const unfinished = ".unfinished-"

// NewFolder returns the store of a folder, which is created with the first file.
func NewFolder(root string) *Folder { return &Folder{root: filepath.Clean(root), sync: syncFolder} }

func (f *Folder) path(key string) (string, error) {
	if err := checkKey(key); err != nil {
		return "", err
	}
	return filepath.Join(f.root, filepath.FromSlash(key)), nil
}

// Open opens a file, or fails with ErrNotFound.
func (f *Folder) Open(_ context.Context, key string) (*File, error) {
	name, err := f.path(key)
	if err != nil {
		return nil, err
	}
	opened, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	info, err := opened.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNotFound
	}
	if err != nil {
		_ = opened.Close()
		return nil, err
	}
	return &File{opened, info.Size(), info.ModTime()}, nil
}

// Put stores a file of a size and replaces one that is there. It returns when the folders that lead to the file are on
// the disk, too.
func (f *Folder) Put(ctx context.Context, key string, from io.ReadSeeker, size int64) error {
	return f.put(ctx, key, from, size, func(made, name string) error {
		err := os.Rename(made, name)
		for err == nil && name != f.root && name != filepath.Dir(name) {
			name = filepath.Dir(name)
			err = f.sync(name)
		}
		return err
	})
}

// syncFolder flushes the names in a folder to the disk, where its file system can do that.
func syncFolder(name string) error {
	folder, err := os.Open(name)
	if err != nil {
		return err
	}
	err = folder.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		err = nil
	}
	return errors.Join(err, folder.Close())
}

// PutNew stores a file of a size, unless there is one. On a file system without links the last of two at once
// wins.
func (f *Folder) PutNew(ctx context.Context, key string, from io.ReadSeeker, size int64) (isNew bool, err error) {
	err = f.put(ctx, key, from, size, func(made, name string) error {
		err := os.Link(made, name)
		isNew = !errors.Is(err, fs.ErrExist)
		if err != nil && isNew {
			return os.Rename(made, name)
		}
		return os.Remove(made)
	})
	return isNew && err == nil, err
}

// put writes a new file beside its place, and lets named move it there.
func (f *Folder) put(
	ctx context.Context, key string, from io.ReadSeeker, size int64, named func(made, name string) error,
) (err error) {
	name, err := f.path(key)
	if err != nil {
		return err
	}
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return err
	}
	// the first try fails if a server removes the folder meanwhile
	for range 3 {
		err = os.MkdirAll(filepath.Dir(name), 0o750)
		for folder := filepath.Dir(name); err == nil && folder != f.root; folder = filepath.Dir(folder) {
			err = give(f.root, folder)
		}
		var made *os.File
		if err == nil {
			made, err = os.CreateTemp(filepath.Dir(name), unfinished+"*")
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := f.write(ctx, made, from, size); err != nil {
			return err
		}
		if err = named(made.Name(), name); err != nil {
			_ = os.Remove(made.Name()) // fails if the file was moved
		}
		return err
	}
	return err
}

// write writes size bytes to a new file, and removes the file if it fails.
func (f *Folder) write(ctx context.Context, file *os.File, from io.Reader, size int64) (err error) {
	defer func() {
		if err != nil {
			_ = file.Close()
			_ = os.Remove(file.Name())
		}
	}()
	n, err := io.Copy(file, io.LimitReader(from, size+1))
	switch {
	case err != nil:
		return err
	case n != size:
		return fmt.Errorf("blob: got %d bytes of a file of %d", n, size)
	case ctx.Err() != nil:
		return ctx.Err()
	}
	if err := errors.Join(file.Chmod(0o640), give(f.root, file.Name())); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	return file.Close()
}

// List returns the files whose keys begin with a prefix. It stops at the first error, and when ctx ends.
func (f *Folder) List(ctx context.Context, prefix string) iter.Seq2[Listed, error] {
	return func(yield func(Listed, error) bool) {
		if err := checkPrefix(prefix); err != nil {
			yield(Listed{}, err)
			return
		}
		stopped := errors.New("stopped")
		err := filepath.WalkDir(filepath.Join(f.root, filepath.FromSlash(prefix)),
			func(name string, entry fs.DirEntry, err error) error {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if errors.Is(err, fs.ErrNotExist) { // removed meanwhile
					return nil
				}
				if err != nil || !entry.Type().IsRegular() || strings.HasPrefix(entry.Name(), unfinished) {
					return err
				}
				info, err := entry.Info()
				if errors.Is(err, fs.ErrNotExist) {
					return nil
				}
				key, failed := filepath.Rel(f.root, name)
				err = errors.Join(err, failed)
				if err == nil && !yield(Listed{filepath.ToSlash(key), info.Size()}, nil) {
					err = stopped
				}
				return err
			})
		if err != nil && !errors.Is(err, stopped) {
			yield(Listed{}, err)
		}
	}
}

// RemoveAll removes the files whose keys begin with a prefix.
func (f *Folder) RemoveAll(_ context.Context, prefix string) error {
	name, err := f.path(prefix)
	if err != nil {
		return err
	}
	if err := checkPrefix(prefix); err != nil {
		return err
	}
	for range 3 { // a file may come while the folder is being removed
		if err = os.RemoveAll(name); err == nil {
			return nil
		}
	}
	return err
}

// Check fails if the folder cannot be written to.
func (f *Folder) Check(context.Context) error {
	if err := os.MkdirAll(f.root, 0o750); err != nil {
		return err
	}
	return f.try()
}

// try writes to the folder, and removes what it has written.
func (f *Folder) try() error {
	made, err := os.CreateTemp(f.root, unfinished+"*")
	if err != nil {
		return err
	}
	_, err = made.Write(make([]byte, 64<<10)) // a full disk may have room for the name
	return errors.Join(err, made.Close(), os.Remove(made.Name()))
}

// Reach returns the content of MarkKey. It fails if the folder cannot be written to, as on a full disk, or when ctx
// ends. A network share may hang; all calls then share one check. A folder that does not exist yet is not a failure.
func (f *Folder) Reach(ctx context.Context) (mark string, err error) {
	tried := f.checks.DoChan("", func() (any, error) {
		text, err := os.ReadFile(filepath.Join(f.root, MarkKey))
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		if failed := f.try(); !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
		return strings.TrimSpace(string(text)), err
	})
	select {
	case done := <-tried:
		return done.Val.(string), done.Err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
