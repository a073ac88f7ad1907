package database

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	"github.com/lib/pq"

	"storefront/internal/platform/cores"
)

type settings struct {
	dialect     string
	path        string    // SQLite: the file
	postgres    pq.Config // PostgreSQL: the parameters of lib/pq
	poolSize    int
	statements  int    // kept by a connection
	synchronous string // SQLite: FULL or NORMAL
}

func parse(raw string) (settings, error) {
	switch scheme, rest, _ := strings.Cut(raw, "://"); scheme {
	case "sqlite":
		return parseSQLite(rest)
	case "postgres", "postgresql":
		return parsePostgres(raw)
	}
	return settings{}, errors.New("its URL must begin with sqlite:// or postgres://, as in sqlite://storefront.db")
}

func parseSQLite(rest string) (settings, error) {
	path, query, _ := strings.Cut(rest, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return settings{}, fmt.Errorf("the parameters after ? in its URL cannot be read: %w", err)
	}
	s := settings{dialect: dialect.SQLite, path: path}
	if err := s.takeCommon(values, max(8, 4*cores.Count())); err != nil {
		return settings{}, err
	}
	switch v := strings.ToUpper(takeParameter(values, "synchronous")); v {
	case "", "FULL":
		s.synchronous = "FULL"
	case "NORMAL":
		s.synchronous = v
	default:
		return settings{}, errors.New("synchronous in its URL must be full or normal")
	}
	for name := range values {
		return settings{}, fmt.Errorf("its URL has the unknown parameter %q: known are pool_size, "+
			"statement_cache and synchronous", name)
	}
	return s, s.checkPath()
}

// checkPath explains what SQLite would only call "unable to open database file".
func (s settings) checkPath() error {
	if s.path == "" || strings.HasPrefix(s.path, ":") {
		return errors.New("its URL must name a file after sqlite://, as in sqlite://storefront.db")
	}
	folder := filepath.Dir(s.path)
	switch info, err := os.Stat(folder); {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("the folder %s does not exist: make it, or name another file in the URL", folder)
	case err != nil:
		return fmt.Errorf("the folder of the file: %w", err)
	case !info.IsDir():
		return fmt.Errorf("%s is a file, not a folder: name another file in the URL", folder)
	}
	info, err := os.Stat(s.path)
	if err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder: name a file in the URL", s.path)
	}
	if err != nil {
		return checkOwner(folder)
	}
	return checkOwner(s.path)
}

// checkOwner fails if a database belongs to another user, who could not write the files that this process would leave
// beside it. Root must also own the folder of a new database; other users may use files and folders that let them.
func checkOwner(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	owner, group, self := ownerOf(info)
	if owner == self || self != 0 && (info.IsDir() || info.Mode().Perm()&0o022 != 0) {
		return nil
	}
	by := fmt.Sprintf("setpriv --reuid=%d --regid=%d --clear-groups storefront …", owner, group)
	name := strconv.Itoa(owner)
	if of, err := user.LookupId(name); err == nil {
		name, by = of.Username, "runuser -u "+of.Username+" -- storefront …"
	}
	return fmt.Errorf("%s belongs to the user %s, not to this one: run it as that one (%s)", path, name, by)
}

func parsePostgres(raw string) (settings, error) {
	raw, err := withHosts(raw)
	if err != nil {
		return settings{}, err
	}
	u, err := url.Parse(raw)
	if err != nil { // err may quote a part of the password
		return settings{}, errors.New("its URL cannot be read: percent-encode what is special in the user's " +
			"name and password (/ is %2F, # is %23, ? is %3F, @ is %40)")
	}
	values := u.Query()
	s := settings{dialect: dialect.Postgres}
	if err := s.takeCommon(values, min(32, max(8, 4*cores.Count()))); err != nil {
		return settings{}, err
	}
	u.RawQuery = values.Encode()
	s.postgres, err = pq.NewConfig(u.String())
	if err != nil {
		return settings{}, hidePassword(err, u)
	}
	if len(s.postgres.Multi) > 0 && s.postgres.TargetSessionAttrs == "" {
		s.postgres.TargetSessionAttrs = pq.TargetSessionAttrsReadWrite // the primary among several hosts
	}
	return s, nil
}

