package pandas

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/internal/archivefs"
	"quire/internal/testsamples"
	"quire/model"
	"quire/source"
	"quire/source/httrack"
	"quire/source/internal/sourcetest"
)

// A mirror of 2003 without a cache of bodies: HTTrack's records of it, two pages, and a picture.
const (
	log2003 = "HTTrack3.21-4 launched on Thu, 03 Apr 2003 01:00:14 at http://www.industry.gov.au/a.html " +
		"-pandora.nla.gov.au*\n" +
		"(/usr/local/bin/httrack http://www.industry.gov.au/a.html -O \"/pandas/working/13982/20030403\" -%HzZfI0s0 " +
		"-j -%A standard -%U pandora -pandora.nla.gov.au* )\n\n" +
		"HTTrack Website Copier/3.21-4 mirror complete in 7 seconds : 3 links scanned, 3 files written (30 bytes " +
		"overall)\n"
	rows2003 = "date\tsize'/'remotesize\tflags(request:Update,Range state:File response:Modified,Chunked," +
		"gZipped)\tstatuscode\tstatus ('servermsg')\tMIME\tEtag|Date\tURL\tlocalfile\t(from URL)\n" +
		"01:00:14\t4/4\t---M--\t200\tadded " +
		"('OK')\ttext/html\tetag:x\twww.industry.gov.au/a.html\t/pandas/working/13982/20030403/www.industry.go" +
		"v.au/a.html\t(from )\n" +
		"01:00:15\t4/4\t---M--\t200\tadded " +
		"('OK')\timage/gif\tetag:y\twww.industry.gov.au/b.gif?x=1\t/pandas/working/13982/20030403/www.industry" +
		".gov.au/b1234.gif\t(from )\n"
)

func instance2003() map[string]string {
	return map[string]string{"hts-log.txt": log2003, "hts-cache/new.txt": rows2003,
		"www.industry.gov.au/a.html": "<p>!", "www.industry.gov.au/b1234.gif": "GIF8", "backblue.gif": "x"}
}

// under puts files into a folder.
func under(dir string, files map[string]string) map[string]string {
	deep := map[string]string{}
	for p, c := range files {
		deep[dir+"/"+p] = c
	}
	return deep
}

// with adds and replaces files; "" removes one.
func with(files map[string]string, more ...string) map[string]string {
	all := maps.Clone(files)
	for i := 0; i < len(more); i += 2 {
		if all[more[i]] = more[i+1]; more[i+1] == "" {
			delete(all, more[i])
		}
	}
	return all
}

func tgz(t testing.TB, files map[string]string, more ...*tar.Header) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		more = append(more, &tar.Header{Name: name, Typeflag: tar.TypeReg, Size: int64(len(files[name])), Mode: 0o644})
	}
	for _, h := range more {
		err := w.WriteHeader(h)
		if err == nil {
			_, err = io.WriteString(w, files[h.Name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if w.Close() != nil || z.Close() != nil {
		t.Fatal("the tarball cannot be made")
	}
	return b.String()
}

func sum(content string) string {
	s := md5.Sum([]byte(content))
	return hex.EncodeToString(s[:]) + "  /pandas/upload/x.tgz\n"
}

// list returns the output of "find … -exec ls -l".
func list(files map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&b, "-rw-r--r--    1 pandas   pandas   %8d Apr  3 01:00 %s\n", len(files[name]), name)
	}
	return b.String()
}

func folder(t testing.TB, files map[string]string) *archivefs.Tree {
	t.Helper()
	return sourcetest.Open(t, written(t, "source", files))
}

func written(t testing.TB, name string, files map[string]string) string {
	t.Helper()
	dir := sourcetest.Write(t, name, files)
	return dir
}

// only reads the one instance of a source, and checks that each file has its place.
func only(t testing.TB, tr *archivefs.Tree) source.Harvest {
	t.Helper()
	all := sourcetest.Find(t, Reader{}, tr)
	if len(all) != 1 {
		t.Fatalf("%d instances: %v", len(all), all)
	}
	h, err := all[0].Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	about := h.About()
	var own []string
	for i := range about.Files {
		f := &about.Files[i]
		if f.Role == "" {
			t.Errorf("%s has no role", f.Path)
		}
		c, err := source.OpenFile(tr, h, f)
		if err != nil {
			t.Errorf("%s: %v", f.Path, err)
			continue
		}
		b, err := io.ReadAll(c)
		if err != nil || int64(len(b)) != f.Size {
			t.Errorf("%s has %d bytes, not %d, %v", f.Path, len(b), f.Size, err)
		}
		c.Close()
		if f.Archive == "" {
			own = append(own, f.Path)
		}
	}
	slices.Sort(own)
	if !slices.Equal(own, all[0].Files) {
		t.Errorf("claimed are %q, read are %q", all[0].Files, own)
	}
	accounted(t, h)
	return h
}

// accounted checks that each file appears exactly once.
func accounted(t testing.TB, h source.Harvest) {
	t.Helper()
	m, is := h.(source.Mirror)
	if !is {
		return
	}
	told := map[string]int{}
	for _, f := range m.Artefacts() {
		told[f.Path]++
	}
	for r, err := range m.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if r.File != "" {
			told[r.File]++
		}
	}
	for _, f := range h.About().Files {
		if told[f.Path] != 1 {
			t.Errorf("%s appears %d times", f.Path, told[f.Path])
		}
		delete(told, f.Path)
	}
	if len(told) > 0 {
		t.Errorf("files that the instance does not have: %v", told)
	}
}

