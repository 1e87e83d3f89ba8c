package aip

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// damage is one fault of a package, with the expected findings.
type damage struct {
	name   string
	of     func(testing.TB) sample        // the package to damage; nil means ordinary
	edit   func(mets string) string       // of the METS, with a matching sidecar
	after  func(t testing.TB, dir string) // of the folder, after the METS and sidecar
	want   []string                       // "code path", in report order
	failed []string                       // failed checks; nil if there are only warnings
	undone []string                       // checks not done, except schemas
}

// logElement is the file element of the log, up to its FLocat.
const (
	logFLocat = `<mets:FLocat LOCTYPE="URL" xlink:type="simple" xlink:href="logs/crawl.log"/>`
	aPath     = "containers/a.warc.gz"
	logPath   = "logs/crawl.log"
)

func href(to string) func(string) string {
	return swap(`xlink:href="logs/crawl.log"`, `xlink:href="`+to+`"`)
}

func change(path string, to func(old []byte) []byte) func(testing.TB, string) {
	return func(t testing.TB, dir string) {
		file := filepath.Join(dir, filepath.FromSlash(path))
		old, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		put(t, dir, path, string(to(old)))
	}
}

func remove(path string) func(testing.TB, string) {
	return func(t testing.TB, dir string) {
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(path))); err != nil {
			t.Fatal(err)
		}
	}
}

func link(from, to string) func(testing.TB, string) {
	return func(t testing.TB, dir string) {
		from := filepath.Join(dir, filepath.FromSlash(from))
		if err := os.RemoveAll(from); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, from); err != nil {
			t.Skip(err)
		}
	}
}

func add(path, content string) func(testing.TB, string) {
	return func(t testing.TB, dir string) { put(t, dir, path, content) }
}

func flip(old []byte) []byte {
	old[len(old)/2] ^= 1
	return old
}

var fileDamage = []damage{
	{name: "a flipped byte in a container", after: change(aPath, flip),
		want: []string{"PKG-FILE-DIGEST " + aPath}, failed: []string{"files"}},
	{name: "a truncated container", after: change(aPath, func(old []byte) []byte { return old[:10] }),
		want: []string{"PKG-FILE-SIZE " + aPath}, failed: []string{"files"}},
	{name: "a container that grew", after: change(aPath, func(old []byte) []byte { return append(old, 0) }),
		want: []string{"PKG-FILE-SIZE " + aPath}, failed: []string{"files"}},
	{name: "a missing container", after: remove(aPath),
		want: []string{"PKG-FILE-MISSING " + aPath}, failed: []string{"files"}},
	{name: "a folder in the place of a file", after: func(t testing.TB, dir string) {
		remove(logPath)(t, dir)
		put(t, dir, logPath+"/x", "")
	}, want: []string{"PKG-FILE-MISSING " + logPath, "PKG-EXTRA-FILE " + logPath + "/x"},
		failed: []string{"files", "extra"}},
	{name: "a file in the place of a folder", after: func(t testing.TB, dir string) {
		remove(logPath)(t, dir)
		remove("logs")(t, dir)
		put(t, dir, "logs", "")
	}, want: []string{"PKG-FILE-MISSING " + logPath, "PKG-EXTRA-FILE logs"}, failed: []string{"files", "extra"}},
	{name: "an extra file", after: add("containers/extra", "x"),
		want: []string{"PKG-EXTRA-FILE containers/extra"}, failed: []string{"extra"}},
	{name: "a hidden file", after: add(".DS_Store", ""),
		want: []string{"PKG-EXTRA-FILE .DS_Store"}, failed: []string{"extra"}},
	{name: "an empty folder", after: func(t testing.TB, dir string) {
		if err := os.MkdirAll(filepath.Join(dir, "logs", "a", "b"), 0o755); err != nil {
			t.Fatal(err)
		}
	}, want: []string{"PKG-EXTRA-FOLDER logs/a/b"}, failed: []string{"extra"}},
	{name: "folders without end", after: add(strings.Repeat("d/", maxDepth+5)+"file", ""),
		want:   []string{"PKG-EXTRA-FOLDER " + strings.TrimSuffix(strings.Repeat("d/", maxDepth+1), "/")},
		failed: []string{"extra"}},
	{name: "a symbolic link", after: link("logs/link", "crawl.log"),
		want: []string{"PKG-EXTRA-KIND logs/link"}, failed: []string{"extra"}},
	{name: "a symbolic link in the place of a file", after: link(logPath, "../"+aPath),
		want: []string{"PKG-FILE-MISSING " + logPath, "PKG-EXTRA-KIND " + logPath}, failed: []string{"files", "extra"}},
}

