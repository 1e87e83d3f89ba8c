package export_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/access/export"
	"quire/access/export/bag"
	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/model"
)

// urls is a format that writes a line for each open capture.
var urls = export.Format{Name: "urls", Title: "URLs",
	Make: func(ctx context.Context, s *export.Source, out *export.Output) error {
		_, err := out.Write("urls.txt", func(w io.Writer) error {
			for c, err := range s.Captures(ctx) {
				if err != nil {
					return err
				}
				if !c.Allowed {
					continue
				}
				content, err := s.Read(ctx, c.Capture)
				if err != nil {
					if err := s.Fail(c.Capture, err); err != nil {
						return err
					}
					continue
				}
				body, err := io.ReadAll(s.Decoded(content))
				if err := errors.Join(err, content.Body.Close()); err != nil {
					return err
				}
				if _, err := fmt.Fprintf(w, "%s %s\n", c.URL, body); err != nil {
					return err
				}
			}
			return nil
		})
		return err
	}}

func repository(t *testing.T) (*holdingstest.Repository, *holdings.Holdings) {
	t.Helper()
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "site-1", Rights: "access: open", Containers: map[string]string{
		"b.warc": holdingstest.Response("1", "http://a.example/z", "2015-01-02T03:04:05Z", "text/html", "<p>one") +
			holdingstest.Response("2", "http://a.example/a", "2015-01-02T03:04:06Z", "text/html", "<p>two"),
		"a.warc": holdingstest.Response("3", "http://a.example/secret", "2015-01-02T03:04:07Z", "text/html",
			"<p>three"),
	}})
	rules := r.Rules("rules:\n  - urls: [http://a.example/secret]\n    access: restricted\n    message: Ask at the " +
		"desk.\n")
	return r, r.Open(holdings.Options{Rules: rules})
}

func TestRun(t *testing.T) {
	r, h := repository(t)
	out := filepath.Join(t.TempDir(), "out")
	result, err := export.Run(t.Context(), r.Store, h,
		export.Request{ID: "site-1", As: "urls", Out: out, By: "A. Reader"}, []export.Format{urls})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(out, "urls.txt"))
	if want := "http://a.example/z <p>one\nhttp://a.example/a <p>two\n"; err != nil || string(text) != want {
		t.Errorf("%q, %v; want those that may be had, in the order of the containers: %q", text, err, want)
	}
	var kept struct {
		Format string
		Total  int
		Counts map[export.Reason]int
		Items  []export.Withheld
	}
	text, err = os.ReadFile(filepath.Join(out, export.WithheldName))
	if err := errors.Join(err, json.Unmarshal(text, &kept)); err != nil {
		t.Fatal(err)
	}
	if kept.Total != 2 || kept.Counts[export.ByRights] != 2 ||
		!strings.HasPrefix(kept.Items[1].Path, "documentation/rights") ||
		kept.Items[0].URL != "http://a.example/secret" || kept.Items[0].Message != "Ask at the desk." ||
		kept.Items[0].Why != "" {
		t.Errorf("%s", text)
	}
	if result.Captures != 2 || result.Files != 2 || result.KeptBack[export.ByRights] != 2 || result.Version != "v1" {
		t.Errorf("%+v", result)
	}
	d, err := r.Store.Show(t.Context(), "site-1")
	if err != nil {
		t.Fatal(err)
	}
	last := d.Events[len(d.Events)-1]
	if last.Type != string(model.Dissemination) || last.File != result.Event ||
		!strings.Contains(last.Detail, "urls for public readers") {
		t.Errorf("%+v", last)
	}
	log, err := os.ReadFile(filepath.Join(d.Places[0].Path, "logs", last.File))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"A. Reader", "http://a.example/secret", "Ask at the desk.", "kept back, rights: 2",
		"urls.txt"} {
		if !strings.Contains(string(log), want) {
			t.Errorf("no %q in %s", want, log)
		}
	}
}

