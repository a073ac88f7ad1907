package database

import (
	"errors"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/lib/pq"
)

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

// hosts returns the hosts of a URL of PostgreSQL.
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
