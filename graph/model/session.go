package model

import (
	"time"

	"github.com/google/uuid"
)

// Session is a sign-in of a customer that has not ended.
type Session struct {
	ID         uuid.UUID
	CreatedAt  time.Time
	LastUsedAt time.Time
	ExpiresAt  time.Time
	Current    bool // it is the caller's own
	Client     *string
	Network    *string
	ProvenAt   *time.Time
}
