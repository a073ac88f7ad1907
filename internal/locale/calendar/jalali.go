package calendar

import (
	"fmt"
	"time"

	"storefront/internal/record"
)

// date is a day of a calendar.
type date struct{ year, month, day int }

// Days are numbered from 1 January 1970 on. The solar calendar begins on the day that would have been 22 March 622.
const (
	secondsOfDay = 24 * 60 * 60
	jalaliEpoch  = -492269 // the day before 1 Farvardin of the year 1
)

// nowruz returns the number of the day before the first day of a year. In each 33 years 8 have 366 days: those
// are the leap years of the official, astronomical calendar from 1178 to 1502 (1799 to 2124).
func nowruz(year int) int { return jalaliEpoch + 365*(year-1) + floor(8*year+21, 33) }

func floor(a, b int) int {
	if a < 0 {
		return (a - b + 1) / b
	}
	return a / b
}

// number returns the number of a day of a calendar.
func (d date) number(c record.Calendar) int {
	if c == record.Jalali {
		before := 31 * (d.month - 1)
		if d.month > 7 {
			before = 30*(d.month-1) + 6
		}
		return nowruz(d.year) + before + d.day
	}
	return int(time.Date(d.year, time.Month(d.month), d.day, 0, 0, 0, 0, time.UTC).Unix() / secondsOfDay)
}

// dateOf returns the date of a day.
func dateOf(number int, c record.Calendar) date {
	if c != record.Jalali {
		t := time.Unix(int64(number)*secondsOfDay, 0).UTC()
		return date{t.Year(), int(t.Month()), t.Day()}
	}
	year := floor(number-jalaliEpoch, 366) + 1
	for number > nowruz(year+1) {
		year++
	}
	day := number - nowruz(year) // from 1 on
	if day <= 6*31 {
		return date{year, (day-1)/31 + 1, (day-1)%31 + 1}
	}
	day -= 6 * 31
	return date{year, (day-1)/30 + 7, (day-1)%30 + 1}
}

// next returns the first day of the next month.
func (d date) next() date {
	if d.month == 12 {
		return date{d.year + 1, 1, 1}
	}
	return date{d.year, d.month + 1, 1}
}

func (d date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.year, d.month, d.day) }
