package imagefile

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"image/gif"
	"image/png"
	"io"
)

const pngSignature = "\x89PNG\r\n\x1a\n"

var formatPNG = format{kind: PNG, isKept: true, inspect: inspectPNG, decode: png.Decode}

// inspectPNG reads the chunks of a PNG file up to its pixels.
func inspectPNG(f File, info *Info) error {
	r := bufio.NewReaderSize(f.Reader(), 32<<10)
	if _, err := r.Discard(len(pngSignature)); err != nil {
		return err
	}
	for first, profiled := true, false; ; first = false {
		var head [8]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return err
		}
		length, name := int(binary.BigEndian.Uint32(head[:])), string(head[4:])
		if first != (name == "IHDR") || first && length != 13 {
			return broken("it does not begin with its size")
		}
		if name == "IDAT" || name == "IEND" {
			return nil
		}
		var content []byte
		if name == "IHDR" || (name == "iCCP" && !profiled || name == "eXIf") && length <= mostProfile {
			content = make([]byte, length)
			if _, err := io.ReadFull(r, content); err != nil {
				return err
			}
			length = 0
		}
		if _, err := r.Discard(length + 4); err != nil {
			return err
		}
		switch name {
		case "IHDR":
			width, height := binary.BigEndian.Uint32(content), binary.BigEndian.Uint32(content[4:])
			info.Width, info.Height = int(min(width, 1<<30)), int(min(height, 1<<30))
			info.memory = int64(info.Width) * int64(info.Height) * pngBytes(content[8], content[9], content[12] != 0)
			if err := info.check(info.memory); err != nil {
				return err
			}
		case "iCCP":
			if content != nil {
				profiled, info.profile = true, inflated(content)
			}
		case "eXIf":
			info.orientation = exifOrientation(content)
		}
	}
}

// inflated returns the colour profile in a chunk, or nil.
func inflated(chunk []byte) []byte {
	_, packed, _ := bytes.Cut(chunk, []byte{0}) // behind its name, and a byte for how it is packed
	if len(packed) < 1 {
		return nil
	}
	r, err := zlib.NewReader(bytes.NewReader(packed[1:]))
	if err != nil {
		return nil
	}
	profile, err := io.ReadAll(io.LimitReader(r, mostProfile+1))
	if err != nil || len(profile) > mostProfile {
		return nil
	}
	return profile
}

// pngBytes returns the bytes per pixel that decoding allocates. An interlaced image is decoded in parts of
// up to half its size.
func pngBytes(depth, colour byte, interlaced bool) int64 {
	of := int64(4)
	switch {
	case depth == 16 && colour == 0:
		of = 2
	case depth == 16:
		of = 8
	case colour == 0 || colour == 3:
		of = 1
	}
	if interlaced {
		of *= 2
	}
	return of
}

// formatGIF decodes the first frame.
var formatGIF = format{kind: PNG, inspect: inspectGIF, decode: gif.Decode}

func inspectGIF(f File, info *Info) error {
	var head [10]byte
	if _, err := f.ReadAt(head[:], 0); err != nil {
		return err
	}
	info.Width = int(binary.LittleEndian.Uint16(head[6:]))
	info.Height = int(binary.LittleEndian.Uint16(head[8:]))
	info.memory = 5 * int64(info.Width) * int64(info.Height) // the frame, and the canvas it is drawn on
	return nil
}
