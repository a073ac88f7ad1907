package media

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/fileremoval"
	"storefront/ent/mediafile"
	"storefront/ent/predicate"
	"storefront/internal/audit"
	"storefront/internal/blob"
	"storefront/internal/derive"
	"storefront/internal/fault"
	"storefront/internal/imagefile"
	"storefront/internal/member"
	"storefront/internal/record"
	"storefront/internal/tenancy"
	"storefront/internal/transaction"
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
		if there, err := s.isThere(ctx, kept); there || err != nil {
			return kept, false, err
		}
	}
	of, err := s.draw(ctx, f, imagefile.Kept, up.AsSent)
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
	removal, err := s.Store.FileRemoval.Create().SetPrefix(address.Folder()).SetDueAt(s.now().Add(abandoned)).Save(ctx)
	if err != nil {
		return nil, false, err
	}
	if err := s.put(ctx, address.Key(), of.file.content(), of.file.size); err != nil {
		return nil, false, err
	}
	err = transaction.Run(ctx, s.Store, func(tx *ent.Tx) error {
		kept, isNew, err = s.write(ctx, tx, up, of, address, removal.ID)
		return err
	})
	if err != nil || !isNew {
		s.discard(ctx, removal, err)
	}
	return kept, isNew, err
}

// hashOf returns the SHA-256 of a file.
func hashOf(f imagefile.File) ([]byte, error) {
	sum := sha256.New()
	_, err := io.Copy(sum, f.Reader())
	return sum.Sum(nil), err
}

// discard removes the file of an upload that err refuses, or that repeats an image. The sweep would do so an
// hour later, and until then such files could fill the disk.
func (s *Service) discard(ctx context.Context, removal *ent.FileRemoval, err error) {
	if !transaction.Unheard(err) { // else the row may be committed
		s.removeNow(ctx, removal)
	}
}

