package archive

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"quire/format/warc"
	"quire/holdings/captures"
)

// Capture is the content of a record's identifier: the URL, the capture date, and a mark that
// distinguishes captures of the same second.
type Capture struct {
	URL  string    // as in the container's record, byte for byte
	Date time.Time // UTC, whole seconds; zero if the record has no readable date
	Mark uint64    // from the package, record id and bytes: see markOf
}

// scheme is the start of all identifiers.
const scheme = "urn:x-quire:capture:"

// undated replaces the date of a record without one.
const undated = "undated"

// dateForm is the date format of replay tools.
const dateForm = "20060102150405"

// Identifier returns the identifier as a URI:
// urn:x-quire:capture:20150102030405:8c3ad0a1b2c3d4e5:http://a.example/logo.png. It
// percent-encodes, byte by byte, the percent sign and every character of the URL that a URN forbids
// (RFC 8141, clause 2).
func (c *Capture) Identifier() string {
	b := make([]byte, 0, len(scheme)+len(dateForm)+18+len(c.URL)+16)
	b = append(b, scheme...)
	if year := c.Date.Year(); c.Date.IsZero() || year < 1 || year > 9999 {
		b = append(b, undated...)
	} else {
		b = c.Date.UTC().AppendFormat(b, dateForm)
	}
	b = append(b, ':')
	b = hex.AppendEncode(b, binary.BigEndian.AppendUint64(nil, c.Mark))
	b = append(b, ':')
	for i := range len(c.URL) {
		if ch := c.URL[i]; plain[ch] {
			b = append(b, ch)
		} else {
			b = append(b, '%', upperHex[ch>>4], upperHex[ch&15])
		}
	}
	return string(b)
}

// ParseIdentifier is the inverse of Identifier. A capture has one identifier only: ParseIdentifier
// refuses every text that Identifier does not write.
func ParseIdentifier(identifier string) (Capture, error) {
	var c Capture
	wrong := fmt.Errorf("%.200q is not an identifier of a capture: %sDATE:MARK:URL", identifier, scheme)
	rest, ok := strings.CutPrefix(identifier, scheme)
	date, rest, two := strings.Cut(rest, ":")
	mark, rest, three := strings.Cut(rest, ":")
	if !ok || !two || !three || len(mark) != 16 {
		return c, wrong
	}
	var err error
	if date != undated {
		if c.Date, err = time.Parse(dateForm, date); err != nil {
			return c, wrong
		}
	}
	sum, err := hex.DecodeString(mark)
	if err != nil {
		return c, wrong
	}
	c.Mark = binary.BigEndian.Uint64(sum)
	if c.URL, ok = decoded(rest); !ok || c.Identifier() != identifier {
		return c, wrong
	}
	return c, nil
}

// decoded reverses percent-encoding.
func decoded(s string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i+3 > len(s) {
			return "", false
		}
		c, err := hex.DecodeString(s[i+1 : i+3])
		if err != nil {
			return "", false
		}
		b.WriteByte(c[0])
		i += 2
	}
	return b.String(), true
}

const upperHex = "0123456789ABCDEF"

// plain holds the bytes that need no encoding: the bytes allowed in the NSS of a URN (RFC 8141:
// pchar and the slash), except the percent sign.
var plain = func() (is [256]bool) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/") {
		is[c] = true
	}
	return is
}()

// sumOf returns the digest of a capture's bytes: of its body as stored, or, for a revisit, the
// digest it states for its payload.
func sumOf(c *captures.Capture) []byte {
	if c.Type == warc.TypeRevisit {
		d, err := warc.ParseDigest(c.Digest)
		if err != nil {
			return nil
		}
		return d.Sum
	}
	sum, err := hex.DecodeString(c.Record.SHA256)
	if err != nil {
		return nil
	}
	return sum
}

// isDigest reports whether a revisit's payload can be found by a digest. Some crawlers write an
// invented digest of zeros.
func isDigest(stated string) bool {
	d, err := warc.ParseDigest(stated)
	return err == nil && (d.Algorithm == "sha1" || d.Algorithm == "sha256") && len(d.Sum) >= 8 &&
		binary.BigEndian.Uint64(d.Sum) != 0
}

// markOf returns the mark that distinguishes captures of the same URL and second: a hash of the
// package, the record's id, and its bytes. The same record in two containers or two versions of a
// package is one. The same record in two packages is two. An identifier never refers to different
// bytes later.
func markOf(pkg, id string, sum []byte) uint64 {
	h := sha256.New()
	for _, s := range []string{pkg, id} {
		_, _ = h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(s)))) // a hash never fails
		_, _ = h.Write([]byte(s))
	}
	_, _ = h.Write(sum)
	return binary.BigEndian.Uint64(h.Sum(nil))
}
