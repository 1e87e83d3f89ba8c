package cdxj

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"quire/format/http1"
	"quire/format/warc"
)

// object is the JSON object that follows the key and the timestamp. The first members are the
// members that CDXJ defines, with its names and its form: numbers are strings.
type object struct {
	URL      string `json:"url"`
	MIME     string `json:"mime,omitempty"`
	Status   string `json:"status,omitempty"`
	Digest   string `json:"digest,omitempty"`
	Length   string `json:"length,omitempty"` // "": the record is not alone in a member
	Offset   string `json:"offset"`
	Filename string `json:"filename"`
	Method   string `json:"method,omitempty"`

	URLBytes []byte `json:"urlBytes,omitempty"` // instead of URL, if that is not UTF-8
	Order    int64  `json:"order"`
	Type     string `json:"type"`
	ID       string `json:"id,omitempty"`
	IDBytes  []byte `json:"idBytes,omitempty"`
	Declared string `json:"declared,omitempty"` // of a revisit: the media type
	Redirect string `json:"location,omitempty"`
	// as stated, if it differs from the timestamp in WARC form; always for an unlisted record
	Date      string `json:"date,omitempty"`
	Truncated string `json:"truncated,omitempty"`
	Chunked   bool   `json:"chunked,omitempty"`
	Flaw      Flaw   `json:"flaw,omitempty"`
	Coding    string `json:"coding,omitempty"`
	Size      int64  `json:"size"`
	SHA1      string `json:"sha1,omitempty"`    // of the payload
	Payload   string `json:"payload,omitempty"` // SHA-256 of the payload, if not of the body as stored

	RefersTo      string `json:"refersTo,omitempty"`
	RefersToBytes []byte `json:"refersToBytes,omitempty"`
	RefersToDate  string `json:"refersToDate,omitempty"`

	Segment int64  `json:"segment,omitempty"`
	Origin  string `json:"origin,omitempty"`
	Total   int64  `json:"total,omitempty"`
	Stated  string `json:"stated,omitempty"`

	Inflated int64  `json:"inflated"`
	Record   int64  `json:"record"`
	Head     int64  `json:"head"`
	Body     int64  `json:"body"`
	SHA256   string `json:"sha256"`
}

// mimeOfRevisits is the media type of a revisit in CDXJ.
const mimeOfRevisits = "warc/revisit"

// objectOf returns a line in the form of the file.
func objectOf(l *Line, filename string) *object {
	o := &object{
		MIME: l.MIME, Digest: l.Digest, Offset: strconv.FormatInt(l.Offset, 10), Filename: filename, Method: l.Method,
		Order: l.Order, Type: l.Type, Redirect: l.Location, Truncated: l.Truncated, Coding: l.Coding, Size: l.Size,
		Chunked: l.Chunked, Flaw: l.Flaw, RefersToDate: l.RefersToDate, Inflated: l.Inflated, Record: l.Length,
		Head: l.Head, Body: l.Body, SHA256: l.SHA256, Segment: l.Segment, Origin: l.Origin, Total: l.Total,
		Stated: l.Stated,
	}
	o.URL, o.URLBytes = text(l.URL)
	o.RefersTo, o.RefersToBytes = text(l.RefersToURI)
	if l.Unlisted || l.Segment > 0 || l.Date != UsualDate(l.Timestamp) {
		o.Date = l.Date
	}
	if len(l.ID) <= maxID {
		o.ID, o.IDBytes = text(l.ID)
	}
	if l.Status != 0 {
		o.Status = strconv.Itoa(l.Status)
	}
	if l.Stored >= 0 {
		o.Length = strconv.FormatInt(l.Stored, 10)
	}
	if l.Type == warc.TypeRevisit {
		o.MIME, o.Declared = mimeOfRevisits, l.MIME
		return o
	}
	o.SHA1, o.Payload = Computed(l.Digests, l.SHA256)
	return o
}

