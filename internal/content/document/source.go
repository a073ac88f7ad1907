package document

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Source reads a bundle's text from beginning to end. It tracks line numbers, and returns no more bytes than
// allowed, so that no single value fills the memory.
type Source struct {
	file     io.Closer
	text     io.Reader
	Decoder  *jsontext.Decoder // of the text
	given    int64             // bytes read so far
	allowed  int64             // bytes that may be read
	line     int               // number of the line that begins at lineFrom
	lineFrom int64             // offset
	newlines []int64           // offsets of line ends read so far, at or after lineFrom
}

// ErrTooLarge is the error of reading more than is allowed.
var ErrTooLarge = errors.New("is too large")

// ErrBOM is the error of opening a text with a byte order mark.
var ErrBOM = errors.New("begins with a byte order mark")

// OpenSource opens a bundle. Gzip is recognized by its first bytes, not by a name.
func OpenSource(open func() (io.ReadCloser, error)) (*Source, error) {
	file, err := open()
	if err != nil {
		return nil, fmt.Errorf("open the bundle: %w", err)
	}
	text := bufio.NewReaderSize(file, 64<<10)
	if magic, _ := text.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		unpacked, err := gzip.NewReader(text)
		if err != nil {
			file.Close()
			return nil, fmt.Errorf("unpack the bundle: %w", err)
		}
		text = bufio.NewReaderSize(unpacked, 64<<10)
	}
	if mark, _ := text.Peek(3); bytes.Equal(mark, []byte("\uFEFF")) {
		file.Close()
		return nil, ErrBOM
	}
	s := &Source{file: file, text: text, line: 1}
	s.Decoder = jsontext.NewDecoder(s, jsontext.AllowDuplicateNames(true))
	return s, nil
}

// Close closes the file.
func (s *Source) Close() error { return s.file.Close() }

// Permit lets the decoder read up to size bytes from its position.
func (s *Source) Permit(size int64) { s.allowed = s.Decoder.InputOffset() + size }

// Read reads the text for the decoder.
func (s *Source) Read(p []byte) (int, error) {
	if s.given >= s.allowed {
		return 0, ErrTooLarge
	}
	n, err := s.text.Read(p)
	for rest, at := p[:n], s.given; ; {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			break
		}
		s.newlines = append(s.newlines, at+int64(i))
		rest, at = rest[i+1:], at+int64(i)+1
	}
	s.given += int64(n)
	return n, err
}

// Position returns the line and column of an offset, both from 1. Later calls must not have smaller offsets.
func (s *Source) Position(offset int64) (line, column int) {
	passed := 0
	for passed < len(s.newlines) && s.newlines[passed] < offset {
		s.line++
		s.lineFrom = s.newlines[passed] + 1
		passed++
	}
	s.newlines = s.newlines[passed:]
	return s.line, int(offset-s.lineFrom) + 1
}
