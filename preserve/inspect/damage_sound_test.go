package inspect

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	stdgzip "compress/gzip"

	"github.com/klauspost/compress/zstd"
)

// soundRecords reports whether b, a range of a damaged file, is still a sequence of valid records
// without contradictions. Such damage cannot be detected: for example, a changed letter in a page
// without a digest, or a changed but valid date. Last reports that the file ends with b.
//
// The check is independent of Quire: it inflates with other software, parses a record by two
// expressions, and requires every length, date, id and digest to be correct.
func soundRecords(s *sound, b []byte, last bool) bool {
	text, ok := inflated(s.compression, b)
	if !ok {
		return false
	}
	for text != "" {
		n := soundRecord(s, text, last)
		if n == 0 {
			return false
		}
		text = text[n:]
	}
	return true
}

// soundRecord returns the length of the valid record at the start of text, or 0.
func soundRecord(s *sound, text string, last bool) int {
	if s.arc {
		return soundARC(text, last)
	}
	return soundWARC(text)
}

// inflated returns the text of a range of gzip members or frames, by the standard library and
// klauspost's zstd.
func inflated(compression string, b []byte) (string, bool) {
	switch compression {
	case "gzip":
		r, err := stdgzip.NewReader(bytes.NewReader(b))
		if err != nil {
			return "", false
		}
		text, err := io.ReadAll(r)
		return string(text), err == nil
	case "zstd":
		r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return "", false
		}
		defer r.Close()
		text, err := r.DecodeAll(b, nil)
		return string(text), err == nil
	}
	return string(b), true
}

var (
	soundHead = regexp.MustCompile(`^(?i:WARC)/(0\.17|0\.18|1\.0|1\.1)\r\n((?:[-!#$%&'*+.^_|~0-9A-Za-z` + "`" +
		`]+:[^\r\n\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*\r\n)+)\r\n`)
	soundID   = regexp.MustCompile(`^<[A-Za-z][-+.A-Za-z0-9]*:[^\s<>]+>$`)
	soundLine = regexp.MustCompile(`^([A-Za-z][-+.A-Za-z0-9]*:[!-~]+) (\S+) ([0-9]{14}) ([!-~]+) ([0-9]+)\n`)
)

func soundWARC(text string) int {
	head := soundHead.FindStringSubmatch(text)
	if head == nil || !utf8.ValidString(head[0]) {
		return 0
	}
	fields := map[string]string{}
	for _, line := range strings.Split(strings.TrimSuffix(head[2], "\r\n"), "\r\n") {
		name, value, _ := strings.Cut(line, ":")
		name = strings.ToLower(name)
		if _, twice := fields[name]; twice {
			return 0
		}
		fields[name] = strings.Trim(value, " \t")
	}
	length, err := strconv.ParseUint(fields["content-length"], 10, 31)
	rest := text[len(head[0]):]
	if err != nil || uint64(len(rest)) < length || !strings.HasPrefix(rest[length:], "\r\n\r\n") ||
		!soundFields(fields, rest[:length]) {
		return 0
	}
	return len(head[0]) + int(length) + 4
}

func soundFields(fields map[string]string, block string) bool {
	_, err := time.Parse("2006-01-02T15:04:05Z", fields["warc-date"])
	if err != nil || fields["warc-type"] == "" || !soundID.MatchString(fields["warc-record-id"]) {
		return false
	}
	if value, ok := fields["warc-block-digest"]; ok && !soundDigest(value, block) {
		return false
	}
	value, ok := fields["warc-payload-digest"]
	if !ok {
		return true
	}
	// The server's original answer is unknown now, so the digest may be the digest of any content.
	response, err := http.ReadResponse(bufio.NewReader(strings.NewReader(block)), nil)
	if err != nil {
		return true
	}
	defer func() { _ = response.Body.Close() }()
	payload, err := io.ReadAll(response.Body)
	_, raw, _ := strings.Cut(block, "\r\n\r\n")
	return err != nil || soundDigest(value, string(payload)) || soundDigest(value, raw)
}

func soundDigest(value, of string) bool {
	return strings.EqualFold(value, base32SHA1(of)) || strings.EqualFold(value, sha256Hex(of))
}

func soundARC(text string, last bool) int {
	line := soundLine.FindStringSubmatch(text)
	if line == nil {
		return 0
	}
	_, badIP := netip.ParseAddr(line[2])
	_, badDate := time.Parse("20060102150405", line[3])
	length, err := strconv.ParseUint(line[5], 10, 31)
	n := uint64(len(line[0])) + length
	switch {
	case badIP != nil, badDate != nil, err != nil, n > uint64(len(text)):
		return 0
	case n == uint64(len(text)) && last: // by the grammar, the newline belongs to the next record
		return int(n)
	case n == uint64(len(text)), text[n] != '\n':
		return 0
	}
	return int(n) + 1
}

// The test's own check of valid records needs a test too. Otherwise it could excuse every error.
func TestSoundRecords(t *testing.T) {
	good := response("HTTP/1.1 200 OK\r\n\r\nx", "WARC-Block-Digest: "+base32SHA1("HTTP/1.1 200 OK\r\n\r\nx"))
	arcRecord := "http://a.org/ 192.0.2.1 20080430204825 text/plain 2\nab\n"
	for _, c := range []struct {
		name, text string
		arc, want  bool
	}{
		{"record", good, false, true},
		{"record with another letter", strings.Replace(good, "OK", "OL", 1), false, false},
		{"record with another extension field", strings.Replace(good, "WARC-Block-Digest", "WARC-Blocj-Digest", 1),
			false, true},
		{"record without its last byte", good[:len(good)-1], false, false},
		{"record with a byte before", "x" + good, false, false},
		{"record of another length", strings.Replace(good, "Content-Length: 2", "Content-Length: 3", 1), false, false},
		{"record without date", strings.Replace(good, "WARC-Date", "WARC-Dat", 1), false, false},
		{"record", arcRecord, true, true},
		{"record with another letter", strings.Replace(arcRecord, "ab", "ac", 1), true, true},
		{"record of another length", strings.Replace(arcRecord, " 2\n", " 3\n", 1), true, false},
		{"record of the 13th month", strings.Replace(arcRecord, "200804", "200813", 1), true, false},
		{"record without its newline", strings.TrimSuffix(arcRecord, "\n"), true, false},
	} {
		if got := soundRecords(&sound{arc: c.arc, compression: "none"}, []byte(c.text), false); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
