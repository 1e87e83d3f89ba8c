package arc

import (
	"fmt"
	"strings"
	"testing"

	"quire/format/fault"
)

const heritrix = `<?xml version="1.0" encoding="UTF-8"?>
<arcmetadata xmlns="http://archive.org/arc/1.0/" xmlns:dcterms="http://purl.org/dc/terms/">
 <arc:software xmlns:arc="http://archive.org/arc/1.0/">Heritrix 1.12</arc:software>
 <hostname>h &amp; c</hostname>
 <dcterms:isPartOf/>
</arcmetadata>
`

// versionFile returns an ARC of a version block with this stated length, and a record.
func versionFile(length int, block string) string {
	return fmt.Sprintf("filedesc://a.arc 0.0.0.0 20251101100000 text/plain %d\n%s%s\n", length, block, recA)
}

func TestVersionBlock(t *testing.T) {
	lines0 := "1 0 InternetArchive\n" + definition1 + "\n"
	lines1 := "1 1 InternetArchive\n" + definition1 + "\n"
	n0, n1 := len(lines0), len(lines1)
	xml := len(heritrix)
	tests := []struct {
		name    string
		length  int
		block   string // with the bytes between it and the record
		want    int    // length of the block read
		version string
		fields  int
		faults  string
	}{
		{"1.0", n0, lines0 + "\n", n0, "1.0", 0, ""},
		{"1.1", n1 + xml, lines1 + heritrix + "\n", n1 + xml, "1.1", 3, ""},
		{"1.0, the empty line counted in", n0 + 1, lines0 + "\n", n0 + 1, "1.0", 0, "VERSION-LENGTH"},
		{"1.1, the empty line counted in", n1 + xml + 1, lines1 + heritrix + "\n", n1 + xml + 1, "1.1", 3,
			"VERSION-LENGTH"},
		{"1.0, the version lines left out", 0, lines0 + "\n", n0, "1.0", 0, "VERSION-LENGTH"},
		{"1.1, the version lines left out", xml, lines1 + heritrix + "\n", n1 + xml, "1.1", 3, "VERSION-LENGTH"},
		{"1.0, no empty line", n0, lines0, n0, "1.0", 0, "NEWLINE"},
		{"too short", 10, lines0 + "\n", n0, "1.0", 0, "VERSION-LENGTH"},
		{"too long", n0 + 30, lines0 + "\n", n0, "1.0", 0, "VERSION-LENGTH"},
		{"reaches over the record", 500, lines0 + "\n", n0, "1.0", 0, "VERSION-LENGTH"},
		{"HTTrack: two empty lines", n0, lines0 + "\n\n", n0, "1.0", 0, "NEWLINE"},
		{"no definition", 20, lines0[:20] + "\n", 20, "1.0", 0, "DEFINITION"},
		{"no definition but XML", 20 + xml, lines1[:20] + heritrix + "\n", 20 + xml, "1.1", 3, "DEFINITION"},
		{"1.1 without XML", n1, lines1 + "\n", n1, "1.1", 0, "NO-METADATA"},
		{"1.0 with XML", n0 + xml, lines0 + heritrix + "\n", n0 + xml, "1.0", 3, "UNDUE-METADATA"},
		{"1.1 with other text", n1 + 5, lines1 + "text\n\n", n1 + 5, "1.1", 0, "METADATA-SYNTAX"},
		{"version 3", n0, "3" + lines0[1:] + "\n", n0, "3.0", 0, "VERSION"},
		{"no version", n0, "x" + lines0[1:] + "\n", n0, "", 0, "VERSION"},
		{"ten fields in version 1", 20 + len(definition2) + 1, lines0[:20] + definition2 + "\n\n",
			20 + len(definition2) + 1, "1.0", 0, "DEFINITION FIELDS*2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := versionFile(tt.length, tt.block)
			got := readAll(t, strings.NewReader(file))
			got.account(t, int64(len(file)))
			if len(got.records) != 2 || got.blocks[1] != "hello" || !got.records[0].IsVersionBlock() {
				t.Fatalf("%d records, blocks %q", len(got.records), got.blocks)
			}
			v := got.records[0].Version
			if len(got.blocks[0]) != tt.want || v.Version != tt.version || len(v.Fields) != tt.fields ||
				v.Name != "a.arc" {
				t.Errorf("block of %d bytes, %+v; want %d bytes", len(got.blocks[0]), v, tt.want)
			}
			if got.codes() != tt.faults {
				t.Errorf("faults %q, want %q: %v", got.codes(), tt.faults, got.faults)
			}
		})
	}
}