// Computed returns the digests of a payload that must be stored so that [DigestsOf] can restore all
// digests. These are its SHA-1, and its SHA-256 in hex if that differs from the SHA-256 of the body
// as stored.
func Computed(digests []string, body string) (sha1, payload string) {
	for _, d := range digests[:min(len(digests), 2)] { // the order of lineFor; any other is the digest
		switch p, _ := warc.ParseDigest(d); {
		case len(digests) < 2:
		case p.Algorithm == "sha1" && sha1 == "":
			sha1 = d
		case p.Algorithm == "sha256" && hex.EncodeToString(p.Sum) != body:
			payload = hex.EncodeToString(p.Sum)
		}
	}
	return sha1, payload
}

// DigestsOf restores the verified digests of a payload from the stored digests. The parameter
// digest is the digest in the line.
func DigestsOf(sha1, payload, body, digest string) (all []string) {
	if sum, err := hex.DecodeString(cmp.Or(payload, body)); sha1 != "" && err == nil {
		all = append(all, sha1, warc.FormatDigest("sha256", sum))
	}
	if digest != "" && !slices.Contains(all, digest) {
		all = append(all, digest)
	}
	return all
}

// text returns a text that JSON can hold, or else its bytes.
func text(s string) (string, []byte) {
	if utf8.ValidString(s) {
		return s, nil
	}
	return "", []byte(s)
}

// either is the inverse of text.
func either(s string, b []byte) string {
	if b != nil {
		return string(b)
	}
	return s
}

// encode appends an object and a line break.
func encode(to *bytes.Buffer, o any) error {
	e := json.NewEncoder(to)
	e.SetEscapeHTML(false)
	return e.Encode(o)
}

// parseLine reads a line. It rejects values that cannot come from a container of that size.
func parseLine(line []byte, of *Container, version int) (*Line, error) {
	line, isUnlisted := bytes.CutPrefix(line, []byte(unlistedWord))
	line, isSegment := bytes.CutPrefix(line, []byte(segmentWord))
	key, rest, _ := bytes.Cut(line, []byte(" "))
	timestamp, text, ok := bytes.Cut(rest, []byte(" "))
	if !ok || isUnlisted && (version < 2 || isSegment) || isSegment && version < 3 {
		return nil, errors.New("it is not a CDXJ line")
	}
	if (isUnlisted || isSegment) && string(timestamp) == noTimestamp {
		timestamp = nil
	}
	var o object
	if err := json.Unmarshal(text, &o); err != nil {
		return nil, err
	}
	l := &Line{
		Key: string(key), Timestamp: string(timestamp), Order: o.Order, Type: o.Type, ID: either(o.ID, o.IDBytes),
		URL:  either(o.URL, o.URLBytes),
		MIME: o.MIME, Method: o.Method, Location: o.Redirect, Truncated: o.Truncated, Coding: o.Coding,
		Digest: o.Digest, Size: o.Size,
		Segment: o.Segment, Origin: o.Origin, Total: o.Total, Stated: o.Stated,
		RefersToURI: either(o.RefersTo, o.RefersToBytes), RefersToDate: o.RefersToDate, Unlisted: isUnlisted,
		Stored: -1, Inflated: o.Inflated, Length: o.Record, Head: o.Head, Body: o.Body, SHA256: o.SHA256,
	}
	if isSegment {
		l.ListedAs()
	}
	if version >= 2 {
		l.Date, l.Chunked, l.Flaw = o.Date, o.Chunked, o.Flaw
		if l.Date == "" && !isUnlisted && !isSegment {
			l.Date = UsualDate(l.Timestamp)
		}
	}
	var wrong error
	l.Offset = number(o.Offset, &wrong)
	if o.Length != "" {
		l.Stored = number(o.Length, &wrong)
	}
	if o.Status != "" {
		l.Status = int(number(o.Status, &wrong))
	}
	if o.Filename != of.Path {
		wrong = fmt.Errorf("it names another container: %q", o.Filename)
	}
	if isSegment != (l.Segment > 0) {
		wrong = errors.Join(wrong, errors.New("only lines of segments have the number of one"))
	}
	return l, errors.Join(wrong, l.digests(&o), l.check(of), l.checkSegment())
}

func number(s string, wrong *error) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		*wrong = err
	}
	return n
}

