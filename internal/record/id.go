package record

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/google/uuid"
)

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
