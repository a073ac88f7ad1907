package imagefile_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"runtime"
	"strings"
	"testing"

	"storefront/internal/fault"
	"storefront/internal/imagefile"
)

// picture returns an image with a different colour in each quarter.
func picture(width, height int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.SetRGBA(x, y, corners[2*(2*y/height)+2*x/width])
		}
	}
	return m
}

var corners = [4]color.RGBA{{200, 30, 30, 255}, {30, 200, 30, 255}, {30, 30, 200, 255}, {220, 220, 60, 255}}

// files returns a file of each kind, 64 × 48.
func files(t testing.TB) map[imagefile.Kind][]byte {
	t.Helper()
	made, m := map[imagefile.Kind][]byte{}, picture(64, 48)
	var out bytes.Buffer
	keep := func(kind imagefile.Kind, err error) {
		if err != nil {
			t.Fatal(err)
		}
		made[kind] = bytes.Clone(out.Bytes())
		out.Reset()
	}
	keep(imagefile.JPEG, jpeg.Encode(&out, m, nil))
	keep(imagefile.PNG, png.Encode(&out, m))
	keep(imagefile.GIF, gif.Encode(&out, m, nil))
	keep(imagefile.WebP, imagefile.EncodeScaled(&out, m, imagefile.WebP))
	avif, err := os.ReadFile("testdata/small.avif")
	out.Write(avif)
	keep(imagefile.AVIF, err)
	return made
}

