package survey

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/model"
	"quire/source/detect"
)

const log = `2012-12-19T19:48:38.000Z   200         54 http://a.example/ - - text/html #001 ` +
	`20121219194837000+10 sha1:AAAA http://a.example/ -
2012-12-19T19:48:39.000Z -9998          - http://a.example/private L http://a.example/ unknown #001 - - ` +
	`http://a.example/ -
2012-12-19T19:48:40.000Z -9998          - http://a.example/secret L http://a.example/ unknown #001 - - ` +
	`http://a.example/ -
2012-12-19T19:48:41.000Z   404         10 http://a.example/gone L http://a.example/ text/html #001 ` +
	`20121219194840000+10 sha1:BBBB http://a.example/ -
this is no line
`

const order = `<?xml version="1.0"?><crawl-order><meta><name>boats</name><operator>Ann</operator></meta><controller>` +
	`<map name="http-headers"><string name="user-agent">bot (+http://a.example/)</string></map>` +
	`<newObject name="credential-store" class="x"><map name="credentials"><newObject name="login" class="y"><string ` +
	`name="password">hunter2</string></newObject></map></newObject></controller></crawl-order>`

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		p := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777),
			os.WriteFile(p, []byte(content), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func made(t *testing.T, dir string, o Options) *Survey {
	t.Helper()
	s, err := detect.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	v, err := Make(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestWhatASourceHolds(t *testing.T) {
	files := map[string]string{
		"job/logs/crawl.log": log, "job/order.xml": order, "job/seeds.txt": strings.Repeat("http://a.example/\n", 12),
		"job/arcs/x.arc": "filedesc://x.arc 0.0.0.0 20121219194837 text/plain 70\n1 0 A\nURL IP-address Archive-date " +
			"Content-type Archive-length\n",
		"note.txt": "a note",
	}
	v := made(t, folder(t, files), Options{Fetches: true})
	if !v.Recognised() || len(v.Harvests) != 1 || v.UnclaimedTotal != 1 ||
		!strings.HasSuffix(v.Unclaimed[0].Path, "/note.txt") {
		t.Fatalf("%+v", v)
	}
	h := v.Harvests[0]
	if h.System != "heritrix" || h.Root != "job" || h.ID != "job" || h.Operator != "Ann" || h.SeedsTotal != 12 ||
		len(h.Seeds) != seedsListed || h.Documentation != model.Documented || len(h.Listed) != 0 || h.Mirror {
		t.Errorf("%+v", h)
	}
	want := []RoleCount{{model.RoleContainer, 1, int64(len(files["job/arcs/x.arc"]))},
		{model.RoleLog, 1, int64(len(log))}, {model.RoleConfiguration, 2, int64(len(order) + 12*18)}}
	if !slices.Equal(h.Files, want) || h.FilesTotal != 4 {
		t.Errorf("%+v", h.Files)
	}
	if o := h.Outcomes; o.Total != 4 || o.Captured != 2 || len(o.Missed) != 1 ||
		o.Missed[0] != (MissCount{model.MissRobots, 2}) {
		t.Errorf("%+v", o)
	}
	if h.Counts["LOG-LINE"] != 1 || h.Counts["SOURCE-SECRET"] != 1 || len(h.Restricted) != 1 ||
		h.Restricted[0].Path != "job/order.xml" || strings.Contains(h.Restricted[0].Why, "hunter2") {
		t.Errorf("%+v %+v", h.Counts, h.Restricted)
	}
	if all := made(t, folder(t, files), Options{All: true}).Harvests[0]; len(all.Seeds) != 12 || len(all.Listed) != 4 ||
		all.Outcomes != nil {
		t.Errorf("%+v", all)
	}
}

func TestWhatCountsAsRecognised(t *testing.T) {
	for _, tt := range []struct {
		name string
		v    Survey
		want bool
	}{
		{"nothing", Survey{}, false},
		{"a harvest", Survey{Harvests: []HarvestSurvey{{}}}, true},
		{"one that cannot be read", Survey{Harvests: []HarvestSurvey{{}, {Error: "torn"}}}, false},
		{"a link that was left out", Survey{Harvests: []HarvestSurvey{{}},
			Findings: []model.Finding{{Severity: model.Warning}}}, true},
		{"content that was refused", Survey{Harvests: []HarvestSurvey{{}},
			Findings: []model.Finding{{Severity: model.Error}}}, false},
	} {
		if tt.v.Recognised() != tt.want {
			t.Errorf("%s: %v", tt.name, !tt.want)
		}
	}
}

// The names of the JSON form are a contract.
func TestNamesInJSON(t *testing.T) {
	b, err := json.Marshal(Survey{Harvests: []HarvestSurvey{{Outcomes: &Outcomes{}}}})
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	h := v["harvests"].([]any)[0].(map[string]any)
	for what, got := range map[string][]string{
		"sources harvests opened unclaimed unclaimed_total findings": slices.Collect(maps.Keys(v)),
		"system path archive root why error id collection title note software operator organization contact " +
			"user_agent robots host seeds seeds_total scope scope_total limits counted description rights " +
			"start end end_reason documentation files files_total bytes_total listed_files missing_files " +
			"restricted foreign mirror outcomes overridden evidence findings " +
			"finding_counts": slices.Collect(maps.Keys(h)),
		"total captured duplicates missed": slices.Collect(maps.Keys(h["outcomes"].(map[string]any))),
	} {
		want := strings.Fields(what)
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}
