package imagefile

import (
	"bufio"
	"encoding/binary"
	"io"
)

// walkGIF calls block for each block of a GIF file with its bytes: 'H' its header with the colours, 'I' an image's
// descriptor with its colours and pixels, ',' where they begin, '!' an extension of label, ';' the end.
func walkGIF(f File, block func(kind, label byte, content []byte) error) error {
	r := bufio.NewReaderSize(f.reader(), 32<<10)
	head := make([]byte, 13)
	if _, err := io.ReadFull(r, head); err != nil {
		return err
	}
	head, err := withColours(r, head, head[10])
	if err != nil {
		return err
	}
	if err := block('H', 0, head); err != nil {
		return err
	}
	for {
		kind, err := r.ReadByte()
		if err != nil {
			return err
		}
		content, label := []byte{kind}, byte(0)
		switch kind {
		case ';':
			return block(kind, 0, content)
		case '!':
			if label, err = r.ReadByte(); err != nil {
				return err
			}
			content = append(content, label)
		case ',':
			descriptor := make([]byte, 9)
			if _, err := io.ReadFull(r, descriptor); err != nil {
				return err
			}
			content, err = withColours(r, append(content, descriptor...), descriptor[8])
			if err != nil {
				return err
			}
			size, err := r.ReadByte() // of codes
			if err != nil {
				return err
			}
			content = append(content, size)
		default:
			return broken("a block of no known kind")
		}
		if content, err = withSubBlocks(r, content); err != nil {
			return err
		}
		if err := block(kind, label, content); err != nil {
			return err
		}
	}
}

// withColours appends the colour table that the flags announce.
func withColours(r io.Reader, to []byte, flags byte) ([]byte, error) {
	if flags&0x80 == 0 {
		return to, nil
	}
	table := make([]byte, 3<<(1+flags&7))
	_, err := io.ReadFull(r, table)
	return append(to, table...), err
}

// withSubBlocks appends blocks up to an empty one, which is the last.
func withSubBlocks(r *bufio.Reader, to []byte) ([]byte, error) {
	for {
		n, err := r.ReadByte()
		if err != nil {
			return nil, err
		}
		to = append(to, n)
		if n == 0 {
			return to, nil
		}
		at := len(to)
		to = append(to, make([]byte, n)...)
		if _, err := io.ReadFull(r, to[at:]); err != nil {
			return nil, err
		}
	}
}

// inspectGIF reads the header of a GIF file and counts its frames, none of which may be larger than it.
func inspectGIF(f File) (Info, error) {
	info := Info{Orientation: 1}
	err := walkGIF(f, func(kind, _ byte, content []byte) error {
		switch kind {
		case 'H':
			info.Width = int(binary.LittleEndian.Uint16(content[6:]))
			info.Height = int(binary.LittleEndian.Uint16(content[8:]))
			info.memory = 5 * int64(info.Width) * int64(info.Height) // the first frame, and the canvas it is drawn on
			return info.check()
		case ',':
			at := func(i int) int { return int(binary.LittleEndian.Uint16(content[1+2*i:])) }
			if at(0)+at(2) > info.Width || at(1)+at(3) > info.Height || at(2) == 0 || at(3) == 0 {
				return broken("a frame does not fit the image")
			}
			if info.Frames++; info.Frames > MostFrames {
				return info.check()
			}
		}
		return nil
	})
	if err == nil && info.Frames == 0 {
		err = broken("it has no pixels")
	}
	return info, err
}

// cleanGIF copies frames, their times, and how often an animation is repeated, without comments and other extensions.
func cleanGIF(to io.Writer, f File) error {
	w := bufio.NewWriterSize(to, 32<<10)
	err := walkGIF(f, func(kind, label byte, content []byte) error {
		const control, application = 0xf9, 0xff
		repeats := label == application && len(content) == 19 && string(content[2:14]) == "\x0bNETSCAPE2.0"
		if kind == '!' && label != control && !repeats || kind == '!' && label == control && len(content) != 8 {
			return nil
		}
		_, err := w.Write(content)
		return err
	})
	if err != nil {
		return err
	}
	return w.Flush()
}
