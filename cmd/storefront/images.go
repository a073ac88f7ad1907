package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"syscall"
	"time"

	"storefront/internal/config"
	"storefront/internal/media"
	"storefront/internal/media/blob"
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
