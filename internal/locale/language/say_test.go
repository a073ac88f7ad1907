package language

import (
	"testing"

	"storefront/internal/fault"
	"storefront/internal/locale/money"
)

// TestSay checks how the arguments of a text are written: numbers in the digits of the language, names
// unchanged, texts in the same language.
func TestSay(t *testing.T) {
	for _, one := range []struct {
		text             fault.Text
		english, persian string
	}{
		{fault.Say("must be at least %d", 120), "must be at least 120", "باید دست\u200cکم ۱۲۰ باشد"},
		{fault.Say("must be at least %d", int64(-5)), "must be at least -5", "باید دست\u200cکم -۵ باشد"},
		{fault.Say("is not a member of %s", "Type2"), "is not a member of Type2", "عضو Type2 نیست"},
		{fault.Say("there is no shop at %.80q", "a\n1.example"), `there is no shop at "a\n1.example"`,
			"فروشگاهی با دامنهٔ \"a\\n1.example\" وجود ندارد"},
		{fault.Say("the body %s at byte %d", fault.Say("is not valid JSON"), 12),
			"the body is not valid JSON at byte 12",
			"بدنهٔ درخواست در بایت ۱۲ JSON معتبر نیست"},
		{fault.Say("is not a member of %s", money.Words{Minor: 1_250, Currency: "IRT"}),
			"is not a member of 1,250 toman", "عضو ۱٬۲۵۰ تومان نیست"},
		{fault.Words("You are signed out."), "You are signed out.", "از حساب خود خارج شدید."},
		{fault.Words("100% of 5"), "100% of 5", "100% of 5"}, // not in fa.json
	} {
		if got := English.Say(one.text); got != one.english {
			t.Errorf("%q, want %q", got, one.english)
		}
		if got := Farsi.Say(one.text); got != one.persian {
			t.Errorf("%q, want %q", got, one.persian)
		}
	}
}