// TestRunDamaged: an export of a package whose container has errors says so, to readers who know captures of it.
func TestRunDamaged(t *testing.T) {
	r := holdingstest.New(t)
	good := func(id string) string {
		return holdingstest.Response(id, "http://"+id+".example/", "2015-01-02T03:04:05Z", "text/html", "<p>"+id)
	}
	lost := strings.Replace(good("lost"), "WARC-Target-URI", "WARC-Target-URX", 1)
	r.Ingest(holdingstest.Package{ID: "site", Rights: "access: open", Containers: map[string]string{
		"bad.warc": good("one") + lost, "good.warc": good("two"), "hidden.warc": good("hidden") + lost}})
	rules := r.Rules("rules:\n  - urls: [http://hidden.example/]\n    access: blocked\n    hidden: true\n")
	h := r.Open(holdings.Options{Rules: rules})
	for who, want := range map[holdings.Class][]string{
		holdings.Public: {""}, holdings.Staff: {"containers/bad.warc", "containers/hidden.warc"}} {
		out := filepath.Join(t.TempDir(), "out")
		result, err := export.Run(t.Context(), r.Store, h, export.Request{ID: "site", As: "urls", Out: out, For: who},
			[]export.Format{urls})
		if err != nil {
			t.Fatal(err)
		}
		var kept struct{ Items []export.Withheld }
		text, err := os.ReadFile(filepath.Join(out, export.WithheldName))
		if err := errors.Join(err, json.Unmarshal(text, &kept)); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, item := range kept.Items {
			if item.Reason == export.Damaged {
				got = append(got, item.Path)
			}
			if (item.Why != "") != (who == holdings.Staff) {
				t.Errorf("%s: %+v", who, item)
			}
		}
		if !slices.Equal(got, want) || result.KeptBack[export.Damaged] != int64(len(want)) {
			t.Errorf("%s: %q, %v", who, got, result.KeptBack)
		}
		d, err := r.Store.Show(t.Context(), "site")
		if err != nil {
			t.Fatal(err)
		}
		if last := d.Events[len(d.Events)-1]; last.Outcome != string(model.Warned) {
			t.Errorf("%s: %+v", who, last)
		}
	}
}

// TestRunDamagedWhole: nothing is missing in a package as it is stored.
func TestRunDamagedWhole(t *testing.T) {
	r := holdingstest.New(t)
	bad := strings.Replace(holdingstest.Response("a", "http://a.example/", "2015-01-02T03:04:05Z", "text/html", "<p>a"),
		"WARC-Target-URI", "WARC-Target-URX", 1)
	r.Ingest(holdingstest.Package{ID: "site", Containers: map[string]string{"bad.warc": bad}})
	whole := export.Format{Name: "whole", Title: "all", Make: func(_ context.Context, s *export.Source,
		out *export.Output) error {
		s.Whole()
		_, err := out.Write("all.txt", func(w io.Writer) error { _, err := io.WriteString(w, "all"); return err })
		return err
	}}
	if _, err := export.Run(t.Context(), r.Store, r.Open(holdings.Options{}), export.Request{ID: "site", As: "whole",
		Out: filepath.Join(t.TempDir(), "out"), For: holdings.Staff}, []export.Format{whole}); err != nil {
		t.Fatal(err)
	}
	d, err := r.Store.Show(t.Context(), "site")
	if err != nil {
		t.Fatal(err)
	}
	last := d.Events[len(d.Events)-1]
	log, err := os.ReadFile(filepath.Join(d.Places[0].Path, "logs", last.File))
	if err != nil || last.Outcome != string(model.Success) || strings.Contains(string(log), "no reader gets") ||
		strings.Contains(string(log), "may be missing") {
		t.Errorf("%+v, %v: %s", last, err, log)
	}
}

// TestRunForStaff: curators get restricted content, with the evidence.
func TestRunForStaff(t *testing.T) {
	r, h := repository(t)
	out := filepath.Join(t.TempDir(), "out")
	result, err := export.Run(t.Context(), r.Store, h,
		export.Request{ID: "site-1", As: "urls", Out: out, For: holdings.Staff}, []export.Format{urls})
	if err != nil || result.Captures != 3 || len(result.KeptBack) != 0 {
		t.Fatalf("%+v, %v", result, err)
	}
	text, err := os.ReadFile(filepath.Join(out, "urls.txt"))
	if err != nil || !strings.HasPrefix(string(text), "http://a.example/secret <p>three\n") {
		t.Errorf("%q, %v", text, err)
	}
}

