package media

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/fileremoval"
	"storefront/ent/mediafile"
	"storefront/ent/receipt"
	"storefront/internal/content/derive"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/record"
)

const (
	// unusedFor is how long an unused image is kept, after its upload or after it was last seen in use.
	unusedFor = 7 * 24 * time.Hour
	// checkEvery is how often the uses of a shop's images are checked.
	checkEvery = 24 * time.Hour
	countLimit = time.Minute // of recount for a shop
	sweptShops = 100         // in one sweep
	sweptFiles = 500         // in one sweep of a shop, and removals in one sweep
)

// Sweep deletes images that no record has used for a while and old receipts, and removes leftover files. After a
// failure at one shop it continues with the next, and returns how many it deleted. Only one server calls it at a time.
func (s *Service) Sweep(ctx context.Context) (deleted int, err error) {
	shops, err := s.shopsToCheck(ctx)
	var failures []error
	for _, shop := range shops {
		n, err := s.sweepShop(tenancy.In(ctx, shop), shop)
		deleted += n
		if err != nil {
			failures = append(failures, fmt.Errorf("unused images of %s: %w", shop, err))
		}
	}
	old, failure := s.sweepReceipts(ctx)
	failures = append(failures, err, failure, s.removeDue(ctx))
	for _, shop := range shops {
		if err := s.recount(tenancy.In(ctx, shop), shop); err != nil {
			failures = append(failures, fmt.Errorf("sizes of the images of %s: %w", shop, err))
		}
	}
	return deleted + old, errors.Join(failures...)
}

var toCheck = database.Statement("SELECT DISTINCT tenant_id FROM media_files WHERE checked_at <= $before " +
	"ORDER BY tenant_id LIMIT $most")

// shopsToCheck returns shops whose images have not been checked for checkEvery.
func (s *Service) shopsToCheck(ctx context.Context) (shops []uuid.UUID, err error) {
	values := database.Values{"before": s.Clock.Now().Add(-checkEvery), "most": sweptShops}
	err = toCheck.Each(ctx, s.Store.Raw(), values, func(row *sql.Rows) error {
		var shop uuid.UUID
		err := row.Scan(&shop)
		shops = append(shops, shop)
		return err
	})
	return shops, err
}

var (
	getSizes = database.Statement("SELECT id, total_size FROM media_files WHERE tenant_id = $tenant")
	setSize  = database.Statement("UPDATE media_files SET total_size = $size " +
		"WHERE tenant_id = $tenant AND id = $image AND total_size = $before")
)

// recount sets the sizes of a shop's images to the sizes of their stored files. They can differ after a crash between
// the storing of a narrower image and the update of its size, or if files were lost. A narrower image that is being
// stored meanwhile may count twice until the next sweep.
func (s *Service) recount(ctx context.Context, shop uuid.UUID) error {
	if s.Files == nil {
		return nil
	}
	ctx, stop := context.WithTimeout(ctx, countLimit)
	defer stop()
	totals, sizes := map[uuid.UUID]int64{}, map[uuid.UUID]int64{}
	err := getSizes.Each(ctx, s.Store.Raw(), database.Values{"tenant": shop}, func(row *sql.Rows) error {
		var id uuid.UUID
		var size int64
		err := row.Scan(&id, &size)
		totals[id] = size
		return err
	})
	if err != nil {
		return err
	}
	for one, err := range s.Files.List(ctx, shop.String()+"/") {
		if err != nil {
			return err
		}
		if a, ok := record.ParseMediaAddress(record.MediaPath + one.Key); ok {
			sizes[a.ID] += one.Size
		}
	}
	for id, before := range totals {
		if size := sizes[id]; size > 0 && size != before {
			values := database.Values{"tenant": shop, "image": id, "size": size, "before": before}
			if _, err := setSize.Exec(ctx, s.Store.Raw(), values); err != nil {
				return err
			}
		}
	}
	return nil
}

