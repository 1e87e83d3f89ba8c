package policy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/model"
)

// Any readable policy can judge and be explained, within its cost limit, without a panic or a hang.
func FuzzPolicy(f *testing.F) {
	examples, err := filepath.Glob("../../examples/policy/*.yaml")
	if err != nil || len(examples) == 0 {
		f.Fatal("no examples", err)
	}
	for _, file := range examples {
		doc, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(doc))
	}
	f.Add(minimal +
		"rules: [{id: a, scope: record, severity: warn, message: m, when: 'record.uri.matches(\"(a|b)*\")'}]")
	f.Add(ruleOf("harvest", "harvest.seeds.exists(a, a.size() > 3 ? a.startsWith('x') : harvest.seeds[0] == a)"))
	f.Add(ruleOf("container",
		"container.records / container.errors > 3 || container.first - container.last > duration('1h')"))
	f.Add(ruleOf("format", "format.mimes + ['a'] == ['a'] && -format.count % 2 == 0"))
	f.Fuzz(func(t *testing.T, doc string) {
		p, err := Read(strings.NewReader(doc))
		if err != nil {
			return
		}
		j, err := NewJudge(p, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		long := strings.Repeat("ab\xff", 5000)
		seeds := make([]string, 300)
		for i := range seeds {
			seeds[i] = long
		}
		harvest := &HarvestFacts{System: "heritrix", Seeds: seeds, Software: seeds, Start: day(1999), End: day(2000)}
		if err := j.Record(1, long, model.Record{URI: long, Host: long, Date: day(1999), Status: "200"}); err != nil {
			t.Fatal(err)
		}
		if err := j.Settle(Package{ID: long}, map[int]*HarvestFacts{1: harvest}); err != nil {
			t.Fatal(err)
		}
		j.Container(contained(1, long, nil))
		j.Container(contained(0, long, nil))
		judged := j.Finish()
		if judged.Outcome != Accepted && judged.Outcome != Warned && judged.Outcome != Refused {
			t.Fatal(judged.Outcome)
		}
	})
}
