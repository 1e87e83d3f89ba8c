package pdf

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// small is the objects of a one-page document, numbered from 1.
var small = []string{
	"<< /Type /Catalog /Pages 2 0 R /MarkInfo << /Marked true >> /Lang (nl-BE) >>",
	"<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 595.28 841.89] >>",
	"<< /Type /Page /Parent 2 0 R /CropBox [10 10 300 2000] /Rotate -90 >>",
	"<< /Title (Quay \\(old\\)\\040\\341) /Author <FEFF004A00E90072> /CreationDate (D:20261122101500+01'00') " +
		"/ModDate (yesterday) /Producer (\xef\xbb\xbfh\xc3\xa9) >>",
}

// maker writes a document.
type maker struct {
	bytes.Buffer
	places []int
}

func begin(version string) *maker {
	m := &maker{}
	fmt.Fprintf(&m.Buffer, "%%PDF-%s\n%%\xe2\xe3\xcf\xd3\n", version)
	return m
}

func (m *maker) object(content string) {
	m.places = append(m.places, m.Len())
	fmt.Fprintf(&m.Buffer, "%d 0 obj\n%s\nendobj\n", len(m.places), content)
}

func (m *maker) stream(parameters, content string) {
	m.object(fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", parameters, len(content), content))
}

// table ends the document with a cross-reference table.
func (m *maker) table(trailer string) []byte {
	at := m.Len()
	fmt.Fprintf(&m.Buffer, "xref\n0 %d\n0000000000 65535 f \n", len(m.places)+1)
	for _, place := range m.places {
		fmt.Fprintf(&m.Buffer, "%010d 00000 n \n", place)
	}
	fmt.Fprintf(&m.Buffer, "trailer\n<< /Size %d %s >>\nstartxref\n%d\n%%%%EOF\n", len(m.places)+1, trailer, at)
	return m.Bytes()
}

func classic(objects ...string) []byte {
	m := begin("1.4")
	for _, o := range objects {
		m.object(o)
	}
	return m.table("/Root 1 0 R /Info 4 0 R")
}

func deflated(s string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, err := w.Write([]byte(s))
	if errors.Join(err, w.Close()) != nil {
		panic("memory takes everything")
	}
	return b.String()
}

// packed returns the objects in an object stream, and a cross-reference stream with a PNG
// predictor.
func packed(objects ...string) []byte {
	m := begin("1.5")
	var pairs, content strings.Builder
	for i, o := range objects {
		fmt.Fprintf(&pairs, "%d %d ", i+10, content.Len())
		content.WriteString(o + " ")
	}
	all := pairs.String() + content.String()
	m.stream(fmt.Sprintf("/Type /ObjStm /N %d /First %d /Filter /FlateDecode", len(objects), pairs.Len()),
		deflated(all))
	at := m.Len()
	var rows strings.Builder
	before := make([]byte, 4)
	row := func(fields ...byte) {
		rows.WriteByte(2) // Up
		for i, c := range fields {
			rows.WriteByte(c - before[i])
		}
		copy(before, fields)
	}
	row(1, byte(m.places[0]>>8), byte(m.places[0]), 0)
	for i := range objects {
		row(2, 0, 1, byte(i))
	}
	m.stream(fmt.Sprintf("/Type /XRef /W [1 2 1] /Index [1 1 10 %d] /Size %d /Root 10 0 R /Info 13 0 R /Filter "+
		"/FlateDecode /DecodeParms << /Predictor 12 /Columns 4 >>",
		len(objects), len(objects)+10), deflated(rows.String()))
	fmt.Fprintf(&m.Buffer, "startxref\n%d\n%%%%EOF\n", at)
	return m.Bytes()
}

// renumbered returns the same objects for packed, which numbers from 10.
func renumbered() (all []string) {
	for _, o := range small {
		for n := range 4 {
			o = strings.ReplaceAll(o, fmt.Sprintf(" %d 0 R", n+1), fmt.Sprintf(" [%d] 0 R", n+10))
			o = strings.ReplaceAll(o, fmt.Sprintf("[%d 0 R", n+1), fmt.Sprintf("[ [%d] 0 R", n+10))
		}
		all = append(all, strings.NewReplacer("[10]", "10", "[11]", "11", "[12]", "12", "[13]", "13").Replace(o))
	}
	return all
}

func read(t testing.TB, b []byte) *Facts {
	t.Helper()
	f, err := Read(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}
