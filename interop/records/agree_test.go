//go:build interop

package records

import (
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

var containerName = regexp.MustCompile(`(?i)\.w?arc(\.we?at|\.wet)?(\.gz|\.zst)?(\.open)?$`)

// For every container that a peer reads without complaint, Quire must find the same records at the
// same offsets.
func TestRecordsAgreeWithPeers(t *testing.T) {
	samples := testsamples.Path(t, "samples")
	files := append(containers(t, samples), containers(t, "../../examples/crawl")...)
	peers := []struct {
		name string
		seen map[string]listing
	}{
		{"warcio", warcio(t, files)},
		{"jwarc", jwarc(t, files)},
	}

	var matrix strings.Builder
	matrix.WriteString("file\tkind\tpeer\tours\ttheirs\tverdict\tdetail\n")
	met := map[string]bool{} // explanations used
	for _, peer := range peers {
		count := map[verdict]int{}
		for _, file := range files {
			mine, err := ours(file)
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			name := shortName(t, samples, file)
			theirs := peer.seen[file]
			v, detail := compare(peer.name, name, mine, theirs)
			met[peer.name+" "+name] = v == explains
			count[v]++
			fmt.Fprintf(&matrix, "%s\t%s\t%s\t%d\t%d\t%s\t%s\n", name, mine.kind, peer.name, len(mine.entries),
				len(theirs.entries), v, detail)
			if v == differs {
				t.Errorf("%s and we disagree on %s: %s", peer.name, name, detail)
			}
		}
		t.Logf("%-6s %d files: %d agree, %d differ for a known reason, %d differ; it complained of %d",
			peer.name, len(files), count[agrees], count[explains], count[differs], count[complained])
	}
	for key := range explained {
		if !met[key] {
			t.Errorf("explained: %q explains nothing: there is no such file, or it agrees by now; take it out", key)
		}
	}
	keep(t, "records.tsv", matrix.String())
}

type verdict string

const (
	agrees     verdict = "agrees"
	differs    verdict = "DIFFERS"
	explains   verdict = "explained"
	complained verdict = "peer complains"
)

// compare compares two listings of one file.
func compare(peer, name string, mine, theirs listing) (verdict, string) {
	difference := firstDifference(mine, theirs)
	switch {
	case len(theirs.complaints) > 0 && difference == "":
		return complained, "agrees all the same; " + theirs.complaints[0]
	case len(theirs.complaints) > 0:
		return complained, difference + "; " + theirs.complaints[0]
	case difference == "":
		return agrees, ""
	}
	if reason, ok := explained[peer+" "+name]; ok {
		return explains, difference + ": " + reason
	}
	return differs, difference
}

// firstDifference returns the first difference, or "" if both list the same records. It compares
// types only in WARC files, because peers invent those of an ARC. It compares lengths only where a
// record is a separate member: in a plain file, Quire includes the separator after a record and
// warcio does not.
func firstDifference(mine, theirs listing) string {
	for i := range max(len(mine.entries), len(theirs.entries)) {
		if i >= len(mine.entries) {
			return fmt.Sprintf("we end after %d records, they go on at %d", i, theirs.entries[i].offset)
		}
		if i >= len(theirs.entries) {
			return fmt.Sprintf("they end after %d records, we go on at %d", i, mine.entries[i].offset)
		}
		m, p := mine.entries[i], theirs.entries[i]
		switch {
		case m.offset != p.offset:
			return fmt.Sprintf("record %d begins at %d for us, at %d for them", i, m.offset, p.offset)
		case mine.packed && m.length >= 0 && p.length >= 0 && m.length != p.length:
			return fmt.Sprintf("record %d at %d is %d bytes long for us, %d for them", i, m.offset, m.length, p.length)
		case mine.kind == kindWARC && !strings.EqualFold(m.kind, p.kind):
			return fmt.Sprintf("record %d at %d is %q for us, %q for them", i, m.offset, m.kind, p.kind)
		}
	}
	return ""
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

// shortName returns the path below samples, or the plain path of our own example.
func shortName(t *testing.T, samples, file string) string {
	t.Helper()
	if !strings.HasPrefix(file, samples) {
		return "examples/" + filepath.Base(file)
	}
	name, err := filepath.Rel(samples, file)
	if err != nil {
		t.Fatal(err)
	}
	return filepath.ToSlash(name)
}

// keep writes a result to the file that interop/run announces.
func keep(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(peers.Tools(t), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("the whole matrix is in build/interop/%s", name)
}
