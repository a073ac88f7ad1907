// Package calendar divides time into the days, weeks and months of a time zone, by the Gregorian calendar or by the
// solar calendar of Iran.
package calendar

import (
	"errors"
	"regexp"
	"time"
	_ "time/tzdata" // so that the program does not depend on the zones of its host
)

var zoneName = regexp.MustCompile(`^[A-Z][A-Za-z0-9+-]*(?:[/_][A-Za-z0-9+-]+)*$`)

// errNoZone is worded to follow the name of a member.
var errNoZone = errors.New("must be the IANA name of a time zone, such as Asia/Tehran")

// Zone returns the time zone of an IANA name. It refuses other files in a host's folder of zones, such as
// "right/UTC", which counts leap seconds.
func Zone(name string) (*time.Location, error) {
	if !zoneName.MatchString(name) || name == "Local" || name == "Factory" {
		return nil, errNoZone
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, errNoZone
	}
	return zone, nil
}

// ZoneOf returns the name of a shop's time zone: its own, or that of its locale.
func ZoneOf(own *string, locale string) string {
	switch {
	case own != nil:
		return *own
	case locale == "fa":
		return "Asia/Tehran"
	}
	return "UTC"
}
