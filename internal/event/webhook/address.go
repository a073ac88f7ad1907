package webhook

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	"storefront/internal/fault"
	"storefront/internal/platform/convert"
	"storefront/internal/platform/hostname"
)

const longestURL = 2000 // bytes

// checkURL reports what is visibly wrong with an address. What its name resolves to is checked at each
// attempt.
func (s *Service) checkURL(text string, bad *fault.Fields) {
	u, err := url.Parse(text)
	switch {
	case strings.ContainsFunc(text, isInvisible):
		bad.Add("url", "must have no invisible characters, such as direction marks")
	case err != nil || u.Host == "" || u.Hostname() == "" || u.Opaque != "" || len(text) > longestURL:
		bad.Add("url", "must be an address such as https://shop.example/events")
	case u.User != nil || u.Fragment != "" || strings.Contains(text, "#"):
		bad.Add("url", "must have no user, password or fragment")
	case u.Scheme != "https" && !(s.Private && u.Scheme == "http"):
		bad.Add("url", "must begin with https://")
	case !isPort(u.Port()):
		bad.Add("url", "must have a port from 1 to 65535, or none")
	case !s.Private && isInside(u.Hostname()):
		bad.Add("url", "must not lead into a private network")
	case !s.isHost(u.Hostname()):
		bad.Add("url", "must name a host that can exist on the internet, such as shop.example")
	}
}

// isInvisible reports whether a rune is invisible in an address. Joiners are allowed, as they belong to
// Persian words; the rules of host names decide where.
func isInvisible(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Cc, unicode.Z) && !strings.ContainsRune(" \u200c\u200d", r)
}

func isPort(text string) bool {
	port, err := strconv.Atoi(text)
	return text == "" || err == nil && 1 <= port && port <= 65535
}

// isHost reports whether a host may exist: an IP address, or a name with a dot. In a private network names
// may have no dot, and may have underscores, like those of containers.
func (s *Service) isHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	if s.Private {
		host = strings.ReplaceAll(host, "_", "-")
	}
	name, ok := hostname.Normalize(host)
	return ok && (s.Private || strings.Contains(name, "."))
}

// isInside reports whether a host is obviously not public. Address forms that only some programs understand,
// such as 0x7f.1, are not names either.
func isInside(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if addr, err := netip.ParseAddr(host); err == nil {
		return !isPublic(addr)
	}
	inside := func(end string) bool { return host == end || strings.HasSuffix(host, "."+end) }
	return net.ParseIP(host) != nil || slices.ContainsFunc([]string{"localhost", "local", "internal"}, inside)
}

// errPrivate refuses an address inside the service's own network.
var errPrivate = errors.New("webhook: the address is not public")

// notPublic are the networks that endpoints must not make the service call, such as its own host and
// network, and the metadata services of clouds (169.254.169.254, fd00:ec2::254). They are those of IANA's
// special-purpose registries. An IPv6 address that embeds an IPv4 address leads to that one.
var notPublic = networks(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
	"192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "224.0.0.0/3", "::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23",
	"2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10",
	"ff00::/8",
)

func networks(texts ...string) []netip.Prefix { return convert.All(texts, netip.MustParsePrefix) }

// isPublic reports whether an address may be called. An IPv4-mapped IPv6 address counts as IPv4.
func isPublic(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	return addr.IsValid() &&
		!slices.ContainsFunc(notPublic, func(network netip.Prefix) bool { return network.Contains(addr) })
}

// onlyPublic checks the address that is dialed, after DNS resolution, so that a later DNS answer cannot
// replace it.
func onlyPublic(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %w", errPrivate, err)
	}
	if !isPublic(to.Addr()) {
		return errPrivate
	}
	return nil
}

const (
	attemptTime   = 10 * time.Second // of an attempt, from the name's resolution to the end of the answer
	handshakeTime = 5 * time.Second

	// StopTime is how long running attempts may take to end and be recorded, after the context of Run has ended.
	StopTime = attemptTime + 2*time.Second

	headerLimit = 16 << 10 // bytes of an answer's headers
	bodyLimit   = 4 << 10  // bytes of an answer's body that are read; more ends the connection
)

// newClient returns the client that calls endpoints. It follows no redirects, which count as failures, and
// uses no proxy of the environment.
func newClient(private bool) *http.Client {
	dialer := &net.Dialer{Timeout: handshakeTime}
	if !private {
		dialer.Control = onlyPublic
	}
	return &http.Client{
		Transport: &http.Transport{
			DialContext: dialer.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: handshakeTime,
			ResponseHeaderTimeout: attemptTime, MaxResponseHeaderBytes: headerLimit, DisableCompression: true,
			MaxIdleConns: 2 * mostRunners, MaxIdleConnsPerHost: mostUnderWay, IdleConnTimeout: time.Minute,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
