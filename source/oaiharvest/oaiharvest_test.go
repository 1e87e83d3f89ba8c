package oaiharvest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
)

// folderOf returns the folder of a harvest.
func folderOf(t *testing.T, s *State, files map[string]string) *archivefs.Tree {
	t.Helper()
	dir := t.TempDir()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{StateFile: string(b)}
	for name, content := range files {
		all[name] = content
	}
	for name, content := range all {
		p := filepath.Join(dir, "a.harvest", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tr, err := archivefs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Close() })
	return tr
}

func stateOf() *State {
	ended := time.Date(2026, 11, 22, 13, 0, 0, 0, time.UTC)
	return &State{
		Format: Format, Version: Version, BaseURL: "https://a.example/oai", Prefix: "oai_crate", PrefixWhy: "asked for",
		Set: "mime:image", Software: "Quire 1.0", UserAgent: "Quire/1.0 (+x)",
		Server: &Server{Name: "Example", AdminEmails: []string{"a@a.example"}, DeletedRecord: "persistent"},
		Windows: []Window{{Until: "2026-11-22T12:00:00Z", Began: ended.Add(-time.Hour), Ended: &ended, Complete: true,
			End: "the list has come to its end"}},
		Tools: []Tool{{Label: "md5", Version: "1.2", Outputs: 7, Failed: 1},
			{Label: "file", Version: "file-5.44\nmagic file", Outputs: 7}},
		Counts: Counts{Records: 8, Deleted: 1, Refused: 2},
		Files: []File{{Name: "data-00001.warc.gz", Bytes: 4}, {Name: "data-00002.warc.gz", Bytes: 4},
			{Name: "data-00003.warc.gz", Bytes: 4}},
		Findings: map[string]int64{"OAI-RECORD": 2},
		First:    []Finding{{Code: "OAI-RECORD", Severity: "error", Message: "a bad byte"}},
	}
}

func readOne(t *testing.T, tr *archivefs.Tree) (source.Claim, source.Harvest) {
	t.Helper()
	claims, err := Reader{}.Find(context.Background(), tr)
	if err != nil || len(claims) != 1 {
		t.Fatalf("%v, %v", claims, err)
	}
	h, err := claims[0].Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return claims[0], h
}

// TestRead checks that all facts of the state are listed with their places, and compared with the
// files.
func TestRead(t *testing.T) {
	tr := folderOf(t, stateOf(), map[string]string{"data-00001.warc.gz": "1234", "data-00002.warc.gz": "12345",
		DeletedFile: "{}\n", "refused/000001.xml": "<record>", SeenFile: "x", "mine.txt": "x"})
	claim, h := readOne(t, tr)
	if claim.Root != "a.harvest" || len(claim.Files) != 6 {
		t.Errorf("%v", claim)
	}
	a := h.About()
	if a.System != model.OAIPMH || a.ID != "a" || a.Title != "Example" || a.Software != "Quire 1.0" ||
		a.Documentation != model.Documented || a.End.Sub(a.Start) != time.Hour || a.EndReason == "" ||
		fmt.Sprint(a.Seeds) != "[https://a.example/oai]" || len(a.Scope) != 3 || len(a.Counted) < 10 {
		t.Errorf("%+v", a)
	}
	var software []string
	for _, e := range a.Evidence {
		if e.Fact == "software" {
			software = append(software, e.Value)
		}
		if !strings.Contains(e.Source, StateFile) && e.Source != "name of the folder" {
			t.Errorf("%+v", e)
		}
	}
	if fmt.Sprint(software) != "[Quire 1.0 md5 1.2 file file-5.44 magic file]" {
		t.Errorf("%q", software)
	}
	var codes []string
	for _, f := range a.Findings {
		codes = append(codes, f.Code)
	}
	if fmt.Sprint(codes) != "[OAI-RECORD SOURCE-SIZE SOURCE-LISTED]" {
		t.Errorf("%v", a.Findings)
	}
	roles := map[model.Role]int{}
	for _, f := range a.Files {
		roles[f.Role]++
	}
	if roles[model.RoleContainer] != 2 || roles[model.RoleConfiguration] != 1 || roles[model.RoleReport] != 1 ||
		roles[model.RoleLog] != 1 || roles[model.RoleCache] != 1 {
		t.Errorf("%v", roles)
	}
}

// TestUnfinished checks that an incomplete harvest is reported.
func TestUnfinished(t *testing.T) {
	s := stateOf()
	s.Windows = append(s.Windows, Window{From: "x", Pages: 3, Began: time.Now()})
	_, h := readOne(t, folderOf(t, s, nil))
	found := false
	for _, f := range h.About().Findings {
		found = found || f.Code == CodeUnfinished && strings.Contains(f.Message, "3 pages")
	}
	if !found {
		t.Errorf("%v", h.About().Findings)
	}
}

// TestOthers checks that another program's harvest.json is ignored.
func TestOthers(t *testing.T) {
	for _, content := range []string{"{}", "", `{"format": "other"}`, strings.Repeat("[", 1000)} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, StateFile), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		tr, err := archivefs.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if claims, err := (Reader{}).Find(context.Background(), tr); err != nil || len(claims) > 0 {
			t.Errorf("%.20s: %v, %v", content, claims, err)
		}
		_ = tr.Close()
	}
}

func FuzzReadState(f *testing.F) {
	b, err := json.Marshal(stateOf())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte(`{"format":"quire-oai-harvest","version":9}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, err := ReadState(bytes.NewReader(b)); err == nil && (s.Format != Format || s.Version > Version) {
			t.Errorf("%+v", s)
		}
	})
}