func clean(t testing.TB, data []byte) []byte {
	t.Helper()
	info, err := imagefile.Inspect(imagefile.Bytes(data))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := imagefile.Clean(&out, imagefile.Bytes(data), info.Kind); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func decode(data []byte) (image.Image, error) {
	info, err := imagefile.Inspect(imagefile.Bytes(data))
	if err != nil {
		return nil, err
	}
	return imagefile.Decode(context.Background(), imagefile.Bytes(data), info)
}

func TestKindIsDetectedFromBytes(t *testing.T) {
	for kind, data := range files(t) {
		info, err := imagefile.Inspect(imagefile.Bytes(data))
		if err != nil || info.Kind != kind || info.Width != 64 || info.Height != 48 || info.Frames != 1 {
			t.Errorf("%s: got %+v, %v", kind, info, err)
		}
		if again := clean(t, data); !bytes.Equal(clean(t, again), again) {
			t.Errorf("%s: a clean file is cleaned of something", kind)
		}
		if !kind.Scales() {
			continue
		}
		m, err := decode(clean(t, data))
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		wantCorners(t, string(kind), m, corners)
	}
}

// wantCorners compares the middles of the four quarters.
func wantCorners(t *testing.T, of string, m image.Image, want [4]color.RGBA) {
	t.Helper()
	b := m.Bounds()
	for i, w := range want {
		x, y := b.Min.X+b.Dx()/4+i%2*b.Dx()/2, b.Min.Y+b.Dy()/4+i/2*b.Dy()/2
		got := color.RGBAModel.Convert(m.At(x, y)).(color.RGBA)
		far := func(a, b uint8) bool { return max(a, b)-min(a, b) > 64 } // GIF has few colours
		if far(got.R, w.R) || far(got.G, w.G) || far(got.B, w.B) || got.A != w.A {
			t.Errorf("%s: got %v in quarter %d, want %v", of, got, i, w)
		}
	}
}

func TestWhatIsNoImageIsRefused(t *testing.T) {
	for name, data := range map[string]string{
		"nothing": "", "text": "hello", "SVG": `<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>`,
		"SVG behind a declaration": `<?xml version="1.0"?><svg/>`, "HTML": "<!doctype html><script>alert(1)</script>",
		"PDF": "%PDF-1.7", "BMP": "BM\x00\x00", "TIFF": "II*\x00\x08\x00\x00\x00", "HEIC": "\x00\x00\x00\x18ftypheic",
		"a WAVE": "RIFF\x00\x00\x00\x00WAVE", "half a signature": "\x89PN", "an icon": "\x00\x00\x01\x00",
	} {
		if _, err := imagefile.Inspect(imagefile.Bytes([]byte(data))); !fault.Is(err, fault.UnsupportedMediaType) {
			t.Errorf("%s: got %v, want %s", name, err, fault.UnsupportedMediaType)
		}
	}
}

func TestFilesThatAreCutOffAreRefused(t *testing.T) {
	for kind, data := range files(t) {
		for n := range data {
			_, err := imagefile.Inspect(imagefile.Bytes(data[:n]))
			if !fault.Is(err, fault.ValidationFailed) && !fault.Is(err, fault.UnsupportedMediaType) {
				t.Errorf("%s of %d of %d bytes: got %v", kind, n, len(data), err)
			}
		}
	}
}

// TestDamagedFiles changes each byte of a file: nothing may panic, and every error must be the client's.
func TestDamagedFiles(t *testing.T) {
	for kind, data := range files(t) {
		for i := range data {
			damaged := bytes.Clone(data)
			damaged[i] ^= 0xff
			info, err := imagefile.Inspect(imagefile.Bytes(damaged))
			if err == nil {
				err = imagefile.Clean(&bytes.Buffer{}, imagefile.Bytes(damaged), info.Kind)
			}
			if err == nil && info.Kind.Scales() {
				_, err = decode(damaged)
			}
			if err != nil && fault.From(err).Code == fault.Internal {
				t.Fatalf("%s with byte %d changed: got %v", kind, i, err)
			}
		}
	}
}

func TestBombsTakeNoMemory(t *testing.T) {
	frames := files(t)[imagefile.GIF]
	frame := frames[bytes.IndexByte(frames[13+3*256:], ',')+13+3*256 : len(frames)-1]
	animation := append(bytes.Clone(frames[:len(frames)-1]), bytes.Repeat(frame, imagefile.MostFrames)...)
	scans := files(t)[imagefile.JPEG]
	scan := scans[bytes.Index(scans, []byte("\xff\xda")) : len(scans)-2]
	scans = append(append(bytes.Clone(scans[:len(scans)-2]), bytes.Repeat(scan, 200)...), "\xff\xd9"...)
	progressive := jpegHead(0xc2, 9000, 4400, 0x11)
	for name, data := range map[string][]byte{
		"PNG, 50,000 wide":        pngHead(50_000, 50_000, 8, 6),
		"PNG, 2^31 wide":          pngHead(1<<31-1, 1, 8, 6),
		"PNG, 39 million points":  pngHead(6_300, 6_300, 8, 6),
		"PNG of 16 bits":          pngHead(4_500, 4_500, 16, 6),
		"JPEG, 65,000 wide":       jpegHead(0xc0, 65_000, 65_000, 0x22),
		"JPEG, many coefficients": progressive,
		"JPEG, many scans":        scans,
		"GIF, 65,535 wide":        append([]byte("GIF89a\xff\xff\xff\xff\x00\x00\x00"), frame...),
		"GIF, many frames":        append(animation, ';'),
		"GIF, a frame beyond it": []byte("GIF89a\x01\x00\x01\x00\x00\x00\x00," +
			"\x00\x00\x00\x00\xff\xff\xff\xff\x00\x08\x00;"),
		"WebP, 16,384 wide":        webpLossless(16_384, 16_384),
		"WebP, a canvas without":   riff("VP8X", append([]byte{0, 0, 0, 0}, "\xff\xff\xff\xff\xff\xff"...)),
		"AVIF, 2^31 wide":          avifOf(1<<31-1, 1<<31-1, ""),
		"AVIF that says too much":  box("meta", strings.Repeat("\x00", 2<<20)),
		"AVIF, endless parts":      avifWith(strings.Repeat("\x00\x01\x00\x00\xff\xff", 100_000)),
		"JPEG of one long segment": []byte("\xff\xd8\xff\xe1\xff\xff"),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := imagefile.Inspect(imagefile.Bytes(data))
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20 {
			t.Errorf("%s: took %d bytes", name, took)
		}
		if !fault.Is(err, fault.ValidationFailed) && !fault.Is(err, fault.UnsupportedMediaType) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func pngHead(width, height uint32, depth, colour byte) []byte {
	content := binary.BigEndian.AppendUint32([]byte("IHDR"), width)
	content = append(binary.BigEndian.AppendUint32(content, height), depth, colour, 0, 0, 0)
	return pngWith("\x89PNG\r\n\x1a\n", content)
}

func pngWith(before string, named []byte) []byte {
	data := binary.BigEndian.AppendUint32([]byte(before), uint32(len(named)-4))
	return binary.BigEndian.AppendUint32(append(data, named...), crc32.ChecksumIEEE(named))
}

func jpegHead(marker byte, width, height uint16, sampling byte) []byte {
	data := []byte{0xff, 0xd8, 0xff, marker, 0, 17, 8, byte(height >> 8), byte(height), byte(width >> 8)}
	data = append(data, byte(width), 3, 1, sampling, 0, 2, 0x11, 0, 3, 0x11, 0)
	return append(data, 0xff, 0xda, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0, 1, 2, 3, 0xff, 0xd9)
}

func riff(name string, content []byte) []byte {
	chunk := append(binary.LittleEndian.AppendUint32([]byte(name), uint32(len(content))), content...)
	if len(content)%2 == 1 {
		chunk = append(chunk, 0)
	}
	return append(append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(4+len(chunk))), "WEBP"...), chunk...)
}

func webpLossless(width, height uint32) []byte {
	return riff("VP8L", binary.LittleEndian.AppendUint32([]byte{0x2f}, width-1|(height-1)<<14))
}

func box(name, content string) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(8+len(content))), name+content...)
}

