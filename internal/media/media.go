// Package media stores the images that shops upload, and makes smaller versions of them.
//
// A mutation returns a signed address (NewLink), to which a client sends a file. Keep inspects the file,
// removes everything that is not part of the image, and stores it (package blob) and its row. Clients get it
// from the address in the row (Handler), which identifies its content and never changes. Smaller versions are made with
// the upload, and those in other formats when they are first requested.
//
// Where an image is used is found by its address, in all columns in which shops write addresses (uses.go),
// so there is no second record of it that could be wrong. Writers of content hold the lock of the shop's
// content; so do uploads, Delete and Sweep, so that no image is deleted while somebody begins to use it. Delete and
// Sweep search all columns before they take the lock, and under it only the rows that were written since.
//
// Receipts of transfers are uploaded in the same way, but stored apart (receipts.go): they have their own
// table, belong to an order, and are served only to people with a link.
package media

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"

	"storefront/ent"
	"storefront/internal/database"
	"storefront/internal/database/tenancy"
	"storefront/internal/fault"
	"storefront/internal/media/blob"
	"storefront/internal/media/imagefile"
	"storefront/internal/platform/share"
	"storefront/internal/record"
	"storefront/internal/sale/order"
	"storefront/internal/shop/staff"
)

// Options are the settings of the service.
type Options struct {
	Store *ent.Client // guarded by tenancy.Guard
	Files blob.Store  // nil: nothing can be uploaded
	Clock record.Clock
	Log   *slog.Logger

	Links  *staff.Links   // for uploads and receipts
	Orders *order.Service // owns the orders that receipts belong to
	Base   string         // prefix of the addresses of images, such as https://cdn.example; empty: they are paths
	Quota  int64          // bytes that a shop may have; 0: any number
	Spool  string         // folder of files that are being uploaded; empty: the system's
}

// Service stores images. Its methods may be called by several goroutines at once.
type Service struct {
	Options
	uploads *share.Slots        // for files that are being received
	reads   *share.Slots        // for files that are being opened for clients
	turns   *share.Slots        // for images that are being processed
	memory  *semaphore.Weighted // bytes that decoders may use together
	making  singleflight.Group  // of smaller versions
	reach   reach
}

const (
	mostUploads = 32                                            // at once, of this server
	mostOfUser  = 4                                             // uploads of one user at once
	turnOfUser  = 5 * time.Second                               // how long a user's next upload waits
	quickly     = 2 * time.Second                               // an upload never gives way sooner
	mostReads   = 128                                           // files that are being opened at once
	readWait    = time.Second                                   // how long a request waits to open a file
	turnWait    = time.Minute                                   // how long an image waits for its turn
	memory      = imagefile.MostMemory + imagefile.MostMemory/4 // of decoders
	workLimit   = 20 * time.Second                              // for inspecting or drawing an image in its turn
)

// New returns a service.
func New(o Options) *Service {
	return &Service{
		Options: o,
		uploads: share.NewYielding(mostUploads, mostOfUser, quickly),
		reads:   share.NewBounded(mostReads, mostReads, mostReads),
		turns:   share.NewBounded(turns(), turns(), mostUploads),
		memory:  semaphore.NewWeighted(memory),
	}
}

// turns returns how many images are processed at once: half of the cores, so that the others are free for
// customers.
func turns() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// place fails if no storage is configured, or if it belongs to another database.
func (s *Service) place(ctx context.Context) error {
	if s.Files == nil {
		return fault.New(fault.Unavailable,
			"this service does not say where images are kept; its operator sets MEDIA_DIR")
	}
	if s.isForeign(ctx) {
		return unkept(ErrForeign)
	}
	return nil
}

// look inspects a file that is to be drawn in a form and runs work on it, when it has a slot, which are shared out
// between shops and clients, and there is memory for it.
func (s *Service) look(
	ctx context.Context, f imagefile.File, form imagefile.Form, work func(context.Context, imagefile.Info) error,
) error {
	return s.inTurn(ctx, func(ctx context.Context) error { return s.inspect(ctx, f, form, work) })
}

// inTurn works on an image in its turn, within workLimit.
func (s *Service) inTurn(ctx context.Context, work func(context.Context) error) error {
	waiting, stop := context.WithTimeout(ctx, turnWait)
	defer stop()
	release, err := s.turns.Take(waiting)
	if err != nil {
		return fault.Wrap(fault.Unavailable, err, "too many images are being worked on; try again shortly").
			After(time.Second)
	}
	defer release()
	ctx, end := context.WithTimeout(ctx, workLimit)
	defer end()
	return work(ctx)
}

