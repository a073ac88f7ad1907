package pictures

import (
	"encoding/xml"
	"fmt"
	"strings"
	"unicode/utf8"
)

// drawing is an SVG that is being written.
type drawing struct {
	strings.Builder
	Picture
}

// SVG draws the picture. It escapes words and loads nothing from elsewhere.
func (p Picture) SVG() []byte {
	d := &drawing{Picture: p}
	d.put(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d">`,
		p.Width, p.Height)
	switch p.kind {
	case cover:
		d.book()
	case scenery:
		d.scenery()
	case wordmark:
		d.wordmark()
	case mark:
		d.rect(0, 0, 64, 64, p.palette.ground, `rx="14"`)
		first, _ := utf8.DecodeRuneInString(p.Title)
		d.words(32, 45, 38, p.palette.ink, `font-weight="700"`, string(first))
	default:
		d.thing()
	}
	d.WriteString("</svg>\n")
	return []byte(d.String())
}

func (d *drawing) put(format string, of ...any) { fmt.Fprintf(d, format, of...) }

func (d *drawing) rect(x, y, w, h int, fill, more string) {
	d.put(`<rect x="%d" y="%d" width="%d" height="%d" fill="%s" %s/>`, x, y, w, h, fill, more)
}

func (d *drawing) words(x, y, size int, fill, more, text string) {
	direction := "ltr"
	if strings.ContainsFunc(text, func(r rune) bool { return r >= 0x600 && r <= 0x6ff }) {
		direction = "rtl"
	}
	d.put(`<text x="%d" y="%d" font-size="%d" fill="%s" text-anchor="middle" direction="%s" `+
		`font-family="Georgia, Vazirmatn, Tahoma, 'Noto Naskh Arabic', 'DejaVu Sans', serif" %s>`,
		x, y, size, fill, direction, more)
	_ = xml.EscapeText(d, []byte(text))
	d.WriteString(`</text>`)
}

// lines breaks a text into lines of at most so many letters, between words if possible.
func lines(text string, most int) []string {
	var all []string
	for word := range strings.FieldsSeq(text) {
		last := len(all) - 1
		if last >= 0 && utf8.RuneCountInString(all[last]+" "+word) <= most {
			all[last] += " " + word
		} else {
			all = append(all, word)
		}
	}
	return all
}

// titled writes the title and the line below it, around the middle y.
func (d *drawing) titled(y int, fill, lineFill string) {
	size, most := 58, 15
	if utf8.RuneCountInString(d.Title) > 36 {
		size, most = 44, 20
	}
	all := lines(d.Title, most)
	if len(all) > 6 {
		all = append(all[:5], "…")
	}
	y -= (len(all) - 1) * size * 6 / 10
	for _, line := range all {
		d.words(d.Width/2, y, size, fill, `font-weight="600"`, line)
		y += size * 12 / 10
	}
	if d.Line != "" {
		d.words(d.Width/2, y+20, 26, lineFill, `letter-spacing="2"`, d.Line)
	}
}

// book draws a cover; further views show the book on a table and its open pages.
func (d *drawing) book() {
	c := d.palette
	switch d.view {
	case 1:
		d.rect(0, 0, 600, 800, c.soft, "")
		d.put(`<path d="M0 620h600v180H0z" fill="%s" opacity=".35"/>`, c.ink)
		d.put(`<path d="M130 190h40v470h-40z" fill="%s"/><path d="M150 672h330v14H150z" opacity=".3"/>`, c.accent)
		d.put(`<g transform="translate(165 185) scale(.53 .6)">`)
		d.cover()
		d.put(`</g>`)
		return
	case 2:
		d.rect(0, 0, 600, 800, c.ground, "")
		d.put(`<path d="M60 260q120-50 240 0v330q-120-50-240 0zM300 260q120-50 240 0v330q-120-50-240 0z" ` +
			`fill="#fbf7ee"/>`)
		d.put(`<g stroke="#c9bfae" stroke-width="6">`)
		for y := 300; y <= 520; y += 28 {
			d.put(`<path d="M100 %dh160M340 %[1]dh160"/>`, y)
		}
		d.put(`</g><path d="M420 235h26v120l-13-16-13 16z" fill="%s"/>`, c.accent)
		return
	}
	d.cover()
}

