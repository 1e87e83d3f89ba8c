package httrack

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/model"
	"quire/source"
)

func row(clock string, status int, outcome, date, url, local string) string {
	return fmt.Sprintf("%s\t5/5\t---M--\t%d\t%s ('')\ttext/html\tdate:%s\t%s\t%s\t(from )\n", clock, status, outcome,
		strings.ReplaceAll(date, " ", "%20"), url, local)
}

const (
	log2003 = "HTTrack3.21-4 launched on Thu, 03 Apr 2003 23:59:50 at http://a.test/ -*.zip\n" +
		"(httrack http://a.test/ -O \"/pandas/working/1/20030403\" -r8 -s0 -*.zip )\n\n23:59:59\tWarning: \tFile has " +
		"moved from a.test/old to http://a.test/new\n" +
		"00:00:09\tError: \t\"no name\" (-5) at link gone.test/ (from a.test/)\n"
	complete = "\nHTTrack Website Copier/3.21-4 mirror complete in 20 seconds : 2 links scanned\n"
	out      = "/pandas/working/1/20030403/"
)

// updated returns a mirror that was made and then updated under another name.
func updated() map[string]string {
	return map[string]string{
		"hts-log.txt": log2003 + complete,
		"hts-cache/doit.log": "http://user:geheim@a.test/ -O \"/pandas/working/1/20030403\" -F \"Pandora\" -s0\nFile " +
			"generated automatically on Thu, 03 Apr 2003 23:59:50, do NOT edit\n",
		"hts-cache/old.txt": rowHead + row("10:00:00", 200, "added", "", "a.test/", out+"a.test/index.html") +
			row("10:00:01", 200, "added", "", "a.test/once", out+"a.test/once.html"),
		"hts-cache/new.txt": rowHead +
			row("23:59:55", 200, "updated", "Thu, 03 Apr 2003 13:59:55 GMT", "a.test/", out+"a.test/index.html") +
			row("23:59:58", 301, "error", "Thu, 03 Apr 2003 13:59:58 GMT", "a.test/old", "a.test/old.1.delayed") +
			row("00:00:01", 404, "error", "Thu, 03 Apr 2003 14:00:01 GMT", "a.test/lost", out+"a.test/lost.2.delayed") +
			"broken\n" +
			row("00:00:02", 200, "added", "", "a.test/a%20b", "./a.test/a%20b.html") +
			row("00:00:03", 200, "added", "", "a.test/c%20d", "a.test/c%20d.html"),
		"hts-cache/old.zip": string(zipCache(made{"http://a.test/", headers(200, true, "X-Save: a.test/index.html"),
			"first"})),
		"hts-cache/new.zip": string(zipCache(made{"http://a.test/", headers(200, true, "X-Save: a.test/index.html"),
			"second"}, made{"http://a.test/out", headers(200, false, "X-Save: a.test/../../etc/passwd"), ""})),
		"hts-ioinfo.txt": "request for a.test/:\n<<< GET / HTTP/1.1\n<<< User-Agent: Wire\n<<< Cookie: s=1\n\n" +
			"response for a.test/:\ncode=200\n>>> HTTP/1.1 200 OK\n>>> Server: n\n\n",
		"cookies.txt":       "# HTTrack\na.test\tTRUE\t/\tFALSE\t1999999999\tsid\tabc\n",
		"a.test/index.html": "<p>", "a.test/once.html": "<p>", "a.test/lost.html": "<p>", "a.test/a b.html": "<p>",
		"a.test/c d.html": "1", "a.test/c%20d.html": "2",
		"index.html": "<p>", "fade.gif": "", "stray.bin": "x",
	}
}

func capturesOf(m *Mirror) map[string]*Capture {
	all := map[string]*Capture{}
	for _, c := range m.Captures {
		all[c.URL] = c
	}
	return all
}

func TestMergedView(t *testing.T) {
	h := onlyHarvest(t, mirrorOf(t, updated()))
	all := capturesOf(h.Mirror)
	for url, file := range map[string]string{"http://a.test/": "a.test/index.html",
		"http://a.test/once": "a.test/once.html", "http://a.test/lost": "a.test/lost.html",
		"http://a.test/a%20b": "a.test/a b.html", "http://a.test/c%20d": "a.test/c%20d.html", "http://a.test/old": "",
		"http://a.test/out": "", "http://gone.test/": ""} {
		if c := all[url]; c == nil || c.File != file {
			t.Errorf("%s is not %q: %+v", url, file, c)
		}
	}
	root := all["http://a.test/"]
	if root.Entries != 2 || root.Entry.Cache != "hts-cache/new.zip" || root.Row.Outcome != "updated" ||
		root.Log != "hts-cache/new.txt" || !root.Time.Equal(time.Date(2003, 4, 3, 13, 59, 55, 0, time.UTC)) ||
		root.Basis != BasisCache {
		t.Errorf("%+v", root)
	}
	text, err := contentOf(t, h.Mirror).Header(root.Response)
	if err != nil || string(text) != "HTTP/1.1 200 OK\nServer: n\n" || root.Request == nil {
		t.Errorf("%q, %v", text, err)
	}
	if all["http://a.test/old"].MovedTo != "http://a.test/new" || all["http://gone.test/"].Failed != -5 ||
		all["http://a.test/lost"].Basis != BasisName {
		t.Error("the messages are not taken into account")
	}
	if ahead, why := h.Mirror.Zone(); ahead != 10*time.Hour || why == "" {
		t.Errorf("the zone is %v by %q", ahead, why)
	}
}

