package calendar_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"storefront/internal/locale/calendar"
	"storefront/internal/record"
)

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t
}

func TestDivide(t *testing.T) {
	for _, c := range []struct {
		zone, from, until string
		calendar          record.Calendar
		by                record.Interval
		want              []string
	}{
		{"Asia/Tehran", "2026-11-23T20:30:00Z", "2026-11-25T20:30:00Z", record.Jalali, record.Day, []string{
			"1405-09-03 2026-11-23T20:30:00Z 2026-11-24T20:30:00Z",
			"1405-09-04 2026-11-24T20:30:00Z 2026-11-25T20:30:00Z"}},
		{"Asia/Tehran", "2025-03-20T20:29:59Z", "2025-03-20T20:30:01Z", record.Jalali, record.Month, []string{
			"1403-12 2025-03-20T20:29:59Z 2025-03-20T20:30:00Z", // of a leap year
			"1404-01 2025-03-20T20:30:00Z 2025-03-20T20:30:01Z"}},
		{"Asia/Tehran", "2026-11-20T00:00:00Z", "2026-11-22T00:00:00Z", record.Jalali, record.Week, []string{
			"1405-08-23 2026-11-20T00:00:00Z 2026-11-20T20:30:00Z", // Saturday begins
			"1405-08-30 2026-11-20T20:30:00Z 2026-11-22T00:00:00Z"}},
		{"UTC", "2026-11-22T12:00:00Z", "2026-11-24T00:00:00Z", record.Gregorian, record.Week, []string{
			"2026-11-16 2026-11-22T12:00:00Z 2026-11-23T00:00:00Z",
			"2026-11-23 2026-11-23T00:00:00Z 2026-11-24T00:00:00Z"}},
		{"Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-30T22:00:00Z", record.Gregorian, record.Day, []string{
			"2026-03-29 2026-03-28T23:00:00Z 2026-03-29T22:00:00Z", // 23 hours
			"2026-03-30 2026-03-29T22:00:00Z 2026-03-30T22:00:00Z"}},
		{"Africa/Cairo", "2026-04-23T10:00:00Z", "2026-04-24T10:00:00Z", record.Gregorian, record.Day, []string{
			"2026-04-23 2026-04-23T10:00:00Z 2026-04-23T22:00:00Z", // there is no midnight
			"2026-04-24 2026-04-23T22:00:00Z 2026-04-24T10:00:00Z"}},
		{"Atlantic/Azores", "2026-10-24T12:00:00Z", "2026-10-25T12:00:00Z", record.Gregorian, record.Day, []string{
			"2026-10-24 2026-10-24T12:00:00Z 2026-10-25T00:00:00Z", // midnight comes twice
			"2026-10-25 2026-10-25T00:00:00Z 2026-10-25T12:00:00Z"}},
		{"Pacific/Apia", "2011-12-30T09:59:59Z", "2011-12-30T10:00:01Z", record.Gregorian, record.Day, []string{
			"2011-12-29 2011-12-30T09:59:59Z 2011-12-30T10:00:00Z", // there was no 30th
			"2011-12-31 2011-12-30T10:00:00Z 2011-12-30T10:00:01Z"}},
	} {
		zone, err := calendar.Zone(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		spans, err := calendar.Divide(at(c.from), at(c.until), zone, c.calendar, c.by, 10)
		if err != nil {
			t.Errorf("%v: %v", c, err)
		}
		var got []string
		for _, s := range spans {
			got = append(got, fmt.Sprint(s.Label, " ", s.From.Format(time.RFC3339), " ", s.Until.Format(time.RFC3339)))
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
	if _, err := calendar.Divide(at("2026-01-01T00:00:00Z"), at("2026-01-05T00:00:00Z"), time.UTC, record.Gregorian,
		record.Day, 3); !errors.Is(err, calendar.ErrTooMany) {
		t.Errorf("got %v, want ErrTooMany", err)
	}
}

// TestJalali compares the months of 135 years with a calendar counted day by day from a known date, with the
// leap years that the authorities of Iran have published or announced.
func TestJalali(t *testing.T) {
	leap := map[int]bool{}
	for _, year := range []int{1309, 1313, 1317, 1321, 1325, 1329, 1333, 1337, 1342, 1346, 1350, 1354, 1358, 1362, 1366,
		1370, 1375, 1379, 1383, 1387, 1391, 1395, 1399, 1403, 1408, 1412, 1416, 1420, 1424, 1428, 1432, 1436, 1441} {
		leap[year] = true
	}
	day := at("1931-03-22T00:00:00Z") // 1 Farvardin 1310
	for year := 1310; year <= 1444; year++ {
		for month := 1; month <= 12; month++ {
			days := 31
			if month > 6 {
				days = 30
			}
			if month == 12 && !leap[year] {
				days = 29
			}
			end := day.AddDate(0, 0, days)
			spans, err := calendar.Divide(day, end, time.UTC, record.Jalali, record.Month, 2)
			want := fmt.Sprintf("%04d-%02d", year, month)
			if err != nil || len(spans) != 1 || spans[0].Label != want || !spans[0].Until.Equal(end) {
				t.Fatalf("got %v %v, want %s from %v to %v", spans, err, want, day, end)
			}
			day = end
		}
	}
}

// TestDaysAreWhole checks in many zones that the intervals of random times join, and begin when their day does.
func TestDaysAreWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range zones {
		zone, err := calendar.Zone(name)
		if err != nil {
			t.Fatal(err)
		}
		for range 300 {
			from := time.Unix(r.Int64N(60*365*24*3600), 0).UTC() // 1970 to 2030
			until := from.Add(time.Duration(r.Int64N(int64(80 * 24 * time.Hour))))
			c := []record.Calendar{record.Gregorian, record.Jalali}[r.IntN(2)]
			by := []record.Interval{record.Day, record.Week, record.Month}[r.IntN(3)]
			spans, err := calendar.Divide(from, until, zone, c, by, 100)
			if err != nil {
				t.Fatal(err)
			}
			end := from
			for _, s := range spans {
				if !s.From.Equal(end) || !s.Until.After(s.From) || s.Until.After(until) {
					t.Fatalf("%s, %v to %v by %s: got %v", name, from, until, by, spans)
				}
				if begin := calendar.Begin(s.Until.Add(-time.Microsecond), zone, c, by); !begin.Equal(s.From) &&
					!(s.From.Equal(from) && begin.Before(from)) {
					t.Fatalf("%s: got the beginning %v, want %v", name, begin, s.From)
				}
				end = s.Until
			}
			if !end.Equal(until) {
				t.Fatalf("%s: got the end %v, want %v", name, end, until)
			}
		}
	}
}

var zones = []string{"UTC", "Asia/Tehran", "Europe/Berlin", "Africa/Cairo", "America/St_Johns", "America/Havana",
	"Atlantic/Azores", "Pacific/Apia", "Pacific/Chatham", "Asia/Kathmandu", "America/Sao_Paulo", "Asia/Beirut",
	"Australia/Lord_Howe", "America/Argentina/Buenos_Aires", "Etc/GMT+12", "Africa/Casablanca", "Antarctica/Troll"}

func TestZone(t *testing.T) {
	for _, name := range zones {
		if zone, err := calendar.Zone(name); err != nil || zone.String() != name {
			t.Errorf("%s: got %v, %v", name, zone, err)
		}
	}
	for _, name := range []string{"", "Local", "local", "right/UTC", "posixrules", "../etc/passwd", "/etc/localtime",
		"Asia/../Asia/Tehran", "Asia/Tehran ", "asia/tehran", "Asia/Nowhere", "Factory", "+03:30", "Asia\\Tehran",
		"A\x00"} {
		if _, err := calendar.Zone(name); err == nil {
			t.Errorf("%q is taken for a zone", name)
		}
	}
	if got := calendar.ZoneOf(nil, "fa"); got != "Asia/Tehran" {
		t.Errorf("got %s, want Asia/Tehran", got)
	}
}
