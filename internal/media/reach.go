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

	"storefront/internal/blob"
	"storefront/internal/database"
)

const (
	reachEvery = 10 * time.Second // a request costs money in some buckets
	reachTime  = time.Second
)

// ErrOthers says that images are not where those of the database are, such as below a folder that is not mounted.
var ErrOthers = errors.New("the folder or bucket of images is not that of this database")

// reach is what is known of the place of images.
type reach struct {
	mu     sync.Mutex
	next   time.Time // the time of the next check
	err    error
	seen   bool // it was that of the database
	others bool // it was not that of the database when that was last seen
}

// Reach returns the error of the last check: nil if images can be kept, or if there is no place for them, and ErrOthers
// if the place is not that of the database. Until it was seen to be, one that belongs to none is taken.
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
		if r.err == nil || errors.Is(r.err, ErrOthers) { // another fault says nothing about whose it is
			r.others = r.err != nil
		}
		if r.err != nil {
			s.Log.WarnContext(ctx, "images cannot be kept at the moment", "error", r.err)
		}
	}
	return r.err
}

// isOthers reports whether the place of images is not that of the database, as Reach found last.
func (s *Service) isOthers() bool {
	s.reach.mu.Lock()
	defer s.reach.mu.Unlock()
	return s.reach.others
}

func (s *Service) check(ctx context.Context) error {
	mark, failed := s.Files.Reach(ctx)
	id, err := s.id(ctx)
	if err != nil || failed != nil && mark == "" {
		return errors.Join(failed, err)
	}
	if mark == "" && !s.reach.seen {
		isNew := false
		if isNew, err = s.isNew(ctx); isNew {
			_, err = s.Take(ctx)
			if err == nil { // another server may have taken it just now
				mark, err = s.Files.Reach(ctx)
			}
		}
	}
	if err == nil && mark != id {
		return fmt.Errorf("%w: its file %s says %q, and not %q. Is it mounted, and the one that MEDIA_DIR or "+
			"MEDIA_BUCKET should name? If so, write the latter into that file", ErrOthers, blob.MarkKey, mark, id)
	}
	s.reach.seen = s.reach.seen || err == nil
	return errors.Join(failed, err)
}

// Take makes the place of images that of the database, unless it belongs to one, and reports whether it has.
func (s *Service) Take(ctx context.Context) (taken bool, err error) {
	id, err := s.id(ctx)
	if err != nil {
		return false, err
	}
	return s.Files.PutNew(ctx, blob.MarkKey, strings.NewReader(id), int64(len(id)))
}

// id returns what the mark of the place of images must say. All servers of a database agree on it.
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