// inspect works on an image once there is the memory that it takes.
func (s *Service) inspect(
	ctx context.Context, f imagefile.File, form imagefile.Form, work func(context.Context, imagefile.Info) error,
) error {
	info, err := imagefile.Inspect(f, form)
	if err != nil {
		return err
	}
	if err := s.memory.Acquire(ctx, info.Memory(form)); err != nil {
		return err
	}
	defer s.memory.Release(info.Memory(form))
	return work(ctx, info)
}

// Usage returns how many files a shop has, and their bytes.
func (s *Service) Usage(ctx context.Context, shop uuid.UUID) (files int, bytes int64, err error) {
	return usage(tenancy.In(ctx, shop), s.Store)
}

const (
	reachEvery = 10 * time.Second // a request costs money in some buckets
	reachTime  = time.Second
)

// ErrForeign means that the folder or bucket of images does not belong to the database, such as a folder that is not
// mounted.
var ErrForeign = errors.New("the folder or bucket of images is not that of this database")

// reach is the result of the last check of the store of images.
type reach struct {
	mu      sync.Mutex
	next    time.Time // when to check again
	err     error
	own     bool // a check has found that the store belongs to the database
	foreign bool // the last check with a result found that it does not
}

// Reach checks, at most every reachEvery, that images can be stored, and that the store belongs to the database. It
// returns the error of the last check, ErrForeign if the store is not the database's. It returns nil if no storage is
// configured. A store without MarkKey is claimed for the database if no shop has images.
func (s *Service) Reach(ctx context.Context) error {
	if s.Files == nil {
		return nil
	}
	r := &s.reach
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := s.Clock(); now.After(r.next) && ctx.Err() == nil {
		asking, stop := context.WithTimeout(ctx, reachTime)
		defer stop()
		r.err, r.next = s.check(asking), now.Add(reachEvery)
		if r.err == nil || errors.Is(r.err, ErrForeign) { // other errors give no result
			r.foreign = r.err != nil
		}
		if r.err != nil {
			s.Log.WarnContext(ctx, "images cannot be kept at the moment", "error", r.err)
		}
	}
	return r.err
}

// isForeign reports whether the store of images belongs to another database, by the last check with a result.
func (s *Service) isForeign(ctx context.Context) bool {
	_ = s.Reach(ctx) // other errors show when the store is used
	s.reach.mu.Lock()
	defer s.reach.mu.Unlock()
	return s.reach.foreign
}

func (s *Service) check(ctx context.Context) error {
	mark, failed := s.Files.Reach(ctx)
	id, err := s.id(ctx)
	if err != nil || failed != nil && mark == "" {
		return errors.Join(failed, err)
	}
	if mark == "" && !s.reach.own {
		isNew := false
		if isNew, err = s.isNew(ctx); isNew {
			_, err = s.Claim(ctx)
			if err == nil { // another server may have claimed it first
				mark, err = s.Files.Reach(ctx)
			}
		}
	}
	if err == nil && mark != id {
		return fmt.Errorf("%w: its file %s has %q (nothing if there is no such file), and not %q. Is it mounted, and "+
			"the one that MEDIA_DIR or MEDIA_BUCKET should name? If so, write the latter into that file", ErrForeign,
			blob.MarkKey, mark, id)
	}
	s.reach.own = s.reach.own || err == nil
	return errors.Join(failed, err)
}

// Claim writes MarkKey for the database, unless the store of images has that file, and reports whether it did.
func (s *Service) Claim(ctx context.Context) (claimed bool, err error) {
	id, err := s.id(ctx)
	if err != nil {
		return false, err
	}
	return s.Files.PutNew(ctx, blob.MarkKey, strings.NewReader(id), int64(len(id)))
}

// id returns the content of MarkKey in a store of the database. All servers of a database agree on it.
func (s *Service) id(ctx context.Context) (string, error) {
	return database.Agree(ctx, s.Store.Raw(), "media_id", uuid.NewString(), "")
}

var anyImage = database.Statement("SELECT EXISTS (SELECT 1 FROM media_files) OR EXISTS (SELECT 1 FROM receipts)")

// isNew reports whether no shop has images yet.
func (s *Service) isNew(ctx context.Context) (isNew bool, err error) {
	err = anyImage.Each(ctx, s.Store.Raw(), nil, func(row *sql.Rows) error {
		err := row.Scan(&isNew)
		isNew = !isNew
		return err
	})
	return isNew && err == nil, err
}
