package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/internal/prove"
)

// listing is name, mode, size, time and digest of everything below the folders.
func listing(t *testing.T, folders ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil || p == os.TempDir() { // temporary files come and go there
				return err
			}
			sum := ""
			if info.Mode().IsRegular() {
				text, err := os.ReadFile(p)
				if err != nil {
					return err
				}
				digest := sha256.Sum256(text)
				sum = hex.EncodeToString(digest[:])
			}
			all[p] = fmt.Sprint(info.Mode(), info.Size(), info.ModTime().UnixNano(), sum)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// differences returns the entries that differ between two listings.
func differences(before, after map[string]string) []string {
	var changed []string
	for p, is := range after {
		if before[p] != is {
			changed = append(changed, "new or changed: "+p)
		}
	}
	for p := range before {
		if _, there := after[p]; !there {
			changed = append(changed, "gone: "+p)
		}
	}
	slices.Sort(changed)
	return changed
}

// dryWorkplace makes a folder with an input of every kind for the commands. It returns all folders
// that a command could write to: this folder, the cache folder, and the folder for temporary files.
func dryWorkplace(t *testing.T) (folders []string) {
	t.Helper()
	workplace(t)
	cache, temp := t.TempDir(), t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("TMPDIR", temp)
	page := func(id, date, kind, body string) string {
		block := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: "+
			"%d\r\n\r\n%s", kind, len(body), body)
		return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:%s>\r\nWARC-Target-URI: "+
			"http://a.org/%s\r\nWARC-Date: %s\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: "+
			"%d\r\n\r\n%s\r\n\r\n", id, id, date, len(block), block)
	}
	bitmap := "#define a_width 8\n#define a_height 1\nstatic char a_bits[] = { 0x01 };\n"
	for name, content := range map[string]string{
		"old.warc": container + page("a", "2023-01-01T00:00:00Z", "text/html", "the same"),
		"new.warc": container + page("b", "2024-01-01T00:00:00Z", "text/html", "the same") +
			page("c", "2024-01-02T00:00:00Z", "image/x-xbitmap", bitmap),
		"changed.warc":  container + page("b", "2024-01-01T00:00:00Z", "text/html", "other"),
		"arcs/a.arc":    arcFile,
		"named/a.warc":  "no WARC",
		"half/a.warc":   "no WARC",
		"half/b.warc":   container,
		"full/file.txt": "in the way",
		"good.csv":      "ID,Title,URL\na,Summer,http://a.org/a\n",
		"lost.csv":      "Title,URL\nOther,https://www.a.org/\n",
		"bad.csv":       "Title,URL\nOther,nowhere\n",
		"all.yaml":      "id: all\ntitle: All\nharvests:\n  - packages: [p]\n",
		"rights.yaml":   "rights:\n  - basis: other\n    note: all may see it\n    act: disseminate\n    zone: public\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range []string{
		"pack old.warc --out p --id one", "pack new.warc --out p2 --id two", "pack changed.warc --out p3 --id one",
		"pack crawl --out torn --id torn", "pack twin.warc --out p4 --id four",
		"pack old.warc --out n --id five", "pack changed.warc --out n2 --id five", "init r", "init broken",
		"ingest p --repo r", "index --repo r", "ingest p4 --repo r", "ingest p p2 --repo broken",
		"dedup new.warc --against old.warc --out slim", "convert arcs --out warcs",
	} {
		if status, out, errs := call(t, strings.Fields(args)...); status != 0 {
			t.Fatalf("quire %s: %d %s%s", args, status, out, errs)
		}
	}
	for _, name := range []string{"torn/containers/a.warc", "broken/copy-2/ocfl/*/*/*/*/v1/content/containers/" +
		"old.warc"} {
		found, err := filepath.Glob(name)
		if err != nil || len(found) != 1 {
			t.Fatalf("found %v, %v", found, err)
		}
		was, err := os.ReadFile(found[0])
		if err == nil {
			err = os.Chmod(found[0], 0o644)
		}
		if err == nil {
			err = os.WriteFile(found[0], []byte(strings.Replace(string(was), "Boat", "Goat", 1)), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return []string{".", cache, temp}
}

// A dry run writes nothing anywhere, prints the planned actions, and has the status of the real
// run.
func TestDryRun(t *testing.T) {
	prove.Serial(t)
	folders := dryWorkplace(t)
	for _, step := range []struct {
		args   string
		status int
		want   string // part of the output, including errors
	}{
		{"pack crawl --out out/side/q", 0, "would make  containers/a.warc, 132 bytes"},
		{"pack arcs --out q --keep-original always", 0, "would make  original/a.arc"},
		{"pack arcs old.warc --out q --sheet good.csv", 0, "would make  documentation/good.csv"},
		{"pack half --out q", 1, "cannot read a.warc has the name of a container"},
		{"pack named --out q", 1, "cannot be read as one"},
		{"pack nothing --out q", 1, "no ARC or WARC file"},
		{"pack crawl --out full", 2, "full is not empty"},
		{"pack crawl --out q --sheet bad.csv", 1, "the sheet has problems"},
		{"pack p --out q", 2, "is a package already"},
		{"pack --collection all.yaml --out q", 0, "would make  mets.xml"},
		{"convert arcs crawl --out q --report report.jsonl", 0, "would make  arcs/a.warc.gz, of arcs/a.arc"},
		{"convert nothing --out q", 1, "no container and no mirror"},
		{"convert arcs --out full", 2, "full is not empty"},
		{"convert arcs --out q --report text.txt", 2, "writing results to text.txt"},
		{"convert restore warcs/a.warc.gz --out again.arc", 0, "would restore again.arc: 2 records"},
		{"convert --restore warcs/a.warc.gz --out again.arc", 0, "would restore again.arc: 2 records"},
		{"convert restore warcs/a.warc.gz --out text.txt", 2, "text.txt"},
		{"dedup new.warc --against old.warc --out q --report report.json", 0, "would make  new.warc"},
		{"dedup new.warc --against r --out q", 0, "1 became revisits"},
		{"dedup new.warc --within --out full", 2, "full is not empty"},
		{"dedup bad.warc --within --out q", 1, "0 became revisits"},
		{"dedup undo slim --against old.warc --out q", 0, "1 are full records again"},
		{"dedup undo slim --out q", 1, "no record with its payload was found"},
		{"dedup slim --undo --against old.warc --out q", 0, "1 are full records again"},
		{"dedup annotations crawl --against r --out q", 0, "0 containers in q"},
		{"describe old.warc --sheet good.csv --out q", 0, "would write"},
		{"describe old.warc --sheet good.csv --in-place", 0, "with 1 description: "},
		{"describe old.warc --sheet lost.csv --in-place", 1, "not described"},
		{"describe p --sheet good.csv --in-place", 1, "whose METS has its digest"},
		{"describe export --sheet good.csv --format mods --out q", 0, "would make  a.xml"},
		{"describe export --sheet bad.csv --format mods --out q", 1, "is no URL"},
		{"describe --sheet good.csv --export mods --out full", 2, "full is not empty"},
		{"migrate p2 --using xbm-to-png --out q", 0, "would try to convert 1 of 1 bytestream"},
		{"migrate p2 --using gif-to-png --out q", 1, "nothing to migrate"},
		{"migrate torn --using xbm-to-png --out q", 1, "the package is damaged"},
		{"migrate p2 --using xbm-to-png --out full", 2, "full is not empty"},
		{"ingest p --repo r", 0, "would skip one, stored already as version 1"},
		{"ingest p2 --repo r", 0, "would store two as version 1"},
		{"ingest p3 --repo r", 2, "--new-version stores it as the next version"},
		{"ingest p3 --repo r --new-version", 0, "would store one as version 2"},
		{"ingest p2 p2 --repo r", 0, "would skip two: an earlier package of this call"},
		{"ingest p4 p2 --repo r", 0, "would store two as version 1"},
		{"ingest p p3 --repo broken", 1, "repair it from a good copy"},
		{"ingest n n2 --repo r", 2, "--new-version stores it as the next version"},
		{"ingest n n2 n --new-version --repo r", 0, "would store five as version 3"},
		{"ingest n n --new-version --repo r", 0, "would skip five"},
		{"ingest p3 p p3 --new-version --repo r", 0, "would store one as version 4"},
		{"ingest torn --repo r", 1, "SHA-512"},
		{"ingest p --repo broken", 1, "repair it from a good copy"},
		{"ingest nothing --repo r", 1, "mets.xml is missing"},
		{"export one --repo r --out q", 0, "would make  containers/old.warc"},
		{"export one --repo r --out full", 2, "full is not a new or empty folder"},
		{"export none --repo r --out q", 2, "none"},
		{"export one --repo r --out q.wacz --as wacz --for staff", 0, "1 capture"},
		{"export one --repo r --out q --as warc", 1, "withheld by rights: 1"},
		{"export one --repo r --out full --as warc", 2, "full is not empty"},
		{"audit --repo r", 0, "all copies are whole"},
		{"audit --repair --repo r", 0, "all copies are whole"},
		{"audit --repo broken", 1, "copy-2"},
		{"audit --repair --repo broken", 0, "would repair one in [copy-2] from copy-1"},
	} {
		before := listing(t, folders...)
		args := append(strings.Fields(step.args), "--dry-run")
		status, out, errs := call(t, args...)
		if status != step.status || !strings.Contains(out+errs, step.want) {
			t.Errorf("quire %s: status %d, want %d and %q in\n%s%s", strings.Join(args, " "), status, step.status,
				step.want, out, errs)
		}
		if status == exitGood && !strings.HasPrefix(out, "dry run: nothing is written\n") {
			t.Errorf("quire %s does not begin by saying that it is a dry run:\n%s", strings.Join(args, " "), out)
		}
		dryJSON(t, append(args, "--json"), step.status)
		if changed := differences(before, listing(t, folders...)); changed != nil {
			t.Fatalf("quire %s wrote:\n%s", strings.Join(args, " "), strings.Join(changed, "\n"))
		}
	}
}

// dryJSON makes sure that each result is marked.
func dryJSON(t *testing.T, args []string, want int) {
	t.Helper()
	status, out, errs := call(t, args...)
	if status != want || status == exitGood && out == "" {
		t.Errorf("quire %s: status %d, want %d: %s%s", strings.Join(args, " "), status, want, out, errs)
	}
	for line := range strings.Lines(out) {
		var r map[string]any
		if err := json.Unmarshal([]byte(line), &r); err != nil || r["dryRun"] != true {
			t.Errorf("quire %s: %v in %s", strings.Join(args, " "), err, line)
		}
	}
}

// The real run has the status that the dry run foretold, and makes the files that it named.
func TestDryRunForetells(t *testing.T) {
	prove.Serial(t)
	dryWorkplace(t)
	for _, step := range []struct {
		args  string
		whole bool // it names all files
	}{
		{"pack crawl --out q", true},
		{"pack half --out q", true},
		{"pack named --out q", true},
		{"pack empty.warc.gz --out q", true},
		{"pack arcs --out q --keep-original always", true},
		{"pack arcs old.warc --out q --sheet good.csv", true},
		{"pack nothing --url-prefix http://a.example/x --out q", true},
		{"pack --collection all.yaml --out q", true},
		{"convert arcs crawl --out q", true},
		{"convert half --out q", true},
		{"convert named --out q", true},
		{"dedup new.warc --against r --out q", true},
		{"dedup bad.warc --within --out q", true},
		{"dedup undo slim --against old.warc --out q", true},
		{"describe old.warc --sheet good.csv --out q/r --date 2026-01-01T00:00:00Z", false},
		{"describe export --sheet good.csv --format ead3 --out q", true},
		{"migrate p2 --using xbm-to-png --out q", false},
		{"ingest p2 --repo r", false},
		{"ingest p3 --repo r", false},
		{"ingest n n2 --repo r", false},
		{"export one --repo r --out q", true},
		{"export one --repo r --out q --as warc", false},
	} {
		dry, plan, _ := call(t, append(strings.Fields(step.args), "-n")...)
		status, out, errs := call(t, strings.Fields(step.args)...)
		if dry != status {
			t.Errorf("quire %s: status %d, the dry run had %d: %s%s", step.args, status, dry, out, errs)
		}
		var named, made []string
		for line := range strings.Lines(plan) {
			if name, would := strings.CutPrefix(line, "  would make  "); would {
				name, _, _ = strings.Cut(strings.TrimSpace(name), ", ")
				named = append(named, name)
			}
		}
		err := filepath.WalkDir("q", func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				made = append(made, strings.TrimPrefix(p, "q/"))
			}
			return err
		})
		if slices.Sort(named); step.whole && status != exitCall && !slices.Equal(named, made) && err == nil {
			t.Errorf("quire %s made\n%q, and the dry run named\n%q", step.args, made, named)
		}
		if err := os.RemoveAll("q"); err != nil {
			t.Fatal(err)
		}
	}
}

// A dry run of several packages judges each against the repository as the packages before it leave
// it. Its lines are those of the real run.
func TestDryRunOfSeveralPackages(t *testing.T) {
	prove.Serial(t)
	dryWorkplace(t)
	receipts := func(args string) (all []string) {
		t.Helper()
		status, out, errs := call(t, strings.Fields(args)...)
		if status != exitGood {
			t.Fatalf("quire %s: status %d: %s%s", args, status, out, errs)
		}
		for line := range strings.Lines(out) {
			var r struct {
				ID            string
				Version       int
				AlreadyStored bool  `json:"already_stored"`
				NewBytes      int64 `json:"new_bytes"`
			}
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatal(err)
			}
			all = append(all, fmt.Sprint(r))
		}
		return all
	}
	for _, packages := range []string{"n n", "n2 n2 n2 p2", "p3 p4 p3 n"} {
		args := "ingest " + packages + " --new-version --repo r --json"
		dry, is := receipts(args+" -n"), receipts(args)
		if !slices.Equal(dry, is) {
			t.Errorf("%s:\n%q\nthe dry run:\n%q", args, is, dry)
		}
	}
}