func (d *drawing) cover() {
	c := d.palette
	d.rect(0, 0, 600, 800, c.ground, "")
	switch d.seed / 16 % 6 {
	case 0:
		d.rect(40, 40, 520, 720, "none", `stroke="`+c.accent+`" stroke-width="4"`)
		d.rect(54, 54, 492, 692, "none", `stroke="`+c.soft+`" stroke-width="2"`)
		d.put(`<path d="m300 590 40 40-40 40-40-40z" fill="%s"/>`, c.accent)
		d.titled(280, c.ink, c.accent)
	case 1:
		d.put(`<circle cx="300" cy="560" r="190" fill="%s"/>`, c.accent)
		d.put(`<path d="M0 620q150-90 300-20t300-30v230H0z" fill="%s"/>`, c.soft)
		d.titled(170, c.ink, c.ink)
	case 2:
		for i := range 7 {
			d.put(`<path d="M%d 800 %d 430" stroke="%s" stroke-width="26"/>`, i*100, 90+i*70,
				[]string{c.accent, c.soft, c.ink}[i%3])
		}
		d.titled(200, c.ink, c.accent)
	case 3:
		d.rect(0, 0, 600, 330, c.accent, "")
		d.put(`<path d="M300 60a135 135 0 1 0 .1 0zm0 60a75 75 0 1 1-.1 0z" fill="%s"/>`, c.ground)
		d.titled(490, c.ink, c.ink)
	case 4:
		for i := range 5 {
			d.put(`<path d="M0 %d q150 -%d 300 0 t300 0 V800 H0z" fill="%s" opacity=".%d"/>`, 470+i*66, 60+8*i,
				[]string{c.soft, c.accent}[i%2], 9-i)
		}
		d.titled(200, c.ink, c.ink)
	default:
		d.rect(0, 0, 90, 800, c.accent, "")
		d.rect(90, 0, 8, 800, c.soft, "")
		for i := range 9 {
			d.put(`<circle cx="%d" cy="%d" r="%d" fill="%s"/>`, 210+i%3*125, 470+i/3*105,
				18+int(d.seed>>(2*i)%4)*8, []string{c.soft, c.accent}[(i+int(d.seed))%2])
		}
		d.put(`<g transform="translate(45 0)">`)
		d.titled(190, c.ink, c.ink)
		d.put(`</g>`)
	}
	d.put(`<path d="M0 0h14v800H0z" opacity=".16"/>`)
}

// thing draws a shape on a plain ground; further views are closer.
func (d *drawing) thing() {
	c := d.palette
	ground := c.ground
	d.rect(0, 0, d.Width, d.Height, ground, "")
	d.put(`<circle cx="%d" cy="%d" r="%d" fill="%s" opacity=".55"/>`, d.Width/2, d.Height/2, d.Width*2/5, c.soft)
	d.put(`<ellipse cx="%d" cy="%d" rx="%d" ry="18" opacity=".14"/>`, d.Width/2, d.Height*88/100, d.Width*3/10)
	side := min(d.Width, d.Height)
	scale := float64(side) / 600 * []float64{.92, 1.3, .8, 1.6, 1.1}[d.view%5]
	d.put(`<g transform="translate(%d %d) scale(%.3f) translate(-300 -310)">`, d.Width/2, d.Height/2, scale)
	d.WriteString(strings.NewReplacer("$a", c.accent, "$b", mix(c.accent, "#000000", .3), "$c", c.ink).
		Replace(shapes[d.scene]))
	d.put(`</g>`)
}

// scenery draws hills under a sun, or the houses of a street.
func (d *drawing) scenery() {
	c, w, h := d.palette, d.Width, d.Height
	d.put(`<defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="%s"/><stop offset="1" stop-color="%s"/>`+
		`</linearGradient></defs>`, c.ground, c.soft)
	d.rect(0, 0, w, h, "url(#g)", "")
	d.put(`<circle cx="%d" cy="%d" r="%d" fill="%s"/>`, w*int(20+d.seed%60)/100, h*35/100, h*16/100, c.accent)
	for i := range 3 {
		y := h*(55+i*15)/100 + int(d.seed>>(4*i)%9)*h/100
		d.put(`<path d="M0 %d C%d %d %d %d %d %d S%d %d %d %d V%d H0z" fill="%s" opacity=".%d"/>`, y,
			w/6, y-h/5, w/4, y+h/9, w/2, y-h/20, w*5/6, y+h/8, w, y-h/12, h,
			[]string{c.ink, c.accent, c.soft}[i], 2+3*i)
	}
	for i := range 5 + int(d.seed%4) {
		tall := h * int(16+(d.seed>>i)%20) / 100
		x := w * int(8+i*11) / 100
		d.put(`<g opacity=".9">`)
		d.rect(x, h-tall, w*7/100, tall, c.ink, "")
		for k := range 4 {
			d.rect(x+w/100+k%2*w*3/100, h-tall+h/40+k/2*h/14, w*2/100, h/24, c.accent, "")
		}
		d.put(`</g>`)
	}
}

// wordmark writes a name.
func (d *drawing) wordmark() {
	d.rect(0, 0, d.Width, d.Height, d.palette.ground, `rx="18"`)
	size := min(d.Height*2/5, d.Width*15/10/max(utf8.RuneCountInString(d.Title), 4))
	d.words(d.Width/2, d.Height/2+size/3, size, d.palette.ink, `font-weight="600"`, d.Title)
}
