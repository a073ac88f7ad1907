package imagefile

import (
	"encoding/binary"
	"io"
	"slices"

	"storefront/internal/fault"
)

// mostMeta bounds the box that says what is in an AVIF file. It is read as a whole.
const mostMeta = 1 << 20 // bytes

// mostParts bounds the boxes, items, and parts of items of a file.
const mostParts = 1000

// heif is the structure of an AVIF file (ISO/IEC 23008-12), without its pixels.
type heif struct {
	size, metaAt, metaEnd int64
	dataAt, dataEnd       int64 // of the pixels and whatever else items hold

	other      []span // boxes that are no part of the image
	primary    uint32
	kinds      map[uint32]string // of items
	extents    map[uint32][]span
	properties []property
	of         map[uint32][]int // indexes of properties, from 1, by item
}

type span struct{ from, to int64 } // bytes of the file

type property struct {
	name    string
	content []byte
}

// box reads the head of a box at a position of a file that ends at end, and returns its name and content.
func box(f io.ReaderAt, at, end int64) (name string, content span, err error) {
	var head [16]byte
	if end-at < 8 {
		return "", span{}, io.ErrUnexpectedEOF
	}
	if _, err := f.ReadAt(head[:8], at); err != nil {
		return "", span{}, err
	}
	length, from := int64(binary.BigEndian.Uint32(head[:])), at+8
	switch length {
	case 0:
		length = end - at
	case 1:
		if end-at < 16 {
			return "", span{}, io.ErrUnexpectedEOF
		}
		if _, err := f.ReadAt(head[8:], from); err != nil {
			return "", span{}, err
		}
		length, from = int64(binary.BigEndian.Uint64(head[8:])), at+16
	}
	if length < from-at || length > end-at {
		return "", span{}, io.ErrUnexpectedEOF
	}
	return string(head[4:8]), span{from, at + length}, nil
}

// readHEIF reads the boxes of a file.
func readHEIF(f File) (*heif, error) {
	h := &heif{size: f.Size, kinds: map[uint32]string{}, extents: map[uint32][]span{}, of: map[uint32][]int{}}
	still := false
	for at, boxes := int64(0), 0; at < f.Size; boxes++ {
		if boxes > mostParts {
			return nil, broken("it has too many boxes")
		}
		name, content, err := box(f, at, f.Size)
		if err != nil {
			return nil, err
		}
		switch name {
		case "ftyp":
			brands := make([]byte, min(content.to-content.from, 4<<10))
			if _, err := f.ReadAt(brands, content.from); err != nil {
				return nil, err
			}
			for i := 0; i+4 <= len(brands); i += 4 {
				still = still || i != 4 && string(brands[i:i+4]) == "avif"
			}
		case "meta":
			if h.metaAt != 0 || content.to-content.from > mostMeta {
				return nil, broken("it says too much of its content")
			}
			h.metaAt, h.metaEnd = content.from, content.to
		case "mdat":
			if h.dataAt == 0 {
				h.dataAt = content.from
			}
			h.dataEnd = content.to
		case "moov", "moof":
			return nil, refused(fault.Say("is an animated AVIF image; send an animated GIF, or one frame"))
		default:
			h.other = append(h.other, span{at + 4, content.to})
		}
		at = content.to
	}
	if !still || h.metaAt == 0 {
		return nil, broken("it holds no still AVIF image")
	}
	return h, h.readMeta(f)
}

func (h *heif) readMeta(f File) error {
	meta := make([]byte, h.metaEnd-h.metaAt)
	if _, err := f.ReadAt(meta, h.metaAt); err != nil {
		return err
	}
	inside := span{}
	var locations []byte
	err := boxesOf(skip(meta, 4), func(name string, content []byte) error {
		p := &parser{rest: content}
		switch name {
		case "pitm":
			h.primary = p.id(p.version() > 0)
		case "iinf":
			h.readItems(p)
		case "iloc":
			locations = content
		case "idat":
			at := h.metaEnd - int64(len(meta)) + int64(cap(meta)-cap(content))
			inside = span{at, at + int64(len(content))}
		case "iprp":
			return h.readProperties(content)
		}
		return p.err
	})
	if err != nil {
		return err
	}
	return h.readLocations(&parser{rest: locations}, inside)
}

func (h *heif) readItems(p *parser) {
	count := p.id(p.version() > 0)
	for ; count > 0 && p.err == nil; count-- {
		length := int(p.number(4)) - 8
		if name := p.text(4); name != "infe" || length < 0 {
			p.fail()
			return
		}
		entry := &parser{rest: p.bytes(length)}
		version := entry.version()
		if version < 2 {
			continue
		}
		id := entry.id(version > 2)
		entry.bytes(2)
		h.kinds[id] = entry.text(4)
	}
}

func (h *heif) readProperties(content []byte) error {
	return boxesOf(content, func(name string, content []byte) error {
		switch name {
		case "ipco":
			return boxesOf(content, func(name string, content []byte) error {
				h.properties = append(h.properties, property{name, content})
				return nil
			})
		case "ipma":
			p := &parser{rest: content}
			head := p.number(4)
			for n := p.number(4); n > 0 && p.err == nil; n-- {
				id := p.id(head>>24 > 0)
				for count := p.number(1); count > 0 && p.err == nil; count-- {
					index := p.number(1) & 0x7f
					if head&1 == 1 {
						index = index<<8 | p.number(1)
					}
					h.of[id] = append(h.of[id], int(index))
				}
			}
			return p.err
		}
		return nil
	})
}

