package media

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"path"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"

	"storefront/ent"
	"storefront/ent/fileremoval"
	"storefront/ent/mediafile"
	"storefront/ent/predicate"
	"storefront/internal/content/derive"
	"storefront/internal/customer/member"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/media/blob"
	"storefront/internal/media/imagefile"
	"storefront/internal/record"
	"storefront/internal/shop/audit"
)

// abandoned is how long after its start an unfinished upload counts as crashed.
const abandoned = time.Hour

// keepLimit is how long it may take to store an image, with its row, after it was inspected.
const keepLimit = 20 * time.Second

// picture is the file that is stored of an image. The hashes are those of the file and of what was sent.
type picture struct {
	imagefile.Drawn
	file       *spool
	hash, sent []byte
}

// Keep stores an image of a shop. If the shop has the same image already, Keep returns that and false: it
// counts as used now, and its file is restored if it was lost.
func (s *Service) Keep(ctx context.Context, up Upload, f imagefile.File) (kept *ent.MediaFile, isNew bool, err error) {
	ctx = tenancy.In(ctx, up.Shop)
	sent, err := hashOf(f)
	if err != nil {
		return nil, false, err
	}
	sent = up.own(sent)
	kept, err = s.keepAgain(ctx, up, sent, sent)
	if err != nil {
		return nil, false, err
	}
	if kept != nil {
		if there, err := s.isThere(ctx, keyOf(kept), kept.Size); there || err != nil {
			return kept, false, err
		}
	}
	of, err := s.draw(ctx, f, imagefile.Kept, up.AsSent, up.book)
	if err != nil {
		return nil, false, err
	}
	defer of.file.close()
	of.hash, of.sent = up.own(of.hash), sent
	ctx, stop := context.WithTimeout(ctx, keepLimit)
	defer stop()
	full := s.checkQuota(ctx, s.Store, up, of.file.size) // before the query: the same image may take the last room
	if kept, err = s.keepAgain(ctx, up, of.sent, of.hash); err != nil {
		return nil, false, err
	}
	if kept != nil {
		return kept, false, s.putBack(ctx, kept, of)
	}
	if full != nil {
		return nil, false, full
	}
	id := record.NewID()
	address := record.MediaAddress{
		Base: s.Base, Shop: up.Shop, ID: id, Hash: hex.EncodeToString(of.hash[:8]), Width: of.Width, Height: of.Height,
		Extension: of.Kind.Extension(),
	}
	isNew, err = s.storeWithRow(ctx, address.Key(), of.file, func(tx *ent.Tx) (isNew bool, err error) {
		kept, isNew, err = s.write(ctx, tx, up, of, address)
		return isNew, err
	})
	if err == nil && isNew && !up.AsSent {
		var usual []record.MediaAddress
		for _, width := range slices.Backward(record.MediaWidths) {
			if width <= of.Width {
				usual = append(usual, address.In(width, record.InWebP))
			}
		}
		from := func(context.Context) (imagefile.File, error) { return of.file.whole(), nil }
		if _, failure := s.scale(ctx, kept, from, usual...); failure != nil { // they are made when first requested
			s.Log.WarnContext(ctx, "the narrower versions of an image were not made", "error", failure)
		}
	}
	return kept, isNew, err
}

// storeWithRow stores a file in a folder of its own, and its row, which write writes in a transaction unless it is
// there already. Of an upload that is refused, or that repeats another one, the file is removed: the sweep would do so
// an hour later, and until then such files could fill the disk.
func (s *Service) storeWithRow(
	ctx context.Context, key string, file *spool, write func(tx *ent.Tx) (isNew bool, err error),
) (isNew bool, err error) {
	removal, err := s.Store.FileRemoval.Create().SetPrefix(folderOf(key)).
		SetDueAt(s.Clock.Now().Add(abandoned)).Save(ctx)
	if err != nil {
		return false, err
	}
	if err := s.put(ctx, key, file); err != nil {
		return false, err
	}
	err = transaction.Run(ctx, s.Store, func(tx *ent.Tx) (err error) {
		if isNew, err = write(tx); err != nil || !isNew {
			return err
		}
		n, err := tx.FileRemoval.Delete().Where(fileremoval.ID(removal.ID)).Exec(ctx)
		if err == nil && n == 0 {
			err = tooSlow()
		}
		return err
	})
	if (err != nil || !isNew) && !transaction.Unheard(err) { // else the row may be committed
		s.removeNow(ctx, removal)
	}
	return isNew, err
}

// hashOf returns the SHA-256 of a file.
func hashOf(f imagefile.File) ([]byte, error) {
	sum := sha256.New()
	_, err := io.Copy(sum, f.Reader())
	return sum.Sum(nil), err
}

