package record

import (
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
