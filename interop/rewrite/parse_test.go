//go:build interop

package rewrite

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quire/access/rewrite"
	"quire/format/warc"
	"quire/internal/testsamples"
)

// parses reads pairs of scripts as JSON, and prints the number of the pairs whose first parses, and the
// error of each second that does not although its first does.
const parses = `
const vm = require('vm'), lines = require('fs').readFileSync(0, 'utf8').split('\n').filter(Boolean);
const parsed = (text, is) => is === 'script' ? new vm.Script(text) : new vm.SourceTextModule(text, { context });
const context = vm.createContext({});
let count = 0;
for (const line of lines) {
  const [name, before, after] = JSON.parse(line);
  for (const is of ['script', 'module']) {
    try { parsed(before, is); } catch { continue; }
    count++;
    try { parsed(after, is); } catch (e) {
      console.log(name, is, e.message, e.stack.split('\n').slice(0, 3).join(' ').slice(0, 300));
    }
    break;
  }
}
console.log('count', count);
`

// parsed lets Node parse each script before and after, and returns the number that parsed before.
func parsed(t *testing.T, pairs [][3]string) int {
	t.Helper()
	var lines bytes.Buffer
	for _, p := range pairs {
		if err := json.NewEncoder(&lines).Encode(p); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "node", "--experimental-vm-modules", "--no-warnings", "-e", parses)
	cmd.Stdin = &lines
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for line := range strings.Lines(string(out)) {
		if number, ok := strings.CutPrefix(line, "count "); ok {
			if err := json.Unmarshal([]byte(number), &count); err != nil {
				t.Fatal(err)
			}
			continue
		}
		t.Errorf("no longer parses: %s", line)
	}
	return count
}

// TestMarkedScriptsParse checks the scripts of access/rewrite/testdata/scripts.txt, and those of the
// samples: a script that parses as captured parses with its marks. With QUIRE_PROVE=1 it takes all.
// QUIRE_SCRIPTS names another folder of WARC files and scripts.
func TestMarkedScriptsParse(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(testsamples.Root(), "access", "rewrite", "testdata", "scripts.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var pairs [][3]string
	for line := range strings.Lines(string(text)) {
		before, after, _ := strings.Cut(strings.ReplaceAll(strings.TrimSpace(line), "⏎", "\n"), "\t")
		pairs = append(pairs, [3]string{before, before, after})
	}
	if count := parsed(t, pairs); count < len(pairs)-6 { // new.target and the like parse only in functions
		t.Errorf("only %d of %d scripts of the table parse as captured", count, len(pairs))
	}

	most := 150
	if os.Getenv("QUIRE_PROVE") != "" {
		most = 1 << 20
	}
	folder := testsamples.Path(t, "samples")
	if other := os.Getenv("QUIRE_SCRIPTS"); other != "" {
		folder = other
	}
	pairs = scriptsOf(t, folder, most)
	count := parsed(t, pairs)
	t.Logf("%d scripts with marks; %d parse as captured", len(pairs), count)
	if count < 30 {
		t.Errorf("only %d scripts of samples parse as captured", count)
	}
}

var errEnough = errors.New("enough")

// scriptsOf returns different scripts, each at most 1 MiB, that get marks: files and payloads of WARC
// files.
func scriptsOf(t *testing.T, folder string, most int) (pairs [][3]string) {
	seen := map[string]bool{}
	take := func(name, script string) error {
		if script == "" || seen[script] {
			return nil
		}
		seen[script] = true
		var out bytes.Buffer
		if err := rewrite.JavaScript(&out, strings.NewReader(script), "http://a.example/"); err != nil {
			return err
		}
		if out.String() != script {
			pairs = append(pairs, [3]string{name, script, out.String()})
		}
		if len(pairs) >= most {
			return errEnough
		}
		return nil
	}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		switch name := d.Name(); {
		case err != nil || info.Size() > 64<<20:
			return err
		case strings.HasSuffix(name, ".js"), strings.HasSuffix(name, ".mjs"):
			text, err := os.ReadFile(path)
			if err != nil || len(text) > 1<<20 {
				return err
			}
			return take(path, string(text))
		case !strings.HasSuffix(name, ".warc.gz") && !strings.HasSuffix(name, ".warc"):
			return nil
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		for rec, err := range warc.NewReader(f).Records() {
			if err != nil {
				return nil // damaged samples are not the subject
			}
			if err := take(d.Name()+" "+rec.TargetURI(), scriptIn(rec)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		t.Fatal(err)
	}
	return pairs
}

// scriptIn returns the script in a record, or "".
func scriptIn(rec *warc.Record) string {
	if rec.Type() != warc.TypeResponse {
		return ""
	}
	head, err := rec.HTTP()
	if err != nil || !strings.Contains(head.Get("Content-Type"), "javascript") {
		return ""
	}
	payload, err := rec.DecodedPayload()
	if err != nil {
		return ""
	}
	text, err := io.ReadAll(io.LimitReader(payload, 1<<20+1))
	if err != nil || len(text) > 1<<20 {
		return ""
	}
	return string(text)
}