func TestEveryFileHasItsRoleAndSecretsAreTold(t *testing.T) {
	h := onlyHarvest(t, mirrorOf(t, updated()))
	roles, restricted := map[string]model.Role{}, map[string]string{}
	for _, f := range h.About().Files {
		roles[f.Path] = f.Role
		if f.Restricted != "" {
			restricted[f.Path] = f.Restricted
		}
	}
	if len(roles) != len(updated()) || roles["index.html"] != model.RoleArtefact ||
		roles["stray.bin"] != model.RoleContent || roles["a.test/index.html"] != model.RoleContent ||
		roles["hts-cache/doit.log"] != model.RoleConfiguration || roles["hts-cache/new.txt"] != model.RoleLog ||
		roles["hts-cache/old.zip"] != model.RoleCache {
		t.Errorf("%v", roles)
	}
	if want := map[string]string{"cookies.txt": "cookies", "hts-ioinfo.txt": "cookies",
		"hts-cache/doit.log": "a password in a URL"}; !maps.Equal(restricted, want) {
		t.Errorf("%v", restricted)
	}
	codes := map[string]int{}
	for _, f := range h.About().Findings {
		codes[f.Code]++
		if strings.Contains(f.Message, "geheim") {
			t.Errorf("the secret is repeated: %s", f)
		}
	}
	// stray.bin, and "c d.html"; gone.test has no name
	if want := map[string]int{source.CodeSecret: 3, findUnclaimed: 2, findAmbiguous: 1, findPath: 1,
		findEnd: 1}; !maps.Equal(codes, want) {
		t.Errorf("%v", codes)
	}
}

// TestNoPasswordLeaves checks that text outside the restricted file does not contain the password.
func TestNoPasswordLeaves(t *testing.T) {
	h := onlyHarvest(t, mirrorOf(t, map[string]string{
		"hts-log.txt": "HTTrack3.49 launched on Thu, 03 Apr 2003 23:59:50 at http://user:geheim@a.test/ " +
			"-x.test/*\n(httrack -P me:geheim@proxy:8080 http://user:geheim@a.test/ )\n",
		"hts-cache/new.txt": rowHead + "http://user:geheim@a.test/ is no row\n" +
			row("00:00:01", 200, "added", "", "http://user:geheim@a.test/", "a.test/index.html"),
	}))
	a := h.About()
	if len(a.Seeds) != 1 || a.Seeds[0] != "http://user:…@a.test/" {
		t.Errorf("%q", a.Seeds)
	}
	told := fmt.Sprint(a.Evidence, a.Findings, a.Scope, a.Limits)
	for _, err := range h.Fetches(context.Background(), func(f model.Finding) { told += f.Message }) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(told, "geheim") || !strings.Contains(told, "user:…@") {
		t.Error(told)
	}
	for _, f := range a.Files {
		if f.Restricted == "" {
			t.Errorf("%s is not restricted", f.Path)
		}
	}
}

func TestAbout(t *testing.T) {
	a := onlyHarvest(t, mirrorOf(t, updated())).About()
	if a.Software != "HTTrack3.21-4" || a.UserAgent != "Pandora" || a.Robots != "s0" ||
		!slices.Equal(a.Seeds, []string{"http://a.test/"}) || !slices.Equal(a.Scope, []string{"-*.zip"}) ||
		!a.Start.Equal(time.Date(2003, 4, 3, 13, 59, 50, 0, time.UTC)) || a.End.Sub(a.Start) != 20*time.Second ||
		a.EndReason != "mirror complete" || a.Documentation != model.Documented {
		t.Errorf("%+v", a)
	}
	facts := map[string]int{}
	for _, e := range a.Evidence {
		if facts[e.Fact]++; e.Source == "" || e.Value == "" {
			t.Errorf("%+v", e)
		}
	}
	if facts["user agent"] != 2 || facts["start"] != 1 || facts["software"] != 1 || facts["seeds"] != 1 ||
		facts["scope"] != 1 {
		t.Errorf("%v", facts)
	}
}

// The messages about an early end are the end reason, although the log states that the mirror is
// complete.
func TestEarlyEnd(t *testing.T) {
	files := updated()
	const complete, stop = "HTTrack Website Copier/", "00:00:20\tError: \tMore than 5 seconds passed.. giving up\n"
	if !strings.Contains(files["hts-log.txt"], complete) {
		t.Fatal("the log does not state that the mirror is complete")
	}
	files["hts-log.txt"] = strings.Replace(files["hts-log.txt"], complete, stop+complete, 1)
	a := onlyHarvest(t, mirrorOf(t, files)).About()
	if a.EndReason != "More than 5 seconds passed.. giving up" {
		t.Errorf("it ended with %q", a.EndReason)
	}
	if f := a.Findings[len(a.Findings)-1]; f.Code != findEnd || f.Severity != model.Warning ||
		!strings.Contains(f.Message, "the run was stopped") {
		t.Error(f)
	}
}

