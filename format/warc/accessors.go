package warc

import (
	"errors"
	"fmt"
	"mime"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// FieldError is the error of an accessor: a named field that is missing or malformed.
type FieldError struct {
	Name  string
	Value string // as found; "" when the field is missing
	Err   error
}

// Error implements error.
func (e *FieldError) Error() string { return e.Name + ": " + e.Err.Error() }

// Unwrap returns the reason.
func (e *FieldError) Unwrap() error { return e.Err }

// ErrNoField is in the FieldError that an accessor returns if the record does not have the field.
var ErrNoField = errors.New("the record has no such field")

// field reads the first field of that name with parse.
func field[T any](h *Header, name string, parse func(string) (T, error)) (T, error) {
	var none T
	value := h.Get(name)
	if value == "" {
		return none, &FieldError{Name: name, Err: ErrNoField}
	}
	v, err := parse(value)
	if err != nil {
		return none, &FieldError{Name: name, Value: value, Err: err}
	}
	return v, nil
}

// Type returns the WARC-Type: one of [Types], or another.
func (h *Header) Type() string { return h.Get(FieldType) }

// ID returns the WARC-Record-ID as written, with its angle brackets.
func (h *Header) ID() string { return h.Get(FieldRecordID) }

// Date returns the WARC-Date, in UTC.
func (h *Header) Date() (time.Time, error) { return field(h, FieldDate, ParseDate) }

// TargetURI returns the WARC-Target-URI, without the angle brackets that the grammar of 1.0 put
// around it and few wrote.
func (h *Header) TargetURI() string { return bare(h.Get(FieldTargetURI)) }

// RefersTo returns the WARC-Refers-To: the id of the record that this one is about, with its angle
// brackets.
func (h *Header) RefersTo() string { return h.Get(FieldRefersTo) }

// RefersToTargetURI returns the WARC-Refers-To-Target-URI of a revisit, as TargetURI does.
func (h *Header) RefersToTargetURI() string { return bare(h.Get(FieldRefersToTargetURI)) }

// RefersToDate returns the WARC-Refers-To-Date of a revisit, in UTC.
func (h *Header) RefersToDate() (time.Time, error) { return field(h, FieldRefersToDate, ParseDate) }

// ConcurrentTo returns the ids of the records of the same capture event, with their angle brackets.
func (h *Header) ConcurrentTo() []string { return h.Values(FieldConcurrentTo) }

// WarcinfoID returns the id of the warcinfo record that describes this one, with its angle
// brackets.
func (h *Header) WarcinfoID() string { return h.Get(FieldWarcinfoID) }

// Filename returns the WARC-Filename of a warcinfo record.
func (h *Header) Filename() string { return h.Get(FieldFilename) }

// Profile returns the WARC-Profile of a revisit record.
func (h *Header) Profile() string { return h.Get(FieldProfile) }

// Truncated returns the reason why the block is shorter than the content was, "" when it is not
// (clause 5.13): "length", "time", "disconnect", "unspecified", or another.
func (h *Header) Truncated() string { return h.Get(FieldTruncated) }

// IPAddress returns the address of the server.
func (h *Header) IPAddress() (netip.Addr, error) { return field(h, FieldIPAddress, netip.ParseAddr) }

// ContentType returns the media type of the block, in lower case, and its parameters.
func (h *Header) ContentType() (mediaType string, params map[string]string, err error) {
	mediaType, err = field(h, FieldContentType, func(s string) (t string, err error) {
		t, params, err = mime.ParseMediaType(s)
		return t, err
	})
	return mediaType, params, err
}

// IdentifiedPayloadType returns the media type that a tool found in the payload.
func (h *Header) IdentifiedPayloadType() string { return h.Get(FieldIdentifiedPayloadType) }

// BlockDigest returns the WARC-Block-Digest.
func (h *Header) BlockDigest() (Digest, error) { return field(h, FieldBlockDigest, ParseDigest) }

// PayloadDigest returns the WARC-Payload-Digest.
func (h *Header) PayloadDigest() (Digest, error) { return field(h, FieldPayloadDigest, ParseDigest) }

// SegmentNumber returns the place of this record in a sequence of segments, from 1 (clause 5.18).
func (h *Header) SegmentNumber() (int64, error) { return field(h, FieldSegmentNumber, parseNumber) }

// SegmentOriginID returns the id of the first segment, with its angle brackets.
func (h *Header) SegmentOriginID() string { return h.Get(FieldSegmentOriginID) }

// SegmentTotalLength returns the length of all segments together, which the last one states.
func (h *Header) SegmentTotalLength() (int64, error) {
	return field(h, FieldSegmentTotalLength, parseNumber)
}

func parseNumber(s string) (int64, error) {
	n, err := strconv.ParseUint(s, 10, 63)
	if err != nil {
		return 0, fmt.Errorf("%.40q is not a number", s)
	}
	return int64(n), nil
}

func bare(uri string) string {
	if strings.HasPrefix(uri, "<") && strings.HasSuffix(uri, ">") {
		return uri[1 : len(uri)-1]
	}
	return uri
}
