// Package calendar divides time into the days, weeks and months of a time zone, by the Gregorian calendar or by the
// solar calendar of Iran.
package calendar

import (
	"errors"
	"regexp"
	"time"
	_ "time/tzdata" // so that the program does not depend on the zones of its host

	"storefront/internal/record"
)

// Span is an interval of a calendar: a day, a week or a month.
type Span struct {
	From, Until time.Time // From is part of the interval, Until is not
	Label       string    // its first day, or its month: 1405-09-03, 1405-09
}

// ErrTooMany means that a period has more intervals than allowed.
var ErrTooMany = errors.New("calendar: there are too many intervals")

// Divide returns the intervals of the period that begins at from and ends before until. The first and the last
// one are cut to the period. It fails with ErrTooMany if there are more than most.
func Divide(from, until time.Time, zone *time.Location, c record.Calendar, by record.Interval,
	most int) ([]Span, error) {
	var spans []Span
	for first := begin(dayIn(from, zone), c, by); ; {
		next := following(first, c, by)
		s := Span{From: midnight(first, zone), Until: midnight(next, zone), Label: label(first, c, by)}
		if !s.From.Before(until) {
			return spans, nil
		}
		if first = next; !s.Until.After(from) || !s.From.Before(s.Until) { // the time zone skipped it
			continue
		}
		if s.From.Before(from) {
			s.From = from
		}
		if s.Until.After(until) {
			s.Until = until
		}
		if spans = append(spans, s); len(spans) > most {
			return nil, ErrTooMany
		}
	}
}

// Begin returns the beginning of the interval that contains a moment.
func Begin(moment time.Time, zone *time.Location, c record.Calendar, by record.Interval) time.Time {
	return midnight(begin(dayIn(moment, zone), c, by), zone)
}

// begin returns the first day of the interval that contains a day.
func begin(day int, c record.Calendar, by record.Interval) int {
	switch by {
	case record.Week:
		monday := 3 // from 1 January 1970, a Thursday, to it
		if c == record.Jalali {
			monday = 5 // or to Saturday
		}
		return day - ((day+monday)%7+7)%7
	case record.Month:
		d := dateOf(day, c)
		d.day = 1
		return d.number(c)
	}
	return day
}

// following returns the first day of the interval after the one that begins on a day.
func following(first int, c record.Calendar, by record.Interval) int {
	switch by {
	case record.Week:
		return first + 7
	case record.Month:
		return dateOf(first, c).next().number(c)
	}
	return first + 1
}

func label(first int, c record.Calendar, by record.Interval) string {
	text := dateOf(first, c).String()
	if by == record.Month {
		return text[:len(text)-len("-01")]
	}
	return text
}

// dayIn returns the number of the day that contains a moment: the last one that has begun.
func dayIn(moment time.Time, zone *time.Location) int {
	year, month, day := moment.In(zone).Date()
	number := date{year, int(month), day}.number(record.Gregorian)
	for moment.Before(midnight(number, zone)) {
		number--
	}
	for !moment.Before(midnight(number+1, zone)) {
		number++
	}
	return number
}

// midnight returns the beginning of a day: the first moment at which the clocks show 0:00 of it or later. They
// show 0:00 twice, or never, on days when they are put back or forward at that time.
func midnight(day int, zone *time.Location) time.Time {
	utc := time.Unix(int64(day)*secondsOfDay, 0)
	var first time.Time
	for _, near := range []time.Duration{-26 * time.Hour, 0, 26 * time.Hour} {
		_, offset := utc.Add(near).In(zone).Zone()
		t := utc.Add(-time.Duration(offset) * time.Second).In(zone)
		if _, is := t.Zone(); is == offset && (first.IsZero() || t.Before(first)) {
			first = t
		}
	}
	if !first.IsZero() {
		return first.UTC()
	}
	// The clocks were put forward over midnight: find the moment of that change.
	_, change := utc.Add(-26 * time.Hour).In(zone).ZoneBounds()
	for change.Before(utc.Add(26 * time.Hour)) {
		if _, offset := change.Zone(); change.Unix()+int64(offset) >= int64(day)*secondsOfDay {
			return change.UTC()
		}
		_, change = change.ZoneBounds()
	}
	return utc.UTC()
}

// DayOf returns the day that contains a moment as YYYY-MM-DD.
func DayOf(moment time.Time, zone *time.Location) string {
	return label(dayIn(moment, zone), record.Gregorian, record.Day)
}

// ParseDay returns the beginning and the end of a day, which is written as YYYY-MM-DD.
func ParseDay(text string, zone *time.Location) (from, until time.Time, err error) {
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return from, until, err
	}
	day := date{at.Year(), int(at.Month()), at.Day()}.number(record.Gregorian)
	return midnight(day, zone), midnight(day+1, zone), nil
}

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
