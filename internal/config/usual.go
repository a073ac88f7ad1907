package config

import (
	"fmt"
	"net/netip"
	"net/url"
	"time"

	"storefront/internal/platform/hostname"
	"storefront/internal/server/origin"
)

// usual describes the sensible values of a setting. Others are allowed: somebody may need them, and most who have one
// have made a mistake.
type usual struct {
	values  string        // the sensible values, in words
	but     func() string // returns the consequence of the configured value, or "" if it is sensible
	deletes bool          // whether the consequence is that data is deleted
}

// Unusual is a setting whose value is taken and may be a mistake.
type Unusual struct{ Name, Sensible, Means string }

// sweepsAfter is how long after the start data is deleted first whose time is unusual.
const sweepsAfter = 10 * time.Minute

const day = 24 * time.Hour

// unusual returns the settings whose values are unusual, and whether one of them deletes data.
func unusual(settings []setting) (found []Unusual, deletes bool) {
	for _, s := range settings {
		if s.usual.but == nil {
			continue
		}
		if means := s.usual.but(); means != "" {
			if s.usual.deletes {
				means += fmt.Sprintf("; the first time %v after the start", sweepsAfter)
			}
			found = append(found, Unusual{s.name, s.usual.values, means})
			deletes = deletes || s.usual.deletes
		}
	}
	return found, deletes
}

func unless(sensible bool, means string) string {
	if sensible {
		return ""
	}
	return means
}

// deletes is for the time after which something is deleted; 0 is never.
func deletes(value *time.Duration, least time.Duration, means string) usual {
	return usual{inHours(least) + " or more", func() string {
		return unless(*value == 0 || *value >= least, fmt.Sprintf("%s, after %v", means, *value))
	}, true}
}

func atMost(value *time.Duration, most time.Duration, means string) usual {
	return usual{inHours(most) + " or less", func() string { return unless(*value <= most, means) }, false}
}

// inHours returns a time of whole hours or minutes as settings are written.
func inHours(d time.Duration) string {
	if d%time.Hour == 0 {
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dm", d/time.Minute)
}

func countUpTo(value *int, most int, means string) usual {
	return usual{fmt.Sprintf("%d or less", most), func() string { return unless(*value <= most, means) }, false}
}

func sizeUpTo(value *int64, most int64) usual {
	return usual{fmt.Sprintf("%dGiB or less", most>>30),
		func() string { return unless(*value <= most, "answers that are kept may take all memory") }, false}
}

func when(value *bool, sensible, means string) usual {
	return usual{sensible, func() string { return unless(!*value, means) }, false}
}

// random is for keys. One of openssl rand -hex 32 has 16 different letters, hardly ever fewer than 12.
func random(key *Secret) usual {
	return usual{"random", func() string {
		different := map[rune]bool{}
		for _, letter := range string(*key) {
			different[letter] = true
		}
		return unless(*key == "" || len(different) >= 8, "who guesses it can sign in as anybody")
	}, false}
}

// narrow is for networks of proxies: narrower than half of all private addresses begin.
func narrow(networks *[]netip.Prefix) usual {
	return usual{"10.0.0.0/8 and narrower", func() string {
		for _, n := range *networks {
			if n.Addr().Is4() && n.Bits() < 8 || n.Addr().Is6() && n.Bits() < 7 {
				return "whoever calls from there chooses the address that the limits and the log see"
			}
		}
		return ""
	}, false}
}

// encrypted is for origins of pages.
func encrypted(origins *[]origin.Origin) usual {
	return usual{"https", func() string {
		for _, o := range *origins {
			if !safe(o.String()) {
				return "whoever changes such a page on its way, as it is not encrypted, can do what its readers can"
			}
		}
		return ""
	}, false}
}

// safe reports whether data sent to an address is encrypted or does not leave the machine.
func safe(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" {
		return true
	}
	return hostname.IsLoopback(u.Hostname())
}
