// Package imagefile knows image files: which kind a file is by its bytes, how much work it makes before any of it is
// decoded, what of it may be shown to everybody, and how smaller ones are made. It knows no shop and no storage.
//
// Inspect reads a file from its first byte to its last without decoding a pixel, and says whether it is whole. Clean
// writes the file without its metadata and without anything that is no part of the image. Open decodes it, Scaled
// makes a narrower one, and Encode writes that.
//
// Files come from strangers. Whatever a file says of itself is checked against its length and the bounds below before
// memory is taken for it.
package imagefile

import (
	"bytes"
	"io"

	"storefront/internal/fault"
	"storefront/internal/record"
)

// Kind is a kind of image files.
type Kind = record.MediaKind

// The kinds that are taken. SVG is a document that can hold scripts, and is refused with everything else.
const (
	JPEG = record.JPEG
	PNG  = record.PNG
	WebP = record.WebP
	GIF  = record.GIF
	AVIF = record.AVIF
)

// Bounds of what is taken.
const (
	MostBytes  = 20 << 20   // of a file
	MostSide   = 16_000     // pixels
	MostPixels = 40_000_000 // of an image
	MostFrames = 1_000      // of an animation
	MostMemory = 112 << 20  // bytes that decoding and scaling may take
)

// Info is what a file says of itself.
type Info struct {
	Kind          Kind
	Width, Height int // pixels, as they are shown: after Orientation
	Orientation   int // of EXIF: 1 is upright; 2 to 8 are turned or mirrored
	Frames        int // of an animation; else 1

	memory int64 // bytes that decoding takes
}

// Memory returns the bytes that decoding takes, and making the widest of the narrower images.
func (i Info) Memory() int64 { return i.memory + scalingMemory(i.Width, i.Height) }

// File is a file that is being looked at.
type File struct {
	io.ReaderAt
	Size int64
}

// Bytes returns a file that is in memory.
func Bytes(data []byte) File { return File{bytes.NewReader(data), int64(len(data))} }

func (f File) reader() *io.SectionReader { return io.NewSectionReader(f.ReaderAt, 0, f.Size) }

// Inspect returns what a file is. It fails with UNSUPPORTED_MEDIA_TYPE for a file of another kind, and with
// VALIDATION_FAILED for a file that is cut off, not built as its kind is, or too much work to decode.
func Inspect(f File) (Info, error) {
	kind, err := sniff(f)
	if err != nil {
		return Info{}, err
	}
	info, err := formats[kind].inspect(f)
	if err != nil {
		return Info{}, asFault(err)
	}
	info.Kind = kind
	return info, info.check()
}

// check refuses what is too much work.
func (i Info) check() error {
	switch {
	case i.Width < 1 || i.Height < 1:
		return broken("it has no pixels")
	case i.Width > MostSide || i.Height > MostSide:
		return refused(fault.Say("has %d × %d pixels; at most %d are taken on a side", i.Width, i.Height, MostSide))
	case int64(i.Width)*int64(i.Height) > MostPixels || i.Memory() > MostMemory:
		return refused(fault.Say("has %d × %d pixels, which is too many for an image of its kind; make it smaller",
			i.Width, i.Height))
	case i.Frames > MostFrames:
		return refused(fault.Say("has %d frames; at most %d are taken", i.Frames, MostFrames))
	}
	return nil
}

// Clean writes a file without its metadata: only what is needed to show it, and colour profiles.
func Clean(to io.Writer, f File, kind Kind) error { return asFault(formats[kind].clean(to, f)) }

// format is what is known of a kind.
type format struct {
	inspect func(File) (Info, error)
	clean   func(io.Writer, File) error
}

var formats = map[Kind]format{
	JPEG: {inspectJPEG, cleanJPEG},
	PNG:  {inspectPNG, cleanPNG},
	WebP: {inspectWebP, cleanWebP},
	GIF:  {inspectGIF, cleanGIF},
	AVIF: {inspectAVIF, cleanAVIF},
}

// sniff returns the kind of a file by its first bytes.
func sniff(f File) (Kind, error) {
	var head [32]byte
	n, err := f.ReadAt(head[:min(int64(len(head)), f.Size)], 0)
	if err != nil && err != io.EOF {
		return "", err
	}
	begin := head[:n]
	switch {
	case bytes.HasPrefix(begin, []byte("\xff\xd8\xff")):
		return JPEG, nil
	case bytes.HasPrefix(begin, []byte(pngSignature)):
		return PNG, nil
	case bytes.HasPrefix(begin, []byte("GIF87a")), bytes.HasPrefix(begin, []byte("GIF89a")):
		return GIF, nil
	case len(begin) >= 12 && string(begin[:4]) == "RIFF" && string(begin[8:12]) == "WEBP":
		return WebP, nil
	case len(begin) >= 12 && string(begin[4:8]) == "ftyp" && (string(begin[8:12]) == "avif" ||
		string(begin[8:12]) == "mif1" || string(begin[8:12]) == "avis"):
		return AVIF, nil
	}
	return "", fault.New(fault.UnsupportedMediaType, "the file is no JPEG, PNG, WebP, GIF or AVIF image")
}

// broken says of a file that it is not built as its kind is.
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

// asFault returns the error of reading a file: that of a file which ends too early is the client's.
func asFault(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return broken("it ends too early")
	}
	return err
}
