package bagit

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// maxLine is the longest line of a tag file, in bytes.
const maxLine = 64 << 10

// declared matches the two lines of bagit.txt. The standard allows no white space before the colon
// and requires one space after it. A space or CR at the end is accepted, as it always was.
var declared = regexp.MustCompile(`\ABagIt-Version: ([0-9]+\.[0-9]+)[ \t]*(?:\r\n|\n|\r)Tag-File-Character-Encoding: ` +
	`([^\s]+)[ \t]*(?:\r\n|\n|\r)?\z`)

// versions are the published versions.
var versions = []string{"0.93", "0.94", "0.95", "0.96", "0.97", "1.0"}

// declaration reads bagit.txt. It reports whether the rest can be read.
func (v *validator) declaration() bool {
	text, err := readSmall(v.fsys, Declaration, 1<<10)
	if err != nil {
		v.fail(CodeDeclaration, Declaration, "it cannot be read: %v", err)
		return false
	}
	m := declared.FindSubmatch(text)
	if m == nil {
		v.fail(CodeDeclaration, Declaration,
			"it must be two lines, %q and %q, in UTF-8 without a byte order mark, but begins %.60q",
			"BagIt-Version: 1.0", "Tag-File-Character-Encoding: UTF-8", text)
		return false
	}
	v.report.Version, v.report.Encoding = string(m[1]), string(m[2])
	if !slices.Contains(versions, v.report.Version) {
		v.fail(CodeVersion, Declaration, "unknown version %s; known are %s", v.report.Version,
			strings.Join(versions, ", "))
		return false
	}
	v.old = v.report.Version != "1.0"
	if v.encoding, err = encodingOf(v.report.Encoding); err != nil {
		v.fail(CodeEncoding, Declaration, "%v", err)
		return false
	}
	return true
}

// encodingOf returns a character encoding; nil means UTF-8.
func encodingOf(name string) (encoding.Encoding, error) {
	switch strings.ToUpper(name) {
	case "UTF-8", "UTF8", "US-ASCII", "ASCII":
		return nil, nil
	case "UTF-16":
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM), nil
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		return nil, fmt.Errorf("unknown character encoding %q", name)
	}
	return e, nil
}

// readSmall reads a file of at most limit bytes.
func readSmall(fsys fs.FS, name string, limit int64) ([]byte, error) {
	f, err := openRegular(fsys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("it is longer than %d bytes", limit)
	}
	return text, err
}

// openRegular opens a regular file and refuses others: reading a pipe would block forever.
func openRegular(fsys fs.FS, name string) (fs.File, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	return fsys.Open(name)
}

// eachLine calls visit for each line of a tag file, decoded, without line end. An error of visit
// ends it.
func (v *validator) eachLine(name string, visit func(line string, n int64) error) error {
	f, err := openRegular(v.fsys, name)
	if err != nil {
		v.fail(CodeUnreadable, name, "%v", err)
		return nil
	}
	defer f.Close()
	in := io.Reader(f)
	if v.encoding != nil {
		in = v.encoding.NewDecoder().Reader(f)
	}
	s := bufio.NewScanner(in)
	s.Buffer(make([]byte, 4<<10), maxLine)
	s.Split(lineEnd)
	for n := int64(1); s.Scan(); n++ {
		if err := v.ctx.Err(); err != nil {
			return err
		}
		line := s.Text()
		if !utf8.ValidString(line) {
			v.fail(CodeEncoding, name, "line %d is not in %s", n, v.report.Encoding)
			continue
		}
		if err := visit(line, n); err != nil {
			return err
		}
	}
	if err := s.Err(); err != nil {
		v.fail(CodeLine, name, "it cannot be read to its end: %v", err)
	}
	return nil
}

// lineEnd splits at CR, LF or both (2.1.3).
func lineEnd(data []byte, atEOF bool) (int, []byte, error) {
	for i, c := range data {
		switch {
		case c == '\n':
			return i + 1, data[:i], nil
		case c == '\r' && i+1 < len(data) && data[i+1] == '\n':
			return i + 2, data[:i], nil
		case c == '\r' && (i+1 < len(data) || atEOF):
			return i + 1, data[:i], nil
		}
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// maxInfo bounds the bytes of bag-info.txt that are kept.
const maxInfo = 4 << 20

// info reads bag-info.txt. Before version 1.0, white space before the colon was allowed.
func (v *validator) info(name string) error {
	size := 0
	return v.eachLine(name, func(line string, n int64) error {
		if size += len(line); size > maxInfo {
			return nil
		}
		if strings.TrimSpace(line) == "" {
			return nil
		}
		elements := v.report.Info
		if line[0] == ' ' || line[0] == '\t' {
			if len(elements) == 0 {
				v.fail(CodeInfo, name, "line %d continues an element, but none has begun", n)
				return nil
			}
			last := &elements[len(elements)-1]
			last.Value = strings.TrimSpace(last.Value + " " + strings.TrimSpace(line))
			return nil
		}
		label, value, ok := strings.Cut(line, ":")
		if !ok {
			v.fail(CodeInfo, name, "line %d has no colon: %.80q", n, line)
			return nil
		}
		if trimmed := strings.TrimRight(label, " \t"); trimmed != label {
			if !v.old {
				v.fail(CodeInfo, name, "line %d has white space before the colon", n)
			}
			label = trimmed
		}
		v.report.Info = append(elements, Element{label, strings.TrimSpace(value)})
		return nil
	})
}
