package convert

import (
	"slices"
	"testing"
	"time"

	"quire/internal/archivefs"
	"quire/model"
)

// TestFilesOfAMirrorAreSteps checks the steps that a plan makes of files of mirrors, and their order.
func TestFilesOfAMirrorAreSteps(t *testing.T) {
	at := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	var parts []archivefs.Part
	for i, name := range []string{"a", "b", "c", "d"} {
		parts = append(parts, archivefs.Part{File: archivefs.File{Path: name, Size: int64(i), Modified: at}})
	}
	tree := archivefs.Of("/src", parts, nil)
	one := &model.Harvest{Files: []model.SourceFile{{Path: "a", Size: 5, Role: model.RoleLog, Restricted: "secret"},
		{Path: "d", Size: 7, Record: &model.InRecord{}}}}
	p := &planner{Plan: &Plan{roots: []string{"/src"}, prefixes: []string{"in"}}, taken: names{}}
	row := func(name string, about *model.Harvest, n int) {
		known := separate(about)
		p.addMirrored(Step{Action: Mirrored, Harvest: n, Tree: tree, File: known.file(tree, name)}, about)
	}
	row("a", one, 0)
	row("b", one, 0)
	p.add(Step{Action: Document, Harvest: 0, Tree: tree, File: model.SourceFile{Path: "c", Size: 2}})
	row("d", one, 0)
	row("a", &model.Harvest{}, 1)

	step := func(a Action, n int, f model.SourceFile) Step {
		return Step{Action: a, Harvest: n, Tree: tree, File: f, Modified: at, Name: "in/" + f.Path}
	}
	want := []Step{
		step(Mirrored, 0, one.Files[0]), step(Mirrored, 0, model.SourceFile{Path: "b", Size: 1, Role: model.RoleOther}),
		step(Document, 0, model.SourceFile{Path: "c", Size: 2}),
		step(Mirrored, 0, model.SourceFile{Path: "d", Size: 3, Role: model.RoleOther}),
		step(Mirrored, 1, model.SourceFile{Path: "a", Role: model.RoleOther}),
	}
	if got := slices.Collect(p.Steps()); !slices.Equal(got, want) {
		t.Errorf("%+v,\nwant %+v", got, want)
	}
	if want := int64(5 + 1 + 3); p.Bytes != want {
		t.Errorf("%d bytes, want %d", p.Bytes, want)
	}
	for s := range p.Steps() { // a reader may stop in a row
		if s.Name == "in/a" {
			break
		}
	}
}