// write writes the row of a file, unless another upload of the same file was first. With it goes the record
// that the file is to be removed.
func (s *Service) write(
	ctx context.Context, tx *ent.Tx, up Upload, of *picture, address record.MediaAddress, removal uuid.UUID,
) (kept *ent.MediaFile, isNew bool, err error) {
	ctx, err = begin(ctx, tx, up)
	if err != nil {
		return nil, false, err
	}
	kept, err = s.renew(ctx, tx, of.sent, of.hash)
	if kept != nil || err != nil {
		return kept, false, err
	}
	if err := s.checkQuota(ctx, tx.Client(), up, of.file.size); err != nil {
		return nil, false, err
	}
	now := s.now()
	create := tx.MediaFile.Create().SetID(address.ID).SetAddress(address.String()).SetHash(of.hash).SetKind(of.Kind).
		SetSize(of.file.size).SetWidth(of.Width).SetHeight(of.Height).SetPlaceholderColor(of.Colour).
		SetNillableName(up.Name).SetNillableUserID(up.User).
		SetCreatedAt(now).SetUsedAt(now).SetCheckedAt(now)
	if !bytes.Equal(of.sent, of.hash) {
		create.SetSentHash(of.sent)
	}
	if kept, err = create.Save(ctx); err != nil {
		return nil, false, err
	}
	n, err := tx.FileRemoval.Delete().Where(fileremoval.ID(removal)).Exec(ctx)
	if err == nil && n == 0 {
		err = tooSlow()
	}
	if err != nil {
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
		ctx, err := begin(ctx, tx, up)
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
func begin(ctx context.Context, tx *ent.Tx, up Upload) (context.Context, error) {
	if up.User != nil {
		if err := hold(ctx, tx, *up.User); err != nil {
			return ctx, err
		}
	}
	ctx, err := derive.Lock(ctx, tx, up.Shop)
	if err != nil {
		return ctx, err
	}
	if up.Still != nil {
		if err := up.Still(ctx, tx.Client()); err != nil {
			return ctx, err
		}
	}
	return ctx, mustBeOpen(ctx, tx, up.Shop)
}

// mustBeOpen fails if a shop is deleted or closed.
func mustBeOpen(ctx context.Context, tx *ent.Tx, id uuid.UUID) error {
	shop, err := tx.Tenant.Get(ctx, id)
	if ent.IsNotFound(err) {
		err = member.NoBusiness()
	}
	if err == nil && shop.ClosedAt != nil {
		err = member.Closed()
	}
	return err
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
	return found, tx.MediaFile.Update().Where(mediafile.ID(found.ID)).SetUsedAt(s.now()).Exec(ctx)
}

// isThere reports whether the file of an image exists in full.
func (s *Service) isThere(ctx context.Context, kept *ent.MediaFile) (bool, error) {
	address, ok := record.ParseMediaAddress(kept.Address)
	if !ok {
		return false, fmt.Errorf("media: %q is no address of an image", kept.Address)
	}
	f, err := s.Files.Open(ctx, address.Key())
	if errors.Is(err, blob.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return f.Size == kept.Size, f.Close()
}

// putBack restores the file of an image, unless it exists in full. A newer encoder may have made another file of the
// same picture.
func (s *Service) putBack(ctx context.Context, kept *ent.MediaFile, of *picture) error {
	if there, err := s.isThere(ctx, kept); there || err != nil {
		return err
	}
	address, _ := record.ParseMediaAddress(kept.Address)
	if err := s.put(ctx, address.Key(), of.file.content(), of.file.size); err != nil {
		return err
	}
	if err := s.removeIfDeleted(ctx, address); err != nil {
		return err
	}
	s.Log.WarnContext(ctx, "the file of an image was lost or cut; an upload has put it back", "key", address.Key())
	return s.Store.MediaFile.Update().Where(mediafile.ID(kept.ID)).SetSize(of.file.size).SetHash(of.hash).
		Exec(derive.Unseen(ctx))
}

// put stores the file of an image.
func (s *Service) put(ctx context.Context, key string, from io.ReadSeeker, size int64) error {
	return unkept(s.Files.Put(ctx, key, from, size))
}

// unkept returns the error for a file that could not be stored; nil for a nil error.
func unkept(err error) error {
	if err != nil {
		err = fault.Wrap(fault.Unavailable, err, "the image cannot be kept at the moment; try again shortly")
	}
	return err
}

// removeIfDeleted fails with NOT_FOUND, and removes the file, if the image was deleted before its file was
// stored: nothing else would remove it.
func (s *Service) removeIfDeleted(ctx context.Context, a record.MediaAddress) error {
	there, err := s.Store.MediaFile.Query().Where(mediafile.ID(a.ID)).Exist(ctx)
	if err == nil && !there {
		return errors.Join(noImage(), s.Files.RemoveAll(ctx, a.Folder()))
	}
	return err
}

// draw makes the file that is stored of an image. A file that was kept elsewhere is stored as it was sent.
func (s *Service) draw(ctx context.Context, f imagefile.File, form imagefile.Form, asSent bool) (*picture, error) {
	to, err := newSpool(s.Spool)
	if err != nil {
		return nil, err
	}
	of, sum := &picture{file: to}, sha256.New()
	out := io.MultiWriter(to.file, sum)
	err = s.inTurn(ctx, func(ctx context.Context) error {
		info, err := imagefile.Inspect(f, form)
		if err != nil {
			return err
		}
		return s.withMemory(ctx, info.Memory(form), func() (err error) {
			if !asSent || !info.IsAsKept() {
				of.Drawn, err = imagefile.Draw(ctx, out, f, info, form)
				return err
			}
			if of.Drawn, err = imagefile.Check(ctx, f, info); err == nil {
				_, err = io.Copy(out, f.Reader())
			}
			return err
		})
	})
	if err == nil {
		to.size, err = to.file.Seek(0, io.SeekCurrent)
	}
	if err != nil {
		to.close()
		return nil, err
	}
	of.hash = sum.Sum(nil)
	return of, nil
}

// usage returns the number of files of the shop of a context, or of those that match, and their bytes.
func usage(
	ctx context.Context, client *ent.Client, some ...predicate.MediaFile,
) (files int, bytes int64, err error) {
	var found sums
	err = client.MediaFile.Query().Where(some...).Modify(summing(mediafile.FieldSize)).Scan(ctx, &found)
	files, bytes = found.first()
	return files, bytes, err
}

// sums scans a row with the number of files and their bytes.
type sums []struct {
	Count int
	Sum   int64
}

func (s sums) first() (files int, bytes int64) {
	if len(s) == 0 {
		return 0, 0
	}
	return s[0].Count, s[0].Sum
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
	if s.Quota == 0 {
		return nil
	}
	_, has, err := usage(ctx, client)
	switch {
	case err != nil || has+more <= s.Quota:
		return err
	case up.User != nil:
		return noRoom()
	}
	return fault.New(fault.Conflict,
		"the shop's images take %d KiB of the %d KiB that they may; delete some that nothing shows", has>>10,
		s.Quota>>10)
}
