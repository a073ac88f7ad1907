package webhook

import (
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"storefront/internal/fault"
	"storefront/internal/hostname"
)

const longestURL = 2000 // bytes

// checkURL refuses what can be seen to be wrong with an address. What its name resolves to is looked at with
// each attempt.
func (s *Service) checkURL(text string, bad *fault.Fields) {
	u, err := url.Parse(text)
	switch {
	case strings.ContainsFunc(text, isInvisible):
		bad.Add("url", "must have no invisible characters, such as direction marks")
	case err != nil || u.Host == "" || u.Hostname() == "" || u.Opaque != "" || len(text) > longestURL:
		bad.Add("url", "must be an address such as https://shop.example/events")
	case u.User != nil || u.Fragment != "" || strings.Contains(text, "#"):
		bad.Add("url", "must have no user, password or fragment")
	case u.Scheme != "https" && !(s.private && u.Scheme == "http"):
		bad.Add("url", "must begin with https://")
	case !isPort(u.Port()):
		bad.Add("url", "must have a port from 1 to 65535, or none")
	case !s.private && isInside(u.Hostname()):
		bad.Add("url", "must not lead into a private network")
	case !s.isHost(u.Hostname()):
		bad.Add("url", "must name a host that can exist on the internet, such as shop.example")
	}
}

// isInvisible reports whether a rune cannot be seen in an address. Joiners belong to Persian words; where a
// host's name may have them, its own rules say.
func isInvisible(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Cc, unicode.Z) && !strings.ContainsRune(" \u200c\u200d", r)
}

func isPort(text string) bool {
	port, err := strconv.Atoi(text)
	return text == "" || err == nil && 1 <= port && port <= 65535
}

// isHost reports whether a host can be there: an IP address, or a name with a dot. Inside a private network
// names have no dot either, and underscores, as those of containers do.
func (s *Service) isHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	if s.private {
		host = strings.ReplaceAll(host, "_", "-")
	}
	name, ok := hostname.Normalize(host)
	return ok && (s.private || strings.Contains(name, "."))
}

// isInside reports whether a host says by itself that it is not public. Forms of addresses that only some
// programs read, such as 0x7f.1, are no names.
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
