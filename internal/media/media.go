// Package media keeps the images that shops upload, and makes narrower ones of them.
//
// A mutation gives a signed address (NewLink), to which a client sends a file. Keep looks at the file, takes out what
// is no image, stores it (package blob) and its row. Clients get it from the address in the row (Handler), which names
// its content and never changes; narrower images are made when they are asked for first.
//
// What shows an image is found by its address, wherever shops write addresses (uses.go): nothing else says so, and
// nothing can be forgotten. Whoever writes content holds the lock of the shop's content; so do uploads, Delete and
// Sweep, so that an image is not deleted under the hand of who uses it.
//
// Receipts of transfers are uploaded in the same way, but stored apart (receipts.go): they have their own table, belong
// to an order, and are served only to people with a link.
package media

import (
	"context"
	"log/slog"
	"runtime"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"

	"storefront/ent"
	"storefront/internal/blob"
	"storefront/internal/fault"
	"storefront/internal/imagefile"
	"storefront/internal/order"
	"storefront/internal/share"
	"storefront/internal/staff"
	"storefront/internal/tenancy"
)

// Options say where images are kept, and how many.
type Options struct {
	Store *ent.Client // guarded by tenancy.Guard
	Files blob.Store  // nil: nothing can be uploaded
	Clock func() time.Time
	Log   *slog.Logger

	Links  *staff.Links   // of uploads, and to receipts
	Orders *order.Service // that receipts belong to
	Base   string         // what the addresses of images begin with: https://cdn.example; empty: they are paths
	Quota  int64          // bytes that a shop may have; 0: any number
	Spool  string         // folder of files that are being uploaded; empty: the system's
}

// Service keeps images. Its methods may be called by several goroutines at once.
type Service struct {
	Options
	uploads *share.Slots        // files that are being received
	turns   *share.Slots        // images that are being worked on
	memory  *semaphore.Weighted // bytes that decoders may take together
	making  singleflight.Group  // of narrower images
}

const (
	mostUploads = 32                                            // at once, of this server
	memory      = imagefile.MostMemory + imagefile.MostMemory/4 // of decoders
	workLimit   = 20 * time.Second                              // until an image has been looked at, or made
)

// New returns a service.
func New(o Options) *Service {
	return &Service{
		Options: o,
		uploads: share.New(mostUploads, mostUploads/2),
		turns:   share.New(turns(), turns()),
		memory:  semaphore.NewWeighted(memory),
	}
}

// turns is how many images are worked on at once: half of the cores, so that customers have the others.
func turns() int { return max(1, runtime.GOMAXPROCS(0)/2) }

func (s *Service) now() time.Time { return s.Clock().UTC().Truncate(time.Microsecond) }

// place fails where nothing can be kept.
func (s *Service) place() error {
	if s.Files == nil {
		return fault.New(fault.Unavailable,
			"this service does not say where images are kept; its operator sets MEDIA_DIR")
	}
	return nil
}

// inTurn runs work when it is its turn, which is shared out between shops and clients.
func (s *Service) inTurn(ctx context.Context, work func(context.Context) error) error {
	ctx, stop := context.WithTimeout(ctx, workLimit)
	defer stop()
	release, err := s.turns.Take(ctx)
	if err != nil {
		busy := fault.Wrap(fault.Unavailable, err, "too many images are being worked on; try again shortly")
		busy.RetryAfter = time.Second
		return busy
	}
	defer release()
	return work(ctx)
}

// withMemory runs work that takes so many bytes. No more than `memory` are taken at once.
func (s *Service) withMemory(ctx context.Context, bytes int64, work func() error) error {
	if err := s.memory.Acquire(ctx, bytes); err != nil {
		return err
	}
	defer s.memory.Release(bytes)
	return work()
}

// Usage returns how many files a shop has, and their bytes.
func (s *Service) Usage(ctx context.Context, shop uuid.UUID) (files int, bytes int64, err error) {
	return usage(tenancy.In(ctx, shop), s.Store)
}
