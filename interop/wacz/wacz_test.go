//go:build interop

package wacz

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/interop/internal/peers"
)

// samples are crawls by several crawlers, compressed in all ways, with revisits and with requests
// other than GET.
var samples = []string{
	"_made/crawls/wget/wget-devref.warc.gz", "_made/crawls/wget/wget-devref-dedup.warc.gz",
	"_made/crawls/wget/wget-post.warc",
	"_made/crawls/wget-large/python311-docs.warc.gz", "_made/crawls/wacz/wget-devref.wacz",
	"_made/crawls/zst/wget-devref-60-dict.warc.zst",
	"netarchivesuite_jwat/jwat-gzip/IAH-20080430204825-00000-blackbook.warc.gz",
}

func TestPeersReadIt(t *testing.T) {
	for i, sample := range samples {
		t.Run(filepath.Base(sample), func(t *testing.T) {
			dir := t.TempDir()
			id, file := fmt.Sprintf("sample-%d", i), filepath.Join(dir, "out.wacz")
			repo := filepath.Join(dir, "repo")
			config := filepath.Join(dir, "serve.yaml")
			if err := os.WriteFile(config, []byte("unstated: open\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			quire(t, "init", repo)
			quire(t, "pack", testsamples.Path(t, "samples", filepath.FromSlash(sample)), "--id", id, "--out",
				filepath.Join(dir, "package"))
			quire(t, "ingest", filepath.Join(dir, "package"), "--repo", repo)
			quire(t, "export", id, "--repo", repo, "--config", config, "--as", "wacz", "--out", file)
			said, err := exec.Command(filepath.Join(peers.Tools(t), "venv", "bin", "wacz"), "validate", "-f",
				file).CombinedOutput()
			if err != nil || !strings.Contains(string(said), "is valid") {
				t.Errorf("wacz validate: %v\n%s", err, said)
			}
			ours, containers := unpack(t, file, dir)
			same(t, ours, lines(t, peers.Python(t, "cdxj_lines.py", containers)))
			for _, c := range containers {
				if said, err := exec.Command(filepath.Join(peers.Tools(t), "venv", "bin", "warcio"), "check",
					c).CombinedOutput(); err != nil {
					// A copy keeps the wrong digest of its capture.
					t.Logf("warcio check: %s", said)
				}
			}
		})
	}
}

func quire(t *testing.T, args ...string) {
	t.Helper()
	if said, err := exec.Command(peers.Quire(t), args...).CombinedOutput(); err != nil {
		t.Fatalf("quire %s: %v\n%s", strings.Join(args, " "), err, said)
	}
}

// unpack returns the lines of the index, and the containers, unpacked below dir.
func unpack(t *testing.T, file, dir string) (ours map[string]line, containers []string) {
	t.Helper()
	z, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, f := range z.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case strings.HasPrefix(f.Name, "archive/"):
			out := filepath.Join(dir, filepath.Base(f.Name))
			if err := os.WriteFile(out, text, 0o600); err != nil {
				t.Fatal(err)
			}
			containers = append(containers, out)
		case f.Name == "indexes/index.cdx.gz":
			plain, err := gzip.NewReader(bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			index, err := io.ReadAll(plain)
			if err != nil {
				t.Fatal(err)
			}
			ours = lines(t, string(index))
		}
	}
	return ours, containers
}

// line is a line of an index.
type line struct {
	key, timestamp                    string
	URL, MIME, Status, Digest, Length string
	Offset, Filename                  string
	Method, RequestBody               string
}

// lines reads an index, by the location in each line.
func lines(t *testing.T, text string) map[string]line {
	t.Helper()
	all := map[string]line{}
	for one := range strings.Lines(text) {
		cells := strings.SplitN(one, " ", 3)
		if len(cells) != 3 {
			t.Fatalf("no line: %q", one)
		}
		l := line{key: cells[0], timestamp: cells[1]}
		if err := json.Unmarshal([]byte(cells[2]), &l); err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(l.Filename)+" "+l.Offset] = l
	}
	return all
}

// nothing is cdxj-indexer's digest for records without one: the digest of no bytes.
const nothing = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"

func same(t *testing.T, ours, theirs map[string]line) {
	t.Helper()
	differ := 0
	for place, a := range ours {
		b, ok := theirs[place]
		a.Filename, b.Filename = "", ""
		if b.Digest == nothing || b.Digest == "" {
			b.Digest = a.Digest
		}
		if !ok || a != b {
			if differ++; differ <= 5 {
				t.Errorf("%s:\n  ours   %+v\n  theirs %+v", place, a, b)
			}
		}
	}
	t.Logf("%d lines, %d of theirs, %d differ", len(ours), len(theirs), differ)
	if len(ours) == 0 {
		t.Error("there is nothing in the index")
	}
}
