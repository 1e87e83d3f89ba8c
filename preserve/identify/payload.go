package identify

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"math"
	"path"
	"strings"
)

// Payload is the input for identification. Content codings (Content-Encoding) must have been
// removed. Otherwise only the gzip of a compressed page would be identified, and every declared
// type would seem wrong.
type Payload struct {
	Name string // a URL or a file name, for its extension; may be ""
	MIME string // the declared media type, with or without parameters; may be ""
	Head []byte // the first bytes; all if the payload is small
	Tail []byte // the last bytes, if Head is not all; signatures also match there
	Size int64  // of the whole payload, in bytes

	SHA256 [sha256.Size]byte // of the whole payload, if the caller has it: one digest less to compute
}

// tailShare is the share of the limit that is kept for the end of a payload: an eighth, 128 KiB of
// the default. PDF, JPEG and other formats end in a signature, and a ZIP archive has its list of
// contents there.
const tailShare = 8

// within cuts p to limit bytes, and joins head and tail where they meet.
func (p Payload) within(limit int) Payload {
	p.Size = max(p.Size, int64(len(p.Head)))
	if int64(len(p.Head)) == p.Size {
		p.Tail = nil
	}
	if len(p.Head)+len(p.Tail) > limit {
		all := p.Tail
		if all == nil && int64(len(p.Head)) == p.Size {
			all = p.Head
		}
		p.Head = p.Head[:min(len(p.Head), limit-limit/tailShare)]
		p.Tail = all[len(all)-min(len(all), limit/tailShare):]
	}
	if p.Tail != nil && int64(len(p.Head)+len(p.Tail)) >= p.Size {
		p.Tail = p.Tail[max(0, int64(len(p.Tail))-p.Size):]
		whole := make([]byte, 0, p.Size)
		p.Head, p.Tail = append(append(whole, p.Head[:p.Size-int64(len(p.Tail))]...), p.Tail...), nil
	}
	return p
}

// complete reports whether all bytes of the payload are available.
func (p Payload) complete() bool { return int64(len(p.Head)) == p.Size }

// hints reduces the name and the declared type to the parts that siegfried uses. So payloads that
// differ only in other parts are identified once.
func (p Payload) hints() Payload {
	p.Name, p.MIME = extension(p.Name), bareMIME(p.MIME)
	return p
}

// key identifies everything that a result can depend on.
type key [sha256.Size]byte

// key returns the key of p. Keys of payloads with SHA256 differ from those without it: no size is
// negative.
func (p Payload) key() key {
	h := sha256.New()
	var sizes [16]byte
	if p.SHA256 != ([sha256.Size]byte{}) {
		binary.BigEndian.PutUint64(sizes[:8], math.MaxUint64)
		return p.keyOf(h, sizes[:8], p.SHA256[:])
	}
	binary.BigEndian.PutUint64(sizes[:8], uint64(p.Size))
	binary.BigEndian.PutUint64(sizes[8:], uint64(len(p.Head)))
	return p.keyOf(h, sizes[:], p.Head, p.Tail)
}

// keyOf returns the key of a content and of the hints.
func (p Payload) keyOf(h hash.Hash, content ...[]byte) key {
	for _, part := range append(content, []byte(p.Name), []byte{0}, []byte(p.MIME)) {
		h.Write(part) // a hash never fails
	}
	return key(h.Sum(nil))
}

// serverSide are extensions of programs that produce an answer; they do not describe its format.
var serverSide = map[string]bool{
	"php": true, "php3": true, "php4": true, "php5": true, "phtml": true, "asp": true, "aspx": true, "ashx": true,
	"jsp":  true,
	"jspx": true, "do": true, "action": true, "cgi": true, "pl": true, "py": true, "rb": true, "cfm": true, "dll": true,
	"exe": true, "nsf": true,
}

// maxExtension is the longest accepted extension; PRONOM's longest are shorter.
const maxExtension = 16

// extension returns the lower-case extension of a URL or file name, without the dot, or "".
func extension(name string) string {
	if _, rest, ok := strings.Cut(name, "://"); ok {
		_, name, _ = strings.Cut(rest, "/")
		name, _, _ = strings.Cut(name, "#")
		name, _, _ = strings.Cut(name, "?")
	}
	ext := strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
	if len(ext) > maxExtension || serverSide[ext] || strings.ContainsFunc(ext, notAlphanumeric) {
		return ""
	}
	return ext
}

func notAlphanumeric(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9')
}

// maxMIME is the longest accepted media type, in bytes: RFC 6838, 4.2 allows 127 on each side of
// the slash.
const maxMIME = 255

// bareMIME returns a media type in lower case, without parameters.
func bareMIME(s string) string {
	s, _, _ = strings.Cut(s, ";")
	s = strings.ToLower(strings.TrimSpace(s))
	if len(s) > maxMIME {
		return ""
	}
	return s
}
