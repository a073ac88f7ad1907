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
	"storefront/internal/blob"
	"storefront/internal/fault"
	"storefront/internal/goroutine"
	"storefront/internal/imagefile"
	"storefront/internal/record"
	"storefront/internal/tenancy"
	"storefront/internal/wire"
)

// shownQuality is the quality of narrower versions and of receipts, from 1 to 100.
const shownQuality = 82

// Handler serves everything below record.MediaPath: uploads and images.
func (s *Service) Handler(w http.ResponseWriter, r *http.Request) {
	r.Pattern = ""
	err := noImage()
	uploads := map[string]admission{
		UploadPath: s.admitStaff, ListingUploadPath: s.admitCustomer, ReceiptUploadPath: s.admitReceipt,
	}
	if path := strings.TrimSuffix(r.URL.Path, "/"); uploads[path] != nil {
		r.Pattern = path
		err = s.upload(w, r, uploads[path])
	} else if path == ReceiptPath {
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
	w.Header().Set("Cache-Control", "no-store") // for errors
	if s.Files == nil || a.Scaled > 0 && !slices.Contains(record.MediaWidths, a.Scaled) {
		return noImage()
	}
	f, err := s.Files.Open(r.Context(), a.Key())
	if errors.Is(err, blob.ErrNotFound) && a.Scaled > 0 {
		if err = s.make(r.Context(), a); err == nil {
			f, err = s.Files.Open(r.Context(), a.Key())
		}
	}
	if errors.Is(err, blob.ErrNotFound) {
		return noImage()
	}
	if _, known := errors.AsType[*fault.Error](err); err != nil && !known {
		return unread(err)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	h := w.Header()
	describe(h, record.MediaKindOf(a.Extension))
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("ETag", fmt.Sprintf(`"%s-%d-%s"`, a.Hash, a.Scaled, a.Extension))
	http.ServeContent(w, r, "", time.Time{}, f)
	return nil
}

// describe sets the media type of a file, and headers that stop scripts in a file that is opened as a page.
func describe(h http.Header, as record.MediaKind) {
	h.Set("Content-Type", as.MediaType())
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
}

// make makes a smaller version of an image, once for all concurrent requests.
func (s *Service) make(ctx context.Context, a record.MediaAddress) error {
	ctx = tenancy.In(ctx, a.Shop)
	made := s.making.DoChan(a.Key(), func() (_ any, err error) {
		err = errors.New("making a narrower image panicked")
		var one goroutine.Group
		one.Start("a narrower image", func() { // not tied to the first request, which may be cancelled
			err = s.inTurn(context.WithoutCancel(ctx), func(ctx context.Context) error { return s.scale(ctx, a) })
		})
		one.Wait()
		return nil, err
	})
	select {
	case done := <-made:
		return done.Err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// scale makes a smaller version of an image, unless another server has made it meanwhile.
func (s *Service) scale(ctx context.Context, a record.MediaAddress) error {
	if f, err := s.Files.Open(ctx, a.Key()); err == nil {
		return f.Close()
	}
	row, err := s.Store.MediaFile.Query().Where(mediafile.ID(a.ID)).Only(ctx)
	if ent.IsNotFound(err) {
		return noImage()
	}
	if err != nil {
		return err
	}
	original, ok := record.ParseMediaAddress(row.Address)
	if !ok || a.Base != "" || original.In(a.Scaled, record.InWebP).Key() != a.Key() &&
		original.In(a.Scaled, record.AsUploaded).Key() != a.Key() {
		return noImage()
	}
	data, err := s.readAll(ctx, original)
	if err != nil {
		return err
	}
	file, form := imagefile.Bytes(data), imagefile.Form{Width: a.Scaled, As: record.MediaKindOf(a.Extension),
		Quality: shownQuality}
	info, err := imagefile.Inspect(file, form)
	if err != nil {
		return fmt.Errorf("the image that is kept cannot be read: %w", err)
	}
	var out bytes.Buffer
	err = s.withMemory(ctx, info.Memory(form), func() error {
		_, err := imagefile.Draw(ctx, &out, file, info, form)
		return err
	})
	if err != nil {
		return fmt.Errorf("the image that is kept cannot be decoded: %w", err)
	}
	// another server may make it at the same time, and the encoder of WebP does not always give the same bytes
	if err := unkept(s.Files.PutNew(ctx, a.Key(), bytes.NewReader(out.Bytes()), int64(out.Len()))); err != nil {
		return err
	}
	there, err := s.Store.MediaFile.Query().Where(mediafile.ID(a.ID)).Exist(ctx)
	if err == nil && !there { // deleted before its file was stored: nothing else would remove that
		return errors.Join(noImage(), s.Files.RemoveAll(ctx, a.Folder()))
	}
	return err
}

func (s *Service) readAll(ctx context.Context, a record.MediaAddress) ([]byte, error) {
	f, err := s.Files.Open(ctx, a.Key())
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Size > 2*imagefile.MostBytes {
		return nil, fmt.Errorf("the image that is kept has %d bytes", f.Size)
	}
	data := make([]byte, f.Size)
	_, err = io.ReadFull(f, data)
	return data, err
}
