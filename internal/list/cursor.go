package list

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/google/uuid"
)

// cursorVersion is raised when older cursors can no longer be read.
const cursorVersion = 1

// cursor is a position as clients see it: base64url of JSON. It names its order, and holds only the sort values
// and the id of the record.
type cursor struct {
	Version int       `json:"v"`
	List    string    `json:"l"`
	Rank    *int64    `json:"r,omitempty"`
	Title   []byte    `json:"n,omitempty"`
	Time    int64     `json:"t"` // microseconds since 1970
	ID      uuid.UUID `json:"i"`
}

// cursor returns a position in an order as a cursor.
func (o Order) cursor(p Position) string {
	c := cursor{Version: cursorVersion, List: o.Name, Time: p.Time.UnixMicro(), ID: p.ID}
	switch key := p.Key.(type) {
	case int64:
		c.Rank = &key
	case []byte:
		c.Title = key
	}
	text, err := json.Marshal(c)
	if err != nil {
		panic(err) // numbers, strings and an id can always be marshaled
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// errCursor is the error of a text that is not a cursor of this order.
var errCursor = errors.New("not a cursor of this list in this order")

// position reads a cursor of this order. It fails with errCursor.
func (o Order) position(text string) (Position, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	var c cursor
	read := json.NewDecoder(bytes.NewReader(raw))
	read.DisallowUnknownFields()
	if err != nil || read.Decode(&c) != nil || read.Decode(new(any)) != io.EOF {
		return Position{}, errCursor
	}
	p := Position{Time: time.UnixMicro(c.Time).UTC(), ID: c.ID}
	if c.Version != cursorVersion || c.List != o.Name || p.Time.Year() < 1 || p.Time.Year() > 9999 ||
		(c.Rank != nil) != (o.Key != "" && !o.Texts) || c.Title != nil && !o.Texts {
		return Position{}, errCursor
	}
	switch {
	case o.Texts:
		p.Key = append([]byte{}, c.Title...) // a title without letters has an empty key
	case c.Rank != nil:
		p.Key = *c.Rank
	}
	return p, nil
}
