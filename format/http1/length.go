package http1

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"quire/format/fault"
)

// ContentLength returns the length of the body that the head declares, in bytes (RFC 9110, 8.6). ok
// is false if the length is not reliable: the field is missing, is not a number, or has several
// different values. A list of equal numbers counts as one. Errors are reported to report, which may
// be nil.
func (h *Head) ContentLength(report fault.Sink) (n int64, ok bool) {
	var t tally
	defer func() { t.report(report) }()
	values := h.Values("Content-Length")
	for _, value := range values {
		for item := range strings.SplitSeq(value, ",") {
			m, err := parseLength(strings.Trim(item, " \t"))
			switch {
			case err != "":
				t.add(ContentLength, "%s %s", excerpt(value), err)
			case ok && m != n:
				t.add(ContentLengthConflict, "%d and %d", n, m)
			default:
				n, ok = m, true
			}
		}
	}
	if len(t.order) > 0 {
		return 0, false
	}
	return n, ok
}

func parseLength(s string) (n int64, problem string) {
	if s == "" || digits(s) != len(s) {
		return 0, "is not a decimal number"
	}
	u, err := strconv.ParseUint(s, 10, 64)
	if err != nil || u > math.MaxInt64 {
		return 0, "is too large"
	}
	return int64(u), ""
}

// CheckLength compares the declared length of the body with got, the number of bytes found,
// including framing. It reports differences to report. It does not check a chunked body, which has
// its own end (RFC 9112, 6.3). It also does not check an empty body after 204, 304 or an interim
// response, or a body without a declared length. An empty body after another status can be the
// response to a HEAD request, which the head does not show; it is reported as short.
func (h *Head) CheckLength(got int64, report fault.Sink) {
	declared, ok := h.ContentLength(report)
	coded := h.checkTransferCodings(report)
	if got > 0 && h.bodiless() {
		report.Add(fault.Fault{Code: BodyUnexpected,
			Detail: fmt.Sprintf("status %d has no body, but %d bytes follow", h.StatusCode, got)})
		return
	}
	if coded && len(h.Values("Content-Length")) > 0 {
		report.Add(fault.Fault{Code: LengthAndCoding,
			Detail: fmt.Sprintf("both Content-Length %s and Transfer-Encoding %s are present",
				excerpt(h.Get("Content-Length")), excerpt(h.Get("Transfer-Encoding")))})
	}
	if !ok || coded || got == declared || got == 0 && h.bodiless() {
		return
	}
	code := BodyShort
	if got > declared {
		code = BodyLong
	}
	report.Add(fault.Fault{Code: code,
		Detail: fmt.Sprintf("Content-Length is %d, but the body has %d bytes", declared, got)})
}

// checkTransferCodings reports codings other than chunked framing as faults, and returns whether
// there are any.
func (h *Head) checkTransferCodings(report fault.Sink) bool {
	codings := h.TransferCodings()
	for i, coding := range codings {
		if coding != "identity" && (coding != "chunked" || i < len(codings)-1) {
			report.Add(fault.Fault{Code: TransferCoding, Detail: excerpt(strings.Join(codings, ", ")).String()})
			break
		}
	}
	return len(codings) > 0
}

// bodiless reports whether the status forbids a body, whatever the fields state (RFC 9112, 6.3).
func (h *Head) bodiless() bool {
	return h.StatusCode == 204 || h.StatusCode == 304 || h.StatusCode >= 100 && h.StatusCode < 200
}
