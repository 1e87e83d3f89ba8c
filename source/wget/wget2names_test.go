package wget

import (
	"slices"
	"strings"
	"testing"

	"quire/model"
	"quire/source"
)

// begun2 has the lines of requests that begin, each of another thread.
func begun2(urls ...string) string {
	var b strings.Builder
	for i, u := range urls {
		b.WriteString("[" + string(rune('0'+i)) + "] Downloading 'http://" + u + "' ...\n")
	}
	return b.String()
}

func saved2Line(name string) string { return "Saving '" + name + "'\n" }

func ok2(url string) string { return "HTTP response 200 OK [http://" + url + "]\n" }

// TestNamesOfSeveralThreads has responses without a file among names that resemble their URLs.
func TestNamesOfSeveralThreads(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, log, want, left string }{
		{"a page of another host", begun2("a.test/x/", "b.test/y/") + saved2Line("b.test/y/index.html") +
			ok2("a.test/x/") + ok2("b.test/y/"), "a.test/x/= b.test/y/=b.test/y/index.html", ""},
		{"a page of another folder", begun2("a.test/x/", "a.test/y/") + saved2Line("a.test/y/index.html") +
			ok2("a.test/x/") + ok2("a.test/y/"), "a.test/x/= a.test/y/=a.test/y/index.html", ""},
		{"-P", begun2("a.test/x/", "b.test/y/") + saved2Line("o/b.test/y/index.html") + ok2("a.test/x/") +
			ok2("b.test/y/"), "a.test/x/= b.test/y/=o/b.test/y/index.html", ""},
		{"-P -E", begun2("a.test/p", "a.test/p.x") + saved2Line("o/a.test/p.x.html") + ok2("a.test/p") +
			ok2("a.test/p.x"), "a.test/p= a.test/p.x=o/a.test/p.x.html", ""},
		{"the URL with the extension", begun2("a.test/p", "a.test/p.html") + saved2Line("a.test/p.html") +
			ok2("a.test/p") + ok2("a.test/p.html"), "a.test/p= a.test/p.html=a.test/p.html", ""},
		{"--cut-dirs", begun2("a.test/x/1", "a.test/x/2", "b.test/x/2") + saved2Line("a.test/2") + ok2("a.test/x/1") +
			ok2("b.test/x/2") + ok2("a.test/x/2"), "a.test/x/1= b.test/x/2= a.test/x/2=a.test/2", ""},
		{"--cut-dirs, two URLs", begun2("a.test/x/", "a.test/y/") + saved2Line("a.test/index.html") +
			ok2("a.test/x/") + ok2("a.test/y/"), "a.test/x/= a.test/y/=", "a.test/index.html"},
		{"-nH", begun2("a.test/x/", "a.test/y/") + saved2Line("y/index.html") + ok2("a.test/x/") + ok2("a.test/y/"),
			"a.test/x/= a.test/y/=y/index.html", ""},
		{"-nH, two hosts", begun2("a.test/y/", "b.test/y/") + saved2Line("y/index.html") + ok2("a.test/y/") +
			ok2("b.test/y/"), "a.test/y/= b.test/y/=", "y/index.html"},
		{"-nd", begun2("a.test/x/p", "a.test/y/") + saved2Line("p") + ok2("a.test/y/") + ok2("a.test/x/p"),
			"a.test/y/= a.test/x/p=p", ""},
		{"-nd, two URLs", begun2("a.test/x/", "a.test/y/") + saved2Line("index.html") + ok2("a.test/x/") +
			ok2("a.test/y/"), "a.test/x/= a.test/y/=", "index.html"},
		{"-nd, begun later", begun2("a.test/1", "a.test/y/") + saved2Line("index.html") + ok2("a.test/y/") +
			begun2("b.test/") + ok2("b.test/"), "a.test/y/=index.html b.test/=", ""},
		{"a request that began later", begun2("a.test/1", "a.test/2") + saved2Line("index.html") +
			begun2("b.test/") + ok2("b.test/"), "b.test/=", "index.html"},
		{"a redirect, and the URL again", "HTTP response 302 Found [http://a.test/old]\n" +
			begun2("a.test/z", "a.test/old") + saved2Line("a.test/old") + ok2("a.test/z") + ok2("a.test/old"),
			"a.test/old= a.test/z= a.test/old=a.test/old", ""},
		{"too many requests", begun2("a.test/x/") + many2(maxOpen) + saved2Line("p") +
			ok2("a.test/d/p"), "a.test/d/p=", "p"},
		{"a broken attempt", begun2("a.test/1", "a.test/2") + saved2Line("a.test/1") + saved2Line("a.test/1") +
			ok2("a.test/1"), "a.test/1=a.test/1", ""},
	} {
		var got, left []string
		r := &logReader{journal: &journal{}, attempt: func(a *attempt) bool {
			got = append(got, strings.TrimPrefix(a.URL, "http://")+"="+a.Named)
			return true
		}, kept: func(names []string) { left = append(left, names...) }}
		log := begin2 + "[1] Downloading 'http://c.test/none' ...\n" + c.log
		if err := readLog(strings.NewReader(log), r); err != nil {
			t.Fatal(err)
		}
		if strings.Join(got, " ") != c.want || strings.Join(left, " ") != c.left {
			t.Errorf("%s: %q, left %q; want %q, left %q", c.name, got, left, c.want, c.left)
		}
	}
}

