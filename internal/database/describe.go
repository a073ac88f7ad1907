package database

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"entgo.io/ent/dialect"
)

// Check returns what is wrong with a database's URL, as far as that is visible without opening the
// database.
func Check(url string) error {
	_, err := parse(url)
	return err
}

// Describe names the database of a URL for a log: its kind, and its file or its hosts and name. It leaves
// out the user, the password and the parameters, which may be secret.
func Describe(raw string) string {
	s, err := parse(raw)
	if err != nil {
		return ""
	}
	if s.dialect == dialect.SQLite {
		path := s.path
		if whole, err := filepath.Abs(path); err == nil {
			path = whole
		}
		return "sqlite://" + path
	}
	var hosts []string
	for _, one := range s.hosts() {
		one.Host = strings.Trim(one.Host, "[]") // of an IPv6 address
		hosts = append(hosts, addressOf(one))
	}
	return fmt.Sprintf("postgres://%s/%s", strings.Join(hosts, ","), url.PathEscape(s.postgres.Database))
}