// readLocations reads the positions of the items. inside is the part of the file that holds small ones.
func (h *heif) readLocations(p *parser, inside span) error {
	version := p.version()
	sizes := p.number(2)
	offset, length, base, index := sizes>>12, sizes>>8&15, sizes>>4&15, sizes&15
	parts := 0
	for count := p.id(version == 2); count > 0 && p.err == nil; count-- {
		id := p.id(version == 2)
		within := span{0, h.size}
		if version > 0 {
			if p.number(2)&15 == 1 {
				within = inside
			}
		} else {
			index = 0
		}
		p.bytes(2)
		from := within.from + p.number(int(base))
		for extents := p.number(2); extents > 0 && p.err == nil; extents-- {
			if parts++; parts > mostParts {
				return broken("it has too many parts")
			}
			p.number(int(index))
			at := from + p.number(int(offset))
			one := span{at, at + p.number(int(length))}
			if one.to == one.from {
				one.to = within.to
			}
			if one.from < within.from || one.to < one.from || one.to > within.to {
				return io.ErrUnexpectedEOF
			}
			h.extents[id] = append(h.extents[id], one)
		}
	}
	return p.err
}

// inspectAVIF reads the dimensions of an AVIF file.
func inspectAVIF(f File) (Info, error) {
	h, err := readHEIF(f)
	if err != nil {
		return Info{}, err
	}
	info := Info{Orientation: 1, Frames: 1}
	turned := false
	for _, i := range h.of[h.primary] {
		if i < 1 || i > len(h.properties) {
			continue
		}
		switch p := h.properties[i-1]; {
		case p.name == "ispe" && len(p.content) >= 12:
			info.Width = int(binary.BigEndian.Uint32(p.content[4:]))
			info.Height = int(binary.BigEndian.Uint32(p.content[8:]))
		case p.name == "irot" && len(p.content) >= 1:
			turned = p.content[0]&1 == 1
		}
	}
	if turned {
		info.Width, info.Height = info.Height, info.Width
	}
	if len(h.extents[h.primary]) == 0 && h.kinds[h.primary] != "grid" || h.dataAt == 0 {
		return info, broken("it has no pixels")
	}
	return info, nil
}

// emptyExif is Exif data without entries, in the form of an item of an AVIF file.
const emptyExif = "\x00\x00\x00\x00II*\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// cleanAVIF copies a file with blanks in place of its metadata items and of boxes that are not part of the
// image. Nothing else is moved, since items are found by their positions.
func cleanAVIF(to io.Writer, f File) error {
	h, err := readHEIF(f)
	if err != nil {
		return err
	}
	type patch struct {
		span
		begin string
	}
	var patches []patch
	for _, s := range h.other {
		patches = append(patches, patch{s, "free"})
	}
	for id, kind := range h.kinds {
		begin := ""
		switch kind {
		case "Exif":
			begin = emptyExif
		case "mime", "uri ":
		default:
			continue
		}
		for _, s := range h.extents[id] {
			patches = append(patches, patch{s, begin})
		}
	}
	slices.SortFunc(patches, func(a, b patch) int { return int(a.from - b.from) })
	at := int64(0)
	for _, p := range patches {
		if p.from < at { // items that share their bytes
			p.from, p.begin = min(at, p.to), ""
		}
		if err := copyPart(to, f, at, p.from); err != nil {
			return err
		}
		blank := make([]byte, p.to-p.from)
		copy(blank, p.begin)
		if _, err := to.Write(blank); err != nil {
			return err
		}
		at = max(at, p.to)
	}
	return copyPart(to, f, at, h.size)
}

func copyPart(to io.Writer, f File, from, end int64) error {
	_, err := io.Copy(to, io.NewSectionReader(f, from, end-from))
	return err
}

// boxesOf calls each for the boxes in data. A content's capacity reaches to the end of data.
func boxesOf(data []byte, each func(name string, content []byte) error) error {
	for len(data) > 0 {
		p := &parser{rest: data}
		length, name := int(p.number(4)), p.text(4)
		if p.err != nil || length < 8 || length > len(data) {
			return broken("a box does not fit")
		}
		if err := each(name, data[8:length]); err != nil {
			return err
		}
		data = data[length:]
	}
	return nil
}

func skip(data []byte, n int) []byte { return data[min(n, len(data)):] }

// parser reads numbers. After its first error all reads fail.
type parser struct {
	rest []byte
	err  error
}

func (p *parser) fail() { p.err, p.rest = broken("a box is too short"), nil }

func (p *parser) bytes(n int) []byte {
	if n < 0 || n > len(p.rest) {
		p.fail()
		return nil
	}
	read := p.rest[:n]
	p.rest = p.rest[n:]
	return read
}

func (p *parser) text(n int) string { return string(p.bytes(n)) }

// number reads a number of n bytes that must fit into seven.
func (p *parser) number(n int) int64 {
	value := int64(0)
	for _, b := range p.bytes(n) {
		if value >= 1<<48 {
			p.fail()
			return 0
		}
		value = value<<8 | int64(b)
	}
	return value
}

// version reads the version of a box, and skips its flags.
func (p *parser) version() int64 { return p.number(4) >> 24 }

// id reads the id of an item, or a count of items.
func (p *parser) id(long bool) uint32 {
	if long {
		return uint32(p.number(4))
	}
	return uint32(p.number(2))
}