var sidecarDamage = []damage{
	{name: "no sidecar", after: remove(DigestName), want: []string{"PKG-SIDECAR-MISSING mets.xml.sha512"},
		failed: []string{"sidecar"}},
	{name: "a sidecar of another METS", after: add(DigestName, string(DigestLine(sumOf("other")))),
		want: []string{"PKG-SIDECAR-DIGEST mets.xml"}, failed: []string{"sidecar"}},
	{name: "a METS edited later", after: change(METSName, func(old []byte) []byte {
		return []byte(strings.Replace(string(old), "A sample", "A simple", 1))
	}), want: []string{"PKG-SIDECAR-DIGEST mets.xml"}, failed: []string{"sidecar"}},
	{name: "a sidecar in capitals", after: change(DigestName, func(old []byte) []byte {
		return []byte(strings.ToUpper(string(old[:128])) + string(old[128:]))
	}), want: []string{"PKG-SIDECAR-FORM mets.xml.sha512"}, failed: []string{"sidecar"}},
	{name: "a sidecar of two lines", after: change(DigestName, func(old []byte) []byte { return append(old, old...) }),
		want: []string{"PKG-SIDECAR-FORM mets.xml.sha512"}, failed: []string{"sidecar"}},
	{name: "an empty sidecar", after: add(DigestName, ""), want: []string{"PKG-SIDECAR-FORM mets.xml.sha512"},
		failed: []string{"sidecar"}},
	{name: "a sidecar that is a link", after: link(DigestName, METSName),
		want:   []string{"PKG-SIDECAR-FORM mets.xml.sha512", "PKG-EXTRA-KIND mets.xml.sha512"},
		failed: []string{"sidecar", "extra"}},
}

// unread are the checks that need a METS readable to its end.
var unread = []string{"files", "extra", "paths", "references", "objects", "parts", "indexes", "links"}

