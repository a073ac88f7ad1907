package media

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/fileremoval"
	"storefront/ent/mediafile"
	"storefront/internal/content/derive"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/fault"
	"storefront/internal/record"
	"storefront/internal/shop/audit"
)

// removeLimit is how long a deletion or a refused upload waits for its files to be removed. The sweep removes the
// rest.
const removeLimit = 5 * time.Second

// Find returns an image of a shop, or fails with NOT_FOUND.
func (s *Service) Find(ctx context.Context, shop, id uuid.UUID) (*ent.MediaFile, error) {
	return find(ctx, s.Store, shop, id)
}

func find(ctx context.Context, client *ent.Client, shop, id uuid.UUID) (*ent.MediaFile, error) {
	found, err := client.MediaFile.Query().Where(mediafile.ID(id)).Only(tenancy.In(ctx, shop))
	if ent.IsNotFound(err) {
		err = fault.New(fault.NotFound, "the shop has no such image")
	}
	return found, err
}

// VersionOf returns the version of the texts about an image.
func VersionOf(f *ent.MediaFile) string { return record.TextVersion(f.Name, f.AltFa, f.AltEn) }

// Texts are changes of the texts about an image. A nil member stays unchanged; a pointer to nil clears it.
type Texts struct{ Name, AltFa, AltEn **string }

// Update changes the texts about an image of a shop. It fails with CONFLICT if version is given
// and the present texts have another.
func (s *Service) Update(
	ctx context.Context, shop, id uuid.UUID, to Texts, version *string,
) (changed *ent.MediaFile, err error) {
	ctx = tenancy.In(ctx, shop)
	err = derive.InShop(ctx, s.Store, shop, func(ctx context.Context, tx *ent.Tx) error {
		before, err := find(ctx, tx.Client(), shop, id)
		if err == nil {
			err = fault.CheckVersion(version, VersionOf(before))
		}
		if err != nil {
			return err
		}
		update := tx.MediaFile.UpdateOne(before)
		set(to.Name, update.SetName, update.ClearName)
		set(to.AltFa, update.SetAltFa, update.ClearAltFa)
		set(to.AltEn, update.SetAltEn, update.ClearAltEn)
		if changed, err = update.Save(ctx); err != nil {
			return err
		}
		return audit.Record(ctx, tx, "updateMediaFile",
			audit.Change{Kind: kind, ID: id, Name: nameOf(changed), Before: seen(before), After: seen(changed)})
	})
	return changed, err
}

// set sets a member to a text, or clears it.
func set(to **string, write func(string) *ent.MediaFileUpdateOne, clear func() *ent.MediaFileUpdateOne) {
	switch {
	case to == nil:
	case *to == nil || strings.TrimSpace(**to) == "":
		clear()
	default:
		write(strings.TrimSpace(**to))
	}
}

// kind is the word for an image in the audit log.
const kind = "mediaFile"

// seen is the form of an image in the audit log.
func seen(f *ent.MediaFile) any {
	return map[string]any{"url": f.Address, "name": f.Name, "altFa": f.AltFa, "altEn": f.AltEn}
}

// Shown returns an image in the form in which records show it.
func Shown(f *ent.MediaFile) *record.Media {
	return &record.Media{MediaID: f.ID.String(), URL: f.Address, Alt: cmp.Or(f.AltEn, f.AltFa), AltFa: f.AltFa,
		Width: &f.Width, Height: &f.Height, PlaceholderColor: f.PlaceholderColor}
}

func nameOf(f *ent.MediaFile) string {
	if f.Name != nil {
		return *f.Name
	}
	return f.Address[strings.LastIndex(f.Address, "/")+1:]
}

// Delete deletes an image of a shop. It fails with CONFLICT while anything but orders uses it.
func (s *Service) Delete(ctx context.Context, shop, id uuid.UUID) error {
	ctx = tenancy.In(ctx, shop)
	began := s.Clock.Now()
	if err := unusedNow(ctx, s.Store, shop, id, time.Time{}); err != nil {
		return err
	}
	return derive.InShop(ctx, s.Store, shop, func(ctx context.Context, tx *ent.Tx) error {
		found, err := find(ctx, tx.Client(), shop, id)
		if err == nil {
			err = unusedNow(ctx, tx.Client(), shop, id, began.Add(-clockSlack))
		}
		if err != nil {
			return err
		}
		if err := s.deleteRow(ctx, tx, found); err != nil {
			return err
		}
		return audit.Record(ctx, tx, "deleteMediaFile",
			audit.Change{Kind: kind, ID: id, Name: nameOf(found), Before: seen(found)})
	})
}

// unusedNow fails with CONFLICT if a record that was written since a time uses an image. It ignores orders.
func unusedNow(ctx context.Context, client *ent.Client, shop, id uuid.UUID, since time.Time) error {
	all, err := usesOf(ctx, client, shop, since)
	if err != nil {
		return err
	}
	delete(all[id], ordered)
	shown := all.list(id)
	if len(shown) == 0 {
		return nil
	}
	used := fault.New(fault.Conflict, "the image is in use; take it out of what shows it first")
	used.Details = map[string]any{"uses": shown}
	return used
}

// deleteRow deletes the row of an image, and its files once that is committed.
func (s *Service) deleteRow(ctx context.Context, tx *ent.Tx, f *ent.MediaFile) error {
	a, ok := record.ParseMediaAddress(f.Address)
	if !ok {
		return fmt.Errorf("media: %q is no address of an image", f.Address)
	}
	if err := tx.MediaFile.DeleteOne(f).Exec(ctx); err != nil {
		return err
	}
	return s.removeAfter(ctx, tx, a.Folder())
}

// removeAfter records in tx that files whose keys begin with a prefix are to be removed, and removes them
// after the commit.
func (s *Service) removeAfter(ctx context.Context, tx *ent.Tx, prefix string) error {
	removal, err := tx.FileRemoval.Create().SetPrefix(prefix).SetDueAt(s.Clock.Now()).Save(ctx)
	if err != nil {
		return err
	}
	transaction.OnCommit(tx, func() { s.removeNow(ctx, removal) })
	return nil
}

// removeNow removes files at once. The sweep removes what is left.
func (s *Service) removeNow(ctx context.Context, removal *ent.FileRemoval) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), removeLimit)
	defer stop()
	if err := s.remove(ctx, removal); err != nil {
		s.Log.WarnContext(ctx, "files of an image that is not kept are still there; they will be removed", "error", err)
	}
}

// remove removes files, and then the record that they are to be removed.
func (s *Service) remove(ctx context.Context, r *ent.FileRemoval) error {
	if s.Files == nil {
		return nil
	}
	if s.isForeign(ctx) {
		return ErrForeign
	}
	if err := s.Files.RemoveAll(ctx, r.Prefix); err != nil {
		return err
	}
	_, err := s.Store.FileRemoval.Delete().Where(fileremoval.ID(r.ID)).Exec(ctx)
	return err
}
