// Package hostname defines the one form in which a shop's domain is stored and looked up. It uses no
// database: imports check the domain of a bundle with CheckTenant, resolvers and CORS look hosts up by
// Normalize.
package hostname

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"golang.org/x/net/idna"
)

// lookup maps a name as a browser does: letter case and width are folded, Unicode labels become punycode,
// and a label that breaks a rule of RFC 5891 to 5893 (an underscore, a hyphen at its end, mixed directions)
// is an error.
var lookup = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.BidiRule())

const (
	nameLimit  = 253           // bytes of a whole name; RFC 1035, without the root's dot
	labelLimit = 63            // bytes between two dots
	rawLimit   = 4 * nameLimit // bytes; no Unicode spelling of a name is longer
)

// Normalize returns the form of a host name under which a tenant is found: lower case, in punycode, without the
// root's dot, at most 253 bytes of a-z, 0-9, '-' and '.'. Nothing else is stripped (contract 1.4): with "www."
// it is another host. ok is false for anything but a host name, such as a text with a scheme or a port, or an
// IP address. Normalizing a result again returns it unchanged.
func Normalize(raw string) (name string, ok bool) {
	if len(raw) > rawLimit {
		return "", false
	}
	raw = strings.TrimSuffix(raw, ".")
	name, err := lookup.ToASCII(raw)
	if err == nil && name != raw {
		// idna writes U+FFFD for an unassigned character and for invalid UTF-8, and refuses it only in a
		// second pass.
		_, err = lookup.ToASCII(name)
	}
	if err != nil || len(name) > nameLimit {
		return "", false
	}
	var label string
	for label = range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > labelLimit {
			return "", false
		}
	}
	if strings.Trim(label, "0123456789") == "" {
		return "", false // no top-level domain is a number
	}
	return name, true
}

// Typed returns the names under which the shop is looked up that a person means by an address, in this order: as it was
// typed, then without scheme, port and path, then without a leading www. as well. Each is in the form of Normalize.
func Typed(address string) (names []string) {
	add := func(raw string) {
		if name, ok := Normalize(raw); ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	add(address)
	host := address
	if _, after, found := strings.Cut(address, "://"); found {
		host = after
	}
	if end := strings.IndexAny(host, "/?#:"); end >= 0 {
		host = host[:end]
	}
	add(host)
	if name, ok := Normalize(host); ok {
		add(strings.TrimPrefix(name, "www."))
	}
	return names
}

// servicePrefixes are the prefixes of host names that serve a shop beside its own domain, so no tenant may
// own such a name.
var servicePrefixes = []string{"www.", "api.", "customer.", "business."}

// CheckTenant returns why a domain cannot be a tenant's, or nil. A valid one is written as Normalize returns
// it, has a dot, and does not begin with www., api., customer. or business. followed by a name that has a
// dot itself (contract 1.4): api.ir can be a shop, api.shop.ir belongs to one. The errors complete a
// sentence that begins with a member's name.
func CheckTenant(domain string) error {
	name, ok := Normalize(domain)
	if !ok {
		return errors.New("must be a host name, without a scheme or a port")
	}
	if name != domain {
		return fmt.Errorf("must be written as %s", name)
	}
	if !strings.Contains(name, ".") {
		return errors.New("must have a dot")
	}
	for _, prefix := range servicePrefixes {
		if rest, ok := strings.CutPrefix(name, prefix); ok && strings.Contains(rest, ".") {
			return fmt.Errorf("must not begin with %s, which is an address of %s", prefix, rest)
		}
	}
	return nil
}

// IsLoopback reports whether a host, a name or an IP address, is this machine.
func IsLoopback(host string) bool {
	ip, _ := netip.ParseAddr(host)
	return ip.Unmap().IsLoopback() || host == "localhost" || strings.HasSuffix(host, ".localhost")
}
