package engine

import (
	"context"
	"encoding/json"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"

	"storefront/graph/plan"
	"storefront/internal/database"
	"storefront/internal/fault"
	"storefront/internal/platform/wire"
)

const (
	maxAnswerBytes = 16 << 20           // bytes of the answer to a client document (contract 3.5)
	maxReadBytes   = 2 * maxAnswerBytes // bytes that its resolvers read from the database, except for counting
)

// errAnswerTooLarge refuses a client document whose answer grows too large while it is computed.
var errAnswerTooLarge = fault.New(fault.LimitExceeded,
	"the answer would be larger than %d MiB; ask for smaller pages or for less of each item", maxAnswerBytes>>20)

// These report that a mutation was done, but its answer was too large, or no memory was available for it.
var (
	errDoneTooLarge = fault.New(fault.LimitExceeded,
		"It was done; the answer is too large: it would be more than %d MiB", maxAnswerBytes>>20)
	errDoneUnsent = fault.New(fault.LimitExceeded, "It was done; the answer is too large to be sent now")
)

// answerSize counts the bytes of one answer while its fields are resolved, before it is written as JSON, and
// the bytes that are read for it. Texts may have any length, so the number of fields alone does not bound an
// answer.
type answerSize struct {
	own         bool // the document is the service's own, and its answer unbounded
	shown, read atomic.Int64
	parts       atomic.Int64                // of memory, held until the request or the computation ends
	refused     atomic.Pointer[fault.Error] // why there is no answer
}

// begin resets the counts before the answer is computed again. It keeps the parts, which that needs, too.
func (s *answerSize) begin() {
	s.shown.Store(0)
	s.read.Store(0)
	s.refused.Store(nil)
}

// limit returns a context that counts the bytes read from the database, except while working is true: what a mutation
// reads before it writes is not in the answer, and its transactions have bounds of their own.
func (s *answerSize) limit(ctx context.Context, working *atomic.Bool) context.Context {
	return database.WithReadLimit(ctx, func(bytes int) error {
		if working.Load() {
			return nil
		}
		return s.add(ctx, &s.read, bytes, maxReadBytes)
	})
}

// add counts bytes, and takes parts for them. Once a limit is exceeded or no part is left, every call fails with
// LIMIT_EXCEEDED or UNAVAILABLE.
func (s *answerSize) add(ctx context.Context, to *atomic.Int64, bytes int, most int64) error {
	if to.Add(int64(bytes)) > most && !s.own {
		s.refused.CompareAndSwap(nil, errAnswerTooLarge)
	}
	wanted := min(s.shown.Load()+s.read.Load(), maxAnswerBytes+maxReadBytes) / wire.PartBytes
	for n := s.parts.Load(); n < wanted; n = s.parts.Load() {
		if !s.parts.CompareAndSwap(n, n+1) { // a field that is resolved at the same time takes this part
			continue
		}
		free, ok := wire.TakePart(ctx)
		if !ok {
			s.parts.Add(-1)
			s.refused.CompareAndSwap(nil, wire.ErrAnswersFull)
			break
		}
		context.AfterFunc(ctx, free)
	}
	if why := s.refused.Load(); why != nil {
		return why
	}
	return nil
}

// writes returns a function that counts bytes of the answer that are already written.
func (s *answerSize) writes(ctx context.Context) func(bytes int) error {
	return func(bytes int) error { return s.add(ctx, &s.shown, bytes, maxAnswerBytes) }
}

// resolve resolves a field and counts its name and value.
func (s *answerSize) resolve(ctx context.Context, next graphql.Resolver) (any, error) {
	if why := s.refused.Load(); why != nil {
		return nil, why
	}
	value, err := next(ctx)
	if err != nil {
		return value, err
	}
	if err := s.add(ctx, &s.shown, len(graphql.GetFieldContext(ctx).Field.Alias)+bytesIn(value),
		maxAnswerBytes); err != nil {
		return nil, err
	}
	return value, nil
}

// bytesIn estimates how many bytes a value takes in JSON. The fields of an object are counted on their own.
func bytesIn(value any) int {
	const punctuation = 4
	switch value := value.(type) {
	case string:
		return punctuation + len(value)
	case *string:
		if value != nil {
			return punctuation + len(*value)
		}
	case json.RawMessage:
		return punctuation + len(value)
	case []string:
		n := punctuation
		for _, text := range value {
			n += punctuation + len(text)
		}
		return n
	case plan.JSON:
		return punctuation // write has counted its content
	}
	return 2 * punctuation
}
