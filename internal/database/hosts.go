package database

import (
	"errors"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lib/pq"
)

// withHosts moves a list of hosts of a URL, host1:port1,host2:port2, into the parameters host and port, as package url
// reads one host and one port alone. A URL of one host is returned as it is.
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

// hosts are the servers of which one is to be found at each time. The one that was found last is tried first, so that a
// host that is gone, and says nothing, costs no connection its time but the first.
type hosts struct {
	last atomic.Int64 // place of the one that was found last
}

// from returns a config whose hosts begin with the one that was found last, and where that begins.
func (h *hosts) from(config pq.Config) (_ pq.Config, first int) {
	if len(config.Multi) == 0 {
		return config, 0
	}
	all := append([]pq.ConfigMultihost{{Host: config.Host, Hostaddr: config.Hostaddr, Port: config.Port}}, config.Multi...)
	first = int(h.last.Load()) % len(all)
	turned := append(append([]pq.ConfigMultihost{}, all[first:]...), all[:first]...)
	config = config.Clone()
	config.Host, config.Hostaddr, config.Port = turned[0].Host, turned[0].Hostaddr, turned[0].Port
	config.Multi = turned[1:]
	return config, first
}

// found notes the host behind an address that was connected to.
func (h *hosts) found(config pq.Config, first int, address string) {
	for i, one := range append([]pq.ConfigMultihost{{Host: config.Host, Hostaddr: config.Hostaddr, Port: config.Port}},
		config.Multi...) {
		if addressOf(one) == address {
			h.last.Store(int64((first + i) % (len(config.Multi) + 1)))
			return
		}
	}
}

// addressOf is the address that lib/pq dials for a host.
func addressOf(h pq.ConfigMultihost) string {
	host := h.Host
	if h.Hostaddr.IsValid() {
		host = h.Hostaddr.String()
	}
	return net.JoinHostPort(host, strconv.Itoa(int(h.Port)))
}

// limitOf is how long to connect to one of some hosts may take, so that all of them together take connectLimit. A host
// has a second at least.
func limitOf(hosts int) time.Duration { return max(connectLimit/time.Duration(hosts), time.Second) }
