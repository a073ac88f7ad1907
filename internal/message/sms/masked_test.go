package sms

import "testing"

func TestMasked(t *testing.T) {
	for number, want := range map[string]string{
		"+989121234567": "+98912***4567", "+14155552671": "+141***71", "+12345678": "+123***78",
		"+491511234567890": "+49151***7890",
		"09121234567":      "***", "": "***", "+1": "***", "+98912\n1234567": "***",
	} {
		if got := Masked(number); got != want {
			t.Errorf("%q: got %q", number, got)
		}
	}
}