var metsDamage = []damage{
	{name: "no METS", after: remove(METSName), want: []string{"PKG-METS-MISSING mets.xml"}, failed: []string{"mets"},
		undone: append([]string{"sidecar"}, unread...)},
	{name: "a METS that is a link", after: link(METSName, logPath),
		want:   []string{"PKG-METS-MISSING mets.xml", "PKG-EXTRA-KIND mets.xml"},
		failed: []string{"mets", "extra"},
		undone: []string{"sidecar", "files", "paths", "references", "objects", "parts", "indexes", "links"}},
	{name: "not XML", edit: func(string) string { return "nothing\n" }, want: []string{"PKG-METS-READ mets.xml"},
		failed: []string{"mets"}, undone: unread},
	{name: "cut off", edit: func(s string) string { return s[:len(s)/2] }, want: []string{"PKG-METS-READ mets.xml"},
		failed: []string{"mets"}, undone: unread},
	{name: "an element METS does not have", edit: swap("<mets:fileSec>", "<mets:files/><mets:fileSec>"),
		want: []string{"PKG-METS-STRUCTURE mets.xml"}, failed: []string{"mets"}},
	{name: "two mistakes", edit: swap("<mets:fileSec>", `<mets:files/><mets:fileSec USE="x">`),
		want: []string{"PKG-METS-STRUCTURE mets.xml", "PKG-METS-STRUCTURE mets.xml"}, failed: []string{"mets"}},
	{name: "no structMap", edit: cut("<mets:structMap", "</mets:structMap>"),
		want: []string{"PKG-METS-STRUCTURE mets.xml"}, failed: []string{"mets"}},
	{name: "no identifier", edit: swap(` OBJID="sample-20080430-0a1b2c3d"`, ""),
		want: []string{"PKG-METS-ID mets.xml"}, failed: []string{"mets"}},
	{name: "another profile", edit: swap(Profile, "Another 2.0"), want: []string{"PKG-PROFILE mets.xml"}},
	{name: "a FILEID that names nothing", edit: swap(`FILEID="FILE-c1"`, `FILEID="FILE-c9"`),
		want: []string{"PKG-ID-DANGLING mets.xml"}, failed: []string{"references"}},
	{name: "a DMDID that names nothing", edit: swap(`DMDID="DMD-website"`, `DMDID="DMD-web"`),
		want: []string{"PKG-ID-DANGLING mets.xml"}, failed: []string{"references"}},
	{name: "an ADMID that names nothing, among others", edit: swap(`ADMID="EVT-digest`, `ADMID="EVT-digest EVT-none`),
		want: []string{"PKG-ID-DANGLING mets.xml"}, failed: []string{"references"}},
	{name: "a version that the namespace is not of",
		edit: swap(`MDTYPE="PREMIS:EVENT"`, `MDTYPE="PREMIS:EVENT" MDTYPEVERSION="2.2"`),
		want: []string{"PKG-METS-STRUCTURE mets.xml"}, failed: []string{"mets"}},
	{name: "a section that holds another standard", edit: swap(`MDTYPE="PREMIS:EVENT"`, `MDTYPE="MODS"`),
		want: []string{"PKG-METS-STRUCTURE mets.xml"}, failed: []string{"mets"}},
	{name: "a FILEID that names a section", edit: swap(`FILEID="FILE-c1"`, `FILEID="OBJ-c1"`),
		want: []string{"PKG-ID-DANGLING mets.xml"}, failed: []string{"references"}},
	{name: "an ADMID that names a file", edit: swap(`ADMID="EVT-digest`, `ADMID="FILE-c1 EVT-digest`),
		want: []string{"PKG-ID-DANGLING mets.xml"}, failed: []string{"references"}},
	{name: "a DMDID that names an amdSec", edit: swap(`DMDID="DMD-website"`, `DMDID="AMD-package"`),
		want: []string{"PKG-ID-DANGLING mets.xml"}, failed: []string{"references"}},
	{name: "one ID on two elements", edit: swap(`ID="FILE-c2"`, `ID="FILE-c1"`),
		want: []string{"PKG-ID-TWICE mets.xml", "PKG-ID-DANGLING mets.xml"}, failed: []string{"references"}},
}

