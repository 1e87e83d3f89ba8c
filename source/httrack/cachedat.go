package httrack

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"quire/model"
)

// The cache until version 3.30 has an index, new.ndx, and the bodies, new.dat. A string is its
// length in decimal, a line end, and its bytes. The index begins with two strings, the version
// ("CACHE-1.4") and a date. Then follow, for each URL, the string "host\npath\n" and a line with
// the place in new.dat; it is negative without a body.

// maxString is the maximum length of a string in the cache, except bodies.
const maxString = 64 << 10

// errDat reports a cache that is unreadable from this point.
var errDat = errors.New("the cache is unreadable from here")

// readString reads a length and that number of bytes.
func readString(r *bufio.Reader) (string, error) {
	n, err := readNumber(r)
	if err != nil {
		return "", err
	}
	if n < 0 || n > maxString {
		return "", fmt.Errorf("%w: a string of %d bytes", errDat, n)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return "", fmt.Errorf("%w: %w", errDat, err)
	}
	return string(b), nil
}

// readNumber reads a line with a decimal number. It returns io.EOF only at the end of the file.
func readNumber(r *bufio.Reader) (int64, error) {
	line, err := r.ReadSlice('\n')
	if errors.Is(err, io.EOF) && len(line) == 0 {
		return 0, io.EOF
	}
	if err != nil {
		return 0, fmt.Errorf("%w: %w", errDat, err)
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(line)), 10, 64)
	if err != nil || len(line) > 24 {
		return 0, fmt.Errorf("%w: %.24q is not a number", errDat, line)
	}
	return n, nil
}

// readIndex calls entry with the URL and the place of each entry of new.ndx.
func readIndex(in io.Reader, entry func(url string, at int64) error) error {
	r := bufio.NewReader(in)
	version, err := readString(r)
	if err == nil && !strings.HasPrefix(version, "CACHE-") {
		err = fmt.Errorf("%w: it begins with %.20q", errDat, version)
	}
	if err == nil {
		_, err = readString(r) // time of writing
	}
	for err == nil {
		var name string
		if name, err = readString(r); err != nil {
			break
		}
		var at int64
		if at, err = readNumber(r); err == nil {
			host, path, _ := strings.Cut(strings.TrimSuffix(name, "\n"), "\n")
			err = entry(host+path, at)
		}
	}
	if errors.Is(err, io.EOF) && !errors.Is(err, errDat) {
		return nil
	}
	return err
}

// readDat reads the entry at that place of new.dat.
func readDat(in io.ReaderAt, size int64, url string, at int64) (*Entry, error) {
	full, assumed := withScheme(url)
	e := &Entry{URL: full, Assumed: assumed, Size: -1, InCache: at >= 0}
	if at = max(at, -at); at < 0 || at >= size {
		return nil, fmt.Errorf("%w: it points to byte %d of %d", errDat, at, size)
	}
	section := io.NewSectionReader(in, at, size-at)
	r := bufio.NewReaderSize(section, 4<<10)
	for _, name := range []string{"X-StatusCode", "X-Size", "X-StatusMessage", "Content-Type", "Last-Modified",
		"Etag"} {
		value, err := readString(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		e.Headers = append(e.Headers, model.Field{Name: name, Value: value})
		e.take(name, strings.TrimSpace(value))
	}
	if err := skipToMark(r); err != nil {
		return nil, err
	}
	length, err := readString(r)
	if err != nil {
		return nil, err
	}
	e.Length, err = strconv.ParseInt(strings.TrimSpace(length), 10, 64)
	read, _ := section.Seek(0, io.SeekCurrent) // a SectionReader's Seek to where it is cannot fail
	begin := at + read - int64(r.Buffered())
	if err != nil || e.Length < 0 || e.Length > size-begin {
		return nil, fmt.Errorf("%w: a body of %.24q bytes, but only %d are left", errDat, length, size-begin)
	}
	e.body = place{at: begin, stored: e.Length, size: e.Length}
	return e, nil
}

// maxDatStrings bounds the strings between the headers and the mark.
const maxDatStrings = 64

// skipToMark skips to the end of the string "HTS". The part before it differs between versions and
// is not needed: new.txt has it too.
func skipToMark(r *bufio.Reader) error {
	for range maxDatStrings {
		s, err := readString(r)
		if err != nil {
			return err
		}
		if s == "HTS" {
			return nil
		}
	}
	return fmt.Errorf("%w: the mark HTS is missing", errDat)
}
