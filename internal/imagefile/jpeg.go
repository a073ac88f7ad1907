package imagefile

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"io"

	"storefront/internal/fault"
)

// Markers of JPEG.
const (
	jpegDHT, jpegSOI, jpegEOI, jpegSOS = 0xc4, 0xd8, 0xd9, 0xda
	jpegDQT, jpegDRI                   = 0xdb, 0xdd
	jpegAPP0, jpegAPP1, jpegAPP2       = 0xe0, 0xe1, 0xe2
	jpegAPP14                          = 0xee
)

const mostScans = 100 // of one image; each is decoded over all pixels

// isFrame reports whether a marker begins a frame (SOF), which holds the dimensions of the image.
func isFrame(marker byte) bool {
	return 0xc0 <= marker && marker <= 0xcf && marker != jpegDHT && marker != 0xc8 && marker != 0xcc
}

// walkJPEG calls segment for each segment of a JPEG file up to the end of the image, and scan, unless it is
// nil, with the coded pixels that follow a segment.
func walkJPEG(f File, segment func(marker byte, content []byte) error, scan func(part []byte) error) error {
	r := bufio.NewReaderSize(f.reader(), 32<<10)
	if _, err := r.Discard(2); err != nil {
		return err
	}
	marker, err := nextMarker(r)
	for err == nil && marker != jpegEOI {
		if marker < 0xc0 || 0xd0 <= marker && marker <= jpegSOI {
			return broken("a marker stands where none may")
		}
		var length [2]byte
		if _, err := io.ReadFull(r, length[:]); err != nil {
			return err
		}
		n := int(binary.BigEndian.Uint16(length[:]))
		if n < 2 {
			return broken("a segment has no length")
		}
		content := make([]byte, n-2)
		if _, err := io.ReadFull(r, content); err != nil {
			return err
		}
		if err := segment(marker, content); err != nil {
			return err
		}
		if marker == jpegSOS {
			marker, err = walkScan(r, scan)
		} else {
			marker, err = nextMarker(r)
		}
	}
	return err
}

// nextMarker reads a marker, which any number of fill bytes may precede.
func nextMarker(r *bufio.Reader) (byte, error) {
	b, err := r.ReadByte()
	if err != nil {
		return 0, err
	}
	if b != 0xff {
		return 0, broken("there is something between two segments")
	}
	for b == 0xff && err == nil {
		b, err = r.ReadByte()
	}
	return b, err
}

// walkScan passes coded pixels to scan in parts, and returns the marker that follows them.
func walkScan(r *bufio.Reader, scan func(part []byte) error) (marker byte, err error) {
	if scan == nil {
		scan = func([]byte) error { return nil }
	}
	part := make([]byte, 0, 32<<10)
	for {
		b, err := r.ReadByte()
		if err != nil {
			return 0, err
		}
		part = append(part, b)
		if b == 0xff {
			next, err := r.ReadByte()
			for err == nil && next == 0xff {
				next, err = r.ReadByte()
			}
			if err != nil {
				return 0, err
			}
			if next != 0 && (next < 0xd0 || next > 0xd7) { // neither a byte 0xff nor a restart
				return next, scan(part[:len(part)-1])
			}
			part = append(part, next)
		}
		if len(part) >= cap(part)-2 {
			if err := scan(part); err != nil {
				return 0, err
			}
			part = part[:0]
		}
	}
}

