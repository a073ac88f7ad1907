package config

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
)

const sqliteScheme = "sqlite://"

// SQLiteFile returns the path of the database file without its parameters, or false when the database is not
// SQLite.
func (c Config) SQLiteFile() (path string, ok bool) { return sqliteFile(c.DatabaseURL) }

// MediaFolder returns the folder of uploaded images, or "" if there is none or images are in a bucket.
func (c Config) MediaFolder() string {
	file, isFile := c.SQLiteFile()
	if c.MediaBucket != "" {
		return ""
	}
	if c.MediaDir != "" || !isFile {
		return c.MediaDir
	}
	return filepath.Join(filepath.Dir(file), "storefront-media")
}

func sqliteFile(databaseURL string) (path string, ok bool) {
	after, ok := strings.CutPrefix(databaseURL, sqliteScheme)
	if !ok {
		return "", false
	}
	path, _, _ = strings.Cut(after, "?")
	return path, true
}

// orServers makes a reader of DATABASE_URL take an unset one for the database of a server in the current
// folder.
func orServers(read func(string) error) func(string) error {
	return func(value string) error {
		if value != "" {
			return read(value)
		}
		file, _ := sqliteFile(defaultDatabase)
		if !isThere(file) {
			return fmt.Errorf("must be set, as there is no %s in this folder: only serve makes one", file)
		}
		return read(defaultDatabase)
	}
}

// hosts finds the hosts and ports of a URL that names several, which url.Parse cannot read.
var hosts = regexp.MustCompile(`^([a-z]+://(?:[^/?#]*@)?)([^/?#@]*,[^/?#@]*)(.*)$`)

// databaseURL checks a URL without opening the database. The driver checks the parameters. Its errors do not repeat the
// value, which may hold a password, as those of url.Parse would.
func databaseURL(value string) error {
	if path, isFile := sqliteFile(value); isFile {
		if path == "" || strings.HasSuffix(path, "/") || strings.HasPrefix(path, ":") {
			return errors.New(
				"names no file; write sqlite://storefront.db, or sqlite:///var/lib/shop.db for an absolute path")
		}
		return nil
	}
	if !strings.HasPrefix(value, "postgres://") && !strings.HasPrefix(value, "postgresql://") {
		return errors.New("must begin with sqlite:// or postgres://")
	}
	if _, err := url.Parse(hosts.ReplaceAllString(value, "${1}host$3")); err != nil {
		return errors.New(
			"cannot be read; special characters in the password are written as %40 for @, %2F for / and so on")
	}
	return nil
}