// avifWith makes an AVIF file with items whose parts have neither place nor length.
func avifWith(items string) []byte {
	return append(box("ftyp", "avif\x00\x00\x00\x00avif"), box("meta", "\x00\x00\x00\x00"+
		string(box("iloc", "\x00\x00\x00\x00\x00\x00\xff\xff"+items)))...)
}

// avifOf makes the container of an AVIF image with EXIF data and a foreign box.
func avifOf(width, height uint32, exif string) []byte {
	size := string(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(make([]byte, 4), width), height))
	item := func(id byte, kind string) string {
		return string(box("infe", "\x02\x00\x00\x00\x00"+string(id)+"\x00\x00"+kind+"\x00"))
	}
	ftyp := string(box("ftyp", "avif\x00\x00\x00\x00avifmif1")) + string(box("uuid", exif))
	meta := func(at int) string {
		place := func(id byte, from, length int) string {
			return string([]byte{0, id, 0, 0, 0, 1, 0, 0, byte(from >> 8), byte(from), 0, 0,
				byte(length >> 8), byte(length)})
		}
		return string(box("meta", "\x00\x00\x00\x00"+
			string(box("pitm", "\x00\x00\x00\x00\x00\x01"))+
			string(box("iinf", "\x00\x00\x00\x00\x00\x02"+item(1, "av01")+item(2, "Exif")))+
			string(box("iloc", "\x00\x00\x00\x00\x44\x00\x00\x02"+place(1, at, 4)+place(2, at+4, len(exif))))+
			string(box("iprp", string(box("ipco", string(box("ispe", size))))+
				string(box("ipma", "\x00\x00\x00\x00\x00\x00\x00\x01\x00\x01\x01\x01"))))))
	}
	at := len(ftyp) + len(meta(0)) + 8
	return []byte(ftyp + meta(at) + string(box("mdat", "ABCD"+exif)))
}

const script = "<script>alert(document.domain)</script>"