// inspectJPEG reads the dimensions of a JPEG file, its orientation, and how its pixels are coded.
func inspectJPEG(f File) (Info, error) {
	info, scans := Info{Orientation: 1, Frames: 1}, 0
	var bytesPerPixel float64
	err := walkJPEG(f, func(marker byte, content []byte) error {
		switch {
		case isFrame(marker):
			if info.Width > 0 {
				return broken("it has two frames")
			}
			if len(content) < 6 || len(content) < 6+3*int(content[5]) {
				return broken("its frame is too short")
			}
			info.Height = int(binary.BigEndian.Uint16(content[1:]))
			info.Width = int(binary.BigEndian.Uint16(content[3:]))
			bytesPerPixel = jpegBytes(content[6:6+3*int(content[5])], marker == 0xc2)
			if marker > 0xc2 {
				return refused(fault.Say("is a JPEG of a kind that browsers do not show"))
			}
		case marker == jpegSOS:
			if scans++; scans > mostScans || info.Width == 0 {
				return broken("it has too many scans, or no frame before them")
			}
			return info.withMemory(bytesPerPixel).check() // before the rest is read
		case marker == jpegAPP1:
			if exif, ok := bytes.CutPrefix(content, []byte("Exif\x00\x00")); ok {
				info.Orientation = cmp.Or(exifOrientation(exif), info.Orientation)
			}
		}
		return nil
	}, nil)
	if err == nil && scans == 0 {
		err = broken("it has no pixels")
	}
	info = info.withMemory(bytesPerPixel)
	if info.Orientation > 4 {
		info.Width, info.Height = info.Height, info.Width
	}
	return info, err
}

// withMemory returns the info with the memory that decoding needs, twice as much for an image that is
// turned.
func (i Info) withMemory(bytesPerPixel float64) Info {
	if i.Orientation > 1 {
		bytesPerPixel *= 2
	}
	i.memory = int64(bytesPerPixel * float64(i.Width) * float64(i.Height))
	return i
}

// jpegBytes returns the bytes per pixel that decoding allocates, by the components of a frame. A progressive
// image is collected as coefficients of four bytes.
func jpegBytes(components []byte, progressive bool) float64 {
	widest, highest, samples := 1, 1, 0
	for c := components; len(c) >= 3; c = c[3:] {
		h, v := int(c[1]>>4), int(c[1]&15)
		widest, highest, samples = max(widest, h), max(highest, v), samples+h*v
	}
	of := float64(samples) / float64(widest*highest)
	if len(components) > 3*3 {
		of += 4 // CMYK is converted
	}
	if progressive {
		of *= 5
	}
	return of
}

// cleanJPEG copies the tables, the frame, the scans, and colour profiles. It drops what follows the end of
// the image.
func cleanJPEG(to io.Writer, f File) error {
	w := bufio.NewWriterSize(to, 32<<10)
	_, _ = w.Write([]byte{0xff, jpegSOI}) // errors are kept until Flush
	err := walkJPEG(f, func(marker byte, content []byte) error {
		switch {
		case isFrame(marker), marker == jpegDHT, marker == jpegDQT, marker == jpegDRI, marker == jpegSOS:
		case marker == jpegAPP0 && bytes.HasPrefix(content, []byte("JFIF\x00")) && len(content) >= 14:
			content = append(bytes.Clone(content[:12]), 0, 0) // without a thumbnail
		case marker == jpegAPP2 && bytes.HasPrefix(content, []byte("ICC_PROFILE\x00")):
		case marker == jpegAPP14 && bytes.HasPrefix(content, []byte("Adobe")) && len(content) >= 12:
			content = content[:12] // how colours are coded
		default:
			return nil
		}
		_, _ = w.Write([]byte{0xff, marker, byte((len(content) + 2) >> 8), byte(len(content) + 2)})
		_, err := w.Write(content)
		return err
	}, func(part []byte) error {
		_, err := w.Write(part)
		return err
	})
	if err != nil {
		return err
	}
	_, _ = w.Write([]byte{0xff, jpegEOI})
	return w.Flush()
}

// exifOrientation returns the orientation in Exif data, from 1 to 8, or 0 if there is none.
func exifOrientation(data []byte) int {
	if len(data) < 8 {
		return 0
	}
	var order binary.ByteOrder = binary.LittleEndian
	if string(data[:2]) == "MM" {
		order = binary.BigEndian
	}
	at := int64(order.Uint32(data[4:]))
	if at+2 > int64(len(data)) {
		return 0
	}
	entries := data[at+2:]
	for n := order.Uint16(data[at:]); n > 0 && len(entries) >= 12; n, entries = n-1, entries[12:] {
		if order.Uint16(entries) == 0x112 {
			if o := int(order.Uint16(entries[8:])); 1 <= o && o <= 8 {
				return o
			}
			return 0
		}
	}
	return 0
}