var pathDamage = []damage{
	{name: "up and out", edit: href("../crawl.log"), want: []string{"PKG-EXTRA-FILE " + logPath, "PKG-PATH mets.xml"},
		failed: []string{"extra", "paths"}},
	{name: "up and in again", edit: href("logs/../logs/crawl.log"),
		want: []string{"PKG-EXTRA-FILE " + logPath, "PKG-PATH mets.xml"}, failed: []string{"extra", "paths"}},
	{name: "up, escaped", edit: href("%2e%2e/crawl.log"),
		want: []string{"PKG-EXTRA-FILE " + logPath, "PKG-PATH mets.xml"}, failed: []string{"extra", "paths"}},
	{name: "absolute", edit: href("/etc/hostname"), want: []string{"PKG-EXTRA-FILE " + logPath, "PKG-PATH mets.xml"},
		failed: []string{"extra", "paths"}},
	{name: "absolute, escaped", edit: href("%2fetc/hostname"),
		want: []string{"PKG-EXTRA-FILE " + logPath, "PKG-PATH mets.xml"}, failed: []string{"extra", "paths"}},
	{name: "a scheme", edit: href("file:///etc/hostname"),
		want: []string{"PKG-EXTRA-FILE " + logPath, "PKG-PATH mets.xml"}, failed: []string{"extra", "paths"}},
	{name: "a NUL", edit: href("logs/%00"), want: []string{"PKG-EXTRA-FILE " + logPath, "PKG-PATH mets.xml"},
		failed: []string{"extra", "paths"}},
	{name: "not UTF-8", edit: href("logs/%FF"), want: []string{"PKG-EXTRA-FILE " + logPath, "PKG-PATH mets.xml"},
		failed: []string{"extra", "paths"}},
	{name: "the folder itself", edit: href("."), want: []string{"PKG-EXTRA-FILE " + logPath, "PKG-PATH mets.xml"},
		failed: []string{"extra", "paths"}},
	{name: "the description itself", edit: href(METSName),
		want: []string{"PKG-EXTRA-FILE " + logPath, "PKG-PATH mets.xml"}, failed: []string{"extra", "paths"}},
	{name: "a name longer than any", edit: href("logs/" + strings.Repeat("x", 5000)),
		want:   []string{"PKG-FILE-MISSING logs/" + strings.Repeat("x", 995) + "…", "PKG-EXTRA-FILE " + logPath},
		failed: []string{"files", "extra"}},
	{name: "not an address", edit: swap(logFLocat, strings.Replace(logFLocat, `"URL"`, `"HANDLE"`, 1)),
		want: []string{"PKG-EXTRA-FILE " + logPath, "PKG-LOCATION mets.xml"}, failed: []string{"extra", "paths"}},
	{name: "nowhere", edit: swap(logFLocat, ""), want: []string{"PKG-EXTRA-FILE " + logPath, "PKG-LOCATION mets.xml"},
		failed: []string{"extra", "paths"}},
	{name: "in two places", edit: swap(logFLocat, logFLocat+logFLocat),
		want: []string{"PKG-EXTRA-FILE " + logPath, "PKG-LOCATION mets.xml"}, failed: []string{"extra", "paths"}},
	{name: "one path twice", edit: href("containers/a.warc%2Egz"),
		want: []string{"PKG-EXTRA-FILE " + logPath, "PKG-PATH-TWICE " + aPath}, failed: []string{"extra", "paths"}},
	{name: "a log among the containers", edit: href("containers/crawl.log"),
		after: add("containers/crawl.log", "one line\n"),
		want:  []string{"PKG-EXTRA-FILE " + logPath, "PKG-PATH-PLACE containers/crawl.log"}, failed: []string{"extra"}},
	{name: "a log of a mirror among the originals", edit: href("original/m/hts-log.txt"),
		after: add("original/m/hts-log.txt", "one line\n"), want: []string{"PKG-EXTRA-FILE " + logPath},
		failed: []string{"extra"}},
	{name: "a group of another name", edit: swap(`USE="Logfile"`, `USE="Other"`),
		want: []string{"PKG-PATH-PLACE " + logPath}},
	{name: "a backslash", edit: href(`logs/a%5Cb`), after: add(`logs/a\b`, "one line\n"),
		want: []string{"PKG-EXTRA-FILE " + logPath, `PKG-PATH-NAME logs/a\b`}, failed: []string{"extra"}},
	{name: "a control character", edit: href("logs/a%0Ab"), after: add("logs/a\nb", "one line\n"),
		want: []string{"PKG-EXTRA-FILE " + logPath, "PKG-PATH-NAME logs/a\nb"}, failed: []string{"extra"}},
}

var fixityDamage = []damage{
	{name: "another CHECKSUM", edit: swap(`CHECKSUM="`+sumOf("one line\n")[:8], `CHECKSUM="00000000`),
		want: []string{"PKG-FILE-DIGEST " + logPath}, failed: []string{"files"}},
	{name: "no CHECKSUM", edit: swap(` CHECKSUM="`+sumOf("one line\n")+`"`, ""),
		want: []string{"PKG-FILE-FIXITY " + logPath}, failed: []string{"files"}},
	{name: "a weaker CHECKSUM", edit: swap(`CHECKSUM="`+sumOf("one line\n")+`" CHECKSUMTYPE="SHA-512"`,
		`CHECKSUM="0" CHECKSUMTYPE="CRC32"`),
		want: []string{"PKG-FILE-FIXITY " + logPath}, failed: []string{"files"}},
	{name: "no SIZE", edit: swap(` SIZE="9"`, ""), want: []string{"PKG-FILE-FIXITY " + logPath},
		failed: []string{"files"}},
	{name: "another SIZE", edit: swap(` SIZE="9"`, ` SIZE="90"`), want: []string{"PKG-FILE-SIZE " + logPath},
		failed: []string{"files"}},
	{name: "a SIZE below nothing", edit: swap(` SIZE="9"`, ` SIZE="-9"`), want: []string{"PKG-FILE-FIXITY " + logPath},
		failed: []string{"files"}},
	{name: "CHECKSUM in capitals", edit: func(s string) string {
		sum := sumOf("one line\n")
		return strings.Replace(s, sum, strings.ToUpper(sum), 1)
	}},
	{name: "premis:fixity that differs", edit: swap("<premis:messageDigest>", "<premis:messageDigest>0"),
		want: []string{"PKG-OBJECT-DIGEST " + aPath}, failed: []string{"objects"}},
	{name: "premis:fixity of another algorithm only",
		edit: swap(">SHA-512</premis:messageDigestAlgorithm>", ">SHA-384</premis:messageDigestAlgorithm>"),
		want: []string{"PKG-OBJECT-DIGEST " + aPath}, failed: []string{"objects"}},
	{name: "premis:size that differs", edit: swap("<premis:size>", "<premis:size>9"),
		want: []string{"PKG-OBJECT-SIZE " + aPath}, failed: []string{"objects"}},
	{name: "no premis:size", edit: cut("<premis:size>", "</premis:size>"), want: []string{"PKG-OBJECT-SIZE " + aPath},
		failed: []string{"objects"}},
	{name: "a container without a premis:object",
		edit: swap(`ADMID="EVT-digest OBJ-c1 CMD-c1"`, `ADMID="EVT-digest CMD-c1"`),
		want: []string{"PKG-OBJECT-MISSING " + aPath}, failed: []string{"objects"}},
	{name: "ADMID names the amdSec", edit: swap(`ADMID="EVT-digest OBJ-c1 CMD-c1"`, `ADMID="AMD-c1"`)},
}

