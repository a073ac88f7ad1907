package imagefile

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"io"

	"storefront/internal/fault"
)

const pngSignature = "\x89PNG\r\n\x1a\n"

// pngChunks are the chunks of a PNG file that cleanPNG keeps.
var pngChunks = map[string]bool{
	"IHDR": true, "PLTE": true, "tRNS": true, "IDAT": true, "IEND": true,
	"gAMA": true, "cHRM": true, "sRGB": true, "iCCP": true, "sBIT": true,
}

// mostChunk bounds the chunks that are read into memory: all but those of pixels, which may be longer.
const mostChunk = 1 << 20 // bytes

// walkPNG calls chunk for each chunk of a PNG file, up to the end of the image.
func walkPNG(f File, chunk func(name string, content []byte) error) error {
	r := bufio.NewReaderSize(f.reader(), 32<<10)
	if _, err := r.Discard(len(pngSignature)); err != nil {
		return err
	}
	for first := true; ; first = false {
		var head [8]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return err
		}
		length, name := int64(binary.BigEndian.Uint32(head[:])), string(head[4:])
		if length > f.Size {
			return io.ErrUnexpectedEOF
		}
		if first && (name != "IHDR" || length != 13) {
			return broken("it does not begin with its size")
		}
		if !pngChunks[name] || name != "IDAT" && length > mostChunk {
			if _, err := io.CopyN(io.Discard, r, length+4); err != nil {
				return err
			}
			continue
		}
		content := make([]byte, length) // at most the length of the file
		if _, err := io.ReadFull(r, content); err != nil {
			return err
		}
		var sum [4]byte
		if _, err := io.ReadFull(r, sum[:]); err != nil {
			return err
		}
		if binary.BigEndian.Uint32(sum[:]) != crc32.Update(crc32.ChecksumIEEE(head[4:]), crc32.IEEETable, content) {
			return broken("a chunk's checksum is wrong")
		}
		if err := chunk(name, content); err != nil || name == "IEND" {
			return err
		}
	}
}

// inspectPNG reads the header of a PNG file, and checks that its chunks are complete.
func inspectPNG(f File) (Info, error) {
	info := Info{Orientation: 1, Frames: 1}
	pixels := false
	err := walkPNG(f, func(name string, content []byte) error {
		switch name {
		case "IHDR":
			width, height := binary.BigEndian.Uint32(content), binary.BigEndian.Uint32(content[4:])
			if info.Width > 0 {
				return broken("it has two sizes")
			}
			if width > 1<<30 || height > 1<<30 {
				return refused(fault.Say("has %d × %d pixels; at most %d are taken on a side", width, height, MostSide))
			}
			info.Width, info.Height = int(width), int(height)
			info.memory = int64(width) * int64(height) * pngBytes(content[8], content[9], content[12] != 0)
			return info.check()
		case "IDAT":
			pixels = true
		}
		return nil
	})
	if err == nil && !pixels {
		err = broken("it has no pixels")
	}
	return info, err
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

// cleanPNG copies the chunks in pngChunks, up to the end of the image.
func cleanPNG(to io.Writer, f File) error {
	w := bufio.NewWriterSize(to, 32<<10)
	_, _ = w.WriteString(pngSignature) // errors are kept until Flush
	err := walkPNG(f, func(name string, content []byte) error {
		head := binary.BigEndian.AppendUint32(nil, uint32(len(content)))
		head = append(head, name...)
		_, _ = w.Write(head)
		_, _ = w.Write(content)
		sum := crc32.Update(crc32.ChecksumIEEE(head[4:]), crc32.IEEETable, content)
		_, err := w.Write(binary.BigEndian.AppendUint32(nil, sum))
		return err
	})
	if err != nil {
		return err
	}
	return w.Flush()
}
