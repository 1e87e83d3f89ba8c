package joinsegments

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha1" //nolint:gosec // the digest of WARC files
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"quire/format/fault"
	"quire/format/inflate"
	"quire/format/recordfile"
	"quire/format/warc"
	"quire/internal/warcbuild"
	"quire/model"
	"quire/preserve/inspect"
)

// Options of Join.
type Options struct {
	Software string    // name and version
	Date     time.Time // of the metadata records; zero is the date of the joined record
}

// Joined is a record that was joined.
type Joined struct {
	ID       string `json:"id"`
	URL      string `json:"url"`
	File     string `json:"file"` // with the first segment, and now with the record
	Segments int    `json:"segments"`
	Length   int64  `json:"length"` // of the block
	Digest   string `json:"digest"` // of the block
}

// Result describes the changes of the files.
type Result struct {
	Joined   []Joined
	Findings []model.Finding // about the segments that stay
	Bytes    int64           // that the files are longer; negative if they are shorter
}

// Join joins the records in the copies. A file appears with all its changes, or not at all; after an error, some may
// have changed.
func (s *Set) Join(ctx context.Context, o Options) (*Result, error) {
	all, found := s.records()
	r := &Result{Findings: found}
	byFile := map[int][]edit{}
	for _, w := range all {
		j, f, err := s.verify(ctx, &w)
		if err != nil {
			return nil, err
		}
		if f != nil {
			r.Findings = append(r.Findings, *f)
			continue
		}
		r.Joined = append(r.Joined, *j)
		for i, p := range w.parts {
			e := edit{segment: p}
			if i == 0 {
				e.whole, e.digest = &whole{w.parts}, j.Digest
			}
			byFile[p.file] = append(byFile[p.file], e)
		}
	}
	var made []string
	defer func() {
		for _, temp := range made {
			_ = os.Remove(temp) // it was renamed, unless there was an error
		}
	}()
	var files []int
	for n := range s.files {
		if len(byFile[n]) == 0 {
			continue
		}
		temp := s.files[n].path + ".joined"
		made, files = append(made, temp), append(files, n)
		grown, err := s.write(ctx, n, temp, byFile[n], &o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.files[n].name, err)
		}
		r.Bytes += grown
	}
	for i, n := range files { // the last: until then, parts are read from the copies
		if err := os.Rename(made[i], s.files[n].path); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// edit is a segment that is replaced or left out.
type edit struct {
	segment
	whole  *whole // of the first segment
	digest string // of the block
}

// verify reads the whole, and compares its digests. It returns its description, or why the segments stay.
func (s *Set) verify(ctx context.Context, w *whole) (*Joined, *model.Finding, error) {
	first := &w.parts[0]
	stay := func(code fault.Code, text string) (*Joined, *model.Finding, error) {
		f := s.finding(code, first, text)
		return nil, &f, nil
	}
	if s.compression(first.file) == "" {
		return stay(inspect.FaultSegmentMissing, "segments in Zstandard files are not joined")
	}
	raw, err := s.header(ctx, first)
	if err != nil {
		return nil, nil, err
	}
	sum, length := sha1.New(), length(w) //nolint:gosec // as above
	block := s.block(ctx, w.parts)
	head := headerOf(raw, "", w.truncated(), length)
	rec, err := warc.NewReader(io.MultiReader(bytes.NewReader(head), io.TeeReader(block, sum),
		strings.NewReader(separator))).Next()
	if err != nil {
		return nil, nil, errors.Join(err, block.Close())
	}
	v, err := rec.Verify(io.Discard)
	if err = errors.Join(err, block.err, block.Close()); err != nil {
		return nil, nil, err
	}
	if v.Payload.Outcome != warc.NotStated && v.Payload.Outcome != warc.Match && v.Payload.Outcome != warc.MatchAsSent {
		return stay(inspect.FaultDigestPayload, fmt.Sprintf("the payload of the %d segments together is %s, the first "+
			"states %.100s", len(w.parts), cmp.Or(v.Payload.Actual, "unknown"), v.Payload.Stated))
	}
	return &Joined{ID: "<" + first.id + ">", URL: first.uri, File: s.files[first.file].name, Segments: len(w.parts),
		Length: length, Digest: warc.FormatDigest("sha1", sum.Sum(nil))}, nil, nil
}

// truncated returns the reason for truncation that a later segment states, and the first does not. The header of the
// first keeps its own.
func (w *whole) truncated() string {
	for i := range w.parts {
		if t := w.parts[i].truncated; t != "" {
			if i == 0 {
				return ""
			}
			return t
		}
	}
	return ""
}

func length(w *whole) (n int64) {
	for _, p := range w.parts {
		n += p.bytes
	}
	return n
}

const separator = "\r\n\r\n"

// compression returns the compression of a copy; "" if records cannot be replaced in it.
func (s *Set) compression(n int) inflate.Compression {
	f, err := os.Open(s.files[n].path)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }() // it was only read
	var head [2]byte
	_, err = io.ReadFull(f, head[:])
	switch {
	case err != nil:
		return ""
	case head == [2]byte{0x1f, 0x8b}:
		return inflate.Gzip
	case head == [2]byte{'W', 'A'}:
		return inflate.None
	}
	return ""
}

