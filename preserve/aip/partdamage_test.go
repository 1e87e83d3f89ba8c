package aip

import (
	"strings"
	"testing"

	"quire/metadata/xmlstream"
)

// members returns a package in the profile linked, with a member for each record.
func members(t testing.TB) sample {
	s := memberwise(t, algorithmGzip, func(c string) string { return gzipped(t, c) })
	s.links = true
	return s
}

// inARow returns a package with its records in sequence in one gzip file.
func inARow(t testing.TB) sample {
	return inOne(t, algorithmGzip, func(c string) string { return gzipped(t, c) })
}

// swallow removes the second record, and the part of the first then covers both.
func swallow(s sample, path string) sample {
	parts := s.parts[path]
	first := &parts[0].file
	first.End = parts[1].file.End
	end, _ := first.End.Get()
	begin, _ := first.Begin.Get()
	first.Size = xmlstream.IntOf(end - begin + 1)
	s.parts[path] = append(parts[:1:1], parts[2:]...)
	return s
}

// transformed returns a package that lists its container again, for the last record.
func transformed(t testing.TB) sample {
	s := inOne(t, "", func(c string) string { return c })
	path := s.paths(ContainersDir)[0]
	s.again = map[string][]node{UseTransformed: {s.parts[path][2]}, UseViral: {s.parts[path][0]}}
	s.parts[path] = s.parts[path][1:2]
	return s
}

const rowPath = "containers/a.warc"

// finds returns the expected findings of one file, once for each code.
func finds(path string, codes ...string) (want []string) {
	for _, c := range codes {
		want = append(want, c+" "+path)
	}
	return want
}

