package imagefile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"image/jpeg"
	"io"

	"storefront/internal/fault"
)

// Markers of JPEG.
const (
	jpegDHT, jpegSOI, jpegEOI, jpegSOS = 0xc4, 0xd8, 0xd9, 0xda
	jpegAPP1, jpegAPP2                 = 0xe1, 0xe2
)

var formatJPEG = format{kind: JPEG, isKept: true, inspect: inspectJPEG, decode: jpeg.Decode}

// isFrame reports whether a marker begins a frame (SOF), which holds the dimensions of the image.
func isFrame(marker byte) bool {
	return 0xc0 <= marker && marker <= 0xcf && marker != jpegDHT && marker != 0xc8 && marker != 0xcc
}

// inspectJPEG reads the segments of a JPEG file: its dimensions, its orientation, its colour profile, and how
// often its scans go over the image.
func inspectJPEG(f File, info *Info) error {
	r := bufio.NewReaderSize(f.Reader(), 32<<10)
	if _, err := r.Discard(2); err != nil {
		return err
	}
	var segment [1 << 16]byte
	work := int64(0)
	marker, err := nextMarker(r)
	for err == nil && marker != jpegEOI {
		if marker < 0xc0 || 0xd0 <= marker && marker <= jpegSOI {
			return broken("a marker stands where none may")
		}
		var length [2]byte
		if _, err := io.ReadFull(r, length[:]); err != nil {
			return err
		}
		content := segment[:max(0, int(binary.BigEndian.Uint16(length[:]))-2)]
		if _, err := io.ReadFull(r, content); err != nil {
			return err
		}
		switch {
		case isFrame(marker):
			if err := info.readFrame(marker, content); err != nil {
				return err
			}
		case marker == jpegAPP1:
			if exif, ok := bytes.CutPrefix(content, []byte("Exif\x00\x00")); ok {
				info.orientation = exifOrientation(exif)
			}
		case marker == jpegAPP2:
			// behind the name are the number of the part and how many there are
			part, ok := bytes.CutPrefix(content, []byte("ICC_PROFILE\x00"))
			if ok && len(part) > 2 && len(info.profile) <= mostProfile {
				info.profile = append(info.profile, part[2:]...)
			}
		}
		if marker != jpegSOS {
			marker, err = nextMarker(r)
			continue
		}
		if len(content) < 1 || info.Width == 0 {
			return broken("a scan has no frame before it")
		}
		if work += int64(content[0]) * int64(info.Width) * int64(info.Height); work > mostWork {
			return refused(fault.Say("has too many scans for its size; save it anew"))
		}
		if err := info.check(info.memory); err != nil { // before the rest is read
			return err
		}
		marker, err = skipScan(r)
	}
	if err == nil && work == 0 {
		err = broken("it has no pixels")
	}
	return err
}

// readFrame reads the dimensions of the image, and how its pixels are coded.
func (i *Info) readFrame(marker byte, content []byte) error {
	if len(content) < 6 || len(content) < 6+3*int(content[5]) || i.Width > 0 {
		return broken("its frame is too short, or not the only one")
	}
	if marker > 0xc2 {
		return refused(fault.Say("is a JPEG of a kind that browsers do not show"))
	}
	i.Height, i.Width = int(binary.BigEndian.Uint16(content[1:])), int(binary.BigEndian.Uint16(content[3:]))
	i.memory = int64(jpegBytes(content[6:6+3*int(content[5])], marker == 0xc2) * float64(i.Width) * float64(i.Height))
	return nil
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

// skipScan reads coded pixels, and returns the marker that follows them.
func skipScan(r *bufio.Reader) (byte, error) {
	for {
		b, err := r.ReadByte()
		if err != nil {
			return 0, err
		}
		if b != 0xff {
			continue
		}
		for b == 0xff && err == nil {
			b, err = r.ReadByte()
		}
		if err != nil || b != 0 && (b < 0xd0 || b > 0xd7) { // neither a byte 0xff nor a restart
			return b, err
		}
	}
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

// exifOrientation returns the orientation in Exif data, from 1 to 8. If there is none, it is 1.
func exifOrientation(data []byte) int {
	if len(data) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.LittleEndian
	if string(data[:2]) == "MM" {
		order = binary.BigEndian
	}
	at := int64(order.Uint32(data[4:]))
	if at+2 > int64(len(data)) {
		return 1
	}
	entries := data[at+2:]
	for n := order.Uint16(data[at:]); n > 0 && len(entries) >= 12; n, entries = n-1, entries[12:] {
		if o := int(order.Uint16(entries[8:])); order.Uint16(entries) == 0x112 && 1 <= o && o <= 8 {
			return o
		}
	}
	return 1
}
