package crawllog

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"quire/model"
)

// columns is the number of columns in every version of the log. Some are padded, so any number of
// spaces may separate them.
const columns = 10

// parse parses one line. problem describes its fault, or is "".
func parse(line []byte) (f model.Fetch, problem string) {
	var c [columns]string
	rest := line
	for i := range c {
		var word []byte
		if word, rest = cutWord(rest); len(word) == 0 {
			return f, "it has fewer than ten columns"
		}
		c[i] = string(word)
	}
	f = model.Fetch{URI: c[3], Path: known(c[4]), Via: known(c[5]), MIME: known(c[6]), Digest: known(c[9]), Size: -1,
		Offset: -1}
	var err error
	if f.Logged, err = stamp(c[0]); err != nil {
		return f, "column 1 is no time"
	}
	if f.Status, err = strconv.Atoi(c[1]); err != nil {
		return f, "column 2 is no status"
	}
	if c[2] != "-" {
		if f.Size, err = strconv.ParseInt(c[2], 10, 64); err != nil || f.Size < 0 {
			return f, "column 3 is no size"
		}
	}
	if c[7] == "" || c[7][0] != '#' {
		return f, "column 8 is no thread: there may be a space in the URL"
	}
	if f.Time, f.Duration, err = fetched(c[8]); err != nil {
		return f, "column 9 is no time of a fetch"
	}
	remainder(&f, rest)
	f.Miss = miss(&f)
	return f, ""
}

// cutWord cuts the next word off.
func cutWord(b []byte) (word, rest []byte) {
	b = bytes.TrimLeft(b, " \t")
	if i := bytes.IndexAny(b, " \t"); i >= 0 {
		return b[:i], b[i:]
	}
	return b, nil
}

// known returns the value of a column, or "" for the dash that means no value.
func known(s string) string {
	if s == "-" {
		return ""
	}
	return s
}

// stamp parses the time of a line: ISO 8601 with milliseconds, or 14 or 17 digits.
func stamp(s string) (time.Time, error) {
	if t, err := time.Parse("2006-01-02T15:04:05.999Z", s); err == nil {
		return t, nil
	}
	return digits(s)
}

// digits parses a time of 14 digits, or of 17 with milliseconds.
func digits(s string) (time.Time, error) {
	if len(s) == 17 {
		s = s[:14] + "." + s[14:]
	}
	return time.Parse("20060102150405.999", s)
}

// fetched parses column 9: the start of the fetch in UTC, and its duration in milliseconds.
// Documents of that time also write the sign between them as a semicolon.
func fetched(s string) (time.Time, time.Duration, error) {
	if s == "-" {
		return time.Time{}, 0, nil
	}
	begin, took := s, ""
	if i := strings.IndexAny(s, "+;"); i >= 0 {
		begin, took = s[:i], s[i+1:]
	}
	t, err := digits(begin)
	if err != nil || took == "" {
		return t, 0, err
	}
	ms, err := strconv.ParseInt(took, 10, 40)
	return t, time.Duration(ms) * time.Millisecond, err
}

// remainder parses the text after the tenth column. In 2004 it was empty or annotations; later the
// seed and annotations. Heritrix 3 adds a JSON object; version 1.15 added the name of the
// container.
func remainder(f *model.Fetch, rest []byte) {
	rest = bytes.TrimSpace(rest)
	var extra []string
	if i := bytes.IndexByte(rest, '{'); i >= 0 && (i == 0 || rest[i-1] == ' ') && rest[len(rest)-1] == '}' {
		if found, ok := extraInfo(f, rest[i:]); ok {
			rest, extra = bytes.TrimSpace(rest[:i]), found
		}
	}
	seed, notes := cutWord(rest)
	notes = bytes.TrimSpace(notes)
	if len(notes) == 0 && len(seed) > 0 && !isURI(string(seed)) { // eleven columns: without a seed
		seed, notes = nil, seed
	}
	f.Seed = known(string(seed))
	f.Notes = append(split(known(string(notes))), extra...)
	for _, note := range f.Notes {
		annotation(f, note)
	}
}

// isURI reports whether a word begins with a scheme; annotations never do.
func isURI(s string) bool {
	i := strings.Index(s, "://")
	return i > 0 && !strings.ContainsAny(s[:i], `",`) || strings.HasPrefix(s, "dns:")
}

// extraInfo parses the JSON object of column 13, and reports whether it is one. It returns the members
// that the model has no field for as annotations: contentSize, the bytes received with the HTTP
// header, and scopeDecision, the rule that let the crawler fetch the URL.
func extraInfo(f *model.Fetch, b []byte) (notes []string, ok bool) {
	var extra struct {
		WARC   string `json:"warcFilename"`
		ARC    string `json:"arcFilename"`
		Offset *int64 `json:"warcFileOffset"`
		// an odd member must not hide the others
		Size  json.RawMessage `json:"contentSize"`
		Scope json.RawMessage `json:"scopeDecision"`
	}
	if json.Unmarshal(b, &extra) != nil {
		return nil, false
	}
	f.Container = extra.WARC
	if f.Container == "" {
		f.Container = extra.ARC
	}
	if extra.Offset != nil && *extra.Offset >= 0 {
		f.Offset = *extra.Offset
	}
	if n, err := strconv.ParseInt(string(extra.Size), 10, 64); err == nil && n >= 0 {
		notes = append(notes, "contentSize:"+strconv.FormatInt(n, 10))
	}
	var rule string
	if extra.Scope != nil && json.Unmarshal(extra.Scope, &rule) == nil && rule != "" {
		notes = append(notes, "scopeDecision:"+rule)
	}
	return notes, true
}

// split cuts annotations at commas, but not within quotes: duplicate:"file.arc,42" is one.
func split(s string) []string {
	var notes []string
	quoted, from := false, 0
	for i := 0; i <= len(s); i++ {
		switch {
		case i == len(s) || s[i] == ',' && !quoted:
			if note := strings.TrimSpace(s[from:i]); note != "" {
				notes = append(notes, note)
			}
			from = i + 1
		case s[i] == '"':
			quoted = !quoted
		}
	}
	return notes
}

// annotation copies the parts of an annotation that the model has fields for.
func annotation(f *model.Fetch, note string) {
	key, value, _ := strings.Cut(note, ":")
	switch key {
	case "duplicate", "deduplicate": // NetarchiveSuite wrote the second in 2005
		f.Duplicate = duplicate(strings.Trim(value, `"`))
	}
}

// duplicate parses the place of the original of a duplicate. It is a file, the uncompressed offset
// of the record in it, and sometimes the time of its capture. Heritrix 3 writes a word instead, and
// a revisit record.
func duplicate(s string) *model.Place {
	part := strings.Split(s, ",")
	if len(part) < 2 {
		return nil
	}
	offset, err := strconv.ParseInt(part[1], 10, 64)
	if err != nil || offset < 0 {
		return nil
	}
	p := &model.Place{Container: part[0], Offset: offset}
	if len(part) > 2 {
		p.Time, _ = digits(part[2]) // zero if unreadable: the place is more important
	}
	return p
}
