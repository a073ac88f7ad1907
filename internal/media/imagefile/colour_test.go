package imagefile_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"image"
	"image/color"
	"math"
	"runtime"
	"testing"

	"storefront/internal/media/imagefile"
)

// profileOf makes an ICC profile: the columns of its matrix, in XYZ of D50, and a curve for all colours.
func profileOf(space string, columns [3][3]float64, curve []byte) []byte {
	fixed := func(to []byte, value float64) []byte {
		return binary.BigEndian.AppendUint32(to, uint32(int32(math.Round(value*65536))))
	}
	var body []byte
	tags := binary.BigEndian.AppendUint32(nil, 7)
	tag := func(name string, content []byte) {
		tags = binary.BigEndian.AppendUint32(append(tags, name...), uint32(132+7*12+len(body)))
		tags = binary.BigEndian.AppendUint32(tags, uint32(len(content)))
		body = append(body, content...)
	}
	for i, colour := range []string{"r", "g", "b"} {
		point := []byte("XYZ \x00\x00\x00\x00")
		for _, value := range columns[i] {
			point = fixed(point, value)
		}
		tag(colour+"XYZ", point)
		tag(colour+"TRC", curve)
	}
	tag("kTRC", curve)
	head := make([]byte, 128)
	copy(head[16:], space+"XYZ ")
	return append(append(head, tags...), body...)
}

// parametric returns the curve of sRGB, and of Display P3.
func parametric() []byte {
	curve := []byte("para\x00\x00\x00\x00\x00\x03\x00\x00")
	for _, value := range []float64{2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045} {
		curve = binary.BigEndian.AppendUint32(curve, uint32(math.Round(value*65536)))
	}
	return curve
}

var (
	displayP3 = [3][3]float64{{0.5151, 0.2412, -0.0011}, {0.2919, 0.6922, 0.0419}, {0.1572, 0.0666, 0.7841}}
	adobeRGB  = [3][3]float64{{0.6097, 0.3111, 0.0195}, {0.2053, 0.6257, 0.0609}, {0.1492, 0.0632, 0.7446}}
	gamma22   = []byte("curv\x00\x00\x00\x00\x00\x00\x00\x01\x02\x33")
)

