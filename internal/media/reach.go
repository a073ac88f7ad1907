package media

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"storefront/internal/database"
	"storefront/internal/media/blob"
)

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
	foreign bool // the last check that could tell found that it does not
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
		if r.err == nil || errors.Is(r.err, ErrForeign) { // other errors do not tell
			r.foreign = r.err != nil
		}
		if r.err != nil {
			s.Log.WarnContext(ctx, "images cannot be kept at the moment", "error", r.err)
		}
	}
	return r.err
}

// isForeign reports whether the store of images belongs to another database, as far as Reach can tell.
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
