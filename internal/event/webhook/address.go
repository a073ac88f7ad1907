package webhook

import (
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"storefront/internal/fault"
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
	if ip := net.ParseIP(host); ip != nil {
		return true
	}
	for _, end := range []string{"localhost", "local", "internal"} {
		if host == end || strings.HasSuffix(host, "."+end) {
			return true
		}
	}
	return false
}
