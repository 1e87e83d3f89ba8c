//go:build interop

package aip

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/internal/schematest"
	"quire/internal/testsamples"
	"quire/interop/internal/peers"
)

// profiles are the profiles in docs/reference/profiles, in order: each profile extends the profiles
// before it.
var profiles = []string{"compact", "full", "linked"}

// largest is the maximum size in bytes of a METS that libxml2 reads into memory here.
const largest = 24 << 20

// checkProfile runs the XPath tests of the profiles on a METS.
func checkProfile(t *testing.T, mets, profile string) {
	t.Helper()
	info, err := os.Stat(mets)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > largest {
		t.Logf("%s has %d bytes: the XPath tests of its profile would take too long", mets, info.Size())
		return
	}
	var tests []schematest.ProfileTest
	for _, name := range profiles[:slices.Index(profiles, profile)+1] {
		tests = append(tests, schematest.ReadProfile(t,
			filepath.Join("..", "..", "docs", "reference", "profiles", name+".xml")).Tests...)
	}
	if broken := schematest.Broken(t, tests, mets); len(broken) > 0 {
		t.Errorf("of the profile %s these tests do not hold: %q", profile, slices.Sorted(maps.Keys(broken)))
	}
}

// Each source is also packed in the older versions of the standards. The packages are valid by
// their schemas and by the same profiles.
func TestLegacyPackages(t *testing.T) {
	schemas := testsamples.Path(t, "schemas")
	for _, s := range sources {
		t.Run(s.id, func(t *testing.T) {
			t.Parallel()
			source := testsamples.Path(t, "samples", s.source)
			for _, profile := range profiles {
				pkg := filepath.Join(t.TempDir(), profile)
				packed(t, source, pkg, profile, "--schema-version", "legacy", "--mets", "single")
				mets := filepath.Join(pkg, "mets.xml")
				peers.Xmllint(t, schemas, "mets-all-legacy.xsd", mets)
				if said := peers.Call(t, nil, peers.Quire(t), "validate", pkg, "--schemas",
					schemas); !strings.Contains(said, "mets-all-legacy.xsd") {
					t.Errorf("not validated by the older schemas:\n%s", said)
				}
				checkReferences(t, mets)
				checkProfile(t, mets, profile)
			}
		})
	}
}