func hidePassword(err error, u *url.URL) error {
	text := err.Error()
	if password, _ := u.User.Password(); password != "" {
		text = strings.ReplaceAll(text, password, "...")
	}
	return errors.New(text)
}

// takeCommon removes from values the parameters that both kinds of database have, and keeps them in s.
func (s *settings) takeCommon(values url.Values, poolSize int) (err error) {
	if s.poolSize, err = takeNumber(values, "pool_size", 1, poolSize); err != nil {
		return err
	}
	s.statements, err = takeNumber(values, "statement_cache", 0, 256)
	return err
}

func takeParameter(values url.Values, name string) string {
	v := values.Get(name)
	values.Del(name)
	return v
}

func takeNumber(values url.Values, name string, least, missing int) (int, error) {
	if !values.Has(name) {
		return missing, nil
	}
	n, err := strconv.Atoi(takeParameter(values, name))
	if err != nil || n < least {
		return 0, fmt.Errorf("%s in its URL must be a whole number, %d or more", name, least)
	}
	return n, nil
}

// explain adds advice to an error of the first connection.
func (s settings) explain(err error) error {
	switch {
	case errors.Is(err, pq.ErrSSLNotSupported):
		return fmt.Errorf("%w: add ?sslmode=disable to its URL if the network between is trusted", err)
	case isFull(err):
		return fmt.Errorf("%w: the server has no connection left: raise its max_connections, or lower pool_size", err)
	case s.dialect == dialect.Postgres && IsUnavailable(err):
		return fmt.Errorf("%w: is PostgreSQL running, and are host and port right?", err)
	}
	return err
}

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

// withHosts moves a list of hosts in a URL, host1:port1,host2:port2, into the parameters host and port,
// since package url reads only a single host and port. A URL of one host is returned as it is.
func withHosts(raw string) (string, error) {
	scheme, rest, _ := strings.Cut(raw, "://")
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	authority, rest := rest[:end], rest[end:]
	at := strings.LastIndexByte(authority, '@') + 1
	list := strings.Split(authority[at:], ",")
	if len(list) == 1 {
		return raw, nil
	}
	var hosts, ports []string
	for _, one := range list {
		host, port := one, "5432"
		if i := strings.LastIndexByte(one, ':'); i > strings.LastIndexByte(one, ']') {
			host, port = one[:i], one[i+1:]
		}
		host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
		if host == "" || port == "" {
			return "", errors.New("a host in its URL is empty: write host1:port1,host2:port2")
		}
		hosts, ports = append(hosts, host), append(ports, port)
	}
	rest, fragment, _ := strings.Cut(rest, "#")
	path, query, _ := strings.Cut(rest, "?")
	query = strings.TrimPrefix(query+"&"+url.Values{
		"host": {strings.Join(hosts, ",")}, "port": {strings.Join(ports, ",")},
	}.Encode(), "&")
	if fragment != "" {
		fragment = "#" + fragment
	}
	return scheme + "://" + authority[:at] + path + "?" + query + fragment, nil
}

func (s settings) hosts() []pq.ConfigMultihost {
	c := s.postgres
	return append([]pq.ConfigMultihost{{Host: c.Host, Hostaddr: c.Hostaddr, Port: c.Port}}, c.Multi...)
}

// addressOf returns the address that lib/pq dials for a host.
func addressOf(h pq.ConfigMultihost) string {
	host := h.Host
	if h.Hostaddr.IsValid() {
		host = h.Hostaddr.String()
	}
	return net.JoinHostPort(host, strconv.Itoa(int(h.Port)))
}

// limitOf returns the timeout of connecting to one of several hosts, such that all of them together take
// connectLimit. It is a second at least.
func limitOf(hosts int) time.Duration { return max(connectLimit/time.Duration(hosts), time.Second) }
