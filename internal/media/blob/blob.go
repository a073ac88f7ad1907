// Package blob keeps the files of shops in a folder or in an S3 bucket. It does not look at their content.
// Servers that share a folder or a bucket share the files.
//
// A key is names of lower-case letters, digits, dots and dashes with slashes between, such as
// 018f…/018f…/1a2b.jpg. A file is stored as a whole or not at all.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strings"
	"time"
)

// ErrNotFound says that there is no file under a key.
var ErrNotFound = errors.New("blob: there is no such file")

// Store keeps files. All methods may be called by several goroutines, and servers, at once.
type Store interface {
	// Open opens a file, or fails with ErrNotFound.
	Open(ctx context.Context, key string) (*File, error)
	// Put stores a file, whose size bytes it reads from the beginning of from, and replaces one that is there.
	// Nothing changes before it returns.
	Put(ctx context.Context, key string, from io.ReadSeeker, size int64) error
	// PutNew does the same for a file that can be made again, but keeps one that is there, and reports whether it has
	// stored it. Of several at once the first wins.
	PutNew(ctx context.Context, key string, from io.ReadSeeker, size int64) (isNew bool, err error)
	// List returns the files whose keys begin with a prefix, which is empty or ends with a slash. It stops at the
	// first error.
	List(ctx context.Context, prefix string) iter.Seq2[Listed, error]
	// RemoveAll removes the files whose keys begin with a prefix, which ends with a slash, if there are any.
	RemoveAll(ctx context.Context, prefix string) error
	// Check fails if files cannot be kept here.
	Check(ctx context.Context) error
	// Reach is a Check that costs little. It also returns the content of the file MarkKey, "" if there is none. It
	// fails when ctx ends.
	Reach(ctx context.Context) (mark string, err error)
}

// Listed is a file of a list.
type Listed struct {
	Key  string
	Size int64
}

// MarkKey is the key of the file that identifies the database to which a store's files belong.
const MarkKey = "storefront-installation"

// File is an open file. It must be closed.
type File struct {
	io.ReadSeekCloser
	Size     int64
	Modified time.Time
}

// keyForm is the form of keys, and of prefixes with a slash at the end. A name begins with a letter or digit,
// so that it is neither ".." nor the name of an unfinished file.
var keyForm = regexp.MustCompile(`^([0-9a-z][0-9a-z.-]*/)*[0-9a-z][0-9a-z.-]*/?$`)

// checkKey fails if the text is not a key, such as a path that leads out of the folder.
func checkKey(key string) error {
	if len(key) > 500 || !keyForm.MatchString(key) {
		return fmt.Errorf("blob: %q is no key", key)
	}
	return nil
}

// checkPrefix fails if the text is not a prefix of keys.
func checkPrefix(prefix string) error {
	if prefix == "" {
		return nil
	}
	if err := checkKey(prefix); err != nil || !strings.HasSuffix(prefix, "/") {
		return fmt.Errorf("blob: %q is no prefix", prefix)
	}
	return nil
}
