// Package store opens the database as the service uses it: migrated to this version's tables, and guarded
// so that tenants stay apart.
package store

import (
	"context"
	"errors"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"storefront/ent"
	"storefront/internal/content/derive"
	"storefront/internal/content/locations"
	"storefront/internal/database"
	"storefront/internal/database/migration"
	"storefront/internal/database/tenancy"
	"storefront/internal/database/transaction"
	"storefront/internal/database/versions"
)

// Store is an open database. Its client refuses tenant-owned work without a tenant in the context, and changes of
// public content that do not raise its version.
type Store struct {
	*database.DB
	Client *ent.Client
}

// Open opens the database of a URL; see database.Open for its forms.
func Open(ctx context.Context, url string) (*Store, error) {
	db, err := database.Open(ctx, url)
	if err != nil {
		return nil, err
	}
	driver := transaction.Driver(db)
	return &Store{db, derive.Guard(tenancy.Guard(ent.NewClient(ent.Driver(driver))))}, nil
}

// Driver returns the driver of Client, which knows joint transactions.
func (s *Store) Driver() dialect.Driver { return transaction.Driver(s.DB) }

// LockImports waits until no bundle is being imported into a shop, and keeps others from importing until
// unlock.
func (s *Store) LockImports(ctx context.Context, shop uuid.UUID) (unlock func(), err error) {
	return s.Lock(ctx, "bundle", shop.String())
}

// TryLockImports is LockImports if nobody holds the lock; else unlock is nil.
func (s *Store) TryLockImports(ctx context.Context, shop uuid.UUID) (unlock func(), err error) {
	return s.TryLock(ctx, "bundle", shop.String())
}

// Migrate brings the database up to date; several instances may do so at once.
func (s *Store) Migrate(ctx context.Context) error {
	if err := migration.Run(ctx, s.DB, versions.Files, locations.Step(s.Dialect)); err != nil {
		return err
	}
	return s.CheckText(ctx)
}

// Begin migrates a new database. It fails with ErrNotMigrated for one that an older version uses: that is upgraded when
// an operator says so, not by whoever looks into it with a newer program.
func (s *Store) Begin(ctx context.Context) error {
	behind, err := migration.Behind(ctx, s.DB, versions.Files)
	if err != nil {
		return err
	}
	if behind {
		return ErrNotMigrated
	}
	return s.Migrate(ctx)
}

// ErrNotMigrated is the error of Migrated and Ready if the database lacks a migration of this version.
var ErrNotMigrated = errors.New("the database waits for `storefront migrate`")

// Migrated fails when the database cannot be reached, or lacks a migration of this version.
func (s *Store) Migrated(ctx context.Context) error {
	pending, err := migration.Pending(ctx, s.DB, versions.Files, locations.Step(s.Dialect))
	if err == nil && pending {
		return ErrNotMigrated
	}
	return err
}

// Unknown returns the migrations in the database that a newer version has applied; this version works beside
// them.
func (s *Store) Unknown(ctx context.Context) ([]string, error) {
	return migration.Unknown(ctx, s.DB, versions.Files)
}

// Ready returns why reads or writes are impossible: both if Migrated fails, writes if the database accepts
// no changes.
func (s *Store) Ready(ctx context.Context) (reads, writes error) {
	if err := s.Migrated(ctx); err != nil {
		return err, err
	}
	return nil, s.CheckWritable(ctx)
}
