package http1

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"quire/format/fault"
)

// ParseHead parses the head at the beginning of b, which may continue with the body. It returns the
// head and its length n, the offset of the first body byte. Breaches of the standard are reported
// to report, which may be nil. The only error is [ErrNoHead], with n = 0, which is also reported as
// a fault.
//
// b must be complete: if it ends before the head does, all of it is head, with a fault.
func ParseHead(b []byte, kind Kind, report fault.Sink) (Head, int, error) {
	f := finder{kind: kind}
	bound := b[:min(len(b), MaxHead)]
	end, is := f.find(bound, len(bound) == len(b))
	if is == more {
		end, is = tooLarge(&f, bound, report)
	}
	if is == none {
		report.Add(noStartLine(b))
		return Head{}, 0, ErrNoHead
	}
	return parseFound(b[:end], &f, is, report), end, nil
}

// tooLarge ends a head that exceeds the bound: the bytes within the bound are head, the rest is
// body.
func tooLarge(f *finder, bound []byte, report fault.Sink) (end int, is found) {
	if end, is = f.find(bound, true); is != none {
		report.Add(fault.Fault{Code: HeadTooLarge, Detail: fmt.Sprintf(
			"no empty line ends the head within %d bytes; the rest is treated as body", len(bound))})
		if is == ragged {
			is = whole // the input did not end here
		} else if is == raggedCR {
			is = wholeCR
		}
	}
	return end, is
}

func noStartLine(b []byte) fault.Fault {
	return fault.Fault{Code: NoStartLine,
		Detail: fmt.Sprintf("the message begins with %s; all of it is body", excerpt(b[:min(len(b), 40)]))}
}

// parseFound parses the head in raw.
func parseFound(raw []byte, f *finder, is found, report fault.Sink) Head {
	h := Head{raw: string(raw)}
	var t tally
	if f.start > 0 {
		t.add(LeadingBlank, "%d bytes of white space before the start line", f.start)
	}
	lines := lines{rest: h.raw[f.start:], cr: is == wholeCR || is == raggedCR, t: &t}
	start, _ := lines.next()
	h.parseStartLine(start, f.kind, &t)
	h.parseFields(&lines, &t)
	h.checkConflicts(&t)
	if is == ragged || is == raggedCR {
		t.add(HeadUnterminated, "the block ends after %d bytes of head, without an empty line", len(raw))
	}
	t.report(report)
	return h
}

// lines returns the lines of a head without their line ends.
type lines struct {
	rest string
	cr   bool // lines end in CR alone
	n    int  // lines returned
	t    *tally
}

// next returns the next line. ok is false at the empty line and at the end.
func (l *lines) next() (line string, ok bool) {
	if l.rest == "" {
		return "", false
	}
	l.n++
	if l.cr {
		line, l.rest, _ = strings.Cut(l.rest, "\r")
		l.t.add(LineEnd, "line %d ends in CR alone", l.n)
		return line, line != ""
	}
	line, rest, ended := strings.Cut(l.rest, "\n")
	l.rest = rest
	text := strings.TrimRight(line, "\r")
	if !ended {
		return text, text != ""
	}
	switch len(line) - len(text) {
	case 0:
		l.t.add(LineEnd, "line %d ends in LF alone", l.n)
	case 1:
	default:
		l.t.add(LineEnd, "line %d ends in more than one CR before LF", l.n)
	}
	return text, text != ""
}

// parseFields parses field lines up to the empty line (RFC 9112, 5).
func (h *Head) parseFields(lines *lines, t *tally) {
	h.Fields = make([]Field, 0, min(MaxFields, strings.Count(lines.rest, ":")+1, 32))
	var fold folder
	for {
		line, ok := lines.next()
		if !ok {
			break
		}
		if line[0] == ' ' || line[0] == '\t' {
			t.add(ObsFold, "line %d begins with white space", lines.n)
			if fold.add(line) {
				continue
			}
		}
		fold.flush(h)
		if len(h.Fields) >= MaxFields {
			t.add(TooManyFields, "more than %d field lines; the others are not listed", MaxFields)
			continue
		}
		h.Fields = append(h.Fields, parseField(line, lines.n, t))
		fold.open(h)
	}
	fold.flush(h)
}

// single are fields that may occur once and that determine the replay of a page.
var single = [...]string{"Content-Type", "Location"}

// checkConflicts reports a field with contradictory values (RFC 9110, 5.3). [Head.Get] returns the
// first value.
func (h *Head) checkConflicts(t *tally) {
	for _, name := range single {
		first := ""
		for i := range h.Fields {
			f := &h.Fields[i]
			switch {
			case len(f.Name) != len(name) || !strings.EqualFold(f.Name, name) || f.Value == "":
			case first == "":
				first = f.Value
			case f.Value != first:
				t.add(FieldConflict, "%s is %s, and %s", name, excerpt(first), excerpt(f.Value))
			}
		}
	}
}

// folder joins folded lines to the value of the last field. It joins all lines at once. So a head
// of many folds costs no more than a head of many fields.
type folder struct {
	live  bool
	parts []string
}

func (f *folder) open(h *Head) {
	f.live = true
	f.parts = append(f.parts[:0], h.Fields[len(h.Fields)-1].Value)
}

// add adds a folded line. It returns false if no field precedes the line.
func (f *folder) add(line string) bool {
	if f.live {
		if text := strings.Trim(line, " \t"); text != "" {
			f.parts = append(f.parts, text)
		}
	}
	return f.live
}

func (f *folder) flush(h *Head) {
	if f.live && len(f.parts) > 1 {
		h.Fields[len(h.Fields)-1].Value = strings.TrimLeft(strings.Join(f.parts, " "), " ")
	}
	f.live = false
}

// parseField parses one field line (RFC 9112, 5: field-name ":" OWS field-value OWS).
func parseField(line string, n int, t *tally) Field {
	name, value, colon := strings.Cut(line, ":")
	checkText(line, n, t)
	if !colon {
		t.add(NoColon, "line %d: %s", n, excerpt(line))
		return Field{Value: strings.Trim(line, " \t")}
	}
	trimmed := strings.TrimRight(name, " \t")
	if trimmed != name {
		t.add(SpaceBeforeColon, "line %d: %s", n, excerpt(name))
	}
	trimmed = strings.TrimLeft(trimmed, " \t")
	if !isToken(trimmed) {
		t.add(FieldName, "line %d: %s", n, excerpt(trimmed))
	}
	return Field{Name: trimmed, Value: strings.Trim(value, " \t")}
}

// checkText reports control characters and bytes that are not UTF-8 (RFC 9110, 5.5).
func checkText(line string, n int, t *tally) {
	high := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c >= 0x80:
			high = true
		case c < ' ' && c != '\t', c == 0x7F:
			t.add(FieldValue, "line %d has control character 0x%02X", n, c)
		}
	}
	if high && !utf8.ValidString(line) {
		t.add(Encoding, "line %d is not UTF-8: %s", n, excerpt(line))
	}
}

func isToken(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isTchar(s[i]) {
			return false
		}
	}
	return s != ""
}
