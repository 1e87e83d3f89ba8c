//go:build interop

package tools

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/interop/internal/peers"
)

// TestSiegfried compares the formats of each payload in the samples with the results of siegfried's
// own program, for files with neutral names. Both use the same library. So the test checks the
// bytes that Quire passes to the library, and the results that Quire omits.
func TestSiegfried(t *testing.T) {
	all := payloads(t)
	dir := t.TempDir()
	sf, list := filepath.Join(dir, "sf"), filepath.Join(dir, "list")
	module := strings.Fields(peers.Call(t, nil, "go", "list", "-m", "-f", "{{.Version}} {{.Dir}}",
		"github.com/richardlehane/siegfried"))
	// its program needs more than ours
	other := "module other\n\ngo 1.26\n\nrequire github.com/richardlehane/siegfried " + module[0] + "\n"
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(other), 0o666); err != nil {
		t.Fatal(err)
	}
	peers.Call(t, nil, "go", "build", "-C", dir, "-mod=mod", "-o", sf, "github.com/richardlehane/siegfried/cmd/sf")
	sig := filepath.Join(module[1], "cmd", "roy", "data", "default.sig")
	var lines strings.Builder
	for _, p := range all {
		lines.WriteString(p.path + "\n")
	}
	if err := os.WriteFile(list, []byte(lines.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	theirs := map[string][]string{}
	r := csv.NewReader(strings.NewReader(peers.Call(t, nil, sf, "-sig", sig, "-csv", "-f", list)))
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	name, id := slices.Index(rows[0], "filename"), slices.Index(rows[0], "id")
	for _, row := range rows[1:] {
		if row[id] != "UNKNOWN" {
			theirs[row[name]] = append(theirs[row[name]], row[id])
		}
	}
	tool := newTool(t, "pronom", map[string]string{"signature": sig})
	agreed, told := 0, 0
	for _, p := range all {
		out, _ := ask(t, tool, payload{p.path, ""}) // sf gets no media type
		var ours struct {
			Formats []struct{ PUID, Basis string }
		}
		decode(t, out, &ours)
		var puids []string
		for _, f := range ours.Formats {
			if f.PUID != "" { // SVG without a version, by its root element
				puids = append(puids, f.PUID)
			}
		}
		slices.Sort(puids)
		slices.Sort(theirs[p.path])
		if slices.Equal(puids, theirs[p.path]) {
			agreed++
		} else if told++; told <= 20 {
			t.Errorf("%s: %v, and %v by sf", filepath.Base(p.path), puids, theirs[p.path])
		}
	}
	t.Logf("%d of %d agree", agreed, len(all))
}
