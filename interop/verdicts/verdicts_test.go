//go:build interop

package verdicts

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/interop/internal/peers"
)

var update = flag.Bool("update", false,
	"print the rows that the section Peers of docs/explanation/730_verdicts.md lacks")

var containerName = regexp.MustCompile(`(?i)\.w?arc(\.we?at|\.wet)?(\.gz|\.zst)?(\.open)?$`)

// Exactly the samples where no peer shares our verdict are explained.
func TestVerdictsBesidePeers(t *testing.T) {
	samples := testsamples.Path(t, "samples")
	files := containers(t, samples)
	mine := ours(t, files)
	theirs := make([]map[string]peers.Verdict, len(peers.Peers))
	for i, p := range peers.Peers {
		theirs[i] = p.Ask(t, files)
	}

	explanations, needed := explained(t), map[string]bool{}
	matrix := "file\tquire"
	for _, p := range peers.Peers {
		matrix += "\t" + p.Name
	}
	matrix += "\talone\treasons\n"
	alone := 0
	for _, file := range files {
		path, err := filepath.Rel(samples, file)
		if err != nil {
			t.Fatal(err)
		}
		said := make([]peers.Verdict, len(peers.Peers))
		for i := range peers.Peers {
			said[i] = theirs[i][file]
		}
		is := isAlone(mine[file], said)
		matrix += row(path, mine[file], said, is)
		if !is {
			continue
		}
		alone++
		needed[path] = true
		e, ok := explanations[path]
		switch want := summary(mine[file], said); {
		case !ok && *update:
			fmt.Printf("| `%s` | %s | %s |\n", path, want, reasons(mine[file], said))
		case !ok:
			t.Errorf("docs/explanation/730_verdicts.md, Peers, does not explain %s: %s: %s", path, want,
				reasons(mine[file], said))
		case e.said != want:
			t.Errorf("docs/explanation/730_verdicts.md, Peers: of %s it is said %q, not %q", path, want, e.said)
		case e.reason == "":
			t.Errorf("docs/explanation/730_verdicts.md, Peers: %s has no reason", path)
		}
	}
	for path := range explanations {
		if !needed[path] {
			t.Errorf("docs/explanation/730_verdicts.md, Peers: %s needs no explanation: there is no such file, or we "+
				"are not alone; take it out", path)
		}
	}
	keep(t, "verdicts.tsv", matrix)
	t.Logf("%d files; on %d we are alone, each explained in docs/explanation/730_verdicts.md", len(files), alone)
	logCounts(t, "quire", files, mine, mine)
	for i, p := range peers.Peers {
		logCounts(t, p.Name, files, theirs[i], mine)
	}
}

// isAlone reports whether Quire's verdict differs from the verdicts of all peers. If Quire's
// verdict is valid, no peer says valid and at least one says invalid. If it is invalid, no peer
// says invalid and at least one says valid. If Quire does not accept a file as a container, at
// least one peer says valid, and none says invalid.
func isAlone(mine peers.Verdict, theirs []peers.Verdict) bool {
	met := map[string]int{}
	for _, v := range theirs {
		met[v.Word]++
	}
	if mine.Word == peers.Valid {
		return met[peers.Valid] == 0 && met[peers.Invalid] > 0
	}
	return met[peers.Invalid] == 0 && met[peers.Valid] > 0
}

// summary returns the second cell of a row: each validator with its verdict.
func summary(mine peers.Verdict, theirs []peers.Verdict) string {
	text := "quire " + mine.Word
	for i, p := range peers.Peers {
		text += ", " + p.Name + " " + theirs[i].Word
	}
	return text
}

// reasons returns the messages of all verdicts other than valid.
func reasons(mine peers.Verdict, theirs []peers.Verdict) string {
	var all []string
	if mine.Word != peers.Valid {
		all = append(all, "quire: "+mine.Reason)
	}
	for i, p := range peers.Peers {
		if theirs[i].Word != peers.Valid {
			all = append(all, p.Name+": "+theirs[i].Reason)
		}
	}
	return strings.Join(all, "; ")
}

// row returns a line of the matrix.
func row(path string, mine peers.Verdict, theirs []peers.Verdict, alone bool) string {
	cells := []string{path, mine.Word}
	for _, v := range theirs {
		cells = append(cells, v.Word)
	}
	mark := ""
	if alone {
		mark = "alone"
	}
	return strings.Join(append(cells, mark, reasons(mine, theirs)), "\t") + "\n"
}

// logCounts logs how often a tool gave each verdict. For the files for which both the tool and
// Quire have a verdict, it also logs how often the two are equal.
func logCounts(t *testing.T, name string, files []string, said, mine map[string]peers.Verdict) {
	t.Helper()
	count := map[string]int{}
	both, agree := 0, 0
	for _, file := range files {
		count[said[file].Word]++
		if said[file].Word != peers.Refused && mine[file].Word != peers.Refused {
			both++
			if said[file].Word == mine[file].Word {
				agree++
			}
		}
	}
	t.Logf("%-6s %3d valid, %3d invalid, %3d refused; agrees with quire on %d of %d", name, count[peers.Valid],
		count[peers.Invalid], count[peers.Refused], agree, both)
}

// containers returns the ARC and WARC files below a folder.
func containers(t *testing.T, root string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && containerName.MatchString(d.Name()) {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatalf("no container below %s", root)
	}
	return found
}

// keep writes the matrix to the file that interop/run announces.
func keep(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(peers.Tools(t), name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("the whole matrix is in build/interop/%s", name)
}
