package database

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
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

// hosts are the servers of a URL, of which one is chosen at each connection. The one that was chosen last is
// tried first, so that a dead host that does not even refuse costs only the first connection its timeout.
type hosts struct {
	last atomic.Int64 // index of the one that was chosen last
}

// each returns a config for each host, the one that was chosen last in front. Connecting with one records
// its host.
func (h *hosts) each(config pq.Config) []pq.Config {
	all := append([]pq.ConfigMultihost{hostOf(config)}, config.Multi...)
	configs := make([]pq.Config, len(all))
	for i := range all {
		one := all[(int(h.last.Load())+i)%len(all)]
		c := config.Clone()
		c.Host, c.Hostaddr, c.Port, c.Multi = one.Host, one.Hostaddr, one.Port, nil
		configs[i] = c
	}
	return configs
}

// found records the host that was chosen.
func (h *hosts) found(config pq.Config, host pq.ConfigMultihost) {
	h.last.Store(int64(1 + slices.Index(config.Multi, host))) // 0 if it is not among the further ones: it is the first
}

// findHost returns the config of the first host that is of the wanted kind and, as far as seen knows, has
// not been replaced by another primary; nil if any server will do.
func findHost(ctx context.Context, config pq.Config, h *hosts, seen *timelines,
	connect func(context.Context, pq.Config) (session, *wire, error)) (session, *wire, error) {
	if len(config.Multi) == 0 || config.TargetSessionAttrs == pq.TargetSessionAttrsPreferStandby {
		s, w, err := connect(ctx, config)
		if err != nil || seen == nil {
			return s, w, err
		}
		if _, err := seen.identify(ctx, s, w, config.ConnectTimeout); err != nil {
			s.Close()
			return nil, nil, err
		}
		return s, w, nil
	}
	seen.lookFirst(ctx)
	var errs []error
	for _, one := range h.each(config) {
		kind := one.TargetSessionAttrs
		one.TargetSessionAttrs = pq.TargetSessionAttrsAny
		s, w, err := connect(ctx, one)
		if err == nil {
			var says hostSays
			if says, err = seen.identify(ctx, s, w, one.ConnectTimeout); err == nil {
				err = says.checkKind(kind)
			}
			if err != nil {
				s.Close()
			}
		}
		if err == nil {
			h.found(config, hostOf(one))
			return s, w, nil
		}
		errs = append(errs, fmt.Errorf("%s: %w", addressOf(hostOf(one)), err))
		if ctx.Err() != nil {
			break
		}
	}
	return nil, nil, errors.Join(errs...)
}

// checkKind fails if a server is not of the wanted kind. The parameters that lib/pq goes by are not enough:
// a pooler caches them from its first connection, and the server may have been promoted since.
func (s hostSays) checkKind(kind pq.TargetSessionAttrs) error {
	var is bool
	switch kind {
	case pq.TargetSessionAttrsReadWrite:
		is = !s.standby && !s.readOnly
	case pq.TargetSessionAttrsReadOnly:
		is = s.standby || s.readOnly
	case pq.TargetSessionAttrsPrimary:
		is = !s.standby
	case pq.TargetSessionAttrsStandby:
		is = s.standby
	default:
		is = true
	}
	if !is {
		return fmt.Errorf("%w: it is not %s", errNoServer, kind)
	}
	return nil
}

func hostOf(c pq.Config) pq.ConfigMultihost {
	return pq.ConfigMultihost{Host: c.Host, Hostaddr: c.Hostaddr, Port: c.Port}
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
