package record

// Interval is the length of the intervals of a report.
type Interval string

// The lengths of intervals, as the API spells them.
const (
	Day   Interval = "day"
	Week  Interval = "week"
	Month Interval = "month"
)

// Calendar is the calendar that decides where weeks and months begin.
type Calendar string

// The calendars, as the API spells them.
const (
	Gregorian Calendar = "gregorian"
	Jalali    Calendar = "jalali" // the solar calendar of Iran
)

// Rank is the order of a list of sold products or categories.
type Rank string

// The ranks, as the API spells them: most units, or highest revenue, first.
const (
	ByUnits   Rank = "units"
	ByRevenue Rank = "revenue"
)
