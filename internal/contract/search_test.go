package contract_test

import (
	"net/url"
	"strings"
	"testing"
)

// TestSearch looks words up however they are spelled: in Arabic letters, joined, apart or with a ZWNJ, with
// marks, in any digits and letter case, in any order.
func TestSearch(t *testing.T) {
	name, items := tools+"/products?name=", tools+"/store-items?name="
	eachDatabase(t, func(t *testing.T, p *place) {
		p.holds(t, []narrowed{
			{name + "دریل", "drill"},
			{name + "دريل", "drill"},
			{name + "چکشی+دریل", "drill"},
			{name + "دریل\u200cچکشی", "drill"},
			{name + "دُرِیل", "drill"},
			{name + "دِرِیـــل", "drill"},
			{name + "اره\u200cبرقی", "saw"},
			{name + "اره+برقي", "saw"},
			{name + "ارهبرقی", "saw"},
			{name + "آچار", "آچار-کلیدی"},
			{name + "اچار", "آچار-کلیدی"},
			{name + "أچار", "آچار-کلیدی"},
			{name + "۱۲", "آچار-کلیدی"},
			{name + "12", "آچار-کلیدی"},
			{name + "١٢", "آچار-کلیدی"},
			{name + "1200", "آچار-کلیدی"},
			{name + "WRENCH", "آچار-کلیدی"},
			{name + "wrench+کلیدی", "آچار-کلیدی"},
			{name + "ﭼﮑﺶ", "drill mallet hammer"},
			{name + "%25", "mug drill saw mallet hammer آچار-کلیدی plain"},
			{name + "_", "mug drill saw mallet hammer آچار-کلیدی plain"},
			{name + "drill%25hammer", "drill"},
			{name + "Drill_Hammer", "drill"},
			{name + "🛠", "mug drill saw mallet hammer آچار-کلیدی plain"},
			{name + "'+or+1=1", ""},
			{mugs + "/products?name=cafe", "pen"},
			{mugs + "/products?name=CAFÉ", "pen"},
			{mugs + "/products?name=ｃａｆｅ", "pen"},
			{items + "آچار+w1", "W-1"},
			{items + "W-1", "W-1"},
			{tools + "/user-products?q=كاركرده", "lathe"},
			{tools + "/user-products?name=تراش&q=دستگاه", "lathe"},
			{tools + "/blogs?title=روغنکاری", "oil"},
			{tools + "/blogs?title=روغن+كاري", "oil"},
			{tools + "/portfolios?title=خانۀ+ما", "house"},
			{tools + "/portfolios?title=خانه\u200cما", "house"},
		})
	})
}

// TestSearchForManyWords searches for as many words as the parameters hold: SQLite bounds how deep an
// expression is nested.
func TestSearchForManyWords(t *testing.T) {
	words := func(first rune) string { // 500 different words of one letter each
		var text []string
		for i := range rune(500) {
			text = append(text, string(first+i))
		}
		return url.QueryEscape(strings.Join(text, " "))
	}
	name, q := words('一'), words('倀')
	eachDatabase(t, func(t *testing.T, p *place) {
		p.holds(t, []narrowed{
			{tools + "/user-products?name=" + name + "&q=" + q, ""},
			{tools + "/products?name=" + name, ""},
			{tools + "/store-items?name=" + name, ""},
			{tools + "/blogs?title=" + name, ""},
			{tools + "/portfolios?title=" + name, ""},
		})
	})
}
