package pack

import (
	"archive/zip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/preserve/aip"
)

const (
	row = "date\tsize'/'remotesize\tflags(request:Update,Range state:File response:Modified,Chunked," +
		"gZipped)\tstatuscode\tstatus ('servermsg')\tMIME\tEtag|Date\tURL\tlocalfile\t(from URL)\n" +
		"21:06:00\t3/3\t---M--\t200\tadded ('OK')\timage/png\tdate:Fri," +
		"%2020%20Nov%202026%2021:06:00%20GMT\thttp://h.example/a.png\th.example/a.png\t(from )\n"
	log = "HTTrack3.49-4 launched on Fri, 20 Nov 2026 21:05:59 at http://h.example/a.png\n(httrack " +
		"http://h.example/a.png -O m )\n"
)

// aMirror returns HTTrack's files of a website with one picture.
func aMirror() map[string]string {
	return map[string]string{
		"hts-log.txt": log, "hts-cache/new.txt": row, "h.example/a.png": "png",
		"cookies.txt": "h.example\tTRUE\t/\tFALSE\t1999999999\tsid\tsecret\n",
	}
}

// TestKeepOriginal checks which originals are packed beside the WARC made from them.
func TestKeepOriginal(t *testing.T) {
	arc := arcFile("1 0 Quay", "", arcRecord("http://x/ 1.2.3.4 20080430204825 text/html", "HTTP/1.0 200 OK\r\n\r\nx"))
	mirror := "original/m/cookies.txt original/m/h.example/a.png original/m/hts-cache/new.txt original/m/hts-log.txt "
	logs := "logs/m/hts-cache/new.txt logs/m/hts-log.txt "
	for _, c := range []struct {
		keep Keep
		want string
	}{
		{KeepNeeded, mirror},
		{KeepMirror, mirror},
		{KeepAlways, "original/a/a.arc " + mirror},
		{KeepARC, logs + "original/a/a.arc "},
		{KeepNever, logs},
	} {
		files := map[string]string{"a/a.arc": arc}
		for name, content := range aMirror() {
			files["m/"+name] = content
		}
		o := options(t)
		o.Keep = c.keep
		r := mustPack(t, o, crawlOf(t, files))
		want := "containers/a/a.warc.gz containers/m.warc.gz indexes/a/a.warc.gz.cdxj.gz indexes/m.warc.gz.cdxj.gz " +
			c.want + "mets.xml mets.xml.sha512"
		if c.keep == KeepNeeded || c.keep == KeepMirror || c.keep == KeepAlways {
			want = "containers/a/a.warc.gz containers/m.warc.gz indexes/a/a.warc.gz.cdxj.gz " +
				"indexes/m.warc.gz.cdxj.gz mets.xml mets.xml.sha512 " + strings.TrimSpace(c.want)
		}
		if c.keep == KeepARC {
			want = "containers/a/a.warc.gz containers/m.warc.gz indexes/a/a.warc.gz.cdxj.gz " +
				"indexes/m.warc.gz.cdxj.gz " + logs + "mets.xml mets.xml.sha512 original/a/a.arc"
		}
		if got := list(t, o.Out); got != want {
			t.Errorf("--keep-original %q: the package holds\n%s, want\n%s", c.keep, got, want)
		}
		if r.Converted != 2 || r.Containers != 2 {
			t.Errorf("%q: result %+v", c.keep, r)
		}
		check(t, o.Out, aip.Options{})
		t.Run("schemas", func(t *testing.T) { check(t, o.Out, aip.Options{Schemas: testsamples.Path(t, "schemas")}) })
	}
}

