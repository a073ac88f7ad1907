package imagefile_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"

	"github.com/deepteams/webp"

	"storefront/internal/media/imagefile"
)

// encoded returns what an encoder writes.
func encoded(t testing.TB, encode func(to *bytes.Buffer) error) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := encode(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func jpegOf(t testing.TB, m image.Image) []byte {
	return encoded(t, func(to *bytes.Buffer) error { return jpeg.Encode(to, m, &jpeg.Options{Quality: 95}) })
}

func pngOf(t testing.TB, m image.Image) []byte {
	return encoded(t, func(to *bytes.Buffer) error { return png.Encode(to, m) })
}

func webpOf(t testing.TB, m image.Image, lossless bool) []byte {
	return encoded(t, func(to *bytes.Buffer) error {
		o := webp.DefaultOptions()
		o.Lossless = lossless
		return webp.Encode(to, m, o)
	})
}

// files returns a file of each format, 64 × 48.
func files(t testing.TB) map[string][]byte {
	m := picture(64, 48)
	clear := picture(64, 48)
	clear.SetRGBA(0, 0, color.RGBA{})
	return map[string][]byte{
		"JPEG": jpegOf(t, m), "PNG": pngOf(t, m), "WebP": webpOf(t, m, false), "lossless WebP": webpOf(t, m, true),
		"GIF":                    encoded(t, func(to *bytes.Buffer) error { return gif.Encode(to, m, nil) }),
		"WebP with transparency": drawn(t, pngOf(t, clear), imagefile.Form{As: imagefile.WebP, Quality: 80}),
	}
}

func pngHead(width, height uint32, depth, colour byte) []byte {
	content := binary.BigEndian.AppendUint32([]byte("IHDR"), width)
	content = append(binary.BigEndian.AppendUint32(content, height), depth, colour, 0, 0, 0)
	return pngWith(pngWith([]byte("\x89PNG\r\n\x1a\n"), content), []byte("IDAT"))
}

// pngWith appends a chunk.
func pngWith(before, named []byte) []byte {
	data := binary.BigEndian.AppendUint32(bytes.Clone(before), uint32(len(named)-4))
	return binary.BigEndian.AppendUint32(append(data, named...), crc32.ChecksumIEEE(named))
}

func jpegHead(marker byte, width, height uint16, sampling byte) []byte {
	data := []byte{0xff, 0xd8, 0xff, marker, 0, 17, 8, byte(height >> 8), byte(height), byte(width >> 8)}
	data = append(data, byte(width), 3, 1, sampling, 0, 2, 0x11, 0, 3, 0x11, 0)
	return append(data, 0xff, 0xda, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0, 1, 2, 3, 0xff, 0xd9)
}

// riff makes a WebP file of chunks: name and content in turn.
func riff(chunks ...any) []byte {
	body := []byte("WEBP")
	for i := 0; i < len(chunks); i += 2 {
		content := fmt.Appendf(nil, "%s", chunks[i+1])
		body = append(body, fmt.Sprint(chunks[i])...)
		body = append(binary.LittleEndian.AppendUint32(body, uint32(len(content))), content...)
		if len(content)%2 == 1 {
			body = append(body, 0)
		}
	}
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

func webpLossless(width, height uint32, length int) []byte {
	return riff("VP8L", append(binary.LittleEndian.AppendUint32([]byte{0x2f}, width-1|(height-1)<<14),
		make([]byte, length)...))
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
	return withSegment(data, 0xe1, exif)
}

func withSegment(data []byte, marker byte, content []byte) []byte {
	head := []byte{0xff, 0xd8, 0xff, marker, byte((len(content) + 2) >> 8), byte(len(content) + 2)}
	return append(append(head, content...), data[2:]...)
}
