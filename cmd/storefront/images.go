package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"syscall"
	"time"

	"github.com/google/uuid"

	"storefront/ent"
	"storefront/ent/tenant"
	"storefront/internal/config"
	"storefront/internal/content/bundle"
	"storefront/internal/database/store"
	"storefront/internal/media"
	"storefront/internal/media/blob"
	"storefront/internal/platform/hostname"
)

// checkTime is how long the check of a bucket may take.
const checkTime = 5 * time.Second

// imagesOf returns the store of uploaded images, or nil if none is set. It fails if the store does not work
// with the settings, but not if a bucket cannot be reached or a disk is full, which may be temporary.
func imagesOf(ctx context.Context, settings config.Config, log *slog.Logger) (blob.Store, error) {
	folder := settings.MediaFolder()
	if settings.MediaBucket == "" {
		if folder == "" {
			return nil, nil
		}
		images := blob.NewFolder(folder)
		if settings.MediaDir != "" {
			return images, unlessFull(images.Check(ctx), log)
		}
		return images, nil
	}
	if waiting, err := os.CreateTemp("", "storefront-*"); err != nil {
		return nil, fmt.Errorf("uploads to MEDIA_BUCKET need a temporary folder; TMPDIR names another: %w", err)
	} else if err := errors.Join(waiting.Close(), os.Remove(waiting.Name())); err != nil {
		return nil, err
	}
	images, err := blob.NewBucket(blob.BucketOptions{
		URL: settings.MediaBucket, Region: settings.MediaRegion,
		KeyID: settings.MediaKeyID, Key: string(settings.MediaKey),
	})
	if err != nil {
		return nil, fmt.Errorf("MEDIA_BUCKET cannot be used: %w", err)
	}
	checking, stop := context.WithTimeout(ctx, checkTime)
	defer stop()
	err = images.Check(checking)
	if errors.Is(err, blob.ErrRefused) {
		return nil, fmt.Errorf("MEDIA_BUCKET cannot be used: %w", err)
	}
	if err != nil {
		log.Warn("the bucket of images cannot be reached: they can be neither uploaded nor shown", "error", err)
	}
	return images, nil
}

// refuseForeign returns err if it means that the images belong to another database. Other errors may be temporary.
func refuseForeign(err error) error {
	if errors.Is(err, media.ErrForeign) {
		return err
	}
	return nil
}

// unlessFull returns the error of a check of MEDIA_DIR. If the disk is full it only logs it, because images can still
// be shown.
func unlessFull(err error, log *slog.Logger) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		log.Warn("the disk of images is full: none can be uploaded", "error", err)
		return nil
	}
	if err != nil {
		return fmt.Errorf("MEDIA_DIR names a folder in which nothing can be kept: %w", err)
	}
	return nil
}

// mediaUsage is the help of the flag -media.
const mediaUsage = "a folder for the files of uploaded images"

// carrier copies the files of uploaded images from this installation to a folder, or back.
type carrier struct {
	*media.Service
	folder blob.Store
	name   string
	stderr io.Writer
}

// carrierOf returns the carrier of a folder, or nil if no folder is given.
func carrierOf(
	ctx context.Context, settings config.Config, s *store.Store, p program, folder string, mustBe bool,
) (*carrier, error) {
	if folder == "" {
		return nil, nil
	}
	if _, err := os.Stat(folder); mustBe && err != nil {
		return nil, fmt.Errorf("-media names a folder that cannot be read: %w", err)
	}
	log := slog.New(slog.NewTextHandler(p.stderr, nil))
	files, err := imagesOf(ctx, settings, log)
	if err == nil && files == nil {
		err = errors.New("-media needs MEDIA_DIR or MEDIA_BUCKET, as the server has it: where images are here")
	}
	if err != nil {
		return nil, err
	}
	here := media.New(media.Options{
		Store: s.Client, Files: files, Clock: time.Now, Log: log, Base: settings.MediaURL, Quota: settings.MediaQuota,
	})
	return &carrier{folder: blob.NewFolder(folder), name: folder, stderr: p.stderr, Service: here},
		refuseForeign(here.Reach(ctx))
}

// tell prints which files were copied, and which could not be.
func (c *carrier) tell(done media.Carried, what, where string) {
	for _, name := range done.Lost {
		fmt.Fprintf(c.stderr, "there is no file of %s\n", name)
	}
	fmt.Fprintf(c.stderr, "%d %s, %d of them new in %s, %d without a file\n", done.Files, what, done.New, where,
		len(done.Lost))
}

// out copies the images of a shop to the folder.
func (c *carrier) out(ctx context.Context, shop *ent.Tenant) error {
	done, err := c.CopyOut(ctx, shop.ID, c.folder)
	if err == nil {
		c.tell(done, "images", c.name)
	}
	return err
}

// outWhole copies the images of a shop to the folder, and the receipts of its orders.
func (c *carrier) outWhole(ctx context.Context, shop *ent.Tenant) error {
	if err := c.out(ctx, shop); err != nil {
		return err
	}
	return c.receipts(ctx, shop.ID, c.Files, c.folder, c.name)
}

// receipts copies the receipts of a shop. It prints nothing for a shop without receipts.
func (c *carrier) receipts(ctx context.Context, shop uuid.UUID, from, to blob.Store, where string) error {
	done, err := c.CopyReceipts(ctx, shop, from, to)
	if err == nil && done.Files > 0 {
		c.tell(done, "receipts", where)
	}
	return err
}

// in copies the images and receipts of an imported shop from the folder.
func (c *carrier) in(ctx context.Context, shop uuid.UUID) error {
	const here = "this installation"
	done, err := c.CopyIn(ctx, shop, c.folder)
	if err != nil {
		return fmt.Errorf("the shop is here, not all of its images: import it again: %w", err)
	}
	c.tell(done, "images", here)
	if err := c.receipts(ctx, shop, c.folder, c.Files, here); err != nil {
		return fmt.Errorf("the shop is here, not all of its receipts: import it again: %w", err)
	}
	return nil
}

// outOf is out for the shop of a domain.
func (c *carrier) outOf(ctx context.Context, s *store.Store, domain string) error {
	shop, err := s.Client.Tenant.Query().Where(tenant.Domain(domain)).Only(ctx)
	if err != nil {
		return err
	}
	return c.out(ctx, shop)
}

// beside copies the images of the folder into the shop of a bundle, and returns an Opener of the bundle with
// their names here. known is false if the shop does not exist yet.
func (c *carrier) beside(ctx context.Context, s *store.Store, open bundle.Opener) (
	named bundle.Opener, known bool, err error,
) {
	if c == nil {
		return open, true, nil
	}
	domain, err := bundle.DomainOf(open)
	if err != nil {
		return open, true, nil // the import reports the faults of the bundle
	}
	if host, ok := hostname.Normalize(domain); ok {
		domain = host
	}
	shop, err := s.Client.Tenant.Query().Where(tenant.Domain(domain)).Only(ctx)
	if ent.IsNotFound(err) {
		return open, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	names, done, err := c.CarryIn(ctx, shop.ID, c.folder)
	if err != nil {
		return nil, true, err
	}
	c.tell(done, "images", domain)
	if !names.Changes() {
		return open, true, nil
	}
	return names.Open(open), true, nil
}
