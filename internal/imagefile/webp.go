package imagefile

import (
	"encoding/binary"
	"io"

	"storefront/internal/fault"
)

// walkWebP calls chunk for each chunk of a WebP file, with a reader of its content.
func walkWebP(f File, chunk func(name string, content *io.SectionReader) error) error {
	var head [12]byte
	if _, err := f.ReadAt(head[:], 0); err != nil {
		return err
	}
	end := int64(binary.LittleEndian.Uint32(head[4:])) + 8
	if end > f.Size {
		return io.ErrUnexpectedEOF
	}
	for at := int64(12); at < end; {
		var head [8]byte
		if _, err := f.ReadAt(head[:], at); err != nil {
			return err
		}
		length := int64(binary.LittleEndian.Uint32(head[4:]))
		if at += 8; at+length > end {
			return io.ErrUnexpectedEOF
		}
		if err := chunk(string(head[:4]), io.NewSectionReader(f, at, length)); err != nil {
			return err
		}
		at += length + length&1
	}
	return nil
}

// flags of the extended header.
const webpAnimated, webpMetadata, webpAlpha = 0x02, 0x0c, 0x10

// inspectWebP reads the header of a WebP file. It refuses animations, since no smaller version of them can
// be made.
func inspectWebP(f File) (Info, error) {
	info := Info{Orientation: 1, Frames: 1}
	var width, height int // of the pixels
	alpha := false
	err := walkWebP(f, func(name string, content *io.SectionReader) error {
		var head [10]byte
		n, err := io.ReadFull(content, head[:])
		if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
			return err
		}
		switch name {
		case "VP8X":
			if n < 10 || info.Width > 0 {
				return broken("its header is too short, or not the first")
			}
			info.Width, info.Height = 1+uint24(head[4:]), 1+uint24(head[7:])
			alpha = head[0]&webpAlpha != 0
			if head[0]&webpAnimated != 0 {
				return refused(fault.Say("is an animated WebP image; send an animated GIF, or one frame"))
			}
		case "ANIM", "ANMF":
			return refused(fault.Say("is an animated WebP image; send an animated GIF, or one frame"))
		case "VP8 ":
			if n < 10 || width > 0 || head[3] != 0x9d || head[4] != 0x01 || head[5] != 0x2a {
				return broken("its pixels have no header")
			}
			width = int(binary.LittleEndian.Uint16(head[6:])) & 0x3fff
			height = int(binary.LittleEndian.Uint16(head[8:])) & 0x3fff
			info.memory = int64(width) * int64(height) * 2
			if alpha {
				info.memory += int64(width) * int64(height) * 8 // an estimate: not all of it is needed at the same time
			}
		case "VP8L":
			if n < 5 || width > 0 || head[0] != 0x2f {
				return broken("its pixels have no header")
			}
			bits := binary.LittleEndian.Uint32(head[1:])
			width, height = 1+int(bits&0x3fff), 1+int(bits>>14&0x3fff)
			info.memory = int64(width) * int64(height) * 8
		}
		return nil
	})
	switch {
	case err != nil:
	case width == 0:
		err = broken("it has no pixels")
	case info.Width == 0:
		info.Width, info.Height = width, height
	case info.Width != width || info.Height != height:
		err = broken("it has two sizes")
	}
	return info, err
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

// cleanWebP copies the pixels and the colour profile.
func cleanWebP(to io.Writer, f File) error {
	type part struct {
		name    string
		content *io.SectionReader
	}
	var parts []part
	length := int64(4)
	err := walkWebP(f, func(name string, content *io.SectionReader) error {
		switch name {
		case "VP8X", "VP8 ", "VP8L", "ALPH", "ICCP":
		default:
			return nil
		}
		parts = append(parts, part{name, content})
		length += 8 + content.Size() + content.Size()&1
		return nil
	})
	if err != nil {
		return err
	}
	head := append([]byte("RIFF"), binary.LittleEndian.AppendUint32(nil, uint32(length))...)
	if _, err := to.Write(append(head, "WEBP"...)); err != nil {
		return err
	}
	for _, p := range parts {
		head := append([]byte(p.name), binary.LittleEndian.AppendUint32(nil, uint32(p.content.Size()))...)
		content := io.Reader(p.content)
		if p.name == "VP8X" {
			flags := make([]byte, 1)
			if _, err := io.ReadFull(content, flags); err != nil {
				return err
			}
			head = append(head, flags[0]&^webpMetadata)
		}
		if _, err := to.Write(head); err != nil {
			return err
		}
		if _, err := io.Copy(to, content); err != nil {
			return err
		}
		if p.content.Size()&1 == 1 {
			if _, err := to.Write([]byte{0}); err != nil {
				return err
			}
		}
	}
	return nil
}