func TestNothingForeignIsKept(t *testing.T) {
	made := files(t)
	segment := func(marker byte, content string) string {
		return string([]byte{0xff, marker, byte((len(content) + 2) >> 8), byte(len(content) + 2)}) + content
	}
	after := func(data []byte, n int, inserted string) []byte {
		return append(append(bytes.Clone(data[:n]), inserted...), data[n:]...)
	}
	webp := append(bytes.Clone(made[imagefile.WebP]), riff("XMP ", []byte(script+"!"))[12:]...)
	webp = append(webp, riff("EXIF", []byte(script+"!"))[12:]...)
	binary.LittleEndian.PutUint32(webp[4:], uint32(len(webp)-8))
	gifColours := 13 + 3<<(1+made[imagefile.GIF][10]&7)
	for name, data := range map[string][]byte{
		"JPEG": after(made[imagefile.JPEG], 2, segment(0xfe, script)+segment(0xe1, "Exif\x00\x00"+script)+
			segment(0xed, script)+segment(0xe0, "JFIF\x00\x01\x02\x00\x00\x01\x00\x01\x01\x01"+script)),
		"PNG":  after(made[imagefile.PNG], 33, string(pngWith("", []byte("tEXtComment\x00"+script)))),
		"GIF":  after(made[imagefile.GIF], gifColours, "!\xfe"+string(rune(len(script)))+script+"\x00"),
		"WebP": webp,
		"AVIF": avifOf(64, 48, script),
	} {
		whole := append(bytes.Clone(data), script...)
		if name == "AVIF" {
			whole = append(bytes.Clone(data), box("free", script)...)
		}
		info, err := imagefile.Inspect(imagefile.Bytes(whole))
		if err != nil || !bytes.Contains(whole, []byte(script)) {
			t.Errorf("%s: got %v", name, err)
			continue
		}
		cleaned := clean(t, whole)
		if bytes.Contains(cleaned, []byte("script")) {
			t.Errorf("%s: a script is kept", name)
		}
		kept, err := imagefile.Inspect(imagefile.Bytes(cleaned))
		if err != nil || kept.Width != info.Width || kept.Kind != info.Kind {
			t.Errorf("%s: got %+v, %v of what was %+v", name, kept, err, info)
		}
		if kept.Kind.Scales() {
			if m, err := decode(cleaned); err != nil {
				t.Errorf("%s: %v", name, err)
			} else {
				wantCorners(t, name, m, corners)
			}
		}
	}
}

func TestOrientationIsApplied(t *testing.T) {
	a, b, c, d := corners[0], corners[1], corners[2], corners[3]
	shown := map[int][4]color.RGBA{1: {a, b, c, d}, 2: {b, a, d, c}, 3: {d, c, b, a}, 4: {c, d, a, b},
		5: {a, c, b, d}, 6: {c, a, d, b}, 7: {d, b, c, a}, 8: {b, d, a, c}}
	for _, order := range []string{"II", "MM"} {
		for o, want := range shown {
			for name, m := range map[string]image.Image{"colour": picture(64, 48), "odd": picture(63, 47)} {
				var out bytes.Buffer
				if err := jpeg.Encode(&out, m, nil); err != nil {
					t.Fatal(err)
				}
				data := withExif(out.Bytes(), order, uint16(o))
				info, err := imagefile.Inspect(imagefile.Bytes(data))
				if err != nil || info.Orientation != o {
					t.Fatalf("%s %d: got %+v, %v", order, o, info, err)
				}
				upright, err := decode(data)
				if err != nil {
					t.Fatalf("%s %d: %v", order, o, err)
				}
				if size := upright.Bounds().Size(); (size.X < size.Y) != (o > 4) || size.X != info.Width {
					t.Errorf("%s %d: got size %v, info %+v", order, o, size, info)
				}
				wantCorners(t, fmt.Sprintf("%s, orientation %d, %s", name, o, order), upright, want)
			}
		}
	}
}

// withExif inserts EXIF data with an orientation.
func withExif(data []byte, order string, orientation uint16) []byte {
	var to binary.AppendByteOrder = binary.LittleEndian
	if order == "MM" {
		to = binary.BigEndian
	}
	exif := to.AppendUint32(to.AppendUint16([]byte("Exif\x00\x00"+order), 42), 8)
	exif = to.AppendUint16(to.AppendUint16(to.AppendUint16(exif, 1), 0x112), 3)
	exif = to.AppendUint32(to.AppendUint16(to.AppendUint16(to.AppendUint32(exif, 1), orientation), 0), 0)
	head := []byte{0xff, 0xd8, 0xff, 0xe1, 0, byte(len(exif) + 2)}
	return append(append(head, exif...), data[2:]...)
}

