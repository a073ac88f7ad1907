package loading

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
)

// A database returns nil or one of the types of database/sql/driver.Value for a column. Bytes belong to the
// driver, which overwrites them with the next row. nil leaves a value as it is.

// Text reads a text, or a name of an enumeration.
func Text[T ~string](into *T, value any) error {
	switch v := value.(type) {
	case nil:
	case string:
		*into = T(v)
	case []byte:
		*into = T(v)
	default:
		return unexpected(value, *into)
	}
	return nil
}

// Int reads a whole number.
func Int[T ~int | ~int64](into *T, value any) error {
	switch v := value.(type) {
	case nil:
	case int64:
		*into = T(v)
	default:
		return unexpected(value, *into)
	}
	return nil
}

// Bool reads a truth value; SQLite keeps it as a number.
func Bool(into *bool, value any) error {
	switch v := value.(type) {
	case nil:
	case bool:
		*into = v
	case int64:
		*into = v != 0
	default:
		return unexpected(value, *into)
	}
	return nil
}

// Time reads a time.
func Time(into *time.Time, value any) error {
	switch v := value.(type) {
	case nil:
	case time.Time:
		*into = v
	default:
		return unexpected(value, *into)
	}
	return nil
}

// ID reads an id; both databases give it as text.
func ID(into *uuid.UUID, value any) (err error) {
	switch v := value.(type) {
	case nil:
	case string:
		*into, err = uuid.Parse(v)
	case []byte:
		*into, err = uuid.ParseBytes(v)
	default:
		return unexpected(value, *into)
	}
	return err
}

// Bytes reads bytes.
func Bytes(into *[]byte, value any) error {
	switch v := value.(type) {
	case nil:
	case string:
		*into = []byte(v)
	case []byte:
		*into = append([]byte{}, v...)
	default:
		return unexpected(value, *into)
	}
	return nil
}

// stored are the options that read stored JSON leniently, as encoding/json did, which wrote it and takes
// four times as long.
var stored = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// JSON reads a value that is stored as JSON.
func JSON[T any](into *T, value any) error {
	switch v := value.(type) {
	case nil:
	case string:
		if !readPlainly(into, v) {
			return json.Unmarshal([]byte(v), into, stored)
		}
	case []byte:
		if len(v) > 0 && !readPlainly(into, v) {
			return json.Unmarshal(v, into, stored)
		}
	default:
		return unexpected(value, *into)
	}
	return nil
}

// Maybe reads a value that may be absent.
func Maybe[T any](into **T, value any, read func(*T, any) error) error {
	if value == nil {
		return nil
	}
	*into = new(T)
	return read(*into, value)
}

func unexpected(value, into any) error {
	return fmt.Errorf("the database gave a %T for a %T", value, into)
}