func codes(findings []model.Finding) string {
	var all []string
	for _, f := range findings {
		if f.Code != "HTTRACK-UNCLAIMED" {
			all = append(all, f.Code)
		}
	}
	return strings.Join(all, " ")
}

func evidence(a *model.Harvest, fact string) string {
	var all []string
	for _, e := range a.Evidence {
		if e.Fact == fact {
			all = append(all, e.Value+" | "+e.Source)
		}
	}
	return strings.Join(all, "; ")
}

func resources(t testing.TB, h source.Harvest) (all map[string]*source.Resource, findings []model.Finding) {
	t.Helper()
	all = map[string]*source.Resource{}
	for r, err := range h.(source.Mirror).Resources(t.Context(), func(f model.Finding) {
		findings = append(findings, f)
	}) {
		if err != nil {
			t.Fatal(err)
		}
		one := *r
		all[r.URL] = &one
	}
	return all, findings
}

func TestRecognised(t *testing.T) {
	const k = "13982/20030403"
	ps := "ps-ar2-13982-20030403.tgz"
	plain := with(instance2003(), "hts-log.txt", "HTTrack3.21-4 launched on Thu, 03 Apr 2003 01:00:14 at http://a/\n")
	tarball := tgz(t, under(k, instance2003()))
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string // root, id and number of files of each
	}{
		{"working folder", under("working/"+k, plain), "working/13982/20030403 13982/20030403:5"},
		{"named in the arguments", under("x", instance2003()), "x 13982/20030403:5"},
		{"told by url.map", under("x", with(plain, "url.map", "http://a/^^13982/20030403-0900/a/index.html\n")),
			"x 13982/20030403-0900:6"},
		{"url.map alone", map[string]string{"x/url.map": "http://a/^^13982/20030403/a/index.html\n",
			"x/a/index.html": "<p>"}, "x 13982/20030403:2"},
		{"a mirror from elsewhere", under("x", plain), ""},
		{"tarballs", map[string]string{ps: tarball, strings.Replace(ps, "tgz", "md5", 1): sum(tarball),
			"ac-ar2-13982-20030403.tgz": tarball}, ". 13982/20030403:3"},
		{"masters", map[string]string{"preserve/arc3/013/13982/" + ps: tarball,
			"access/arc3/013/13982/ac-ar2-13982-20030403.tgz": tarball,
			"mime/arc3/013/13982/mi-ar2-13982-20030403.tgz":   tgz(t, nil)}, ". 13982/20030403:3"},
		{"two instances", map[string]string{ps: tarball,
			"ps-ar2-13982-20040501-1200.tgz": tgz(t, under("13982/20040501-1200", plain))},
			". 13982/20030403:1, . 13982/20040501-1200:1"},
		{"WARCs alone", map[string]string{"nla.arc-13982-20030403-000.warc.gz": "",
			"nla.arc-13982-20030403-001.warc.gz": ""}, ". 13982/20030403:2"},
		{"sums alone", map[string]string{"ps-ar2-13982-20030403.md5": sum("")}, ""},
		{"no date", map[string]string{"ps-ar2-13982-20031303.tgz": tarball}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, cl := range sourcetest.Find(t, Reader{}, folder(t, c.files)) {
				h, err := cl.Read(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, fmt.Sprintf("%s %s:%d", cl.Root, h.About().ID, len(cl.Files)))
				if len(cl.Why) == 0 || h.About().System != model.Pandas {
					t.Errorf("%v, %s", cl.Why, h.About().System)
				}
				accounted(t, h)
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestTarballs reads the tarball before post-processing, the one after it, and the media types as
// one instance.
func TestTarballs(t *testing.T) {
	before := under("13982/20030403", instance2003())
	after := with(before, "13982/20030403/backblue.gif", "", "13982/20030403/url.map",
		"http://www.industry.gov.au/a.html^^13982/20030403/www.industry.gov.au/a.html\n"+
			"https://www.industry.gov.au/b.gif?x=1^^13982/20030403/www.industry.gov.au/b1234.gif\n",
		"13982/20030403/www.industry.gov.au/a.html", "<p>!, changed")
	ps, ac := tgz(t, before), tgz(t, after)
	tr := folder(t, map[string]string{
		"ps-ar2-13982-20030403.tgz": ps, "ps-ar2-13982-20030403.md5": sum(ps),
		"ps-ar2-13982-20030403.lst": list(before),
		"ps-ar2-13982-20030403.sz":  "4\t13982/20030403/www.industry.gov.au\n12\ttotal\n",
		"ac-ar2-13982-20030403.tgz": ac, "ac-ar2-13982-20030403.md5": sum(ac),
		"mi-ar2-13982-20030403.tgz": tgz(t,
			map[string]string{"13982/20030403/www.industry.gov.au/.panaccess-mime.types": "<Files \"b1234.gif" +
				"\">\n\tForceType image/x-gif\n</Files>\n\n"}),
	})
	h := only(t, tr)
	a := h.About()
	for _, c := range [][2]string{
		{a.ID, "13982/20030403"}, {a.Software, "HTTrack3.21-4"}, {a.EndReason, "mirror complete"},
		{string(a.Documentation), "documented"}, {strings.Join(a.Seeds, " "), "http://www.industry.gov.au/a.html"},
		// In April, Sydney is ten hours ahead; the mirror does not show the zone.
		{a.Start.Format(time.RFC3339), "2003-04-02T15:00:14Z"}, {a.End.Format(time.RFC3339), "2003-04-02T15:00:21Z"},
		{evidence(a, "zone"),
			"the server's clock: assumed to be Australia/Sydney, where PANDAS ran; inferred | no time of PANDAS has " +
				"a zone"},
		{codes(a.Findings), "PANDAS-CHANGED"},
		{evidence(a, "MD5 of ps-ar2-13982-20030403.tgz"),
			md5hex(ps) + " | computed; ps-ar2-13982-20030403.md5 has the same"},
		{evidence(a, "space on disk"), "12 blocks in total | ps-ar2-13982-20030403.sz"},
		{evidence(a, "entry page"),
			"/pan/13982/20030403/www.industry.gov.au/a.html | ac-ar2-13982-20030403.tgz/13982/20030403/url.map, line " +
				"1"},
	} {
		if c[0] != c[1] {
			t.Errorf("got  %q\nwant %q", c[0], c[1])
		}
	}
	if f := a.Findings[len(a.Findings)-1]; !strings.Contains(f.Message,
		"lacks 1 files, has 1 others, and 1 of another size") {
		t.Errorf("%v", f)
	}
	if n := len(a.Expected); n != 2+len(before) {
		t.Errorf("%d files are expected", n)
	}
	roles := map[string]model.Role{}
	for _, f := range a.Files {
		roles[f.Path] = f.Role
	}
	for p, want := range map[string]model.Role{"ps-ar2-13982-20030403.tgz": model.RoleContent,
		"ac-ar2-13982-20030403.tgz": model.RoleOther, "ps-ar2-13982-20030403.md5": model.RoleReport,
		"ps-ar2-13982-20030403.tgz/13982/20030403/hts-log.txt":                model.RoleLog,
		"ps-ar2-13982-20030403.tgz/13982/20030403/www.industry.gov.au/a.html": model.RoleContent} {
		if roles[p] != want {
			t.Errorf("%s is %q, want %q", p, roles[p], want)
		}
	}
	all, findings := resources(t, h)
	page, picture := all["http://www.industry.gov.au/a.html"], all["https://www.industry.gov.au/b.gif?x=1"]
	if page == nil || picture == nil || len(findings) != 0 {
		t.Fatalf("%v, %v", slices.Collect(maps.Keys(all)), findings)
	}
	// url.map has the scheme that the log of 2003 lacks, and is better than a guess.
	if picture.Assumed != "" ||
		picture.File != "ps-ar2-13982-20030403.tgz/13982/20030403/www.industry.gov.au/b1234.gif" ||
		!slices.Contains(picture.Why, "URL: ac-ar2-13982-20030403.tgz/13982/20030403/url.map, line 2") ||
		picture.Facts[len(picture.Facts)-1] != (model.Field{Name: "panaccess-mime", Value: "image/x-gif"}) ||
		picture.MIME != "image/gif" {
		t.Errorf("%+v", picture)
	}
	if b, err := page.Body(); err != nil {
		t.Error(err)
	} else if content, err := io.ReadAll(b); err != nil || string(content) != "<p>!" {
		t.Errorf("the page is %q, %v: it must be as it was before it was changed", content, err)
	}
	n := 0
	for f, err := range h.Fetches(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; f.Status != 200 {
			t.Errorf("%+v", f)
		}
	}
	if n != 2 {
		t.Errorf("%d fetches", n)
	}
}

func md5hex(content string) string { return sum(content)[:32] }

// TestTarballIsTheSource reads the same tarball as the source itself, with its list and checksum
// beside it.
func TestTarballIsTheSource(t *testing.T) {
	files := under("13982/20030403-0100",
		with(instance2003(), "hts-log.txt", strings.Replace(log2003, "20030403", "20030403-0100", 1)))
	ps := tgz(t, files)
	dir := written(t, "masters", map[string]string{"ps-ar2-13982-20030403-0100.tgz": ps,
		"ps-ar2-13982-20030403-0100.md5": sum(ps + "x"),
		"ps-ar2-13982-20030403-0100.lst": list(with(files, "13982/20030403-0100/gone", "x"))})
	h := only(t, sourcetest.Open(t, filepath.Join(dir, "ps-ar2-13982-20030403-0100.tgz")))
	if got := codes(h.About().Findings); got != "SOURCE-DIGEST SOURCE-LISTED" || h.About().ID != "13982/20030403-0100" {
		t.Errorf("%s: %v", got, h.About().Findings)
	}
}

func TestWhatWasWrittenOfATarball(t *testing.T) {
	files := under("13982/20030403", instance2003())
	whole := tgz(t, files)
	page := "13982/20030403/www.industry.gov.au/a.html"
	for _, c := range []struct {
		name, ending, content string
		want                  string
	}{
		{"right MD5", "md5", sum(whole), ""},
		{"BSD's", "md5", "MD5 (ps.tgz) = " + strings.ToUpper(md5hex(whole)) + "\n", ""},
		{"wrong MD5", "md5", sum("x"), "SOURCE-DIGEST"},
		{"no MD5", "md5", "md5sum: not found\n", "SOURCE-TARBALL"},
		{"list", "lst", list(files), ""},
		{"a file is gone", "lst", list(with(files, "13982/20030403/x y", "1")), "SOURCE-LISTED"},
		{"a file is more", "lst", list(with(files, page, "")), "SOURCE-UNLISTED"},
		{"another size", "lst", list(with(files, page, "<p>")), "SOURCE-SIZE"},
		{"not a list", "lst", "find: x\n", "SOURCE-TARBALL"},
		{"list with the year", "lst", strings.ReplaceAll(list(files), "Apr  3 01:00", "Apr  3  2003"), ""},
		{"list of today's ls", "lst", strings.ReplaceAll(list(files), "Apr  3 01:00", "2003-04-03 01:00"), ""},
		{"space", "sz", "9999\t13982/20030403\n9999\ttotal\n", ""},
		{"more than the space", "sz", "0\t13982/20030403\n0\ttotal\n", "SOURCE-SIZE"},
		{"size of the tarball", "sz", fmt.Sprintln(len(whole)), ""},
		{"another size of the tarball", "sz", "17 x.tgz\n", "SOURCE-SIZE"}, {"nothing", "sz", "", ""},
	} {
		h := only(t, folder(t, map[string]string{"ps-ar2-13982-20030403.tgz": whole,
			"ps-ar2-13982-20030403." + c.ending: c.content}))
		if got := codes(h.About().Findings); got != c.want {
			t.Errorf("%s: %q, %v", c.name, got, h.About().Findings)
		}
	}
}

// TestHostileTarball checks that forbidden entries of a tarball are refused, and no files are
// written.
func TestHostileTarball(t *testing.T) {
	evil := tgz(t, under("13982/20030403", instance2003()), &tar.Header{Name: "../../etc/evil", Typeflag: tar.TypeReg},
		&tar.Header{Name: "13982/20030403/link", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"})
	h := only(t, folder(t, map[string]string{"ps-ar2-13982-20030403.tgz": evil}))
	if got := codes(h.About().Findings); got != "SOURCE-PATH SOURCE-LINK" {
		t.Errorf("%v", h.About().Findings)
	}
	h = only(t, folder(t, map[string]string{"ps-ar2-13982-20030403.tgz": "no tarball",
		"ac-ar2-13982-20030403.tgz": tgz(t, under("13982/20030403", instance2003()))}))
	if got := codes(h.About().Findings); got != "SOURCE-TARBALL PANDAS-CHANGED" {
		t.Errorf("%v", h.About().Findings)
	}
	if m, ok := h.(source.Mirror); !ok || len(m.Artefacts()) != 5 {
		t.Errorf("the access tarball is not read instead: %T", h)
	}
	h = only(t, folder(t, map[string]string{"ps-ar2-13982-20030403.tgz": "no tarball"}))
	if _, ok := h.(source.Mirror); ok || h.About().Documentation != model.Undocumented {
		t.Errorf("%T, %q", h, h.About().Documentation)
	}
}

func TestURLMap(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       string // files and URLs
		codes      string
	}{
		{"plain", "http://a/^^1/20030403/a/index.html\n", "a/index.html=http://a/", ""},
		{"separator in the URL", "http://a/?x^^y^^1/20030403/a/x.html\r\n", "a/x.html=http://a/?x^^y", ""},
		{"two URLs of one file", "http://a/^^1/20030403/x\nhttp://b/^^1/20030403/x\n", "x=http://a/ x=http://b/", ""},
		{"no separator", "http://a/\n\n", "", "PANDAS-URL-MAP"},
		{"leads out", "u^^1/20030403/../../etc/passwd\nu^^1/20030403//etc/passwd\nu^^/etc/passwd\nu^^1/20030403/..\n",
			"", "SOURCE-PATH SOURCE-PATH SOURCE-PATH SOURCE-PATH"},
		{"of another instance", "u^^1/20030403/x\nv^^2/20030403/y\n", "x=u", "PANDAS-URL-MAP"},
		{"null, as Java writes it", "u^^1/20030403/null\n", "null=u", ""},
		{"too many odd lines", strings.Repeat("x\n", 30), "", strings.TrimSpace(strings.Repeat("PANDAS-URL-MAP ", 21))},
	} {
		var found []string
		m, err := readURLMap(strings.NewReader(c.text), "url.map",
			func(code string, _ model.Severity, _ int64, _ string) { found = append(found, code) })
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, file := range slices.Sorted(maps.Keys(m.byFile)) {
			for _, u := range m.byFile[file] {
				got = append(got, file+"="+u.url)
			}
		}
		if strings.Join(got, " ") != c.want || strings.Join(found, " ") != c.codes {
			t.Errorf("%s: %q, %q", c.name, got, found)
		}
	}
}

// TestURLMapAsWitness checks that HTTrack's records prevail over url.map, and that the difference
// is reported. Without HTTrack's records, url.map is used.
func TestURLMapAsWitness(t *testing.T) {
	differing := with(instance2003(), "hts-cache/new.txt",
		strings.ReplaceAll(rows2003, "www.industry.gov.au/a.html\t/", "https://www.industry.gov.au/a.html\t/"),
		"url.map", "https://other.example/^^13982/20030403/www.industry.gov.au/a.html\n")
	all, findings := resources(t, only(t, folder(t, under("13982/20030403", differing))))
	if all["https://www.industry.gov.au/a.html"] == nil || codes(findings) != "PANDAS-URL-MAP" {
		t.Errorf("%v, %v", slices.Collect(maps.Keys(all)), findings)
	}
	h := only(t, folder(t, under("13982/20030403",
		map[string]string{"url.map": "https://a.example/x?y=1^^13982/20030403/a.example/x1234.html\n" +
			"a.example/z^^13982/20030403/a.example/z.html\ngone^^13982/20030403/gone.html\n",
			"a.example/x1234.html": "<p>", "a.example/z.html": "<p>", "a.example/unknown.html": "<p>",
			"a.example/.panaccess-mime.types": "<Files \"z.html\">\n\tForceType text/x-z\n</Files>\n"})))
	all, _ = resources(t, h)
	x, z := all["https://a.example/x?y=1"], all["http://a.example/z"]
	if x == nil || z == nil || x.MIME != "" || z.MIME != "text/x-z" || x.Assumed != "" ||
		!strings.HasPrefix(z.Assumed, "scheme") || len(all) != 3 {
		t.Errorf("%v", slices.Collect(maps.Keys(all)))
	}
	if got := codes(h.About().Findings); got != "PANDAS-URL-MAP PANDAS-CHANGED" {
		t.Errorf("%v", h.About().Findings)
	}
}

// TestSampleMirror reads the devref mirror with the arguments of PANDAS, as an instance folder and
// as a tarball. The URLs and grades equal those of HTTrack's reader. The time is 21:18:14 on a
// clock with the zone from the mirror.
func TestSampleMirror(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "13982")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	sample, err := os.ReadFile(testsamples.Path(t, "samples/_made/crawls/httrack/pandas.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	place := filepath.Join(dir, "ps-ar2-13982-20261120-2118.tgz")
	if err := os.WriteFile(place, sample, 0o666); err != nil {
		t.Fatal(err)
	}
	h := only(t, sourcetest.Open(t, dir))
	a := h.About()
	if a.ID != "13982/20261120-2118" || a.Documentation != model.Documented || len(a.Files) != 124+1 ||
		a.Robots != "s0" || a.Start.IsZero() {
		t.Errorf("%q, %q, %d files, %q, %v", a.ID, a.Documentation, len(a.Files), a.Robots, a.Start)
	}
	if got := codes(a.Findings); !strings.HasPrefix(got, "SOURCE-TARBALL") {
		t.Errorf("the missing folder PI/date is not reported: %s", got)
	}
	// The result of HTTrack's reader.
	mirror, err := httrack.Reader{}.Find(t.Context(),
		sourcetest.Open(t, testsamples.Path(t, "samples/_made/crawls/httrack/pandas.tar.gz")))
	if err != nil || len(mirror) != 1 {
		t.Fatal(mirror, err)
	}
	plain, err := mirror[0].Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want, _ := resources(t, plain)
	got, findings := resources(t, h)
	if len(got) != len(want) || len(got) < 100 || len(findings) > 0 {
		t.Errorf("%d URLs, want %d; %v", len(got), len(want), findings)
	}
	for url, w := range want {
		g := got[url]
		if g == nil || g.Grade != w.Grade || g.Size != w.Size || !g.Time.Equal(w.Time) || g.File != "" &&
			g.File != filepath.Base(place)+"/"+w.File {
			t.Errorf("%s: %+v, want %+v", url, g, w)
		}
	}
}

func FuzzURLMap(f *testing.F) {
	f.Add([]byte("http://a/^^1/20030403/a/index.html\nx^^y\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := readURLMap(bytes.NewReader(b), "url.map", func(string, model.Severity, int64, string) {})
		if err != nil {
			t.Fatal(err)
		}
		for file := range m.byFile {
			if file == "" || file[0] == '/' || file == ".." || strings.HasPrefix(file, "../") ||
				strings.Contains(file, "/../") {
				t.Errorf("%q leads out", file)
			}
		}
		if err := (forced{}).read(bytes.NewReader(b), "a", "x"); err != nil {
			t.Error(err)
		}
	})
}

// TestTarballsAreRestricted checks that a tarball is restricted like the cookies in it, also the
// one that is not read.
func TestTarballsAreRestricted(t *testing.T) {
	const cookies = "# HTTP Cookie File\na.example\tFALSE\t/\tFALSE\t1893456000\tsid\tsecret\n"
	open, closed := tgz(t, under("13982/20030403", instance2003())),
		tgz(t, under("13982/20030403", with(instance2003(), "cookies.txt", cookies)))
	for _, c := range []struct{ ps, ac, want string }{
		{open, open, ""}, {closed, open, "ps"}, {open, closed, "ac"}, {closed, closed, "ac ps"},
	} {
		a := only(t, folder(t, map[string]string{"ps-ar2-13982-20030403.tgz": c.ps,
			"ac-ar2-13982-20030403.tgz": c.ac})).About()
		var got []string
		for _, f := range a.Files {
			if f.Archive == "" && f.Restricted != "" {
				got = append(got, f.Path[:2])
			}
		}
		slices.Sort(got)
		if strings.Join(got, " ") != c.want {
			t.Errorf("restricted are %q, want %q", got, c.want)
		}
	}
}