// write writes the row of a file, unless another upload of the same file was first.
func (s *Service) write(
	ctx context.Context, tx *ent.Tx, up Upload, pic *picture, address record.MediaAddress,
) (kept *ent.MediaFile, isNew bool, err error) {
	err = begin(ctx, tx, up)
	if err != nil {
		return nil, false, err
	}
	kept, err = s.renew(ctx, tx, pic.sent, pic.hash)
	if kept != nil || err != nil {
		return kept, false, err
	}
	if err := s.checkQuota(ctx, tx.Client(), up, pic.file.size); err != nil {
		return nil, false, err
	}
	now := s.Clock.Now()
	create := tx.MediaFile.Create().SetID(address.ID).SetAddress(address.String()).SetHash(pic.hash).SetKind(pic.Kind).
		SetSize(pic.file.size).SetTotalSize(pic.file.size).SetWidth(pic.Width).SetHeight(pic.Height).
		SetPlaceholderColor(pic.Colour).SetNillableName(up.Name).SetNillableUserID(up.User).
		SetCreatedAt(now).SetUsedAt(now).SetCheckedAt(now)
	if !bytes.Equal(pic.sent, pic.hash) {
		create.SetSentHash(pic.sent)
	}
	if kept, err = create.Save(ctx); err != nil {
		return nil, false, err
	}
	if up.User != nil { // the audit log records only what staff do
		return kept, true, member.Link(ctx, tx, *up.User, up.Shop)
	}
	return kept, true, audit.Record(ctx, tx, "createMediaUpload",
		audit.Change{Kind: kind, ID: kept.ID, Name: nameOf(kept), After: seen(kept)})
}

// keepAgain keeps an image that the shop has already, of the same file or of the same picture. It returns nil if the
// shop has none.
func (s *Service) keepAgain(ctx context.Context, up Upload, sent, hash []byte) (kept *ent.MediaFile, err error) {
	ctx, stop := context.WithTimeout(ctx, keepLimit)
	defer stop()
	has, err := s.Store.MediaFile.Query().Where(sameAs(sent, hash)).Exist(ctx)
	if err != nil || !has {
		return nil, err
	}
	err = transaction.Run(ctx, s.Store, func(tx *ent.Tx) error {
		err := begin(ctx, tx, up)
		if err == nil {
			kept, err = s.renew(ctx, tx, sent, hash)
		}
		return err
	})
	return kept, err
}

// sameAs matches the images that were made of the same file, or are the same.
func sameAs(sent, hash []byte) predicate.MediaFile {
	return mediafile.Or(mediafile.HashIn(sent, hash), mediafile.SentHash(sent))
}

// begin locks a shop's content for an upload. It fails if the uploader has lost the right to upload.
func begin(ctx context.Context, tx *ent.Tx, up Upload) error {
	if up.User != nil {
		if err := hold(ctx, tx, *up.User); err != nil {
			return err
		}
	}
	if err := derive.Lock(ctx, tx, up.Shop); err != nil {
		return err
	}
	if up.Still != nil {
		if err := up.Still(ctx, tx.Client()); err != nil {
			return err
		}
	}
	return takesImages(ctx, tx.Client(), up.Shop, up.User != nil)
}

// renew marks an image as used now and returns it, or nil. It needs the lock of the content, as the sweep may be
// about to delete it.
func (s *Service) renew(ctx context.Context, tx *ent.Tx, sent, hash []byte) (*ent.MediaFile, error) {
	found, err := tx.MediaFile.Query().Where(sameAs(sent, hash)).Order(mediafile.ByID()).First(ctx)
	if ent.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return found, tx.MediaFile.Update().Where(mediafile.ID(found.ID)).SetUsedAt(s.Clock.Now()).Exec(ctx)
}

// keyOf returns the key of the file of an image.
func keyOf(f *ent.MediaFile) string {
	address, _ := record.ParseMediaAddress(f.Address) // the address was made by the service
	return address.Key()
}

func folderOf(key string) string { return path.Dir(key) + "/" }

// isThere reports whether a file exists in full.
func (s *Service) isThere(ctx context.Context, key string, size int64) (bool, error) {
	f, err := s.Files.Open(ctx, key)
	if errors.Is(err, blob.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, unread(err)
	}
	return f.Size == size, f.Close()
}

// putBack restores the file of an image, unless it exists in full. A newer encoder may have made another file of the
// same picture.
func (s *Service) putBack(ctx context.Context, kept *ent.MediaFile, pic *picture) error {
	return s.restore(ctx, keyOf(kept), kept.Size, pic.file, noImage, func() (int, error) {
		return s.Store.MediaFile.Update().Where(mediafile.ID(kept.ID)).SetSize(pic.file.size).SetHash(pic.hash).
			AddTotalSize(pic.file.size - kept.Size).Save(derive.Unseen(ctx))
	})
}

