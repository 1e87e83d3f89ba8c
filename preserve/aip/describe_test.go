package aip

import (
	"errors"
	"io/fs"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"quire/model"
)

// asFS returns files as a file system in memory.
func asFS(files map[string]string) fstest.MapFS {
	m := fstest.MapFS{}
	for path, content := range files {
		m[path] = &fstest.MapFile{Data: []byte(content), Mode: 0o644}
	}
	return m
}

func TestDescribe(t *testing.T) {
	s := ordinary()
	all := s.contents(t)
	listed := func(path, use string) model.PackageFile {
		return model.PackageFile{Path: path, Size: int64(len(all[path])), SHA512: sumOf(all[path]), Use: use}
	}
	want := model.Package{
		ID: "sample-20080430-0a1b2c3d", Title: "A sample", Profile: Profile, METS: METSName,
		Created: time.Date(2026, 1, 15, 10, 0, 0, 0, time.UTC), First: sampleFirst, Last: sampleLast,
		Containers: 2, Records: 30,
		Files: []model.PackageFile{
			listed("containers/a.warc.gz", UseContainers), listed("containers/second/b é%1.warc", UseContainers),
			listed("logs/crawl.log", UseLogs), listed(METSName, ""), listed(DigestName, ""),
		},
	}
	for _, content := range all {
		want.Bytes += int64(len(content))
	}
	want.Numbers = &model.Numbers{Rows: []model.Number{
		{Kind: model.ByIdentified, Name: "no", Count: 2, Containers: 2},
		{Kind: model.ByLanguagesKnown, Name: "no", Count: 2, Containers: 2},
		{Kind: model.ByOutcome, Count: 2, Containers: 2}}}
	got, err := Describe(asFS(all))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	onDisk, err := Describe(os.DirFS(s.write(t)))
	if err != nil || !reflect.DeepEqual(onDisk, want) {
		t.Errorf("from a folder: %+v, %v", onDisk, err)
	}
}

// Values missing in the description stay empty: nothing is invented (clause 3.1).
func TestDescribeSaysNoMoreThanTheMETS(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(string) string
		want func(model.Package) bool
	}{
		{"no dates", cut("<mods:originInfo", "</mods:originInfo>"), func(p model.Package) bool {
			return p.First.IsZero() && p.Last.IsZero()
		}},
		{"only the day is known", swap("2008-04-30T20:48:25Z", "2008-04-30"),
			func(p model.Package) bool { return p.First.Equal(time.Date(2008, 4, 30, 0, 0, 0, 0, time.UTC)) }},
		{"a date that is none", swap("2008-04-30T20:48:25Z", "spring"), func(p model.Package) bool {
			return p.First.IsZero()
		}},
		{"one date without a point", swap(` point="start"`, ""), func(p model.Package) bool {
			return p.Last.Equal(sampleFirst)
		}},
		{"no header", cut("<mets:metsHdr", "</mets:metsHdr>"), func(p model.Package) bool {
			return p.Created.IsZero()
		}},
		{"another digest", swap(`CHECKSUMTYPE="SHA-512"`, `CHECKSUMTYPE="SHA-384"`),
			func(p model.Package) bool { return p.Files[0].SHA512 == "" && p.Files[1].SHA512 != "" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := ordinary()
			s.edit = c.edit
			p, err := Describe(asFS(s.contents(t)))
			if err != nil || !c.want(p) {
				t.Errorf("%+v, %v", p, err)
			}
		})
	}
}

func TestDescribeRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		edit   func(string) string
		change func(files map[string]string)
		want   string
	}{
		{name: "no METS", change: func(f map[string]string) {
			delete(f, METSName)
		}, want: "is not a package: mets.xml is missing"},
		{name: "no sidecar", change: func(f map[string]string) { delete(f, DigestName) }, want: "mets.xml.sha512"},
		{name: "METS changed after the sidecar was made", change: func(f map[string]string) {
			f[METSName] += "\n"
		}, want: "mets.xml: has SHA-512"},
		{name: "sidecar of another form", change: func(f map[string]string) {
			f[DigestName] = "# " + f[DigestName]
		}, want: "is not one line"},
		{name: "not XML", edit: func(string) string { return "just text" }, want: "mets.xml: line 1"},
		{name: "not METS", edit: func(string) string { return "<html/>" }, want: "not METS"},
		{name: "structure", edit: swap("<mets:fileSec>", "<mets:fileSec><mets:file/>"),
			want: "file does not belong in fileSec"},
		{name: "a path out of the package", edit: swap("logs/crawl.log", "logs/../../crawl.log"),
			want: "no path within the package"},
		{name: "no place", edit: swap(`<mets:FLocat LOCTYPE="URL" xlink:type="simple" xlink:href="logs/crawl.log"/>`,
			""), want: "has 0 locations"},
		{name: "no size", edit: swap(` SIZE="9"`, ""), want: "states no SIZE"},
		{name: "a size below nothing", edit: swap(` SIZE="9"`, ` SIZE="-9"`), want: "cannot be a number of bytes"},
		{name: "sizes beyond counting", edit: swap(` SIZE="9"`, ` SIZE="9223372036854775807"`),
			want: "cannot be a number of bytes"},
		{name: "records below nothing", edit: swap(`number="10"`, `number="-1"`),
			want: "cannot be a number of records"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := ordinary()
			s.edit = c.edit
			files := s.contents(t)
			if c.change != nil {
				c.change(files)
			}
			_, err := Describe(asFS(files))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	if _, err := Describe(fstest.MapFS{}); !errors.Is(err, ErrNoPackage) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
}

// A container listed again, for the bytestreams in a group, is one file; its parts are not files.
func TestDescribeParts(t *testing.T) {
	for name, edit := range map[string]func(string) string{
		"containers first": nil,
		"containers last": func(mets string) string {
			begin, end := strings.Index(mets, `<mets:fileGrp USE="DigitalManifestation">`),
				strings.Index(mets, `<mets:fileGrp USE="Logfile">`)
			return strings.Replace(mets[:begin]+mets[end:], "</mets:fileSec>", mets[begin:end]+"</mets:fileSec>", 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := transformed(t)
			s.edit = edit
			dir := s.write(t)
			p, err := Describe(os.DirFS(dir))
			if err != nil || len(p.Files) != 4 || p.Containers != 1 {
				t.Errorf("%+v, %v", p, err)
			}
			if r := mustValidate(t, dir, Options{}); r.Outcome != "valid" || r.Bytes != p.Bytes {
				t.Errorf("%+v", r)
			}
		})
	}
	s := transformed(t)
	s.edit = cut(`<mets:fileGrp USE="DigitalManifestation">`, "</mets:fileGrp>")
	if _, err := Describe(asFS(s.contents(t))); err == nil ||
		!strings.Contains(err.Error(), "no group states the SIZE of containers/a.warc") {
		t.Error(err)
	}
}
