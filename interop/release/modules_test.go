//go:build interop

package release

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/interop/internal/peers"
)

// bom is the part of CycloneDX that is read here.
type bom struct {
	Format   string `json:"bomFormat"`
	Metadata struct {
		Component struct{ Name, Version string }
	}
	Components []struct{ Name, Version, Purl string }
}

// modules compares the list of modules of each file with the modules that go version -m reads from
// the program.
func modules(t *testing.T, dist string) {
	said := peers.Call(t, nil, "go", "version", "-m", binary(t, dist))
	var want []string
	for line := range strings.Lines(said) {
		if f := strings.Fields(line); len(f) >= 3 && f[0] == "dep" {
			want = append(want, f[1]+" "+f[2])
		}
	}
	slices.Sort(want)
	if len(want) < 20 {
		t.Fatalf("only %d modules:\n%s", len(want), said)
	}
	for _, file := range []string{"quire_*_linux_amd64.tar.gz", "quire_*_amd64.deb", "quire-*.x86_64.rpm"} {
		list := one(t, filepath.Join(dist, file)) + ".cdx.json"
		content, err := os.ReadFile(list)
		if err != nil {
			t.Fatal(err)
		}
		var b bom
		if err := json.Unmarshal(content, &b); err != nil || b.Format != "CycloneDX" {
			t.Fatalf("%s: %v %s", list, err, b.Format)
		}
		var got []string
		for _, c := range b.Components {
			if c.Name == "std" {
				continue // which go version -m has in its first line
			}
			got = append(got, c.Name+" "+c.Version)
			if !strings.HasPrefix(c.Purl, "pkg:golang/"+c.Name+"@"+c.Version) {
				t.Errorf("%s: %+v", list, c)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s has\n%s, not\n%s", list, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		version := strings.TrimSpace(strings.TrimPrefix(peers.Call(t, nil, binary(t, dist), "version"), "quire "))
		if b.Metadata.Component.Name != "quire" || b.Metadata.Component.Version != version {
			t.Errorf("%s: of %+v, not of version %s", list, b.Metadata.Component, version)
		}
	}
}
