package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"storefront/ent"
	"storefront/ent/mediafile"
	"storefront/internal/content/derive"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/media/blob"
	"storefront/internal/media/imagefile"
	"storefront/internal/platform/goroutine"
	"storefront/internal/platform/wire"
	"storefront/internal/record"
)

// shownQuality is the quality of narrower versions and of receipts, from 1 to 100.
const shownQuality = 82

// Handler serves everything below record.MediaPath: uploads and images.
func (s *Service) Handler(w http.ResponseWriter, r *http.Request) {
	r.Pattern = ""
	err := noImage()
	uploads := map[string]admission{
		uploadPath: s.admitStaff, listingUploadPath: s.admitCustomer, receiptUploadPath: s.admitReceipt,
	}
	if path := strings.TrimSuffix(r.URL.Path, "/"); uploads[path] != nil {
		r.Pattern = path
		err = s.upload(w, r, uploads[path])
	} else if path == receiptPath {
		r.Pattern = path
		err = s.serveReceipt(w, r)
	} else if a, ok := record.ParseMediaAddress(r.URL.Path); ok && a.Base == "" {
		r.Pattern = record.MediaPath + "{shop}/{image}/{file}"
		err = s.serve(w, r, a)
	}
	if err != nil {
		s.refuse(w, r, err)
	}
}

func noImage() error { return fault.New(fault.NotFound, "there is no image at this path") }

// unread returns the error for a file that could not be read.
func unread(err error) error {
	return fault.Wrap(fault.Unavailable, err, "the image cannot be read at the moment; try again shortly")
}

// serve answers with an image.
func (s *Service) serve(w http.ResponseWriter, r *http.Request, a record.MediaAddress) error {
	if err := wire.OnlyRead(w, r); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store") // for errors
	if s.Files == nil || a.Scaled > a.Width || a.Scaled > 0 && !slices.Contains(record.MediaWidths, a.Scaled) {
		return noImage()
	}
	ctx := tenancy.In(r.Context(), a.Shop)
	f, err := s.open(ctx, a.Key())
	if errors.Is(err, blob.ErrNotFound) && a.Scaled > 0 {
		f, err = s.narrower(ctx, a)
	}
	if errors.Is(err, blob.ErrNotFound) {
		return noImage()
	}
	if err != nil {
		return err
	}
	defer f.Close()
	describe(h, record.MediaKindOf(a.Extension))
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("ETag", fmt.Sprintf(`"%s-%d-%s"`, a.Hash, a.Scaled, a.Extension))
	http.ServeContent(w, r, "", time.Time{}, f)
	return nil
}

// open opens a file for a client. No more than mostReads requests wait for a store that hangs.
func (s *Service) open(ctx context.Context, key string) (*blob.File, error) {
	waiting, stop := context.WithTimeout(ctx, readWait)
	defer stop()
	release, err := s.reads.Take(waiting)
	if err != nil {
		return nil, unread(err)
	}
	defer release()
	f, err := s.Files.Open(ctx, key)
	if err != nil && !errors.Is(err, blob.ErrNotFound) {
		err = unread(err)
	}
	return f, err
}

// describe sets the media type of a file, and headers that stop scripts in a file that is opened as a page.
func describe(h http.Header, as record.MediaKind) {
	h.Set("Content-Type", as.MediaType())
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
}

// inMemory is an open file that was just made.
type inMemory struct{ *bytes.Reader }

func (inMemory) Close() error { return nil }

// narrower makes a smaller version of an image, once for all concurrent requests.
func (s *Service) narrower(ctx context.Context, a record.MediaAddress) (*blob.File, error) {
	row, err := s.Store.MediaFile.Query().Where(mediafile.ID(a.ID)).Only(ctx)
	if ent.IsNotFound(err) {
		err = noImage()
	}
	if err != nil {
		return nil, err
	}
	whole, ok := record.ParseMediaAddress(row.Address)
	if !ok || a.Base != "" || whole.In(a.Scaled, record.InWebP).Key() != a.Key() &&
		whole.In(a.Scaled, record.AsUploaded).Key() != a.Key() {
		return nil, noImage()
	}
	made := s.making.DoChan(a.Key(), func() (data any, err error) {
		err = errors.New("making a narrower image panicked")
		var one goroutine.Group
		one.Start("a narrower image", func() { // not tied to the first request, which may be cancelled
			from := func(ctx context.Context) (imagefile.File, error) { return s.readAll(ctx, whole) }
			data, err = s.scale(context.WithoutCancel(ctx), row, from, a)
		})
		one.Wait()
		return data, err
	})
	select {
	case done := <-made:
		if done.Err != nil {
			return nil, done.Err
		}
		data := done.Val.([]byte)
		return &blob.File{ReadSeekCloser: inMemory{bytes.NewReader(data)}, Size: int64(len(data))}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// scale makes smaller versions of an image, the widest first, and returns the widest. from gives its file. If the
// shop's quota or the disk is full, it does not keep them.
func (s *Service) scale(
	ctx context.Context, row *ent.MediaFile, from func(context.Context) (imagefile.File, error),
	to ...record.MediaAddress,
) (widest []byte, err error) {
	if len(to) == 0 {
		return nil, nil
	}
	made := make([]bytes.Buffer, len(to))
	var targets []imagefile.Target
	for i, a := range to {
		form := imagefile.Form{Width: a.Scaled, As: record.MediaKindOf(a.Extension), Quality: shownQuality}
		targets = append(targets, imagefile.Target{Form: form, To: &made[i]})
	}
	err = s.inTurn(ctx, func(ctx context.Context) error { // which reads the file, too: many may wait
		file, err := from(ctx)
		if err != nil {
			return err
		}
		return s.inspect(ctx, file, targets[0].Form, func(ctx context.Context, info imagefile.Info) error {
			_, err := imagefile.Draw(ctx, file, info, targets...)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("the image that is kept cannot be drawn: %w", err)
	}
	for i, a := range to {
		if err := s.keepNarrower(ctx, row, a, made[i].Bytes()); err != nil {
			return nil, err
		}
	}
	return made[0].Bytes(), nil
}

// keepNarrower stores a smaller version of an image, if there is room for it.
func (s *Service) keepNarrower(ctx context.Context, row *ent.MediaFile, a record.MediaAddress, data []byte) error {
	size := int64(len(data))
	if _, full, err := s.isFull(ctx, s.Store, row.UserID != nil, size); err != nil || full {
		return err
	}
	// another server may make it at the same time, and the encoder of WebP does not always give the same bytes
	isNew, err := s.Files.PutNew(ctx, a.Key(), bytes.NewReader(data), size)
	if err != nil {
		s.Log.WarnContext(ctx, "a narrower image could not be kept", "error", err)
	}
	if err != nil || !isNew {
		return nil
	}
	n, err := s.Store.MediaFile.Update().Where(mediafile.ID(a.ID)).AddTotalSize(size).Save(derive.Unseen(ctx))
	if err == nil && n == 0 { // deleted before its file was stored: nothing else would remove that
		err = errors.Join(noImage(), s.Files.RemoveAll(ctx, a.Folder()))
	}
	return err
}

func (s *Service) readAll(ctx context.Context, a record.MediaAddress) (imagefile.File, error) {
	f, err := s.Files.Open(ctx, a.Key())
	if err != nil {
		return imagefile.File{}, err
	}
	defer f.Close()
	if f.Size > 2*imagefile.MostBytes {
		return imagefile.File{}, fmt.Errorf("the image that is kept has %d bytes", f.Size)
	}
	data := make([]byte, f.Size)
	_, err = io.ReadFull(f, data)
	return imagefile.Bytes(data), err
}