// TestUnknownZoneIsNotGuessed has no Date, and a log that was copied years later: the zone is
// unknown, and no UTC time is invented.
func TestUnknownZoneIsNotGuessed(t *testing.T) {
	h := onlyHarvest(t, mirrorOf(t,
		map[string]string{"hts-log.txt": log2003,
			"hts-cache/new.txt": rowHead + row("23:59:55", 200, "added", "", "a.test/", "a.test/index.html"),
			"a.test/index.html": "x"}))
	a := h.About()
	if !a.Start.IsZero() || a.EndReason != "" || a.Findings[len(a.Findings)-1].Code != findEnd {
		t.Errorf("%+v", a)
	}
	for f, err := range h.Fetches(context.Background(), nil) {
		if err != nil || !f.Time.IsZero() || f.Notes[len(f.Notes)-1] != "zone unknown" {
			t.Errorf("%+v, %v", f, err)
		}
	}
}

func TestFetches(t *testing.T) {
	h := onlyHarvest(t, mirrorOf(t, updated()))
	var got, told []string
	for f, err := range h.Fetches(context.Background(), func(f model.Finding) {
		told = append(told, f.Path+" "+f.Message)
	}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(f.URI, " ", f.Status, " ", f.Miss, " ", f.Time.Format("0102150405")))
	}
	want := []string{"a.test/ 200  0101000000", "a.test/once 200  0101000000", "a.test/ 200  0403135955",
		"a.test/old 301  0403135958", "a.test/lost 404  0403140001",
		"a.test/a%20b 200  0403140002", "a.test/c%20d 200  0403140003", "gone.test/ -5 network 0403140009"}
	if !slices.Equal(got, want) || len(told) != 1 || !strings.HasPrefix(told[0], "hts-cache/new.txt line 5:") {
		t.Errorf("%q\n%q", got, told)
	}
	for _, err := range h.Fetches(context.Background(), nil) { // the caller may stop early
		if err != nil {
			t.Error(err)
		}
		break
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, err := range h.Fetches(ctx, nil) {
		if err == nil {
			t.Error("it goes on after it was cancelled")
		}
	}
}

// TestRecordsOfTheDebugLog reads a mirror of 2001 without new.txt: the log of option -#f has the
// paths of files.
func TestRecordsOfTheDebugLog(t *testing.T) {
	h := onlyHarvest(t, mirrorOf(t,
		map[string]string{"hts-cache/doit.log": "http://a.test/ -O /pandas/1\n",
			"logs/debug":    "01:00:14\tDebug: \tRecord: a.test/x.php -> /pandas/1/a.test/x.html\n",
			"a.test/x.html": "x"}))
	if c := capturesOf(h.Mirror)["http://a.test/x.php"]; c == nil || c.File != "a.test/x.html" || c.Basis != BasisLog ||
		len(h.About().Findings) > 0 {
		t.Errorf("%+v, %v", c, h.About().Findings)
	}
}

func TestMirrorsWithinATree(t *testing.T) {
	tr := mirrorOf(t, map[string]string{"a/hts-log.txt": "HTTrack3 launched", "a/x": "", "a/b/hts-cache/new.lst": "",
		"a/b/y": "", "c/hts-log.txt": "something else", "d/hts-cache/unknown": ""})
	claims, err := Reader{}.Find(context.Background(), tr)
	if err != nil || len(claims) != 2 || claims[0].Root != "a" || claims[1].Root != "a/b" {
		t.Fatalf("%+v, %v", claims, err)
	}
	if !slices.Equal(claims[0].Files, []string{"a/hts-log.txt", "a/x"}) ||
		!slices.Equal(claims[1].Files, []string{"a/b/hts-cache/new.lst", "a/b/y"}) || len(claims[0].Why) == 0 {
		t.Errorf("%+v", claims)
	}
}

// TestSchemesInTurn checks http and https of one path, which share a name in hts-ioinfo.txt: each
// gets the next header in turn.
func TestSchemesInTurn(t *testing.T) {
	m := onlyHarvest(t, mirrorOf(t, map[string]string{
		"hts-cache/new.zip": string(zipCache(made{"http://a.test/", headers(301, false), ""},
			made{"https://a.test/", headers(200, true), "x"})),
		"hts-ioinfo.txt": "response for a.test/:\ncode=301\n>>> HTTP/1.1 301 Moved\n\nresponse for a.test/:\n" +
			"code=200\n>>> HTTP/1.1 200 OK\n\n",
	})).Mirror
	if len(m.Captures) != 2 || m.Captures[0].Response.Status != 301 || m.Captures[1].Response.Status != 200 {
		t.Errorf("%+v %+v", m.Captures[0], m.Captures[1])
	}
}
