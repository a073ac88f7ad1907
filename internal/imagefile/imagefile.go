// Package imagefile handles image files: it recognizes their kind by their bytes, bounds the work of
// decoding them, removes what must not be published, and makes smaller versions. It knows no shop and no
// storage.
//
// Inspect reads a file from its first byte to its last without decoding a pixel, and checks that it is
// complete. Clean writes the file without metadata and anything else that is not part of the image. Decode
// decodes it, Scaled makes a smaller version, and EncodeScaled writes that.
//
// The files are untrusted. Sizes that a file claims are checked against its length and the bounds below
// before memory is allocated for them.
package imagefile

import (
	"bytes"
	"io"

	"storefront/internal/fault"
	"storefront/internal/record"
)

// Kind is a kind of image files.
type Kind = record.MediaKind

// The accepted kinds. SVG is a document that can hold scripts, and is refused like everything else.
const (
	JPEG = record.JPEG
	PNG  = record.PNG
	WebP = record.WebP
	GIF  = record.GIF
	AVIF = record.AVIF
)

// Bounds of accepted files.
const (
	MostBytes  = 20 << 20   // of a file
	MostSide   = 16_000     // pixels
	MostPixels = 40_000_000 // of an image
	MostFrames = 1_000      // of an animation
	MostMemory = 112 << 20  // bytes that decoding and scaling may allocate
)

// Info describes an image file, by its headers.
type Info struct {
	Kind          Kind
	Width, Height int // pixels, as they are shown: after Orientation
	Orientation   int // of EXIF: 1 is upright; 2 to 8 are turned or mirrored
	Frames        int // of an animation; else 1

	memory int64 // bytes that decoding allocates
}

// Memory returns the bytes that decoding and making the widest of the smaller versions allocate.
func (i Info) Memory() int64 { return i.memory + scalingMemory(i.Width, i.Height) }

// File is a file to inspect.
type File struct {
	io.ReaderAt
	Size int64
}

// Bytes returns a File of data in memory.
func Bytes(data []byte) File { return File{bytes.NewReader(data), int64(len(data))} }

func (f File) reader() *io.SectionReader { return io.NewSectionReader(f.ReaderAt, 0, f.Size) }

// Inspect returns the properties of an image file. It fails with UNSUPPORTED_MEDIA_TYPE for another kind of
// file, and with VALIDATION_FAILED for a file that is truncated, malformed, or too much work to decode.
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

// check refuses images that are too large or too much work.
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

// Clean writes a file without its metadata: it keeps only what is needed to show the image, and colour
// profiles.
func Clean(to io.Writer, f File, kind Kind) error { return asFault(formats[kind].clean(to, f)) }

// format holds the functions for a kind.
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
