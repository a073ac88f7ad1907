// Package imagefile reads untrusted image files and makes the images that are kept and shown of them. It knows no
// shop and no storage.
//
// Inspect reads what a file says about itself, without decoding a pixel: what it is, how large, how it is turned,
// and what decoding it may cost. Draw decodes it, scales it down, turns it upright, converts its colours to sRGB,
// and encodes it again, so that only the picture is left of the file.
//
// Sizes that a file claims are checked against the bounds below before memory is allocated for them.
package imagefile

import (
	"bytes"
	"image"
	"io"
	"math"
	"strings"

	"storefront/internal/fault"
	"storefront/internal/record"
)

// Kind is a kind of image files that are kept.
type Kind = record.MediaKind

// The kinds of files that are kept; GIF is kept as PNG.
const (
	JPEG = record.JPEG
	PNG  = record.PNG
	WebP = record.WebP
)

// Bounds of accepted files.
const (
	MostBytes  = 20 << 20    // of a file
	mostSide   = 16_000      // pixels
	mostPixels = 40_000_000  // of an image
	MostMemory = 112 << 20   // bytes that the steps of Draw may allocate
	mostWork   = 400_000_000 // samples that all scans of a JPEG may code
)

// Info describes an image file by its headers.
type Info struct {
	Kind          Kind // in which it is kept
	Width, Height int  // pixels, as they are shown

	format      *format
	orientation int    // of EXIF: 1 is upright; 2 to 8 are turned or mirrored
	profile     []byte // of its colours; nil: sRGB, or unknown
	memory      int64  // bytes that decoding allocates
}

// Form is what Draw makes.
type Form struct {
	Width, Height int  // pixels, at most; 0: any number
	As            Kind // empty: the kind in which the file is kept
	Quality       int  // of JPEG and WebP, from 1 to 100
}

// Kept is the form in which uploaded images are kept.
var Kept = Form{Width: 4096, Height: 4096, Quality: 90}

// Memory returns the bytes that the steps of Draw allocate together.
func (i Info) Memory(form Form) int64 {
	size, as := i.fitted(form)
	most := i.memory
	if i.isDrawn(size, as) {
		most += 4 * int64(size.X) * int64(size.Y)
	}
	if as == WebP { // what was decoded is garbage by then
		each := transparentMemory
		if i.Kind == JPEG {
			each = webpMemory
		}
		most = max(most, min(int64(each)*int64(size.X)*int64(size.Y), MostMemory))
	}
	return most
}

// fitted returns the size and the kind of an image in a form.
func (i Info) fitted(form Form) (image.Point, Kind) {
	if form.As == "" {
		form.As = i.Kind
	}
	size := image.Point{X: i.Width, Y: i.Height}
	if form.Width > 0 && size.X > form.Width {
		size = image.Point{X: form.Width, Y: max(1, (i.Height*form.Width+i.Width/2)/i.Width)}
	}
	if form.Height > 0 && size.Y > form.Height {
		size = image.Point{X: max(1, (i.Width*form.Height+i.Height/2)/i.Height), Y: form.Height}
	}
	if form.As == WebP {
		size = within(size, mostWebP)
	}
	return size, form.As
}

// within returns a size, made smaller if it has too many pixels.
func within(size image.Point, most int) image.Point {
	if many := size.X * size.Y; many > most {
		by := math.Sqrt(float64(most) / float64(many))
		return image.Point{X: max(1, int(float64(size.X)*by)), Y: max(1, int(float64(size.Y)*by))}
	}
	return size
}

// isDrawn reports whether an image must be drawn: otherwise it is encoded as it was decoded.
func (i Info) isDrawn(size image.Point, as Kind) bool {
	return size != (image.Point{X: i.Width, Y: i.Height}) || as != i.Kind || as == WebP || !i.isPlain()
}

// isPlain reports whether the pixels are upright, and in sRGB as far as the file says.
func (i Info) isPlain() bool { return i.orientation == 1 && i.profile == nil }

// IsAsKept reports whether a file may be one that Draw has made in the form Kept.
func (i Info) IsAsKept() bool {
	size, _ := i.fitted(Kept)
	return i.format.isKept && i.Kind == i.format.kind && size == (image.Point{X: i.Width, Y: i.Height}) && i.isPlain()
}

// File is a file to inspect.
type File struct {
	io.ReaderAt
	Size int64
}

// Bytes returns a File of data in memory.
func Bytes(data []byte) File { return File{bytes.NewReader(data), int64(len(data))} }

