package rewrite

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the expected texts of testdata/scripts.txt")

// TestScriptsStayValid compares the marks of many forms of names with testdata/scripts.txt. Each line
// of it is a script and its marked text; ⏎ is a line feed. Package interop/rewrite parses both with Node.
func TestScriptsStayValid(t *testing.T) {
	file := filepath.Join("testdata", "scripts.txt")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	feed := strings.NewReplacer("⏎", "\n")
	var now strings.Builder
	count := 0
	for line := range strings.Lines(string(text)) {
		in, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		out, _ := marked([]byte(feed.Replace(in)), "", false)
		got := strings.ReplaceAll(string(out), "\n", "⏎")
		if got != want && !*update {
			t.Errorf("%s\n is %s\nnot %s", in, got, want)
		}
		count++
		now.WriteString(in + "\t" + got + "\n")
	}
	if count < 60 {
		t.Errorf("only %d scripts", count)
	}
	if *update {
		if err := os.WriteFile(file, []byte(now.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestManyMarks checks that a script with too many names stays as captured.
func TestManyMarks(t *testing.T) {
	for count, changes := range map[int]bool{maxMarks / 2: true, maxMarks + 1: false} {
		if _, changed := marked([]byte(strings.Repeat("top,", count)+"0"), "", true); changed != changes {
			t.Errorf("of %d names: changed is %t", count, changed)
		}
	}
}
