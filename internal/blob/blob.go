// Package blob keeps the files of shops: in a folder, or in a bucket that speaks S3. It knows nothing of what is in
// them. Servers that share a folder or a bucket share the files.
//
// A file has a key such as 018f…/018f…/1a2b.jpg: names of small letters, digits, dots and dashes with slashes
// between. It is there whole or not at all.
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
	// Put keeps a file of a size, which it reads from its beginning, in place of one that is there. Until it returns
	// nothing changes.
	Put(ctx context.Context, key string, from io.ReadSeeker, size int64) error
	// PutNew does the same, but leaves a file that is there as it is: of those who put one at once the first wins.
	PutNew(ctx context.Context, key string, from io.ReadSeeker, size int64) error
	// Keys returns the keys that begin with a prefix, which is empty or ends with a slash. It ends with the first
	// error.
	Keys(ctx context.Context, prefix string) iter.Seq2[string, error]
	// RemoveAll removes the files whose keys begin with a prefix, which ends with a slash, if there are any.
	RemoveAll(ctx context.Context, prefix string) error
	// Check fails if files cannot be kept here.
	Check(ctx context.Context) error
}

// File is a file that is read. It must be closed.
type File struct {
	io.ReadSeekCloser
	Size     int64
	Modified time.Time
}

// keyForm is the form of keys; a prefix has a slash at its end. A name begins with a letter or digit, so that none is
// ".." and none is a file that is being written.
var keyForm = regexp.MustCompile(`^([0-9a-z][0-9a-z.-]*/)*[0-9a-z][0-9a-z.-]*/?$`)

// checkKey refuses what is no key, such as one that leads out of the folder.
func checkKey(key string) error {
	if len(key) > 500 || !keyForm.MatchString(key) {
		return fmt.Errorf("blob: %q is no key", key)
	}
	return nil
}

// checkPrefix refuses what is no prefix of keys.
func checkPrefix(prefix string) error {
	if prefix == "" {
		return nil
	}
	if err := checkKey(prefix); err != nil || !strings.HasSuffix(prefix, "/") {
		return fmt.Errorf("blob: %q is no prefix", prefix)
	}
	return nil
}
