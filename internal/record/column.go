package record

import (
	"errors"
	"time"

	"github.com/google/uuid"
)

// NewID returns the id of a new record, a UUIDv7: ids grow with time, which decides ties in lists.
func NewID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// Now returns the time in UTC, truncated to the microseconds that both databases keep.
func Now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// NotNegative returns an error if a value is less than 0.
func NotNegative[N int | int64](value N) error {
	if value < 0 {
		return errors.New("value out of range")
	}
	return nil
}