// headerOf returns the header of the whole: that of the first segment without the fields of a segment, and with the
// length and the digest of the whole, and the reason for truncation if a later segment states it. Every other byte
// stays.
func headerOf(raw []byte, digest, truncated string, length int64) []byte {
	var out []byte
	dropped := false
	for line := range bytes.SplitAfterSeq(bytes.TrimRight(raw, "\r\n"), []byte("\n")) {
		name, _, _ := bytes.Cut(line, []byte(":"))
		if folded := len(line) > 0 && (line[0] == ' ' || line[0] == '\t'); !folded {
			dropped = slices.ContainsFunc(ofSegments, func(n string) bool {
				return strings.EqualFold(strings.TrimSpace(string(name)), n) &&
					(n != warc.FieldTruncated || truncated != "")
			})
		}
		if !dropped {
			out = append(out, line...)
		}
	}
	out = append(bytes.TrimRight(out, "\r\n"), "\r\n"...)
	if truncated != "" {
		out = fmt.Appendf(out, "%s: %s\r\n", warc.FieldTruncated, truncated)
	}
	if digest != "" {
		out = fmt.Appendf(out, "%s: %s\r\n", warc.FieldBlockDigest, digest)
	}
	return fmt.Appendf(out, "%s: %d\r\n\r\n", warc.FieldContentLength, length)
}

// ofSegments are the fields that the whole has not, or has with another value.
var ofSegments = []string{warc.FieldSegmentNumber, warc.FieldSegmentTotalLength, warc.FieldSegmentOriginID,
	warc.FieldBlockDigest, warc.FieldContentLength, warc.FieldTruncated}

// write writes a file with its edits to temp, and syncs it to disk. It returns by how much the file has grown.
func (s *Set) write(ctx context.Context, n int, temp string, edits []edit, o *Options) (grown int64, err error) {
	in, err := os.Open(s.files[n].path)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	buffer := bufio.NewWriterSize(out, 1<<20)
	records, err := recordfile.NewWriter(buffer, recordfile.Options{Compression: s.compression(n)})
	if err != nil {
		return 0, err
	}
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(a.offset, b.offset) })
	at := int64(0)
	for i := range edits {
		e := &edits[i]
		if e.offset < at {
			return 0, fmt.Errorf("records overlap at byte %d", e.offset)
		}
		if err := copyRange(ctx, buffer, in, at, e.offset); err != nil {
			return 0, err
		}
		at = e.offset + e.stored
		if e.whole != nil {
			if err := s.record(ctx, records, e, o); err != nil {
				return 0, err
			}
		}
	}
	info, err := in.Stat()
	if err == nil {
		err = copyRange(ctx, buffer, in, at, info.Size())
	}
	if err = errors.Join(err, buffer.Flush()); err != nil {
		return 0, err
	}
	end, err := out.Seek(0, io.SeekCurrent)
	return end - info.Size(), errors.Join(err, out.Sync())
}

func copyRange(ctx context.Context, out io.Writer, in io.ReaderAt, from, to int64) error {
	n, err := io.Copy(out, &cancelled{ctx, io.NewSectionReader(in, from, to-from)})
	if err == nil && n != to-from {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// record writes a joined record, and the record about its segments.
func (s *Set) record(ctx context.Context, out *recordfile.Writer, e *edit, o *Options) error {
	parts := e.whole.parts
	about := warcbuild.AppendField(nil, "software", o.Software)
	about = warcbuild.AppendField(about, "description", "quire convert joined the segments of this record. "+
		"Each header is in Base64; the blocks follow one another in the record")
	var first []byte
	for i := range parts {
		p := &parts[i]
		raw, err := s.header(ctx, p)
		if err != nil {
			return err
		}
		if i == 0 {
			first = raw
		}
		about = warcbuild.AppendField(about, "segment",
			fmt.Sprintf("%d %s", p.number, warcbuild.Escape(s.files[p.file].name)))
		about = warcbuild.AppendField(about, "segment-offset", strconv.FormatInt(p.offset, 10))
		about = warcbuild.AppendField(about, "segment-length", strconv.FormatInt(p.bytes, 10))
		about = warcbuild.AppendField(about, "segment-header", base64.StdEncoding.EncodeToString(raw))
	}
	block := s.block(ctx, parts)
	_, _, err := out.Record(func(w io.Writer) error {
		if _, err := w.Write(headerOf(first, e.digest, e.whole.truncated(), length(e.whole))); err != nil {
			return err
		}
		n, err := io.Copy(w, block)
		if err == nil && n != length(e.whole) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		_, err = io.WriteString(w, separator)
		return err
	})
	if err = errors.Join(err, block.Close()); err != nil {
		return err
	}
	h := warc.ParseHeader(first)
	date := h.Get(warc.FieldDate)
	if !o.Date.IsZero() {
		date = warc.FormatDate(o.Date)
	}
	fields := []warc.NameValue{{Name: warc.FieldType, Value: warc.TypeMetadata}, {Name: warc.FieldDate, Value: date},
		{Name: warc.FieldRefersTo, Value: "<" + e.id + ">"},
		{Name: warc.FieldContentType, Value: "application/warc-fields"}}
	if e.uri != "" {
		fields = append(fields, warc.NameValue{Name: warc.FieldTargetURI, Value: warcbuild.TargetURI(e.uri)})
	}
	fields = append(fields, warc.NameValue{Name: warc.FieldRecordID,
		Value: warcbuild.RecordID(append(fields, warc.NameValue{Name: "block", Value: string(about)}))})
	_, _, err = out.Record(func(w io.Writer) error {
		m, err := warc.NewWriter(w, warc.WriterOptions{})
		if err == nil {
			_, _, err = m.WriteBytes(fields, about)
		}
		return err
	})
	return err
}
