package inspect

import (
	"bytes"
	"mime"
	"net/netip"
	"strconv"

	"quire/format/warc"
)

// valueOf returns the value of a standard field; nil if it has none.
func (h *header) valueOf(name string) []byte {
	for i := range fieldRules {
		if fieldRules[i].name == name {
			return h.values[i]
		}
	}
	return nil
}

// checkValues reports invalid field values (ISO 28500:2017, clause 5).
func (o *structureObserver) checkValues(e *entry, kind typeSet) {
	h := &o.header
	o.checkDate(e, h.valueOf(warc.FieldDate), warc.FieldDate)
	o.checkDate(e, h.valueOf(warc.FieldRefersToDate), warc.FieldRefersToDate)
	o.checkURI(e, h.valueOf(warc.FieldTargetURI), warc.FieldTargetURI)
	o.checkURI(e, h.valueOf(warc.FieldRefersToTargetURI), warc.FieldRefersToTargetURI)
	o.checkMediaType(e, h.valueOf(warc.FieldContentType), warc.FieldContentType)
	o.checkMediaType(e, h.valueOf(warc.FieldIdentifiedPayloadType), warc.FieldIdentifiedPayloadType)
	if v := h.valueOf(warc.FieldIPAddress); v != nil && !isIP(v) {
		o.fault(e, FaultIPAddress, "WARC-IP-Address is %.60q", v)
	}
	if v := h.valueOf(warc.FieldTruncated); len(v) > 0 && !isReason(v) {
		o.fault(e, FaultTruncatedReason, "WARC-Truncated is %.60q", v)
	}
	o.checkContentType(e, kind)
	o.checkPayloadFields(e, kind)
	o.checkSegment(e, kind)
	if kind == onRevisit {
		o.checkRevisit(e)
	}
}

// checkDate reports a date that is invalid, or not in the form of the record's version.
func (o *structureObserver) checkDate(e *entry, v []byte, name string) {
	if v == nil || name == warc.FieldRefersToDate && len(v) == 0 {
		return
	}
	if isSeconds(v) && (name != warc.FieldDate || !e.date.IsZero()) {
		return
	}
	if name == warc.FieldDate && e.date.IsZero() {
		o.fault(e, FaultDate, "WARC-Date is %.40q, not a W3CDTF date in UTC", v)
		return
	}
	if _, err := warc.ParseDate(string(v)); err != nil {
		o.fault(e, FaultDate, "%s is %.40q, not a W3CDTF date in UTC", name, v)
		return
	}
	if e.warc.Version == "1.1" && isGranular(v) {
		return
	}
	o.fault(e, FaultDateForm, "%s is %.40q, which WARC %.20s does not allow", name, v, e.warc.Version)
}

// isSeconds reports whether v has the form 2008-04-30T20:48:25Z, which every version allows.
func isSeconds(v []byte) bool { return isForm(v, "dddd-dd-ddTdd:dd:ddZ") }

// isGranular reports whether v is one of the other forms of version 1.1: shorter, or with fractions
// of one to nine digits.
func isGranular(v []byte) bool {
	const seconds = len("2008-04-30T20:48:25")
	if len(v) > seconds+2 && v[seconds] == '.' {
		fraction := v[seconds+1 : len(v)-1]
		for _, c := range fraction {
			if c < '0' || c > '9' {
				return false
			}
		}
		return len(fraction) <= 9 && v[len(v)-1] == 'Z' && isForm(v[:seconds], "dddd-dd-ddTdd:dd:dd")
	}
	return isForm(v, "dddd") || isForm(v, "dddd-dd") || isForm(v, "dddd-dd-dd") || isForm(v, "dddd-dd-ddTdd:ddZ")
}

// isForm compares v with a form; d represents a digit.
func isForm(v []byte, form string) bool {
	if len(v) != len(form) {
		return false
	}
	for i, c := range v {
		if want := form[i]; want == 'd' && (c < '0' || c > '9') || want != 'd' && c != want {
			return false
		}
	}
	return true
}

// checkURI reports an address that is not an absolute URI. It accepts angle brackets, which the
// grammar of 1.0 required.
func (o *structureObserver) checkURI(e *entry, v []byte, name string) {
	if len(v) > 2 && v[0] == '<' && v[len(v)-1] == '>' {
		v = v[1 : len(v)-1]
	}
	if len(v) > 0 && !isAbsolute(v) {
		o.fault(e, FaultTargetURI, "%s is %.200q", name, v)
	}
}

// checkMediaType reports a value that is not type "/" subtype, with parameters.
func (o *structureObserver) checkMediaType(e *entry, v []byte, name string) {
	if len(v) == 0 || isPlainType(v) {
		return
	}
	if _, _, err := mime.ParseMediaType(string(v)); err != nil || !bytes.Contains(v, []byte("/")) {
		o.fault(e, FaultContentType, "%s is %.100q", name, v)
	}
}

