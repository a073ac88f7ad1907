package blob

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// Bucket keeps files in an S3 bucket, which servers may share. The bucket must exist.
type Bucket struct {
	client       *minio.Client
	name, folder string // folder is what keys begin with in the bucket: empty, or with a slash at its end
}

// BucketOptions say where a bucket is, and who may use it.
type BucketOptions struct {
	URL       string // its server, its name, and the folder in it, if any: https://s3.example/shop-images/media
	Region    string
	KeyID     string
	Key       string // secret
	Transport http.RoundTripper
}

// ErrRefused means that a bucket's server has answered and refuses to store files as requested.
var ErrRefused = errors.New("blob: the bucket refuses")

// answerTime is how long a bucket's server may take to answer a request that was sent completely.
const answerTime = 10 * time.Second

// tries is how often a request is sent that fails for a reason outside of it.
const tries = 3

// NewBucket returns the store of a bucket. It makes no request.
func NewBucket(o BucketOptions) (*Bucket, error) {
	at, err := url.Parse(o.URL)
	if err != nil {
		return nil, err
	}
	name, folder, _ := strings.Cut(strings.Trim(at.Path, "/"), "/")
	if folder != "" {
		folder += "/"
	}
	if o.Transport == nil {
		transport, err := minio.DefaultTransport(at.Scheme == "https")
		if err != nil {
			return nil, err
		}
		transport.ResponseHeaderTimeout = answerTime
		o.Transport = transport
	}
	client, err := minio.New(at.Host, &minio.Options{
		Creds: credentials.NewStaticV4(o.KeyID, o.Key, ""), Secure: at.Scheme == "https", Region: o.Region,
		Transport: o.Transport, MaxRetries: tries,
	})
	return &Bucket{client, name, folder}, err
}

func (b *Bucket) key(key string) (string, error) {
	if err := checkKey(key); err != nil {
		return "", err
	}
	if strings.HasSuffix(key, "/") {
		return "", fmt.Errorf("blob: %q is no key of a file", key)
	}
	return b.folder + key, nil
}

// Open opens a file, or fails with ErrNotFound. It requests the size at once, and the content when that is
// read.
func (b *Bucket) Open(ctx context.Context, key string) (*File, error) {
	name, err := b.key(key)
	if err != nil {
		return nil, err
	}
	object, err := b.client.GetObject(ctx, b.name, name, minio.GetObjectOptions{})
	if err != nil {
		return nil, err
	}
	info, err := object.Stat()
	if err != nil {
		_ = object.Close()
		if minio.ToErrorResponse(err).StatusCode == http.StatusNotFound {
			err = ErrNotFound
		}
		return nil, err
	}
	return &File{object, info.Size, info.LastModified}, nil
}

// Put stores a file of a size and replaces one that is there.
func (b *Bucket) Put(ctx context.Context, key string, from io.ReadSeeker, size int64) error {
	return b.put(ctx, key, from, size, minio.PutObjectOptions{})
}

// PutNew stores a file of a size, unless there is one. A server that does not support the condition, or gets
// the same file twice at once, may refuse. That is not an error if the file is there.
func (b *Bucket) PutNew(ctx context.Context, key string, from io.ReadSeeker, size int64) (isNew bool, err error) {
	var options minio.PutObjectOptions
	options.SetMatchETagExcept("*")
	err = b.put(ctx, key, from, size, options)
	switch minio.ToErrorResponse(err).StatusCode {
	case http.StatusPreconditionFailed:
		return false, nil
	case http.StatusConflict, http.StatusBadRequest, http.StatusNotImplemented:
		if f, missing := b.Open(ctx, key); missing == nil {
			return false, f.Close()
		}
		err = b.Put(ctx, key, from, size)
	}
	return err == nil, err
}

func (b *Bucket) put(
	ctx context.Context, key string, from io.ReadSeeker, size int64, options minio.PutObjectOptions,
) error {
	name, err := b.key(key)
	if err != nil {
		return err
	}
	n, err := from.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = from.Seek(0, io.SeekStart)
	}
	switch {
	case err != nil:
		return err
	case n != size:
		return fmt.Errorf("blob: got %d bytes of a file of %d", n, size)
	}
	// in one request, so that a failure leaves nothing behind
	options.DisableMultipart = true
	_, err = b.client.PutObject(ctx, b.name, name, from, size, options)
	return err
}

// List returns the files whose keys begin with a prefix. It stops at the first error, and when ctx ends.
func (b *Bucket) List(ctx context.Context, prefix string) iter.Seq2[Listed, error] {
	return func(yield func(Listed, error) bool) {
		if err := checkPrefix(prefix); err != nil {
			yield(Listed{}, err)
			return
		}
		until, stop := context.WithCancel(ctx)
		defer stop()
		found := b.client.ListObjectsIter(until, b.name,
			minio.ListObjectsOptions{Prefix: b.folder + prefix, Recursive: true})
		for one := range found {
			if !yield(Listed{strings.TrimPrefix(one.Key, b.folder), one.Size}, one.Err) || one.Err != nil {
				return
			}
		}
		if ctx.Err() != nil { // the client ends a cancelled list without an error
			yield(Listed{}, ctx.Err())
		}
	}
}

// RemoveAll removes the files whose keys begin with a prefix.
func (b *Bucket) RemoveAll(ctx context.Context, prefix string) error {
	if err := checkKey(prefix); err != nil {
		return err
	}
	for one, err := range b.List(ctx, prefix) {
		if err == nil {
			err = b.client.RemoveObject(ctx, b.name, b.folder+one.Key, minio.RemoveObjectOptions{})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Check stores, finds and removes a file. It fails with ErrRefused if the bucket's server refuses.
func (b *Bucket) Check(ctx context.Context) error {
	folder := "check/" + strings.ToLower(rand.Text()) + "/" // several servers may check it at once
	err := b.Put(ctx, folder+"check.txt", strings.NewReader("check"), 5)
	if err == nil {
		var f *File
		if f, err = b.Open(ctx, folder+"check.txt"); err == nil {
			_ = f.Close()
		}
	}
	if err == nil {
		err = b.RemoveAll(ctx, folder)
	}
	return b.named(err)
}

// Reach returns the content of MarkKey. It fails if the bucket cannot be reached.
func (b *Bucket) Reach(ctx context.Context) (mark string, err error) {
	f, err := b.Open(ctx, MarkKey)
	if err == nil {
		defer f.Close()
		text, err := io.ReadAll(f)
		return strings.TrimSpace(string(text)), b.named(err)
	}
	if !errors.Is(err, ErrNotFound) {
		return "", b.named(err)
	}
	there, err := b.client.BucketExists(ctx, b.name)
	if err == nil && !there {
		err = minio.ErrorResponse{StatusCode: http.StatusNotFound, Code: minio.NoSuchBucket,
			Message: "The specified bucket does not exist"}
	}
	return "", b.named(err)
}

// named adds the bucket to an error, and ErrRefused if its server refused.
func (b *Bucket) named(err error) error {
	if err == nil {
		return nil
	}
	at := *b.client.EndpointURL()
	at.Path = path.Join("/", b.name, b.folder)
	if answer := minio.ToErrorResponse(err); answer.StatusCode >= 400 && answer.StatusCode < 500 &&
		answer.StatusCode != http.StatusTooManyRequests && answer.StatusCode != http.StatusRequestTimeout {
		return fmt.Errorf("%w: %s: %s (%s)", ErrRefused, at.String(), answer.Message, answer.Code)
	}
	return fmt.Errorf("blob: %s: %w", at.String(), err)
}
