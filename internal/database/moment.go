package database

import (
	"fmt"
	"time"
)

// Moment is a time that an SQL expression returns; null is the zero time. SQLite gives expressions no type, and so
// returns what it stores: microseconds since 1970.
type Moment struct{ time.Time }

// Scan implements sql.Scanner.
func (m *Moment) Scan(value any) error {
	switch value := value.(type) {
	case nil:
		m.Time = time.Time{}
	case time.Time:
		m.Time = value.UTC()
	case int64:
		m.Time = time.UnixMicro(value).UTC()
	default:
		return fmt.Errorf("a moment is a %T", value)
	}
	return nil
}
