package imagefile

import (
	"encoding/binary"
	"image"
	"math"
)

// mostProfile bounds a colour profile, in bytes. A longer one is not read.
const mostProfile = 1 << 20

// matrix holds the rows of a linear map of three colours.
type matrix [3][3]float64

// fromD50 converts CIE XYZ of illuminant D50, in which profiles tell colours, to linear sRGB.
var fromD50 = matrix{
	{3.1341359, -1.6173863, -0.4906619},
	{-0.9787955, 1.9162544, 0.0334427},
	{0.0719546, -0.2289769, 1.4053851},
}

// toSRGB returns a function that converts a row of pixels, as image.RGBA has them, by an ICC profile with a curve
// for each colour and a matrix, or with a curve of grey: those of phones, cameras and editors. For any other
// profile, and for data that is not a profile, it returns nil: the colours are taken for sRGB.
func toSRGB(profile []byte, img image.Image) func(row []byte) {
	if _, inks := img.(*image.CMYK); inks || len(profile) < 132 {
		return nil
	}
	var linear [3][256]float64 // of each colour
	var toLinear matrix
	switch string(profile[16:20]) {
	case "RGB ":
		for i, colour := range []string{"r", "g", "b"} {
			point := tagOf(profile, colour+"XYZ")
			if !readCurve(tagOf(profile, colour+"TRC"), &linear[i]) || len(point) < 20 || string(point[:3]) != "XYZ" {
				return nil
			}
			for row := range toLinear {
				for j := range 3 {
					toLinear[row][i] += fromD50[row][j] * fixed(point[8+4*j:])
				}
			}
		}
	case "GRAY":
		if !readCurve(tagOf(profile, "kTRC"), &linear[0]) {
			return nil
		}
		linear[1], linear[2] = linear[0], linear[0]
		toLinear = matrix{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	default:
		return nil
	}
	return func(row []byte) {
		for ; len(row) >= 4; row = row[4:] {
			alpha := int(row[3])
			if alpha == 0 {
				continue
			}
			var in [3]float64
			for i := range in {
				value := int(row[i])
				if alpha < 255 { // the colours are multiplied by it
					value = min(255, (value*255+alpha/2)/alpha)
				}
				in[i] = linear[i][value]
			}
			for i, by := range toLinear {
				value := max(0, min(1, by[0]*in[0]+by[1]*in[1]+by[2]*in[2]))
				shown := int(encoded[int(value*float64(len(encoded)-1)+0.5)])
				row[i] = byte((shown*alpha + 127) / 255)
			}
		}
	}
}

// encoded holds the bytes of sRGB for linear values from 0 to 1.
var encoded = func() (table [1 << 14]byte) {
	for i := range table {
		value := float64(i) / float64(len(table)-1)
		if value <= 0.0031308 {
			value *= 12.92
		} else {
			value = 1.055*math.Pow(value, 1/2.4) - 0.055
		}
		table[i] = byte(value*255 + 0.5)
	}
	return table
}()

// tagOf returns the content of a tag of a profile, or nil. A profile begins with 128 bytes and the number of tags; a
// tag has a name, and place and length of its content.
func tagOf(profile []byte, name string) []byte {
	for tags := profile[132:]; len(tags) >= 12; tags = tags[12:] {
		if (len(profile)-132-len(tags))/12 >= int(binary.BigEndian.Uint32(profile[128:])) {
			return nil
		}
		at, length := int64(binary.BigEndian.Uint32(tags[4:])), int64(binary.BigEndian.Uint32(tags[8:]))
		if string(tags[:4]) == name && at+length <= int64(len(profile)) {
			return profile[at : at+length]
		}
	}
	return nil
}

// fixed reads a number with 16 bits behind the point.
func fixed(b []byte) float64 { return float64(int32(binary.BigEndian.Uint32(b))) / (1 << 16) }

// readCurve fills a table with the linear values of bytes. It returns false if the tag is not a curve.
func readCurve(tag []byte, table *[256]float64) bool {
	if len(tag) < 12 {
		return false
	}
	var curve func(x float64) float64
	switch n := int(binary.BigEndian.Uint32(tag[8:])); string(tag[:4]) {
	case "curv":
		points := tag[12:]
		switch {
		case n == 0:
			curve = func(x float64) float64 { return x }
		case n > len(points)/2:
			return false
		case n == 1:
			gamma := float64(binary.BigEndian.Uint16(points)) / 256
			curve = func(x float64) float64 { return math.Pow(x, gamma) }
		default:
			at := func(i int) float64 { return float64(binary.BigEndian.Uint16(points[2*i:])) / 65535 }
			curve = func(x float64) float64 {
				place := x * float64(n-1)
				i := min(int(place), n-2)
				return at(i) + (at(i+1)-at(i))*(place-float64(i))
			}
		}
	case "para":
		kind := int(binary.BigEndian.Uint16(tag[8:]))
		counts := []int{1, 3, 4, 5, 7}
		if kind >= len(counts) || len(tag) < 12+4*counts[kind] {
			return false
		}
		var p [7]float64 // g, a, b, c, d, e, f: (ax+b)^g + e from d on, cx + f below
		p[1] = 1
		for i := range counts[kind] {
			p[i] = fixed(tag[12+4*i:])
		}
		switch kind {
		case 1, 2: // (ax+b)^g + c from -b/a on, c below
			p[3], p[4], p[5], p[6] = 0, -p[2]/p[1], p[3], p[3]
		}
		curve = func(x float64) float64 {
			if x < p[4] {
				return p[3]*x + p[6]
			}
			return math.Pow(p[1]*x+p[2], p[0]) + p[5]
		}
	default:
		return false
	}
	for i := range table {
		value := curve(float64(i) / 255)
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return false
		}
		table[i] = value
	}
	return true
}
