package record

import "io"

// Interval is the length of the intervals of a report.
type Interval string

const (
	Day   Interval = "day"
	Week  Interval = "week"
	Month Interval = "month"
)

// Values lists every Interval.
func (Interval) Values() []string { return []string{"day", "week", "month"} }

// Calendar is the calendar that decides where weeks and months begin.
type Calendar string

const (
	Gregorian Calendar = "gregorian"
	Jalali    Calendar = "jalali" // the solar calendar of Iran
)

// Values lists every Calendar.
func (Calendar) Values() []string { return []string{"gregorian", "jalali"} }

// Rank is the order of a list of sold products or categories.
type Rank string

const (
	ByUnits   Rank = "units"
	ByRevenue Rank = "revenue"
)

// Values lists every Rank.
func (Rank) Values() []string { return []string{"units", "revenue"} }

func (i Interval) MarshalGQL(w io.Writer)    { marshal(w, i) }
func (i *Interval) UnmarshalGQL(v any) error { return unmarshal(i, v) }
func (c Calendar) MarshalGQL(w io.Writer)    { marshal(w, c) }
func (c *Calendar) UnmarshalGQL(v any) error { return unmarshal(c, v) }
func (r Rank) MarshalGQL(w io.Writer)        { marshal(w, r) }
func (r *Rank) UnmarshalGQL(v any) error     { return unmarshal(r, v) }
