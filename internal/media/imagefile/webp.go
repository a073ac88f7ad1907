package imagefile

import (
	"encoding/binary"
	"fmt"
	"image"
	"io"

	encoder "github.com/deepteams/webp"
	"golang.org/x/image/webp"

	"storefront/internal/fault"
)

var formatWebP = format{kind: WebP, isKept: true, inspect: inspectWebP, decode: decodeWebP}

// Flags of the extended header.
const webpAnimated, webpAlpha = 0x02, 0x10

// Bytes per pixel that the encoder allocates, with the image and a wider one. Transparency is written without loss.
const webpMemory, transparentMemory = 40, 100

const (
	mostWebP        = MostMemory / webpMemory        // pixels of a file that is made
	mostTransparent = MostMemory / transparentMemory // of one with transparency
	mostChunks      = 100                            // before the pixels
)

// walkWebP calls chunk for each chunk of a WebP file up to its pixels, with a reader of its content.
func walkWebP(f File, chunk func(name string, content *io.SectionReader) error) error {
	at := int64(12)
	for range mostChunks {
		var head [8]byte
		if _, err := f.ReadAt(head[:], at); err != nil {
			return err
		}
		length, name := int64(binary.LittleEndian.Uint32(head[4:])), string(head[:4])
		if at += 8; at+length > f.Size {
			return io.ErrUnexpectedEOF
		}
		if err := chunk(name, io.NewSectionReader(f, at, length)); err != nil || name == "VP8 " || name == "VP8L" {
			return err
		}
		at += length + length&1
	}
	return broken("its pixels do not come")
}

// inspectWebP reads a WebP file up to the header of its pixels.
func inspectWebP(f File, info *Info) error {
	var alpha, extended bool
	err := walkWebP(f, func(name string, content *io.SectionReader) error {
		var head [10]byte
		n, err := io.ReadFull(content, head[:])
		if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
			return err
		}
		width, height := info.Width, info.Height
		switch name {
		case "VP8X":
			if extended || n < 10 {
				return broken("its header is too short, or not the only one")
			}
			extended, alpha = true, head[0]&webpAlpha != 0
			if head[0]&webpAnimated != 0 {
				return refused(fault.Say("is an animated WebP image; send one frame"))
			}
			width, height = 1+uint24(head[4:]), 1+uint24(head[7:])
		case "ICCP":
			if content.Size() <= mostProfile {
				info.profile = make([]byte, content.Size())
				_, err = content.ReadAt(info.profile, 0)
			}
		case "ALPH":
			info.memory += lossless(width, height, content.Size())
		case "VP8 ":
			if n < 10 || head[3] != 0x9d || head[4] != 0x01 || head[5] != 0x2a {
				return broken("its pixels have no header")
			}
			width = int(binary.LittleEndian.Uint16(head[6:])) & 0x3fff
			height = int(binary.LittleEndian.Uint16(head[8:])) & 0x3fff
			info.memory += int64(width)*int64(height)*2 + content.Size()
			switch { // too large for the encoder of WebP
			case alpha && width*height > mostTransparent:
				info.Kind = PNG
			case width*height > mostWebP:
				info.Kind = JPEG
			}
		case "VP8L":
			if n < 5 || head[0] != 0x2f {
				return broken("its pixels have no header")
			}
			bits := binary.LittleEndian.Uint32(head[1:])
			width, height = 1+int(bits&0x3fff), 1+int(bits>>14&0x3fff)
			info.memory = lossless(width, height, content.Size())
			info.Kind = PNG
		}
		if info.memory > MostMemory && width*height < mostPixels/4 {
			return refused(fault.Say("is a lossless WebP that takes too much memory; send it as PNG"))
		}
		if extended && name != "VP8X" && (width != info.Width || height != info.Height) {
			return broken("it has two sizes")
		}
		info.Width, info.Height = width, height
		return err
	})
	return err
}

// lossless returns the bytes that decoding pixels that are coded without loss may allocate. Beside the pixels these
// are trees of Huffman codes: up to 57 KiB for each tile of 4 × 4 pixels, of a 200th of that in the file.
func lossless(width, height int, length int64) int64 {
	tiles := int64((width + 3) / 4 * ((height + 3) / 4))
	return 8*int64(width)*int64(height) + min(200*length, tiles*57<<10, 2600*57<<10)
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

// decodeWebP decodes a WebP file. Lossy colours have a range of 16 to 235 (brightness) and 16 to 240, which the
// library leaves as it is; packages of images take it for 0 to 255.
func decodeWebP(r io.Reader) (image.Image, error) {
	m, err := webp.Decode(r)
	if err != nil {
		return nil, err
	}
	var lossy *image.YCbCr
	switch m := m.(type) {
	case *image.YCbCr:
		lossy = m
	case *image.NYCbCrA:
		lossy = &m.YCbCr
	default:
		return m, nil
	}
	widen(lossy.Y, 16, 219, 0)
	widen(lossy.Cb, 128, 224, 128)
	widen(lossy.Cr, 128, 224, 128)
	return m, nil
}

// widen maps a range of so many values around one of them to 255 values around another.
func widen(plane []byte, around, values, to int) {
	var table [256]byte
	for i := range table {
		table[i] = byte(max(0, min(255, to+((i-around)*255*2+values)/(2*values))))
	}
	for i, value := range plane {
		plane[i] = table[value]
	}
}

// encodeWebP writes an image as WebP, lossy colours with exact transparency. Method 2 makes files only a few
// per cent larger than 4, in half the time.
func encodeWebP(to io.Writer, m *image.RGBA, quality int) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("encoding WebP panicked: %v", p)
		}
	}()
	o := encoder.DefaultOptions()
	o.Quality, o.Method = float32(quality), 2
	return encoder.Encode(to, m, o)
}
