package arc

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// TestALineInABlockIsContent checks records without a line feed between them. Where the lengths are
// right, a line in a block that looks like a record is content. Where a length is wrong, the record
// that is found is marked.
func TestALineInABlockIsContent(t *testing.T) {
	block := "1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n"
	version := line("filedesc://a.arc", len(block)) + block
	for _, c := range []struct {
		name, forged string
	}{
		{"that ends in the block", "page\n" + line("http://forged.org/", 4) + "text\nmore"},
		{"that ends with the block", "page\n" + line("http://forged.org/", 4) + "text"},
		{"that ends behind the block", "page\n" + line("http://forged.org/", 4_000) + "text"},
		{"at the start of the block", line("http://forged.org/", 4) + "text\n"},
	} {
		records := []string{version, line("http://a.org/", len(c.forged)) + c.forged,
			line("http://b.org/", 6) + "behind", line("http://c.org/", 4) + "last"}
		want := fmt.Sprintf("[filedesc://a.arc@0 http://a.org/@%d http://b.org/@%d http://c.org/@%d]", len(version),
			len(version+records[1]), len(version+records[1]+records[2]))
		found, faults := urls(t, strings.NewReader(strings.Join(records, "")))
		if fmt.Sprint(found) != want || strings.Contains(faults, "INFERRED") ||
			!strings.Contains(faults, "ARC-NEWLINE") {
			t.Errorf("%s: found %v, want %s; faults %s", c.name, found, want, faults)
		}
		found, _ = urls(t, bytes.NewReader(members(t, strings.Join(records, ""))))
		if len(found) != 4 {
			t.Errorf("%s, in one member: found %v", c.name, found)
		}
		wrong := strings.Replace(strings.Join(records, ""), line("http://a.org/", len(c.forged)),
			line("http://a.org/", len(c.forged)+1), 1)
		if _, faults = urls(t, strings.NewReader(wrong)); !strings.Contains(faults, "ARC-LENGTH") ||
			!strings.Contains(faults, "ARC-INFERRED") {
			t.Errorf("%s, with a wrong length: faults %s", c.name, faults)
		}
	}
}

// TestALineInABlockThatEndsInANewline checks blocks that end in a newline, in a file without line
// feeds between its records.
func TestALineInABlockThatEndsInANewline(t *testing.T) {
	block := "1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n"
	version := line("filedesc://a.arc", len(block)) + block
	forged := "page\n" + line("http://forged.org/", 4) + "text\n"
	file := version + line("http://a.org/", len(forged)) + forged + line("http://b.org/", len(forged)) + forged
	want := fmt.Sprintf("[filedesc://a.arc@0 http://a.org/@%d http://b.org/@%d]", len(version),
		len(version+forged+line("http://a.org/", len(forged))))
	if found, faults := urls(t, strings.NewReader(file)); fmt.Sprint(found) != want {
		t.Errorf("found %v, want %s; faults %s", found, want, faults)
	}
}