// Reader returns a reader of the whole file.
func (f File) Reader() *io.SectionReader { return io.NewSectionReader(f.ReaderAt, 0, f.Size) }

// Inspect returns the properties of an image file that is to be drawn in a form. It fails with
// UNSUPPORTED_MEDIA_TYPE for another kind of file, and with VALIDATION_FAILED for one that is malformed or too much
// work.
func Inspect(f File, form Form) (Info, error) {
	info := Info{orientation: 1}
	var err error
	if info.format, err = sniff(f); err != nil {
		return Info{}, err
	}
	info.Kind = info.format.kind
	if err := info.format.inspect(f, &info); err != nil {
		return Info{}, asFault(err)
	}
	if info.orientation > 4 {
		info.Width, info.Height = info.Height, info.Width
	}
	if err := info.check(0); err != nil { // before it is divided by its size
		return Info{}, err
	}
	return info, info.check(info.Memory(form))
}

// check refuses an image that is too large, or takes more bytes than it may.
func (i Info) check(memory int64) error {
	switch {
	case i.Width < 1 || i.Height < 1:
		return broken("it has no pixels")
	case i.Width > mostSide || i.Height > mostSide:
		return refused(fault.Say("has %d × %d pixels; at most %d are taken on a side", i.Width, i.Height, mostSide))
	case int64(i.Width)*int64(i.Height) > mostPixels || memory > MostMemory:
		return refused(fault.Say("has %d × %d pixels, which is too many for an image of its kind; make it smaller",
			i.Width, i.Height))
	}
	return nil
}

// format holds the functions for a kind of files.
type format struct {
	kind    Kind // in which a file of this format is kept, unless inspect says another
	isKept  bool // and not made into another kind
	inspect func(File, *Info) error
	decode  func(io.Reader) (image.Image, error)
}

// formats are the formats that are read, by what a file begins with. In a beginning, ? stands for any byte.
var formats = []struct {
	begin string
	format
}{
	{"\xff\xd8\xff", formatJPEG},
	{pngSignature, formatPNG},
	{"GIF87a", formatGIF},
	{"GIF89a", formatGIF},
	{"RIFF????WEBP", formatWebP},
}

// others are the names of formats that people try, by what a file begins with.
var others = []struct{ begin, name string }{
	{"????ftypavi", "AVIF"}, {"%PDF", "PDF"}, {"II*\x00", "TIFF"}, {"MM\x00*", "TIFF"}, {"BM", "BMP"},
	{"\x00\x00\x01\x00", "ICO"}, {"\xff\x0a", "JPEG XL"}, {"\x00\x00\x00\x0cJXL ", "JPEG XL"}, {"<svg", "SVG"},
	{"<?xml", "XML"}, {"PK\x03\x04", "ZIP"}, {"????ftypisom", "MP4"}, {"????ftypmp4", "MP4"},
}

// sniff returns the format of a file by its first bytes.
func sniff(f File) (*format, error) {
	var head [32]byte
	n, err := f.ReadAt(head[:min(int64(len(head)), f.Size)], 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	begin := string(head[:n])
	for i := range formats {
		if begins(begin, formats[i].begin) {
			return &formats[i].format, nil
		}
	}
	for _, brand := range []string{"hei", "hev", "mif1", "msf1"} {
		if begins(begin, "????ftyp"+brand) {
			return nil, fault.New(fault.UnsupportedMediaType,
				"the file is HEIC, which is not taken; phones can send JPEG")
		}
	}
	for _, other := range others {
		if begins(strings.TrimLeft(begin, " \r\n\t"), other.begin) {
			return nil, fault.New(fault.UnsupportedMediaType,
				"the file is %s, which is not taken; send JPEG, PNG, WebP or GIF", other.name)
		}
	}
	return nil, fault.New(fault.UnsupportedMediaType, "the file is no JPEG, PNG, WebP or GIF image")
}

// begins reports whether a text begins with a pattern.
func begins(text, pattern string) bool {
	if len(text) < len(pattern) {
		return false
	}
	for i := range len(pattern) {
		if pattern[i] != '?' && pattern[i] != text[i] {
			return false
		}
	}
	return true
}

// broken returns the error of a malformed file.
func broken(why string) error {
	return fault.Wrap(fault.ValidationFailed, corrupt(why), "the image is cut off or damaged")
}

type corrupt string

func (c corrupt) Error() string { return string(c) }

func refused(why fault.Text) error {
	var bad fault.Fields
	bad.AddText("image", why)
	return bad.Err()
}

// asFault returns the error of reading a file as one for the client, if the file is truncated.
func asFault(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return broken("it ends too early")
	}
	return err
}