// isPlainType recognizes the types of nearly all records, which then need no parsing.
func isPlainType(v []byte) bool {
	switch string(v) {
	case "application/http;msgtype=response", "application/http; msgtype=response", "application/http;msgtype=request",
		"application/http; msgtype=request", "application/warc-fields", "text/dns", "text/plain", "application/http":
		return true
	}
	return false
}

// isIP reports whether v is an address of IPv4 or IPv6, without a port.
func isIP(v []byte) bool {
	a, err := netip.ParseAddr(string(v))
	return err == nil && a.Zone() == ""
}

// isReason reports whether v is a reason that the standard defines (5.15).
func isReason(v []byte) bool {
	switch string(v) {
	case "length", "time", "disconnect", "unspecified":
		return true
	}
	return false
}

// checkContentType reports a missing type (5.6), or a wrong one (6.2).
func (o *structureObserver) checkContentType(e *entry, kind typeSet) {
	v := o.header.valueOf(warc.FieldContentType)
	switch {
	case len(v) == 0:
		if e.size > 0 && kind != onContinuation {
			o.fault(e, FaultContentTypeMissing, "a %s record of %d bytes without Content-Type", e.typeName(), e.size)
		}
	case kind == onWarcinfo && !bytes.HasPrefix(bytes.ToLower(v[:min(len(v), 40)]), []byte("application/warc-fields")):
		o.fault(e, FaultContentTypeWarcinfo, "Content-Type is %.60q", v)
	}
}

// checkPayloadFields reports payload fields in a record without a payload (5.9).
func (o *structureObserver) checkPayloadFields(e *entry, kind typeSet) {
	if kind&(onWarcinfo|onMetadata) == 0 {
		return
	}
	for _, name := range []string{warc.FieldPayloadDigest, warc.FieldIdentifiedPayloadType} {
		if len(o.header.valueOf(name)) > 0 {
			o.fault(e, FaultPayloadUndefined, "a %s record with %s", e.typeName(), name)
		}
	}
}

// checkSegment reports segment numbers that are invalid or on the wrong type (7.2), and invalid
// total lengths (7.4).
func (o *structureObserver) checkSegment(e *entry, kind typeSet) {
	if v := o.header.valueOf(warc.FieldSegmentNumber); len(v) > 0 {
		n, err := strconv.ParseInt(string(v), 10, 64)
		switch first := kind != onContinuation; {
		case err != nil || n < 1:
			o.fault(e, FaultSegmentNumber, "WARC-Segment-Number is %.40q", v)
		case first && n != 1:
			o.fault(e, FaultSegmentNumber, "segment %d is a %s; all segments after the first must be "+
				"continuations", n, e.kind)
		case !first && n == 1:
			o.fault(e, FaultSegmentNumber, "a continuation is segment 1; it must be a later one")
		}
	}
	if v := o.header.valueOf(warc.FieldSegmentTotalLength); len(v) > 0 {
		if _, err := strconv.ParseUint(string(v), 10, 63); err != nil {
			o.fault(e, FaultSegmentTotal, "WARC-Segment-Total-Length is %.40q", v)
		}
	}
}

// checkRevisit reports a profile that is undefined or of another version, and missing fields that
// it requires (6.7).
func (o *structureObserver) checkRevisit(e *entry) {
	h := &o.header
	profile := bytes.Trim(h.valueOf(warc.FieldProfile), "<>")
	var version string
	identical := false
	switch string(profile) {
	case "":
		return
	case warc.ProfileIdenticalPayload10:
		version, identical = "1.0", true
	case warc.ProfileIdenticalPayload11:
		version, identical = "1.1", true
	case warc.ProfileNotModified10:
		version = "1.0"
	case warc.ProfileNotModified11:
		version = "1.1"
	default:
		o.fault(e, FaultProfile, "WARC-Profile is %.120q", profile)
		return
	}
	if of11 := e.warc.Version == "1.1"; of11 != (version == "1.1") {
		o.fault(e, FaultProfileVersion, "a profile of WARC %s in a record of %.20s", version, e.warc.Version)
	}
	if identical && len(h.valueOf(warc.FieldPayloadDigest)) == 0 {
		o.fault(e, FaultRevisitDigest, "identical-payload-digest without WARC-Payload-Digest")
	}
	if len(h.valueOf(warc.FieldRefersTo)) == 0 && len(h.valueOf(warc.FieldRefersToTargetURI)) == 0 {
		o.fault(e, FaultRevisitReference, "neither WARC-Refers-To nor WARC-Refers-To-Target-URI")
	}
}