// An archive that contains a mirror is packed unchanged, with the harvest's logs beside it. The
// archive is restricted if its content is restricted.
func TestMirrorInAnArchive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(f)
	for name, content := range aMirror() {
		e, err := w.Create("m/" + name)
		if err == nil {
			_, err = e.Write([]byte(content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f.Close()
	o := options(t)
	r := mustPack(t, o, path)
	if got := list(t,
		o.Out); got != "containers/m.warc.gz indexes/m.warc.gz.cdxj.gz logs/m/hts-cache/new.txt "+
		"logs/m/hts-log.txt mets.xml mets.xml.sha512 original/m.zip" {
		t.Errorf("the package holds %s", got)
	}
	mets := read(t, o.Out, "mets.xml")
	_, original, _ := strings.Cut(mets, `ID="FILE-o1"`)
	if r.Restricted == 0 || !strings.Contains(mets, `<mets:amdSec ID="RGT-restricted-1"`) ||
		!strings.Contains(strings.SplitN(original, ">", 2)[0], "RGT-restricted-1") {
		t.Errorf("%d restricted files; the archive is %s", r.Restricted, strings.SplitN(original, ">", 2)[0])
	}
	check(t, o.Out, aip.Options{})
	o.Out, o.Keep = filepath.Join(t.TempDir(), "package"), KeepNever
	mustPack(t, o, path)
	if got := list(t,
		o.Out); got != "containers/m.warc.gz indexes/m.warc.gz.cdxj.gz logs/m/hts-cache/new.txt "+
		"logs/m/hts-log.txt mets.xml mets.xml.sha512" {
		t.Errorf("the package holds %s", got)
	}
}

// The logs of a mirror are logs, wherever they are in the package. An index of the source is none.
func TestLogsAreLogs(t *testing.T) {
	files := map[string]string{"c/a.warc": good, "c/crawl.log": "x", "c/a.cdx": " CDX N b a m s k r M S V g\n"}
	for name, content := range aMirror() {
		files["m/"+name] = content
	}
	for keep, want := range map[Keep]string{
		KeepNeeded: "logs/c/crawl.log original/m/hts-cache/new.txt original/m/hts-log.txt",
		KeepNever:  "logs/c/crawl.log logs/m/hts-cache/new.txt logs/m/hts-log.txt",
	} {
		o := options(t)
		o.Keep = keep
		mustPack(t, o, crawlOf(t, files))
		groups := map[string][]string{}
		for _, f := range fetchAll(t, o.Out) {
			if f.in == "" {
				groups[f.group] = append(groups[f.group], f.Locations[0].Href)
			}
		}
		slices.Sort(groups[aip.UseLogs])
		if got := strings.Join(groups[aip.UseLogs], " "); got != want {
			t.Errorf("%q: the logs are %s", keep, got)
		}
		if !slices.Contains(groups[aip.UseDocuments], "documentation/c/a.cdx") {
			t.Errorf("%q: the documentation is %s", keep, groups[aip.UseDocuments])
		}
		check(t, o.Out, aip.Options{})
	}
}

// The transformation of a mirror's pages is an event, which the pages and their relations name.
func TestTransformationIsAnEvent(t *testing.T) {
	files := map[string]string{"hts-log.txt": log,
		"hts-cache/new.txt": strings.NewReplacer("image/png", "text/html", "a.png", "a.html", "3/3",
			"40/40").Replace(row),
		"h.example/a.html": `<html><a href="b.html">b</a></html>`}
	for _, profile := range []Profile{Compact, Full, Linked} {
		o := options(t)
		o.ID, o.Profile = "x", profile
		mustPack(t, o, crawlOf(t, files))
		d, pages := readBack(t, o.Out), 0
		linked(t, d)
		for id, f := range fetchAll(t, o.Out) {
			if f.group == aip.UseContainers && slices.Contains(f.AdmID, "EVT-trf-c1") && f.in != "" {
				pages++
				object := d.objects["x#"+f.AdmID[0]]
				r := object.Relationships[len(object.Relationships)-1]
				if r.SubType.Text != "Transformation" || len(r.Events) != 1 ||
					r.Events[0].Identifier.Value != "x#EVT-trf-c1" {
					t.Errorf("%q: %s is related so: %+v", profile, id, r)
				}
			}
		}
		e := d.events["x#EVT-trf-c1"]
		if pages != 1 || e.Type.Text != "transformation" || e.Outcomes[0].Notes[0] != "1 page" {
			t.Errorf("%q: %d pages, the event is %+v", profile, pages, e)
		}
		check(t, o.Out, aip.Options{})
		t.Run("schemas", func(t *testing.T) { check(t, o.Out, aip.Options{Schemas: testsamples.Path(t, "schemas")}) })
	}
}

// TestWarningsAboutAHarvest has a run of HTTrack that was stopped: the result of packing says so. A
// secret is counted as a restricted file instead.
func TestWarningsAboutAHarvest(t *testing.T) {
	files := aMirror()
	files["hts-log.txt"] = log + "21:06:01\tError: \tExit requested by shell or user\n" +
		"\nHTTrack Website Copier/3.49-4 mirror complete in 2 seconds : 1 links scanned\n"
	r := mustPack(t, options(t), crawlOf(t, files))
	if len(r.Harvests) != 1 || len(r.Harvests[0].Warnings) != 1 || r.Restricted == 0 {
		t.Fatalf("%+v", r.Harvests)
	}
	if w := r.Harvests[0].Warnings[0]; w.Code != "HTTRACK-UNFINISHED" || w.Count != 1 ||
		!strings.HasSuffix(w.Path, "hts-log.txt") || !strings.Contains(w.Message, "Exit requested by shell or user") {
		t.Errorf("%+v", w)
	}
}
