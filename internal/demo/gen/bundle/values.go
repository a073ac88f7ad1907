package bundle

import (
	"encoding/json"
	"fmt"
)

// Text is a string that is written as null when empty, so that importing the demo again clears what is not
// there.
type Text string

func (t Text) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(t))
}

// Amount is a price as a JSON number in the unit of its currency; empty is null, "ask".
type Amount string

func (a Amount) MarshalJSON() ([]byte, error) {
	if a == "" {
		return []byte("null"), nil
	}
	return []byte(a), nil
}

// UnmarshalJSON keeps the digits as they stand.
func (a *Amount) UnmarshalJSON(data []byte) error {
	if string(data) != "null" {
		*a = Amount(data)
	}
	return nil
}

// Whole is an amount of a currency without decimals.
func Whole(n int64) Amount { return Amount(fmt.Sprint(n)) }

// Cents is an amount of a currency with two decimals, given in hundredths.
func Cents(n int64) Amount {
	if n%100 == 0 {
		return Whole(n / 100)
	}
	return Amount(fmt.Sprintf("%d.%02d", n/100, n%100))
}