// restore restores a file, unless it exists in full. rows returns how many rows the file has. If it has none, because
// it was deleted meanwhile, restore fails with the error of gone, and removes the file: nothing else would.
func (s *Service) restore(
	ctx context.Context, key string, size int64, file *spool, gone func() error, rows func() (int, error),
) error {
	if there, err := s.isThere(ctx, key, size); there || err != nil {
		return err
	}
	if err := s.put(ctx, key, file); err != nil {
		return err
	}
	n, err := rows()
	if err == nil && n == 0 {
		return errors.Join(gone(), s.Files.RemoveAll(ctx, folderOf(key)))
	}
	s.Log.WarnContext(ctx, "an uploaded file was lost or cut; an upload has put it back", "key", key)
	return err
}

// put stores a file.
func (s *Service) put(ctx context.Context, key string, file *spool) error {
	return unkept(s.Files.Put(ctx, key, file.content(), file.size))
}

// unkept returns the error for a file that could not be stored; nil for a nil error.
func unkept(err error) error {
	if err != nil {
		err = fault.Wrap(fault.Unavailable, err, "the image cannot be kept at the moment; try again shortly")
	}
	return err
}

// draw books an image and makes the file that is stored of it. A file that was kept elsewhere is stored as it was sent.
func (s *Service) draw(
	ctx context.Context, f imagefile.File, form imagefile.Form, asSent bool, book booking,
) (*picture, error) {
	if book != nil {
		if err := book(ctx); err != nil {
			return nil, err
		}
	}
	to, err := newSpool(s.Spool)
	if err != nil {
		return nil, err
	}
	of, sum := &picture{file: to}, sha256.New()
	out := io.MultiWriter(to, sum)
	err = s.look(ctx, f, form, func(ctx context.Context, info imagefile.Info) (err error) {
		if !asSent || !info.IsAsKept() {
			of.Drawn, err = imagefile.Draw(ctx, f, info, imagefile.Target{Form: form, To: out})
			return err
		}
		if of.Drawn, err = imagefile.Check(ctx, f, info); err == nil {
			_, err = io.Copy(out, f.Reader())
		}
		return err
	})
	if err != nil {
		to.close()
		return nil, err
	}
	of.hash = sum.Sum(nil)
	return of, nil
}

// usage returns the number of files of the shop of a context, or of those that match, and their bytes.
func usage(
	ctx context.Context, client *ent.Client, where ...predicate.MediaFile,
) (files int, bytes int64, err error) {
	return summed(ctx, client.MediaFile.Query().Where(where...).Modify(summing(mediafile.FieldTotalSize)))
}

// summed returns the number of files and their bytes that a query selects by summing.
func summed(ctx context.Context, query interface {
	Scan(ctx context.Context, to any) error
}) (files int, bytes int64, err error) {
	var found []struct {
		Count int
		Sum   int64
	}
	if err = query.Scan(ctx, &found); err != nil {
		return 0, 0, err
	}
	return found[0].Count, found[0].Sum, nil
}

// summing selects the number of rows and the sum of a column of sizes.
func summing(size string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		s.Select(sql.As(sql.Count("*"), "count"), sql.As("COALESCE(SUM("+s.C(size)+"), 0)", "sum"))
	}
}

// checkQuota fails if a shop, or its customer who uploads, may not store more bytes.
func (s *Service) checkQuota(ctx context.Context, client *ent.Client, up Upload, more int64) error {
	ctx = tenancy.In(ctx, up.Shop)
	if up.User != nil {
		if err := s.checkCustomer(ctx, client, up, more); err != nil {
			return err
		}
	}
	has, full, err := s.isFull(ctx, client, up.User != nil, more)
	switch {
	case err != nil || !full:
		return err
	case up.User != nil:
		return noRoom()
	}
	return fault.New(fault.Conflict,
		"the shop's images take %d KiB of the %d KiB that they may; delete some that nothing shows", has>>10,
		s.Quota>>10)
}

// isFull reports whether more bytes exceed the quota of a shop, or the part of it for customers' files.
func (s *Service) isFull(
	ctx context.Context, client *ent.Client, ofCustomer bool, more int64,
) (has int64, full bool, err error) {
	if s.Quota == 0 {
		return 0, false, nil
	}
	if _, has, err = usage(ctx, client); err != nil || has+more > s.Quota || !ofCustomer {
		return has, has+more > s.Quota, err
	}
	_, theirs, err := usage(ctx, client, mediafile.UserIDNotNil())
	return has, theirs+more > s.Quota/shareOfCustomer, err
}
