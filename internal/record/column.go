package record

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"time"

	"github.com/google/uuid"
)

// NewID returns the id of a new record, a UUIDv7: ids grow with time, which decides ties in lists.
func NewID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// Now returns the time as both databases keep it.
func Now() time.Time { return Moment(time.Now()) }

// Moment returns a time as both databases keep it: in UTC, truncated to microseconds.
func Moment(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// Clock returns the time that requests see.
type Clock func() time.Time

// Now returns the clock's time as both databases keep it.
func (c Clock) Now() time.Time { return Moment(c()) }

// NotNegative returns an error if a value is less than 0.
func NotNegative[N int | int64](value N) error {
	if value < 0 {
		return errors.New("value out of range")
	}
	return nil
}

// StableID returns an id that is the same in every database: a UUIDv7 whose random part is a hash of the
// record's natural key. nth is its time, in milliseconds after a fixed moment, and so determines the order
// of ids.
func StableID(nth int, key string) uuid.UUID {
	var id uuid.UUID
	binary.BigEndian.PutUint64(id[:8], uint64(nth)<<16)
	sum := sha256.Sum256([]byte(key))
	copy(id[6:], sum[:10])
	id[6] = id[6]&0x0f | 0x70 // version 7
	id[8] = id[8]&0x3f | 0x80 // RFC 9562 variant
	return id
}