// TestRunOldVersion: the rights of today decide on an older version, and a container that the newest
// version no longer has is closed, even to curators. A bag of the package as stored has it.
func TestRunOldVersion(t *testing.T) {
	r, h := repository(t)
	r.Ingest(holdingstest.Package{ID: "site-1", Rights: "access: open", Containers: map[string]string{
		"b.warc": holdingstest.Response("1", "http://a.example/z", "2015-01-02T03:04:05Z", "text/html", "<p>anew"),
		"a.warc": holdingstest.Response("3", "http://a.example/secret", "2015-01-02T03:04:07Z", "text/html",
			"<p>three"),
	}})
	run := func(version int, as string, class holdings.Class) (*export.Result, string) {
		t.Helper()
		out := filepath.Join(t.TempDir(), "out")
		result, err := export.Run(t.Context(), r.Store, h, export.Request{ID: "site-1", Version: version, As: as,
			For: class, Out: out}, []export.Format{urls, bag.Format(nil)})
		if err != nil {
			t.Fatal(err)
		}
		return result, out
	}
	for _, c := range []struct {
		version int
		class   holdings.Class
		want    string
		kept    int64
	}{
		{0, holdings.Public, "http://a.example/z <p>anew\n", 2},
		{2, holdings.Staff, "http://a.example/secret <p>three\nhttp://a.example/z <p>anew\n", 0},
		{1, holdings.Staff, "http://a.example/secret <p>three\n", 2}, // and the rights file
	} {
		result, out := run(c.version, "urls", c.class)
		text, err := os.ReadFile(filepath.Join(out, "urls.txt"))
		if err != nil || string(text) != c.want || result.KeptBack[export.ByRights] != c.kept {
			t.Errorf("version %d for %s: %q, %+v, %v", c.version, c.class, text, result, err)
		}
		kept, err := os.ReadFile(filepath.Join(out, export.WithheldName))
		if named := strings.Contains(string(kept), "containers/b.warc"); err != nil ||
			named != (c.version == 1 && c.class == holdings.Staff) {
			t.Errorf("version %d for %s: %s, %v", c.version, c.class, kept, err)
		}
	}
	result, out := run(1, "bagit", holdings.Staff)
	text, err := os.ReadFile(filepath.Join(out, "data", "containers", "b.warc"))
	if err != nil || !strings.Contains(string(text), "<p>one") || result.Version != "v1" {
		t.Errorf("%s, %+v, %v", text, result, err)
	}
	var empty *export.EmptyError
	if _, err := export.Run(t.Context(), r.Store, h, export.Request{ID: "site-1", Version: 1, As: "urls",
		Out: filepath.Join(t.TempDir(), "out")}, []export.Format{urls}); !errors.As(err, &empty) {
		t.Errorf("the public got something of version 1: %v", err)
	}
	if _, err := export.Run(t.Context(), r.Store, h, export.Request{ID: "site-1", Version: 3, As: "urls",
		Out: filepath.Join(t.TempDir(), "out")}, []export.Format{urls}); err == nil {
		t.Error("version 3 exists")
	}
}

// TestRunLeavesNothing: after an error or Ctrl-C, everything is as before, without an event.
func TestRunLeavesNothing(t *testing.T) {
	r, h := repository(t)
	ctx, cancel := context.WithCancel(t.Context())
	for name, f := range map[string]export.Format{
		"fails": {Name: "x", Make: func(_ context.Context, _ *export.Source, out *export.Output) error {
			_, err := out.Create("half")
			return errors.Join(err, errors.New("no"))
		}},
		"cancelled": {Name: "x", Make: func(ctx context.Context, _ *export.Source, out *export.Output) error {
			cancel()
			_, err := out.Copy(ctx, "file", strings.NewReader("x"))
			return err
		}},
		"omits the list of withheld content": {Name: "x", Ending: ".x",
			Make: func(ctx context.Context, _ *export.Source, out *export.Output) error {
				_, err := out.Copy(ctx, "file", strings.NewReader("x"))
				return err
			}},
	} {
		dir := t.TempDir()
		on := t.Context()
		if name == "cancelled" {
			on = ctx
		}
		if _, err := export.Run(on, r.Store, h, export.Request{ID: "site-1", As: "x", Out: filepath.Join(dir, "out")},
			[]export.Format{f}); err == nil {
			t.Errorf("%s: no error", name)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
			t.Errorf("%s: left %v, %v", name, left, err)
		}
	}
	d, err := r.Store.Show(t.Context(), "site-1")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range d.Events {
		if e.Type == string(model.Dissemination) {
			t.Errorf("%+v", e)
		}
	}
}

// TestCreateRefuses: a format can write only inside its folder, and each file once.
func TestCreateRefuses(t *testing.T) {
	r, h := repository(t)
	f := export.Format{Name: "x", Make: func(ctx context.Context, _ *export.Source, out *export.Output) error {
		for _, name := range []string{"../up", "/root", "a/../../b", "", ".", "a\\b", "a/./b"} {
			if _, err := out.Create(name); err == nil {
				t.Errorf("%q was made", name)
			}
		}
		if _, err := out.Copy(ctx, "a/b", strings.NewReader("x")); err != nil {
			t.Error(err)
		}
		if _, err := out.Copy(ctx, "a/b", strings.NewReader("y")); err == nil {
			t.Error("a file was written twice")
		}
		return nil
	}}
	if _, err := export.Run(t.Context(), r.Store, h,
		export.Request{ID: "site-1", As: "x", Out: filepath.Join(t.TempDir(), "out")}, []export.Format{f}); err != nil {
		t.Error(err)
	}
}