// sweepShop records which images of a shop are in use, and deletes those that have been unused for
// unusedFor.
func (s *Service) sweepShop(ctx context.Context, shop uuid.UUID) (deleted int, err error) {
	began := s.Clock.Now()
	ids, err := s.unused(ctx, s.Store, shop, time.Time{})
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	err = derive.InShop(ctx, s.Store, shop, func(ctx context.Context, tx *ent.Tx) error {
		deleted = 0
		ids, err := s.unused(ctx, tx.Client(), shop, began.Add(-clockSlack)) // somebody may have begun to use one
		if err != nil || len(ids) == 0 {
			return err
		}
		found, err := tx.MediaFile.Query().Where(mediafile.IDIn(ids...)).All(ctx)
		for _, f := range found {
			if err := s.deleteRow(ctx, tx, f); err != nil {
				return err
			}
			deleted++
		}
		return err
	})
	return deleted, err
}

// unused returns images of a shop that have been unused for unusedFor. It first records which images are used by
// records that were written since a time.
func (s *Service) unused(
	ctx context.Context, client *ent.Client, shop uuid.UUID, since time.Time,
) ([]uuid.UUID, error) {
	all, err := usesOf(ctx, client, shop, since)
	if err != nil {
		return nil, err
	}
	now := s.Clock.Now()
	var used []uuid.UUID
	for id := range all {
		used = append(used, id)
	}
	ctx = derive.Unseen(ctx) // no public answer changes
	for some := range slices.Chunk(used, sweptFiles) {
		if err := client.MediaFile.Update().Where(mediafile.IDIn(some...)).SetUsedAt(now).Exec(ctx); err != nil {
			return nil, err
		}
	}
	if err := client.MediaFile.Update().SetCheckedAt(now).Exec(ctx); err != nil {
		return nil, err
	}
	return client.MediaFile.Query().Where(mediafile.UsedAtLTE(now.Add(-unusedFor))).Limit(sweptFiles).IDs(ctx)
}

var oldReceipts = database.Statement("SELECT tenant_id, id FROM receipts WHERE created_at <= $before " +
	"ORDER BY created_at LIMIT $most")

// sweepReceipts deletes receipts that were uploaded long ago, with their files. It continues after a failure.
func (s *Service) sweepReceipts(ctx context.Context) (deleted int, err error) {
	type ref struct{ shop, id uuid.UUID }
	var found []ref
	values := database.Values{"before": s.Clock.Now().Add(-receiptsKeptFor), "most": sweptFiles}
	err = oldReceipts.Each(ctx, s.Store.Raw(), values, func(row *sql.Rows) error {
		var one ref
		err := row.Scan(&one.shop, &one.id)
		found = append(found, one)
		return err
	})
	failures := []error{err}
	for _, one := range found {
		ctx, n := tenancy.In(ctx, one.shop), 0
		err := transaction.Run(ctx, s.Store, func(tx *ent.Tx) (err error) {
			n, err = tx.Receipt.Delete().Where(receipt.ID(one.id)).Exec(ctx)
			if err != nil || n == 0 { // its customer has just removed it
				return err
			}
			return s.removeAfter(ctx, tx, record.ReceiptFolder(one.shop, one.id))
		})
		if err != nil {
			failures = append(failures, fmt.Errorf("old receipt %s: %w", one.id, err))
			continue
		}
		deleted += n
	}
	return deleted, errors.Join(failures...)
}

// removeDue removes files that are recorded to be removed, such as those of uploads that a crash has
// interrupted.
func (s *Service) removeDue(ctx context.Context) error {
	due, err := s.Store.FileRemoval.Query().Where(fileremoval.DueAtLTE(s.Clock.Now())).
		Order(fileremoval.ByDueAt()).Limit(sweptFiles).All(ctx)
	var failures []error
	for _, r := range due {
		failures = append(failures, s.remove(ctx, r))
	}
	return errors.Join(append(failures, err)...)
}
