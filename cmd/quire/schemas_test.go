package main

import (
	"encoding/json"
	"strings"
	"testing"

	"quire/internal/schematest"
	"quire/internal/testsamples"
)

// TestSchemasFetch fetches the schemas and validates packages of both generations against them.
func TestSchemasFetch(t *testing.T) {
	home := schematest.Home(t, testsamples.Path(t, "schemas"))
	workplace(t)
	for _, step := range []struct {
		args   string
		status int
		want   string
	}{
		{"schemas fetch", 2, "--to"},
		{"schemas fetch --to s --from mirror.example", 2, "is not the URL of a mirror"},
		{"schemas fetch --to s --from " + home + "/nothing", 2, "8 of 10 schemas could not be downloaded"},
		{"schemas fetch --to s --from " + home + "/nothing", 2, "404 Not Found"},
		{"pack crawl --out new --id new", 0, "packed new"},
		{"pack crawl --out old --id old --schema-version legacy", 0, "packed old"},
		{"pack crawl --out third --schema-version 2.1", 2, "--schema-version must be one of"},
		{"validate new --schemas s", 2, "quire schemas fetch makes a complete folder"},
		{"schemas fetch --to s --from " + home, 0, "files without a pinned digest were left out"},
		{"validate new --schemas s", 0, "valid against s/drivers/mets-all.xsd"},
		{"schemas fetch --to s --from " + home + " --unpinned", 0,
			"taken unchecked  containerMD/containerMD-v1_1.xsd, SHA-256 72edbd2a"},
		{"validate new --schemas s", 0, "valid against s/drivers/mets-all.xsd"},
		{"validate old --schemas s", 0, "valid against s/drivers/mets-all-legacy.xsd"},
	} {
		status, out, errs := call(t, strings.Fields(step.args)...)
		if status != step.status || !strings.Contains(out+errs, step.want) {
			t.Errorf("%s: status %d, want %d with %q:\n%s%s", step.args, status, step.status, step.want, out, errs)
		}
	}
	_, out, _ := call(t, "schemas", "fetch", "--to", "s", "--from", home, "--json")
	var got struct {
		Files []struct{ Path, State, SHA256 string }
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	for _, f := range got.Files {
		if f.State != "there already" || len(f.SHA256) != 64 {
			t.Errorf("%+v", f)
		}
	}
	if len(got.Files) != 10 {
		t.Errorf("%d files", len(got.Files))
	}
}