// many2 begins n requests, and then one with a file name of its own.
func many2(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("[1] Downloading 'http://a.test/" + strings.Repeat("i", i+1) + "' ...\n")
	}
	return b.String() + "[1] Downloading 'http://a.test/d/p' ...\n"
}

// TestFilesOfUnsureURLs reads mirrors: a file keeps its own URL, or has none, with a finding.
func TestFilesOfUnsureURLs(t *testing.T) {
	t.Parallel()
	end := "Downloaded: 1 files, 1  bytes, 0 redirects, 0 errors\n"
	for _, c := range []struct {
		name, log, file, url string
		found                bool
	}{
		{"the page of b", begun2("a.test/x/", "b.test/y/") + saved2Line("b.test/y/index.html") + ok2("a.test/x/") +
			ok2("b.test/y/"), "b.test/y/index.html", "http://b.test/y/", false},
		{"a file of two URLs", begun2("a.test/q", "a.test/r") + saved2Line("q") + ok2("a.test/q") +
			begun2("a.test/x/", "a.test/y/") + saved2Line("index.html") + ok2("a.test/x/") + ok2("a.test/y/"),
			"index.html", "", true},
		{"a file that was overwritten", begun2("a.test/") + saved2Line("a.test/index.html") + ok2("a.test/") +
			begun2("a.test/x/", "a.test/y/") + saved2Line("a.test/index.html") + ok2("a.test/x/") + ok2("a.test/y/"),
			"a.test/index.html", "http://a.test/", false},
	} {
		files := map[string]string{"w.log": c.log + end, c.file: "<html>"}
		if c.found {
			files["q"] = "q"
		}
		var findings []string
		m := onlyMirror(t, folder(t, files))
		for r, err := range m.Resources(t.Context(), func(model.Finding) {}) {
			if err != nil {
				t.Fatal(err)
			}
			if r.File != c.file {
				continue
			}
			want := source.OriginalFile
			if c.name != "the page of b" {
				want = source.Differing
			}
			if r.URL != c.url || r.Grade != want {
				t.Errorf("%s: %q is of %q, %s: %q", c.name, r.File, r.URL, r.Grade, r.Why)
			}
			findings = append(findings, "read")
		}
		for _, f := range m.About().Findings {
			if f.Code == findUnclaimed {
				findings = append(findings, f.Path+": "+f.Message)
			}
		}
		want := []string{"read"}
		if c.found {
			want = append(want, c.file+": "+unknown2)
		}
		if !slices.Equal(findings, want) {
			t.Errorf("%s: %q, want %q", c.name, findings, want)
		}
	}
}
