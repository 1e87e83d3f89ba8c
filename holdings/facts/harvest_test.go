package facts_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/holdings/facts"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/pack"
)

// The facts of a harvest in harvestMD are notes, as in packages of before. Its agents are programs
// and persons; the job and the user agent are facts.
func TestHarvestMD(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"arcs/x.warc": "WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:x:1>\r\n" +
			"WARC-Date: 2024-01-02T03:04:05Z\r\nContent-Length: 20\r\n\r\nsoftware: Boat/2.0\r\n\r\n\r\n",
		"order.xml": `<crawl-order><meta><name>harbour</name></meta><controller><long name="max-time-sec">60</long>` +
			`<map name="http-headers"><string name="user-agent">Mozilla/5.0 (heritrix/1.12.1)</string></map>` +
			`</controller></crawl-order>`,
		"logs/progress-statistics.log": "20240102030405 CRAWL RESUMED - Running\n" +
			"20240102030506 CRAWL ENDED - Ended by operator\n",
	} {
		p := filepath.Join(dir, "crawl", "job", name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "package")
	_, err := pack.Pack(context.Background(), []string{filepath.Join(dir, "crawl")}, pack.Options{
		Out: out, ID: "p", Agent: model.Agent{Name: "Quire", Version: "test"}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := facts.Read(os.DirFS(out))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range f.Events {
		if e.ID != aip.CaptureEventID {
			continue
		}
		if e.Outcome != "warning" || !slices.Equal(e.Agents, []string{"Boat/2.0 2.0"}) {
			t.Errorf("outcome %q, agents %q", e.Outcome, e.Agents)
		}
		for _, want := range []string{"end reason: Ended by operator (from ", "limit: max-time-sec=60 (from ",
			"user agent: Mozilla/5.0 (heritrix/1.12.1) (from ", "collection: harbour (from "} {
			if !slices.ContainsFunc(e.Notes, func(n string) bool { return strings.HasPrefix(n, want) }) {
				t.Errorf("no note %s in %q", want, e.Notes)
			}
		}
		return
	}
	t.Error("there is no capture event")
}