func TestDamage(t *testing.T) {
	met := map[string]bool{CodeMETSSchema: true, CodeFileRead: true, // TestSchemas, TestNothingOutsideIsOpened
		CodeIndexLines: true, CodeIndexContainer: true, CodeIndexVersion: true, // TestIndexes
		CodeDocument: true, CodeDocumentLink: true, // TestDocumentDamage of preserve/pack
		CodeLinkCount:      true, // TestLinkDamage of preserve/pack
		CodePartRecord:     true, // TestRecordDamage of preserve/pack
		CodePremisDangling: true, CodePremisOutside: true, CodePremisTwice: true, CodeEventObject: true,
		// TestContentDamage
		CodeContainerFixity: true, CodeContainerCount: true, CodeContainerOutcome: true, CodeDateFuture: true,
		CodeDateCaptured: true}
	for _, group := range [][]damage{fileDamage, sidecarDamage, metsDamage, pathDamage, fixityDamage, partDamage,
		linkDamage} {
		for _, d := range group {
			t.Run(d.name, func(t *testing.T) { d.check(t, met) })
		}
	}
	for _, e := range Catalogue.All() {
		if !met[e.Code] {
			t.Errorf("no damage in these tables causes %s", e.Code)
		}
	}
}

func (d damage) check(t *testing.T, met map[string]bool) {
	s := ordinary()
	if d.of != nil {
		s = d.of(t)
	}
	s.edit = d.edit
	dir := s.write(t)
	if d.after != nil {
		d.after(t, dir)
	}
	r := mustValidate(t, dir, Options{})
	var got []string
	for _, f := range r.Findings {
		code := f.Code
		met[code] = true
		got = append(got, code+" "+f.Path)
		if f.Severity == "" || f.Message == "" {
			t.Errorf("a finding that says nothing: %+v", f)
		}
	}
	if !slices.Equal(got, d.want) {
		t.Errorf("got  %q\nwant %q\n%v", got, d.want, r.Findings)
	}
	wantOutcome := "valid"
	if d.failed != nil {
		wantOutcome = "invalid"
	}
	if r.Outcome != wantOutcome || r.FindingsTotal != int64(len(d.want)) {
		t.Errorf("%s with %d findings", r.Outcome, r.FindingsTotal)
	}
	for check, outcome := range outcomes(r) {
		want := Passed
		switch {
		case slices.Contains(d.failed, check):
			want = Failed
		case slices.Contains(d.undone, check), check == CheckSchemas,
			// these read the sources of the objects
			slices.Contains(d.undone, CheckObjects) && (check == CheckEntities || check == CheckContainers ||
				check == CheckDates):
			want = NotDone
		}
		if outcome != want {
			t.Errorf("check %s: %s, want %s", check, outcome, want)
		}
	}
	if t.Failed() {
		t.Logf("%+v", r.Checks)
	}
}
