package config

import (
	"errors"
	"net/url"
	"strings"
)

const sqliteScheme = "sqlite://"

// SQLiteFile gives the path of the database file, without the parameters after it, or false when there is none.
func (c Config) SQLiteFile() (path string, ok bool) { return sqliteFile(c.DatabaseURL) }

func sqliteFile(databaseURL string) (path string, ok bool) {
	after, ok := strings.CutPrefix(databaseURL, sqliteScheme)
	if !ok {
		return "", false
	}
	path, _, _ = strings.Cut(after, "?")
	return path, true
}

// databaseURL may hold a password, so no error repeats it, and none of url.Parse, which does.
func databaseURL(to *string) func(string) error {
	return func(value string) error {
		if err := checkDatabaseURL(value); err != nil {
			return err
		}
		*to = value
		return nil
	}
}

// checkDatabaseURL looks at what can be told without opening the database, which checks its parameters itself.
func checkDatabaseURL(value string) error {
	if path, isFile := sqliteFile(value); isFile {
		if path == "" || strings.HasSuffix(path, "/") || strings.HasPrefix(path, ":") {
			return errors.New("names no file; write sqlite://storefront.db, or sqlite:///var/lib/shop.db for an absolute path")
		}
		return nil
	}
	if !strings.HasPrefix(value, "postgres://") && !strings.HasPrefix(value, "postgresql://") {
		return errors.New("must begin with sqlite:// or postgres://")
	}
	if _, err := url.Parse(value); err != nil {
		return errors.New("cannot be read; special characters in the password are written as %40 for @, %2F for / and so on")
	}
	return nil
}
