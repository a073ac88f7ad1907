// Package origin parses web origins as browsers send them in the header Origin and as the setting
// CORS_ORIGINS lists them. Packages config and server share it.
package origin

import (
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

// maxLength is the longest origin read: a host name of 253 characters with its scheme and port, in
// characters.
const maxLength = 280

var errInvalidHost = errors.New("has no valid host; a name in another script is written in punycode (xn--…)")

// Origin is a web origin (RFC 6454) over http or https, in lower case.
type Origin struct {
	Scheme string // "http" or "https"
	Host   string // a name or an address, IPv6 without brackets
	Port   string // "1".."65535", empty for the scheme's own
}

// Parse parses "https://shop.ir" or "http://localhost:3000". It accepts only scheme, host and port, so a
// path, a trailing slash, a user, "*" and "null" are errors. The errors follow the value in a sentence:
// "must begin with …".
func Parse(s string) (Origin, error) {
	if len(s) > maxLength {
		return Origin{}, errors.New("is too long")
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) {
		return Origin{}, errInvalidHost
	}
	s = strings.ToLower(s)
	scheme, authority, found := strings.Cut(s, "://")
	if !found || scheme != "http" && scheme != "https" {
		return Origin{}, errors.New("must begin with https:// or http://")
	}
	u, err := url.Parse(s)
	if err != nil || u.Host != authority || u.User != nil {
		return Origin{}, errors.New(
			"must be a scheme, a host and perhaps a port, with nothing after them: https://shop.ir")
	}
	o := Origin{Scheme: scheme, Host: u.Hostname(), Port: u.Port()}
	if o.String() != s {
		return Origin{}, errors.New("has a host or a port that cannot be read")
	}
	if !validHost(o.Host) {
		return Origin{}, errInvalidHost
	}
	if !validPort(o.Port) {
		return Origin{}, errors.New("has no valid port (1 to 65535)")
	}
	return o, nil
}

// String returns the origin as a browser would send it.
func (o Origin) String() string {
	host := o.Host
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if o.Port != "" {
		host += ":" + o.Port
	}
	return o.Scheme + "://" + host
}

// Loopback reports whether the origin is on the client's own machine: localhost, 127.0.0.0/8 or [::1].
func (o Origin) Loopback() bool {
	if o.Host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(o.Host)
	return err == nil && (addr.Is4() && addr.IsLoopback() || addr == netip.IPv6Loopback())
}

// validHost accepts an IP address without a zone, or dotted labels of a-z, 0-9, "-" and "_".
func validHost(host string) bool {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Zone() == ""
	}
	if len(host) > 253 {
		return false
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > 63 ||
			strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	return true
}

func validPort(port string) bool {
	if port == "" {
		return true
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0 && port[0] != '0'
}