// digests sets the digests of the payload.
func (l *Line) digests(o *object) error {
	if l.Digest != "" && digestOf(l.Digest) != l.Digest {
		return fmt.Errorf("%q is not a digest", l.Digest)
	}
	if l.Type == warc.TypeRevisit {
		if o.MIME != mimeOfRevisits || o.SHA1 != "" || o.Payload != "" {
			return errors.New("it is a revisit, but has payload fields that a revisit cannot have")
		}
		l.MIME = o.Declared
		return nil
	}
	if o.SHA1 != "" {
		sum, err := hex.DecodeString(o.Payload)
		if o.Payload == "" {
			sum, err = hex.DecodeString(o.SHA256)
		}
		if d, wrong := warc.ParseDigest(o.SHA1); err != nil || len(sum) != 32 || wrong != nil ||
			d.Algorithm != "sha1" || digestOf(o.SHA1) != o.SHA1 {
			return errors.New("the digests of its payload are malformed")
		}
	}
	l.Digests = DigestsOf(o.SHA1, o.Payload, o.SHA256, l.Digest)
	return nil
}

// check rejects values that no reading of the container can produce.
func (l *Line) check(of *Container) error {
	sum, noSum := hex.DecodeString(l.SHA256)
	switch {
	case !isTimestamp(l.Timestamp) && (l.Timestamp != "" || !l.Unlisted):
		return fmt.Errorf("%q is not a timestamp", l.Timestamp)
	case (whyUnlisted(l.URL, l.Timestamp) != "") != l.Unlisted:
		return errors.New("its place among listed and unlisted records is wrong")
	case len(l.Date) > maxDate || !slices.Contains(flaws, l.Flaw):
		return errors.New("its date or its flaw is invalid")
	case len(l.URL) > MaxURL || len(l.Location) > MaxURL || len(l.RefersToURI) > MaxURL || len(l.ID) > maxID ||
		len(l.Truncated) > maxTruncated+len("…"):
		return errors.New("it has no URL, or one of its texts is too long")
	case len(l.Method) > 3*maxMethod || isGET(l.Method) && (l.Method != "" || l.Key != Key(l.URL, "", "", nil)) ||
		l.Key == "" || len(l.Key) > maxKey || !visible(l.Key):
		return errors.New("the key of the line does not match its URL")
	case l.Segment < 2 && !slices.Contains([]string{warc.TypeResponse, warc.TypeResource, warc.TypeConversion,
		warc.TypeRevisit}, l.Type) || l.Segment > 1 && l.Type != warc.TypeContinuation:
		return fmt.Errorf("%q is not a type of a capture", l.Type)
	case l.MIME != "" && !isMIME(l.MIME) || l.Status < 0 || l.Status > 999 || l.RefersToDate != "" &&
		!isTimestamp(l.RefersToDate):
		return errors.New("its media type, status or date is invalid")
	case noSum != nil || len(sum) != 32:
		return errors.New("it has no SHA-256 of its body")
	case l.Offset < 0 || l.Offset >= of.Size || l.Stored < -1 || l.Stored > of.Size-l.Offset:
		return fmt.Errorf("it is at offset %d, but the container has %d bytes", l.Offset, of.Size)
	case l.Order < 1 || min(l.Inflated, l.Head, l.Body, l.Size) < 0 || l.Head > http1.MaxHead || l.Length < l.Head ||
		l.Length-l.Head < l.Body:
		return errors.New("its lengths are invalid")
	}
	return nil
}

// checkSegment checks the members that only the line of a segment has.
func (l *Line) checkSegment() error {
	switch {
	case l.Segment == 0 && (l.Origin != "" || l.Total != 0 || l.Stated != ""),
		l.Segment < 0 || l.Segment > maxSegment || l.Total < 0,
		l.Segment == 1 && (l.Origin != "" || !isID(l.ID) || l.Type == warc.TypeRevisit),
		l.Segment > 1 && (l.Stated != "" || !isID(l.Origin)),
		l.Segment > 0 && (l.Digest != "" || len(l.Digests) > 0),
		l.Stated != "" && digestOf(l.Stated) != l.Stated:
		return errors.New("the members of a segment are invalid")
	}
	return nil
}

func isTimestamp(s string) bool {
	_, err := time.Parse(timestampLayout, s)
	return len(s) == len(timestampLayout) && err == nil
}

// visible reports whether a key has only visible ASCII.
func visible(key string) bool {
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return false
		}
	}
	return true
}
