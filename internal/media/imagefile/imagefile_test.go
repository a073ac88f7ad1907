package imagefile_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"runtime"
	"strings"
	"testing"

	decoder "golang.org/x/image/webp"

	"storefront/internal/fault"
	"storefront/internal/media/imagefile"
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

func draw(ctx context.Context, data []byte, form imagefile.Form) ([]byte, imagefile.Drawn, error) {
	f := imagefile.Bytes(data)
	info, err := imagefile.Inspect(f, form)
	if err != nil {
		return nil, imagefile.Drawn{}, err
	}
	var out bytes.Buffer
	made, err := imagefile.Draw(ctx, f, info, imagefile.Target{Form: form, To: &out})
	return out.Bytes(), made, err
}

func drawn(t testing.TB, data []byte, form imagefile.Form) []byte {
	t.Helper()
	made, _, err := draw(t.Context(), data, form)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// shown decodes a file as the packages of images do.
func shown(t testing.TB, data []byte) image.Image {
	t.Helper()
	m, _, err := image.Decode(bytes.NewReader(data))
	if bytes.HasPrefix(data, []byte("RIFF")) { // another decoder than the encoder's own
		m, err = decoder.Decode(bytes.NewReader(data))
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestWhatIsKept checks in what kind files are kept, that nothing is lost of those without loss, and that what is kept
// is recognized as that.
func TestWhatIsKept(t *testing.T) {
	for name, data := range files(t) {
		want := imagefile.PNG
		if name == "JPEG" {
			want = imagefile.JPEG
		} else if strings.HasPrefix(name, "WebP") {
			want = imagefile.WebP
		}
		file, made, err := draw(t.Context(), data, imagefile.Kept)
		if err != nil || made.Kind != want || made.Width != 64 || made.Height != 48 || len(made.Colour) != 7 {
			t.Errorf("%s: got %+v, %v", name, made, err)
			continue
		}
		wantCorners(t, name, shown(t, file), corners)
		info, err := imagefile.Inspect(imagefile.Bytes(file), imagefile.Kept)
		if err != nil || !info.IsAsKept() {
			t.Errorf("%s: what is kept is not as kept: %v", name, err)
		}
		if again, err := imagefile.Check(t.Context(), imagefile.Bytes(file), info); err != nil || again.Kind != want ||
			again.Width != 64 {
			t.Errorf("%s: got %+v, %v", name, again, err)
		}
		info, err = imagefile.Inspect(imagefile.Bytes(data), imagefile.Kept)
		if err != nil || info.IsAsKept() == (name == "GIF" || name == "lossless WebP") {
			t.Errorf("%s: as kept: %t, %v", name, info.IsAsKept(), err)
		}
		if exact := shown(t, data); want == imagefile.PNG {
			for i := range 64 * 48 {
				if got, want := at(shown(t, file), i), at(exact, i); got != want {
					t.Fatalf("%s: got %v at %d, want %v", name, got, i, want)
				}
			}
		}
	}
}

// TestImagesAreDrawnAlikeInAnyOrder draws images of one size after each other: what the encoder keeps of one
// must not show in the next.
func TestImagesAreDrawnAlikeInAnyOrder(t *testing.T) {
	noise := picture(300, 225)
	for i := range noise.Pix {
		noise.Pix[i] = byte(i*i>>3) | 255*byte(i%4/3)
	}
	images := [][]byte{pngOf(t, picture(300, 225)), pngOf(t, noise)}
	forms := []imagefile.Form{{As: imagefile.WebP, Quality: 80}, {As: imagefile.WebP, Quality: 40}}
	alone := map[string][]byte{}
	for i := range 64 {
		of, form := images[i%2], forms[i/2%2]
		if i < 4 {
			runtime.GC() // twice, after which the encoder keeps nothing
			runtime.GC()
		}
		name, got := fmt.Sprint("image ", i%2, " in quality ", form.Quality), drawn(t, of, form)
		if want, found := alone[name]; !found {
			alone[name] = got
		} else if !bytes.Equal(got, want) {
			t.Fatalf("%s is another file after others", name)
		}
	}
}

func at(m image.Image, i int) color.RGBA {
	return color.RGBAModel.Convert(m.At(i%m.Bounds().Dx(), i/m.Bounds().Dx())).(color.RGBA)
}

// wantCorners compares the middles of the four quarters.
func wantCorners(t *testing.T, of string, m image.Image, want [4]color.RGBA) {
	t.Helper()
	b := m.Bounds()
	for i, w := range want {
		x, y := b.Min.X+b.Dx()/4+i%2*b.Dx()/2, b.Min.Y+b.Dy()/4+i/2*b.Dy()/2
		if got := color.RGBAModel.Convert(m.At(x, y)).(color.RGBA); isFar(got, w, 64) { // GIF has few colours
			t.Errorf("%s: got %v in quarter %d, want %v", of, got, i, w)
		}
	}
}

func isFar(a, b color.RGBA, most uint8) bool {
	far := func(a, b uint8) bool { return max(a, b)-min(a, b) > most }
	return far(a.R, b.R) || far(a.G, b.G) || far(a.B, b.B) || a.A != b.A
}

func TestWhatIsNoImageIsRefused(t *testing.T) {
	for data, want := range map[string]string{
		"": "no JPEG", "hello": "no JPEG", "<!doctype html><script>alert(1)</script>": "no JPEG",
		"\x89PN": "no JPEG", "RIFF\x00\x00\x00\x00WAVE": "no JPEG",
		"<svg xmlns='http://www.w3.org/2000/svg'/>": "is SVG",
		"%PDF-1.7": "is PDF", "BM\x00\x00": "is BMP", "II*\x00\x08\x00\x00\x00": "is TIFF",
		"\x00\x00\x01\x00":         "is ICO",
		"\x00\x00\x00\x18ftypheic": "phones can send JPEG", "\x00\x00\x00\x18ftypmif1": "phones can send JPEG",
		"\x00\x00\x00\x1cftypavif": "is AVIF", "\x00\x00\x00\x1cftypavis": "is AVIF", "\xff\x0a": "is JPEG XL",
	} {
		_, err := imagefile.Inspect(imagefile.Bytes([]byte(data)), imagefile.Kept)
		if !fault.Is(err, fault.UnsupportedMediaType) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", data, err, want)
		}
	}
}

func TestFilesThatAreCutOffAreRefused(t *testing.T) {
	for name, data := range files(t) {
		for n := range len(data) - 2 { // without its last byte a GIF or PNG may be whole
			_, _, err := draw(t.Context(), data[:n], imagefile.Kept)
			if !fault.Is(err, fault.ValidationFailed) && !fault.Is(err, fault.UnsupportedMediaType) {
				if name == "GIF" && n > len(data)-8 || strings.Contains(name, "WebP") && n > len(data)-8 {
					continue
				}
				t.Errorf("%s of %d of %d bytes: got %v", name, n, len(data), err)
			}
		}
	}
}

// TestDamagedFiles changes each byte of a file: nothing may panic, and every error must be the client's.
func TestDamagedFiles(t *testing.T) {
	for name, data := range files(t) {
		for i := range data {
			damaged := bytes.Clone(data)
			damaged[i] ^= 0xff
			_, _, err := draw(t.Context(), damaged, imagefile.Kept)
			if err != nil && fault.From(err).Code == fault.Internal {
				t.Fatalf("%s with byte %d changed: got %v", name, i, err)
			}
		}
	}
}

// TestDrawInSeveralWidths draws an image in several widths at once. A tall one is made narrower than that, as the
// encoder takes no more.
func TestDrawInSeveralWidths(t *testing.T) {
	for name, size := range map[string]image.Point{"wide": {4000, 900}, "tall": {2000, 4000}} {
		f := imagefile.Bytes(jpegOf(t, picture(size.X, size.Y)))
		widths := []int{1920, 1280, 320, 160}
		made := make([]bytes.Buffer, len(widths))
		var to []imagefile.Target
		for i, width := range widths {
			to = append(to, imagefile.Target{To: &made[i],
				Form: imagefile.Form{Width: width, As: imagefile.WebP, Quality: 82}})
		}
		info, err := imagefile.Inspect(f, to[0].Form)
		if err != nil {
			t.Fatal(err)
		}
		drawn, err := imagefile.Draw(t.Context(), f, info, to...)
		if err != nil {
			t.Fatalf("%s: got %v", name, err)
		}
		for i, width := range widths {
			m := shown(t, made[i].Bytes())
			if got := m.Bounds().Dx(); got != min(width, drawn.Width) {
				t.Errorf("%s: got %d, want %d", name, got, width)
			}
			wantCorners(t, fmt.Sprint(name, " ", width), m, corners)
		}
	}
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
	gifColours := 13 + 3<<(1+made["GIF"][10]&7)
	for name, data := range map[string][]byte{
		"JPEG": after(made["JPEG"], 2, segment(0xfe, script)+segment(0xe1, "Exif\x00\x00"+script)+
			segment(0xe2, "ICC_PROFILE\x00\x01\x01"+script)),
		"PNG":  after(made["PNG"], 33, string(pngWith(nil, []byte("tEXtComment\x00"+script)))),
		"GIF":  after(made["GIF"], gifColours, "!\xfe"+string(rune(len(script)))+script+"\x00"),
		"WebP": append(bytes.Clone(made["WebP"]), riff("XMP ", script)[12:]...),
	} {
		kept := drawn(t, append(data, script...), imagefile.Kept)
		if bytes.Contains(kept, []byte("script")) {
			t.Errorf("%s: a script is kept", name)
		}
		wantCorners(t, name, shown(t, kept), corners)
	}
}

func TestOrientationIsApplied(t *testing.T) {
	a, b, c, d := corners[0], corners[1], corners[2], corners[3]
	seen := map[int][4]color.RGBA{1: {a, b, c, d}, 2: {b, a, d, c}, 3: {d, c, b, a}, 4: {c, d, a, b},
		5: {a, c, b, d}, 6: {c, a, d, b}, 7: {d, b, c, a}, 8: {b, d, a, c}}
	for _, order := range []string{"II", "MM"} {
		for o, want := range seen {
			for _, size := range []image.Point{{64, 48}, {63, 47}} {
				for _, form := range []imagefile.Form{
					imagefile.Kept, {Width: 20, Quality: 90}, {Height: 19, Quality: 90},
				} {
					data := withExif(jpegOf(t, picture(size.X, size.Y)), order, uint16(o))
					file, made, err := draw(t.Context(), data, form)
					if err != nil || (made.Width < made.Height) != (o > 4) || form.Width == 20 && made.Width != 20 ||
						form.Height == 19 && made.Height != 19 {
						t.Fatalf("%s %d: got %+v, %v", order, o, made, err)
					}
					wantCorners(t, fmt.Sprintf("%v, orientation %d, %s, %v", size, o, order, form), shown(t, file),
						want)
				}
			}
		}
	}
}

func TestScaled(t *testing.T) {
	for _, size := range []image.Point{{64, 48}, {63, 47}, {17, 5}, {1, 300}, {300, 1}} {
		m := image.NewRGBA(image.Rectangle{Max: size})
		for i := range m.Pix {
			m.Pix[i] = []byte{10, 120, 250, 255}[i%4]
		}
		data := pngOf(t, m)
		for width := 1; width <= size.X; width += 1 + size.X/50 {
			kept := shown(t, drawn(t, data, imagefile.Form{Width: width}))
			if b := kept.Bounds(); b.Dx() != width || b.Dy() < 1 || b.Dy() > size.Y {
				t.Fatalf("%v as %d: got %v", size, width, b)
			}
			for i := range width * kept.Bounds().Dy() {
				if got := at(kept, i); got != (color.RGBA{10, 120, 250, 255}) {
					t.Fatalf("%v as %d: got %v at %d", size, width, got, i)
				}
			}
		}
	}
	wantCorners(t, "scaled", shown(t, drawn(t, pngOf(t, picture(640, 480)), imagefile.Form{Width: 100})), corners)
	if _, made, err := draw(t.Context(), pngOf(t, picture(640, 480)), imagefile.Kept); err != nil ||
		made.Colour != "#787850" && made.Colour != "#787857" {
		t.Errorf("got the mean colour %s, %v", made.Colour, err)
	}
	empty := pngOf(t, image.NewNRGBA(image.Rect(0, 0, 9, 9)))
	if _, made, err := draw(t.Context(), empty, imagefile.Kept); err != nil || made.Colour != "#ffffff" {
		t.Errorf("got %s of nothing, want white, %v", made.Colour, err)
	}
	long := pngOf(t, image.NewGray(image.Rect(0, 0, 5000, 3)))
	if _, made, err := draw(t.Context(), long, imagefile.Kept); err != nil || made.Width != 4096 || made.Height != 2 {
		t.Errorf("got %+v, %v of an image that is 5,000 wide", made, err)
	}
	// what the encoder of WebP could not take is made smaller
	form := imagefile.Form{As: imagefile.WebP, Width: 1920, Quality: 80}
	tall := imagefile.Bytes(pngOf(t, image.NewGray(image.Rect(0, 0, 2000, 4000))))
	if info, err := imagefile.Inspect(tall, form); err != nil || info.Memory(form) > imagefile.MostMemory {
		t.Errorf("got %v, %d bytes", err, info.Memory(form))
	}
}

func TestDecodingEndsWithItsContext(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	for name, data := range files(t) {
		if _, _, err := draw(ended, data, imagefile.Kept); err != context.Canceled {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// FuzzDraw checks that no file makes an error that is not the client's, and that what is kept can be kept again.
func FuzzDraw(f *testing.F) {
	for _, data := range files(f) {
		f.Add(data)
	}
	f.Add(withSegment(files(f)["JPEG"], 0xe2, append([]byte("ICC_PROFILE\x00\x01\x01"),
		profileOf("RGB ", displayP3, parametric())...)))
	f.Fuzz(func(t *testing.T, data []byte) {
		kept, made, err := draw(t.Context(), data, imagefile.Kept)
		if err != nil {
			if fault.From(err).Code == fault.Internal {
				t.Fatal(err)
			}
			return
		}
		if _, again, err := draw(t.Context(), kept, imagefile.Kept); err != nil || again.Width != made.Width {
			t.Fatalf("got %+v, %v of what was %+v", again, err, made)
		}
	})
}
