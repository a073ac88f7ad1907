package catalog

import "strings"

// word is a word in both languages.
type word struct{ en, fa string }

// Series returns the rare word of ten products' English titles, such as "Rolavi"; the n-th ten products of
// the shop.
func Series(n int) string {
	en, _ := syllables(n * 7919)
	return en
}

// Frequent is a word in about half of all English titles.
const Frequent = "industrial"

// Middling is a word in about one of 30 English titles.
const Middling = "gearbox"

// syllables makes a name of four syllables from a number: another one for each of 160,000.
func syllables(n int) (en, fa string) {
	n %= 160_000
	for range 4 {
		s := sounds[n%len(sounds)]
		en, fa, n = en+s.en, fa+s.fa, n/len(sounds)
	}
	return strings.ToUpper(en[:1]) + en[1:], fa
}

var sounds = []word{
	{"ro", "رو"}, {"la", "لا"}, {"vi", "وی"}, {"ta", "تا"}, {"so", "سو"}, {"ne", "نی"}, {"ka", "کا"},
	{"mu", "مو"}, {"di", "دی"}, {"ba", "با"},
	{"fe", "فی"}, {"gu", "گو"}, {"ha", "ها"}, {"jo", "جو"}, {"pi", "پی"}, {"shu", "شو"}, {"za", "زا"},
	{"che", "چی"}, {"yu", "یو"}, {"mo", "ما"},
}

// qualities are picked evenly, so that the industrial are half of all.
var qualities = []word{
	{"Industrial steel", "صنعتی فولادی"}, {"Industrial compact", "صنعتی جمع\u200cوجور"},
	{"Industrial silent", "صنعتی بی\u200cصدا"},
	{"Industrial heavy", "صنعتی سنگین"}, {"Industrial light", "صنعتی سبک"}, {"Home", "خانگی"},
	{"Portable", "همراه"},
	{"Cordless", "شارژی"}, {"Classic", "کلاسیک"}, {"Precision", "دقیق"},
}

var things = []word{
	{"drill", "دریل"}, {"lathe", "دستگاه تراش"}, {"bearing", "بلبرینگ"}, {"gearbox", "گیربکس"}, {"pump", "پمپ"},
	{"compressor", "کمپرسور"}, {"saw", "اره"}, {"press", "پرس"}, {"welder", "دستگاه جوش"}, {"lamp", "چراغ"},
	{"kettle", "کتری"}, {"table", "میز"}, {"chair", "صندلی"}, {"cable", "کابل"}, {"valve", "شیر"},
	{"hammer", "چکش"},
	{"wrench", "آچار"}, {"grinder", "سنگ فرز"}, {"scale", "ترازو"}, {"motor", "موتور"}, {"heater", "بخاری"},
	{"fan", "پنکه"}, {"ladder", "نردبان"}, {"shelf", "قفسه"}, {"clock", "ساعت"}, {"filter", "فیلتر"},
	{"hose", "شیلنگ"},
	{"switch", "کلید"}, {"sensor", "حسگر"}, {"inverter", "اینورتر"},
}
