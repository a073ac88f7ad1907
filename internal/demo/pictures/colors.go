package pictures

import (
	"fmt"
	"strconv"
)

// palette is the colours of a picture, as #rrggbb.
type palette struct{ ground, ink, accent, soft string }

var palettes = []palette{
	{"#1f3a4d", "#f4ead7", "#e0a458", "#3d6178"},
	{"#7a2e2e", "#f7e9d7", "#e3b23c", "#9c4a43"},
	{"#2f4f3e", "#f3efe0", "#d9a441", "#4d7460"},
	{"#efe3cf", "#2b2a33", "#c1502e", "#d9c6a5"},
	{"#33305c", "#f1ecff", "#f2a65a", "#56528c"},
	{"#d8e2dc", "#22333b", "#bc4b51", "#b3c7bd"},
	{"#f2c14e", "#27213c", "#a4243b", "#e0a92e"},
	{"#20232b", "#f5f0e6", "#d1603d", "#3c414e"},
	{"#e7d7d1", "#4a2545", "#824670", "#d3b8b0"},
	{"#0f5257", "#e8f1f2", "#f7a072", "#2f7a7f"},
	{"#b56576", "#fff5ee", "#355070", "#9a4f60"},
	{"#dfe7f2", "#1d2f52", "#e26d5c", "#bccae0"},
}

func paletteOf(of string) palette { return palettes[int(hash(of))%len(palettes)] }

// ofColor returns a palette based on a shop's own colour.
func ofColor(color string) palette {
	if _, ok := parse(color); !ok {
		return palettes[0]
	}
	return palette{ground: color, ink: "#ffffff", accent: "#ffffff", soft: mix(color, "#ffffff", 0.25)}
}

// clothColor returns a palette for an object of a colour, on a pale ground.
func clothColor(color string) palette {
	if _, ok := parse(color); !ok {
		return palettes[3]
	}
	if rgb, _ := parse(color); rgb[0]+rgb[1]+rgb[2] > 640 {
		return palette{ground: "#c3ccd2", ink: "#6b7780", accent: color, soft: "#aeb9c1"}
	}
	return palette{ground: mix(color, "#f3f0ea", 0.86), ink: mix(color, "#000000", 0.45), accent: color,
		soft: mix(color, "#ffffff", 0.25)}
}

func parse(color string) (rgb [3]int64, ok bool) {
	if len(color) != 7 || color[0] != '#' {
		return rgb, false
	}
	for i := range rgb {
		n, err := strconv.ParseInt(color[1+2*i:3+2*i], 16, 32)
		if err != nil {
			return rgb, false
		}
		rgb[i] = n
	}
	return rgb, true
}

// mix returns a mixed with a share of b.
func mix(a, b string, share float64) string {
	from, _ := parse(a)
	to, _ := parse(b)
	for i := range from {
		from[i] += int64(float64(to[i]-from[i]) * share)
	}
	return fmt.Sprintf("#%02x%02x%02x", from[0], from[1], from[2])
}