var partDamage = []damage{
	{name: "nothing wrong", of: members},
	{name: "nothing wrong in a row", of: inARow},
	{name: "nothing wrong in other groups", of: transformed},
	{name: "another digest of content", of: members, edit: edit(`ID="FILE-c1-s1"`, `CHECKSUM="`, `CHECKSUM="0`),
		want: finds(aPath, "PKG-PART-DIGEST"), failed: []string{"parts"}},
	{name: "another digest of a body", of: members, edit: edit(`ID="FILE-c1-b3"`, `CHECKSUM="`, `CHECKSUM="0`),
		want: finds(aPath, "PKG-PART-DIGEST"), failed: []string{"parts"}},
	{name: "another size of content", of: inARow, edit: edit(`ID="FILE-c1-s1"`, `SIZE="`, `SIZE="1`),
		want: finds(rowPath, "PKG-PART-SIZE"), failed: []string{"parts"}},
	{name: "a SIZE that is not END - BEGIN + 1", of: inARow, edit: edit(`ID="FILE-c1-r2"`, `SIZE="`, `SIZE="1`),
		want: finds(rowPath, "PKG-PART-SIZE"), failed: []string{"parts"}},
	{name: "BEGIN one too early", of: members, edit: edit(`ID="FILE-c1-b3"`, `BEGIN="174"`, `BEGIN="173"`),
		want: finds(aPath, "PKG-PART-SIZE", "PKG-PART-DIGEST", "PKG-PART-RECORD"), failed: []string{"parts"}},
	{name: "END beyond the record", of: members, edit: edit(`ID="FILE-c1-b2"`, `END="`, `END="9`),
		want: finds(aPath, "PKG-PART-SIZE", "PKG-PART-RANGE"), failed: []string{"parts"}},
	{name: "END beyond the file", of: members, edit: edit(`ID="FILE-c1-m3"`, `END="`, `END="9`),
		want: finds(aPath, "PKG-PART-SIZE", "PKG-PART-RANGE"), failed: []string{"parts"}},
	{name: "BEGIN beyond the member", of: members,
		edit: edit(`ID="FILE-c1-r2"`, `BEGIN="0" END="`, `BEGIN="9000" END="9`),
		want: finds(aPath, "PKG-PART-RANGE"), failed: []string{"parts"}},
	{name: "END before BEGIN", of: members, edit: edit(`ID="FILE-c1-m2"`, `END="`, `END="1" OWNERID="`),
		want: finds(aPath, "PKG-PART-RANGE"), failed: []string{"parts"}},
	{name: "END alone", of: inARow, edit: edit(`ID="FILE-c1-r2"`, `BEGIN="`, `OWNERID="`),
		want: finds(rowPath, "PKG-PART-RANGE"), failed: []string{"parts"}},
	{name: "no BEGIN and no END: all of the parent", of: members,
		edit: edit(`ID="FILE-c1-r2"`, `BEGIN="0" END="`, `OWNERID="`)},
	{name: "no END: to the end of the parent", of: members, edit: edit(`ID="FILE-c1-r2"`, ` END="`, ` OWNERID="`)},
	{name: "one part over another", of: members, edit: edit(`ID="FILE-c1-m2"`, `BEGIN="`, `BEGIN="1" OWNERID="`),
		want: finds(aPath, "PKG-PART-SIZE", "PKG-PART-OVERLAP"), failed: []string{"parts"}},
	{name: "a member over two records", of: func(t testing.TB) sample {
		s := swallow(members(t), aPath)
		s.links = false
		return s
	}, edit: swap(`PROFILE="`+Profile+`"`, `PROFILE="`+ProfileFull+`"`),
		want: finds(aPath, "PKG-PART-RECORD"), failed: []string{"parts"}},
	{name: "a record over two records", of: func(t testing.TB) sample { return swallow(inARow(t), rowPath) },
		want: finds(rowPath, "PKG-PART-RECORD"), failed: []string{"parts"}},
	{name: "the same record in two groups", of: func(t testing.TB) sample {
		s := transformed(t)
		s.again[UseTransformed] = []node{part("FILE-c1-x", 10, "12345")}
		return s
	}, want: finds(rowPath, "PKG-PART-OVERLAP"), failed: []string{"parts"}},
	{name: "a member that is none", of: members,
		edit: edit(`ID="FILE-c1-m2"`, `"application/gzip"`, `"application/zstd"`),
		want: finds(aPath, "PKG-PART-RANGE", "PKG-PART-RANGE"), failed: []string{"parts"}},
	{name: "an unknown coding", of: members, edit: swap(`"chunked"`, `"rot13"`),
		want: finds(aPath, "PKG-PART-TRANSFORM"), failed: []string{"parts"}},
	{name: "a coding that is not there", of: members, edit: swap(`"chunked"`, `"br"`),
		want: finds(aPath, "PKG-PART-SIZE"), failed: []string{"parts"}},
	{name: "a file with an unknown transformation", of: inARow,
		edit: swap(`"application/gzip"`, `"application/x-bzip2"`),
		want: finds("mets.xml", "PKG-PART-TRANSFORM"), failed: []string{"parts"}},
	{name: "a part with a place of its own", of: inARow,
		edit: edit(`ID="FILE-c1-b2"`, `"/>`, `">`+logFLocat+`</mets:file>`),
		want: finds(rowPath, "PKG-LOCATION"), failed: []string{"paths"}},
	{name: "a container that is not as it was", of: members, after: change(aPath, func(old []byte) []byte {
		old[len(old)-20] ^= 1
		return old
	}),
		want: finds(aPath, "PKG-FILE-DIGEST", "PKG-PART-DIGEST"), failed: []string{"files", "parts"}},
	{name: "a container that is cut off", of: members,
		after: change(aPath, func(old []byte) []byte { return old[:100] }),
		want:  finds(aPath, "PKG-FILE-SIZE"), failed: []string{"files"}, undone: []string{"parts"}},
	{name: "parts within parts without end", of: func(t testing.TB) sample {
		s := inOne(t, "", func(c string) string { return c })
		inside := part("X0", 0, "W")
		for i := range 30 {
			inside = all("X"+strings.Repeat("x", i+1), "W", inside)
			inside.file.Begin, inside.file.End = inside.inside[0].file.Begin, inside.inside[0].file.End
		}
		s.parts = map[string][]node{rowPath: {inside}}
		return s
	}, want: finds(rowPath, "PKG-PART-LIMIT"), failed: []string{"parts"}},
	{name: "one container twice in a group", of: transformed, edit: swap(`USE="ViralFiles"`, `USE="Transformed"`),
		want: finds(rowPath, "PKG-PATH-TWICE"), failed: []string{"paths"}},
	{name: "originals in a group of their own", of: transformed,
		edit: swap(`USE="Transformed"`, `USE="OriginalFiles"`)},
	{name: "a container in a group that lists nothing again", of: transformed,
		edit: swap(`USE="Transformed"`, `USE="Originals"`), want: finds(rowPath, "PKG-PATH-TWICE"),
		failed: []string{"paths"}},
	{name: "a container in no other group", of: transformed,
		edit: swap(`USE="DigitalManifestation"`, `USE="CleanedFiles"`)},
	{name: "listed again with other transformations", of: transformed,
		edit: edit(`ID="FILE-c1-transformed"`, `a.warc"/>`,
			`a.warc"/><mets:transformFile TRANSFORMORDER="1" TRANSFORMTYPE="decompression" `+
				`TRANSFORMALGORITHM="application/gzip"/>`),
		want: finds(rowPath, "PKG-PART-TRANSFORM"), failed: []string{"parts"}},
	{name: "listed only where it is listed again", of: transformed,
		edit:   cut(`<mets:fileGrp USE="DigitalManifestation">`, "</mets:fileGrp>"),
		want:   []string{"PKG-FILE-FIXITY " + rowPath, "PKG-ID-DANGLING mets.xml"},
		failed: []string{"files", "references"}},
}