func TestVersionBlockAtTheEnd(t *testing.T) {
	lines := "1 0 InternetArchive\n" + definition1 + "\n"
	for _, tt := range []struct {
		name, file string
		block      int
		faults     string
	}{
		{"nothing behind it", "filedesc://a.arc 0.0.0.0 20251101100000 text/plain 76\n" + lines, 76, ""},
		{"length 0", "filedesc://a.arc 0.0.0.0 20251101100000 text/plain 0\n" + lines, 76, "VERSION-LENGTH"},
		{"cut", "filedesc://a.arc 0.0.0.0 20251101100000 text/plain 76\n" + lines[:40], 40, "DEFINITION TRUNCATED"},
		{"the line alone", "filedesc://a.arc 0.0.0.0 20251101100000 text/plain 76", 0, "VERSION DEFINITION TRUNCATED"},
		{"larger than is read", fmt.Sprintf("filedesc://a.arc 0.0.0.0 20251101100000 text/plain %d\n", 2<<20) +
			strings.Replace(lines, "1 0", "1 1", 1) + "<a>" + strings.Repeat("x", 2<<20-76-7) + "</a>", 2 << 20,
			"METADATA-SIZE METADATA-SYNTAX"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := readAll(t, strings.NewReader(tt.file))
			got.account(t, int64(len(tt.file)))
			if len(got.records) != 1 || len(got.blocks[0]) != tt.block || got.codes() != tt.faults {
				t.Errorf("%d records, block of %d bytes, faults %q: %v", len(got.records), len(got.blocks[0]),
					got.codes(), got.faults)
			}
		})
	}
}

func TestMetadata(t *testing.T) {
	tests := []struct {
		name, doc, want, faults string
	}{
		{"Heritrix", heritrix, "software=Heritrix 1.12 hostname=h & c isPartOf=", ""},
		{"repeated", "<m><a>1</a><a>2</a></m>", "a=1 a=2", ""},
		{"latin-1", "<?xml version='1.0' encoding='ISO-8859-1'?><m><a>\xe9</a></m>", "a=é", ""},
		{"nested", "<m><a><b>1</b></a></m>", "b=1", ""},
		{"unknown entity stays", "<m><a>&b;</a></m>", "a=&b;", ""},
		{"entity bomb", "<!DOCTYPE m [<!ENTITY a \"x\"><!ENTITY b \"&a;&a;\">]><m><a>&b;</a></m>", "",
			"METADATA-DOCTYPE"},
		{"not closed", "<m><a>1</a><b>", "a=1", "METADATA-SYNTAX"},
		{"closed crosswise", "<m><a>1</a><b><c></b></c></m>", "a=1", "METADATA-SYNTAX"},
		{"ends in a tag", "<m><a>1</a><b", "a=1", "METADATA-SYNTAX"},
		{"unknown encoding", "<?xml version='1.0' encoding='x'?><m><a>1</a></m>", "", "METADATA-SYNTAX"},
		{"deep", strings.Repeat("<a>", 10_000), "", "METADATA-SYNTAX"},
		{"more fields than are taken", "<m>" + strings.Repeat("<a/>", maxFields+1) + "</m>",
			strings.Repeat("a= ", maxFields-1) + "a=", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lines := "1 1 a\n" + definition1 + "\n"
			doc := strings.TrimRight(tt.doc, "\n")
			file := versionFile(len(lines)+len(doc)+1, lines+doc+"\n\n")
			got := readAll(t, strings.NewReader(file))
			v := got.records[0].Version
			var fields []string
			for _, f := range v.Fields {
				fields = append(fields, f.Name+"="+f.Value)
			}
			if joined := strings.Join(fields, " "); joined != tt.want || got.codes() != tt.faults {
				t.Errorf("%q, faults %q; want %q, %q", joined, got.codes(), tt.want, tt.faults)
			}
			if string(v.Metadata) != doc {
				t.Errorf("metadata %q, want %q", v.Metadata, doc)
			}
		})
	}
}

func FuzzVersionBlock(f *testing.F) {
	f.Add([]byte("1 1 a\n" + definition1 + "\n" + heritrix))
	f.Add([]byte("1 1 a\n<m><!DOCTYPE x><a>&b;</a>"))
	f.Add([]byte("2 0\n\n<?xml version='1.0' encoding='latin1'?><\xe9>"))
	f.Fuzz(func(t *testing.T, block []byte) {
		v := parseVersionBlock("filedesc://a", block, func(fault.Code, string) {})
		text := 0
		for _, field := range v.Fields {
			text += len(field.Value)
		}
		if len(v.Metadata) > len(block) || len(v.Fields) > maxFields || text > 3*len(block) {
			t.Fatalf("%d bytes of block became %d of metadata and %d of fields", len(block), len(v.Metadata), text)
		}
	})
}