func TestScaled(t *testing.T) {
	for _, size := range []image.Point{{64, 48}, {63, 47}, {17, 5}, {1, 300}, {300, 1}} {
		m := image.NewRGBA(image.Rect(0, 0, size.X, size.Y))
		for i := range m.Pix {
			m.Pix[i] = []byte{10, 120, 250, 255}[i%4]
		}
		for width := 1; width <= size.X; width++ {
			scaled := imagefile.Scaled(m, width)
			if b := scaled.Bounds(); b.Dx() != width || b.Dy() < 1 || b.Dy() > size.Y {
				t.Fatalf("%v as %d: got %v", size, width, b)
			}
			for i, value := range scaled.Pix {
				if value != []byte{10, 120, 250, 255}[i%4] {
					t.Fatalf("%v as %d: got %d at %d", size, width, value, i)
				}
			}
		}
	}
	wantCorners(t, "scaled", imagefile.Scaled(picture(640, 480), 100), corners)
	if got := imagefile.MeanColour(picture(640, 480)); got != "#787850" && got != "#787857" {
		t.Errorf("got the mean colour %s", got)
	}
	if got := imagefile.MeanColour(image.NewRGBA(image.Rect(0, 0, 9, 9))); got != "#ffffff" {
		t.Errorf("got %s of nothing, want white", got)
	}
}

func TestScaledKeepsTransparency(t *testing.T) {
	m := picture(64, 48)
	for y := range 48 {
		for x := range 32 {
			m.SetRGBA(x, y, color.RGBA{})
		}
	}
	for _, kind := range []imagefile.Kind{imagefile.PNG, imagefile.WebP} {
		var out bytes.Buffer
		if err := imagefile.EncodeScaled(&out, imagefile.Scaled(m, 32), kind); err != nil {
			t.Fatal(err)
		}
		got, err := decode(out.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if _, _, _, a := got.At(4, 12).RGBA(); a != 0 {
			t.Errorf("%s: got alpha %d where it is transparent", kind, a)
		}
		if r, _, b, a := got.At(24, 6).RGBA(); a != 0xffff || r > 0x4800 || b > 0x4800 {
			t.Errorf("%s: got %d, %d, %d where it is green", kind, r>>8, b>>8, a>>8)
		}
	}
}

func TestDecodingEndsWithItsContext(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	for kind, data := range files(t) {
		if info, err := imagefile.Inspect(imagefile.Bytes(data)); err == nil && kind.Scales() {
			if _, err := imagefile.Decode(ended, imagefile.Bytes(data), info); err != context.Canceled {
				t.Errorf("%s: got %v", kind, err)
			}
		}
	}
}

// FuzzClean checks that whatever is accepted stays acceptable when cleaned, and that cleaning it again
// changes nothing.
func FuzzClean(f *testing.F) {
	for _, data := range files(f) {
		f.Add(data)
	}
	f.Add(avifOf(64, 48, script))
	f.Fuzz(func(t *testing.T, data []byte) {
		info, err := imagefile.Inspect(imagefile.Bytes(data))
		if err != nil {
			if fault.From(err).Code == fault.Internal {
				t.Fatal(err)
			}
			return
		}
		var out bytes.Buffer
		if err := imagefile.Clean(&out, imagefile.Bytes(data), info.Kind); err != nil {
			t.Fatal(err)
		}
		if again := clean(t, out.Bytes()); !bytes.Equal(again, out.Bytes()) {
			t.Fatal("it is cleaned of something twice")
		}
		if _, err := decode(data); err != nil && fault.From(err).Code == fault.Internal && info.Kind.Scales() {
			t.Fatal(err)
		}
	})
}
