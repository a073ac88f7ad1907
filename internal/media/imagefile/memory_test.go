package imagefile_test

import (
	"bytes"
	"compress/zlib"
	"image"
	"io"
	"runtime"
	"slices"
	"testing"

	"storefront/internal/fault"
	"storefront/internal/media/imagefile"
)

func TestBombsTakeNoMemory(t *testing.T) {
	scans := jpegHead(0xc0, 8000, 5000, 0x11)
	scan := scans[bytes.Index(scans, []byte("\xff\xda")) : len(scans)-2]
	scans = append(append(bytes.Clone(scans[:len(scans)-2]), bytes.Repeat(scan, 20)...), "\xff\xd9"...)
	for name, data := range map[string][]byte{
		"PNG, 50,000 wide":         pngHead(50_000, 50_000, 8, 6),
		"PNG, 2^31 wide":           pngHead(1<<31-1, 1, 8, 6),
		"PNG, 39 million points":   pngHead(6_300, 6_300, 8, 6),
		"PNG of 16 bits":           pngHead(4_500, 4_500, 16, 6),
		"JPEG, 65,000 wide":        jpegHead(0xc0, 65_000, 65_000, 0x22),
		"JPEG, many coefficients":  jpegHead(0xc2, 9000, 4400, 0x11),
		"JPEG, many scans":         scans,
		"JPEG of one long segment": []byte("\xff\xd8\xff\xe1\xff\xff"),
		"GIF, 65,535 wide":         append([]byte("GIF89a\xff\xff\xff\xff\x00\x00\x00"), make([]byte, 100)...),
		"WebP, 16,384 wide":        webpLossless(16_384, 16_384, 10),
		"WebP, many Huffman trees": webpLossless(208, 200, 770_000),
		"WebP, transparency so": riff("VP8X", append([]byte{0x10, 0, 0, 0}, "\x63\x00\x00\x63\x00\x00"...),
			"ALPH", make([]byte, 770_000)),
		"WebP, a canvas without": riff("VP8X", append([]byte{0, 0, 0, 0}, "\xff\xff\xff\xff\xff\xff"...)),
		"WebP of many parts":     riff(slices.Repeat([]any{"ABCD", "x"}, 500)...),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := imagefile.Inspect(imagefile.Bytes(data), imagefile.Kept)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20 {
			t.Errorf("%s: took %d bytes", name, took)
		}
		if !fault.Is(err, fault.ValidationFailed) && !fault.Is(err, fault.UnsupportedMediaType) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestProfilesTakeNoMemory inspects files with many colour profiles, of which only the first is read, and not more than
// a part.
func TestProfilesTakeNoMemory(t *testing.T) {
	var packed bytes.Buffer
	packed.WriteString("iCCPx\x00\x00")
	zip := zlib.NewWriter(&packed)
	if _, err := zip.Write(make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	m := pngOf(t, picture(64, 48))
	profiled := bytes.Clone(m[:33])
	for range 200 {
		profiled = pngWith(profiled, packed.Bytes())
	}
	photo := jpegOf(t, picture(64, 48))
	for range 200 {
		photo = withSegment(photo, 0xe2, append([]byte("ICC_PROFILE\x00\x01\x01"), make([]byte, 65_000)...))
	}
	for name, data := range map[string][]byte{"PNG": append(profiled, m[33:]...), "JPEG": photo} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := imagefile.Inspect(imagefile.Bytes(data), imagefile.Kept)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 16<<20 || err != nil {
			t.Errorf("%s: took %d bytes, %v", name, took, err)
		}
		wantCorners(t, name, shown(t, drawn(t, data, imagefile.Kept)), corners)
	}
}

// TestMemoryOfALossyWebP checks that the file counts, which the decoder reads as a whole.
func TestMemoryOfALossyWebP(t *testing.T) {
	content := append([]byte("\x00\x00\x00\x9d\x01\x2a\x40\x00\x30\x00"), make([]byte, 15<<20)...)
	info, err := imagefile.Inspect(imagefile.Bytes(riff("VP8 ", content)), imagefile.Kept)
	if got := info.Memory(imagefile.Kept); err != nil || got < 15<<20 {
		t.Errorf("got %d bytes, %v", got, err)
	}
}

// TestSizesThatAreTaken checks the bounds on what phones and cameras make.
func TestSizesThatAreTaken(t *testing.T) {
	for name, data := range map[string][]byte{
		"24 megapixels":                 jpegHead(0xc0, 5712, 4284, 0x22),
		"24 megapixels, turned":         withExif(jpegHead(0xc0, 5712, 4284, 0x22), "II", 6),
		"24 megapixels of 4:2:2":        withExif(jpegHead(0xc0, 6000, 4000, 0x21), "MM", 8),
		"12 megapixels of 4:4:4":        withExif(jpegHead(0xc0, 4032, 3024, 0x11), "II", 6),
		"12 megapixels in many passes":  jpegHead(0xc2, 4032, 3024, 0x22),
		"a PNG of 16 million pixels":    pngHead(4096, 4000, 8, 6),
		"lossless WebP of 4 megapixels": webpLossless(2000, 2000, 400_000),
	} {
		info, err := imagefile.Inspect(imagefile.Bytes(data), imagefile.Kept)
		if err != nil || info.Memory(imagefile.Kept) > imagefile.MostMemory {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestTransparentImagesAreMadeSmaller draws large images as WebP: where there is transparency the encoder takes two and
// a half times the memory for each pixel, so fewer are drawn.
func TestTransparentImagesAreMadeSmaller(t *testing.T) {
	form := imagefile.Form{As: imagefile.WebP, Width: 1920, Quality: 80}
	for opacity, most := range map[uint8]int{255: imagefile.MostMemory / 40, 128: imagefile.MostMemory / 100} {
		file := imagefile.Bytes(pngOf(t, ofOpacity(2000, 2000, opacity)))
		info, err := imagefile.Inspect(file, form)
		if err != nil || info.Memory(form) < imagefile.MostMemory*99/100 {
			t.Fatalf("it takes %d bytes, %v", info.Memory(form), err)
		}
		made, err := imagefile.Draw(t.Context(), file, info, imagefile.Target{Form: form, To: io.Discard})
		if pixels := made.Width * made.Height; err != nil || pixels > most || pixels < most*99/100 {
			t.Errorf("opacity %d: got %+v, %v, want %d pixels", opacity, made, err, most)
		}
	}
	small := drawn(t, pngOf(t, ofOpacity(1000, 1100, 128)), form)
	kept, err := imagefile.Inspect(imagefile.Bytes(small), imagefile.Kept)
	if err != nil || kept.Kind != imagefile.WebP {
		t.Errorf("a small one is kept as %s, %v", kept.Kind, err)
	}
}

func ofOpacity(width, height int, opacity uint8) image.Image {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := 3; i < len(m.Pix); i += 4 {
		m.Pix[i] = opacity
	}
	return m
}