var linkDamage = []damage{
	{name: "an area beyond the content", of: members,
		edit: edit(`<mets:area FILEID="FILE-c1-s1"`, `END="21"`, `END="99999"`),
		want: []string{"PKG-AREA-RANGE mets.xml"}, failed: []string{"links"}},
	{name: "an area just beyond the content", of: members,
		edit: edit(`<mets:area FILEID="FILE-c1-b2"`, `END="21"`, `END="101"`),
		want: []string{"PKG-AREA-RANGE mets.xml"}, failed: []string{"links"}},
	{name: "an area up to the last byte", of: members,
		edit: edit(`<mets:area FILEID="FILE-c1-b2"`, `END="21"`, `END="100"`)},
	{name: "an area of a body counts as it was served", of: members,
		edit: swap(`<mets:area FILEID="FILE-c1-s1" BEGIN="15" END="21"`,
			`<mets:area FILEID="FILE-c1-b1" BEGIN="15" END="100"`)},
	{name: "and not further", of: members,
		edit: swap(`<mets:area FILEID="FILE-c1-s1" BEGIN="15" END="21"`,
			`<mets:area FILEID="FILE-c1-b1" BEGIN="15" END="101"`),
		want: []string{"PKG-AREA-RANGE mets.xml"}, failed: []string{"links"}},
	{name: "an area that ends before it begins", of: members, edit: edit(`<mets:area `, `END="21"`, `END="2"`),
		want: []string{"PKG-AREA-RANGE mets.xml"}, failed: []string{"links"}},
	{name: "an area in words", of: members, edit: edit(`<mets:area `, `BEGIN="15"`, `BEGIN="fifteen"`),
		want: []string{"PKG-AREA-RANGE mets.xml"}, failed: []string{"links"}},
	{name: "an area without a unit", of: members, edit: edit(`<mets:area `, ` BETYPE="BYTE"`, ""),
		want: []string{"PKG-AREA-RANGE mets.xml"}, failed: []string{"links"}},
	{name: "an area of a file that is not there", of: members,
		edit: swap(`<mets:area FILEID="FILE-c1-s1"`, `<mets:area FILEID="FILE-c1-s9"`),
		want: []string{"PKG-ID-DANGLING mets.xml"}, failed: []string{"references"}},
	{name: "an area of a section", of: members,
		edit: swap(`<mets:area FILEID="FILE-c1-s1"`, `<mets:area FILEID="OBJ-c1"`),
		want: []string{"PKG-ID-DANGLING mets.xml"}, failed: []string{"references"}},
	{name: "one label twice", of: members, edit: swap(`xlink:label="page-2-link"`, `xlink:label="page-1-link"`),
		want: []string{"PKG-LINK-LABEL mets.xml", "PKG-LINK-END mets.xml"}, failed: []string{"links"}},
	{name: "a link to nothing", of: members, edit: swap(`xlink:to="page-2"`, `xlink:to="page-9"`),
		want: []string{"PKG-LINK-END mets.xml"}, failed: []string{"links"}},
	{name: "a link to an ID", of: members, edit: swap(`xlink:to="page-2"`, `xlink:to="FILE-c1"`),
		want: []string{"PKG-LINK-END mets.xml"}, failed: []string{"links"}},
}

// In every form of container, its parts are found.
func TestValidParts(t *testing.T) {
	for name, s := range layouts(t) {
		t.Run(name, func(t *testing.T) {
			r := mustValidate(t, s.write(t), Options{})
			want := "8 parts read, 3 records compared"
			if name == "gzip members" || strings.HasPrefix(name, "zstd") {
				want = "11 parts read, 3 records compared"
			}
			for _, c := range r.Checks {
				if c.Name == CheckParts && c.Detail != want {
					t.Errorf("%+v, want %s", c, want)
				}
			}
			if r.Outcome != "valid" {
				t.Errorf("%v", r.Findings)
			}
		})
	}
}
