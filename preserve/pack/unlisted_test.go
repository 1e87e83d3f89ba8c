package pack

import (
	"slices"
	"strings"
	"testing"

	"quire/preserve/aip"
)

// TestUnlistedWithReason: a record without exact bounds has no element (clause 2.8.3), and that is no finding, in
// containers with and without elements of other records.
func TestUnlistedWithReason(t *testing.T) {
	_, texts := manyRecords(t)
	flip := func(s string) string { // a bit of the CRC-32
		b := []byte(s)
		b[len(b)-8] ^= 1
		return string(b)
	}
	cut := func(s string) string { return s[:len(s)-9] }
	half := len(texts) / 2
	first, second := strings.Join(texts[:half], ""), strings.Join(texts[half:], "")
	for name, content := range map[string]string{
		"a checksum of all":               flip(zipped(t, first+second)),
		"a checksum of the second half":   zipped(t, first) + flip(zipped(t, second)),
		"a checksum of one member":        zipped(t, texts[:3]...) + flip(zipped(t, texts[3])) + zipped(t, texts[4:]...),
		"a checksum of the only record":   flip(zipped(t, texts[3])),
		"a checksum of the last record":   zipped(t, texts[:3]...) + flip(zipped(t, texts[3])),
		"a frame that ends early":         cut(framed(t, texts...)),
		"bytes after the only record":     zipped(t, texts[3]+"no record"),
		"bytes after one of many records": zipped(t, append([]string{texts[0] + "no record"}, texts[1:]...)...),
	} {
		t.Run(name, func(t *testing.T) {
			file := "a.warc.gz"
			if strings.Contains(name, "frame") {
				file = "a.warc.zst"
			}
			o := options(t)
			o.METS, o.Profile, o.ID = InDocuments, Full, "x"
			mustPack(t, o, crawlOf(t, map[string]string{file: content}))
			if codes, r := codesOf(t, o.Out, aip.Options{}); slices.Contains(codes, aip.CodePartRecord) {
				t.Errorf("%+v", r.Findings)
			}
		})
	}
}