// TestColoursAreBroughtToSRGB compares what is kept of colours with what a browser shows of them.
func TestColoursAreBroughtToSRGB(t *testing.T) {
	plain := func(c color.Color) image.Image {
		m := image.NewNRGBA(image.Rect(0, 0, 16, 16))
		for i := range 256 {
			m.Set(i%16, i/16, c)
		}
		return m
	}
	inPNG := func(m image.Image, profile []byte) []byte {
		var packed bytes.Buffer
		w := zlib.NewWriter(&packed)
		_, _ = w.Write(profile)
		_ = w.Close()
		data := pngOf(t, m)
		return append(pngWith(data[:33], append([]byte("iCCPx\x00\x00"), packed.Bytes()...)), data[33:]...)
	}
	p3 := profileOf("RGB ", displayP3, parametric())
	of := func(r, g, b uint8) color.NRGBA { return color.NRGBA{r, g, b, 255} }
	for name, one := range map[string]struct {
		file []byte
		want color.RGBA
	}{
		"Display P3":            {inPNG(plain(of(81, 180, 74)), p3), color.RGBA{0, 183, 55, 255}},
		"Display P3, white":     {inPNG(plain(of(255, 255, 255)), p3), color.RGBA{255, 255, 255, 255}},
		"Display P3, grey":      {inPNG(plain(of(20, 20, 20)), p3), color.RGBA{20, 20, 20, 255}},
		"Display P3, half seen": {inPNG(plain(color.NRGBA{81, 180, 74, 128}), p3), color.RGBA{0, 92, 28, 128}},
		"Display P3 in a JPEG": {withSegment(jpegOf(t, plain(of(81, 180, 74))), 0xe2,
			append([]byte("ICC_PROFILE\x00\x01\x01"), p3...)), color.RGBA{0, 183, 55, 255}},
		"Display P3 in a turned JPEG": {withExif(withSegment(jpegOf(t, plain(of(81, 180, 74))), 0xe2,
			append([]byte("ICC_PROFILE\x00\x01\x01"), p3...)), "II", 6), color.RGBA{0, 183, 55, 255}},
		"Adobe RGB": {inPNG(plain(of(143, 180, 90)), profileOf("RGB ", adobeRGB, gamma22)),
			color.RGBA{125, 181, 83, 255}},
		"grey of another curve": {inPNG(plain(color.Gray{100}), profileOf("GRAY", displayP3,
			[]byte("curv\x00\x00\x00\x00\x00\x00\x00\x00"))), color.RGBA{168, 168, 168, 255}},
		"a table": {inPNG(plain(of(128, 128, 128)), profileOf("RGB ", displayP3,
			[]byte("curv\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\xff\xff"))), color.RGBA{188, 188, 188, 255}},
		"inks": {inPNG(plain(of(81, 180, 74)), profileOf("CMYK", displayP3, gamma22)),
			color.RGBA{81, 180, 74, 255}},
		"no curve":   {inPNG(plain(of(81, 180, 74)), profileOf("RGB ", displayP3, nil)), color.RGBA{81, 180, 74, 255}},
		"no profile": {inPNG(plain(of(81, 180, 74)), bytes.Repeat([]byte{0xff}, 200)), color.RGBA{81, 180, 74, 255}},
		"a long one": {inPNG(plain(of(81, 180, 74)), make([]byte, 60<<20)), color.RGBA{81, 180, 74, 255}},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		kept := drawn(t, one.file, imagefile.Kept)
		runtime.ReadMemStats(&after)
		if got := at(shown(t, kept), 100); isFar(got, one.want, 4) {
			t.Errorf("%s: got %v, want %v", name, got, one.want)
		}
		if bytes.Contains(kept, []byte("ICC")) || bytes.Contains(kept, []byte("iCCP")) {
			t.Errorf("%s: a profile is kept", name)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 8<<20 {
			t.Errorf("%s: took %d bytes", name, took)
		}
	}
}

// TestLossyWebPKeepsWhiteAndBlack checks that the range of WebP's colours is read as such.
func TestLossyWebPKeepsWhiteAndBlack(t *testing.T) {
	for _, want := range []uint8{0, 16, 128, 235, 255} {
		m := image.NewNRGBA(image.Rect(0, 0, 16, 16))
		for i := range m.Pix {
			m.Pix[i] = want
			if i%4 == 3 {
				m.Pix[i] = 255
			}
		}
		kept := drawn(t, webpOf(t, m, false), imagefile.Form{As: imagefile.PNG})
		if got := at(shown(t, kept), 100); isFar(got, color.RGBA{want, want, want, 255}, 2) {
			t.Errorf("got %v, want %d", got, want)
		}
	}
}

func TestTransparency(t *testing.T) {
	m := picture(64, 48)
	for y := range 48 {
		for x := range 32 {
			m.SetRGBA(x, y, color.RGBA{})
		}
	}
	for _, kind := range []imagefile.Kind{imagefile.PNG, imagefile.WebP, imagefile.JPEG} {
		file := drawn(t, pngOf(t, m), imagefile.Form{Width: 32, As: kind, Quality: 90})
		got := shown(t, file)
		clear := color.RGBAModel.Convert(got.At(4, 12)).(color.RGBA)
		if kind == imagefile.JPEG && clear.G < 250 || kind != imagefile.JPEG && clear.A != 0 {
			t.Errorf("%s: got %v where it is transparent", kind, clear)
		}
		if r, _, b, a := got.At(24, 6).RGBA(); a != 0xffff || r > 0x4800 || b > 0x4800 {
			t.Errorf("%s: got %d, %d, %d where it is green", kind, r>>8, b>>8, a>>8)
		}
	}
}
