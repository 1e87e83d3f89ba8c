package convert

import (
	"iter"

	"quire/internal/archivefs"
	"quire/model"
)

// planned is a step, or a row of files of one mirror. A mirror can have very many files. A kept Step for
// each would need more memory than all else in the plan, so Steps makes them when it yields them.
type planned struct {
	Step
	about *model.Harvest // of a row; nil for a step
	files []string       // of a row
}

// Steps yields the steps, in the order of the harvests, then of the paths.
func (p *Plan) Steps() iter.Seq[Step] {
	return func(yield func(Step) bool) {
		var about *model.Harvest
		var known sourceFiles // of about: one list for all rows of a harvest
		for i := range p.steps {
			s := &p.steps[i]
			if s.about == nil {
				if !yield(s.Step) {
					return
				}
				continue
			}
			if s.about != about {
				about, known = s.about, separate(s.about)
			}
			for _, file := range s.files {
				step := s.Step
				step.File = known.file(s.Tree, file)
				if p.complete(&step); !yield(step) {
					return
				}
			}
		}
	}
}

// addMirrored adds a file of a mirror to the last row, or begins one.
func (p *planner) addMirrored(s Step, about *model.Harvest) {
	p.Bytes += s.File.Size
	if n := len(p.steps); n > 0 && p.steps[n-1].about == about {
		p.steps[n-1].files = append(p.steps[n-1].files, s.File.Path)
		return
	}
	files := []string{s.File.Path}
	s.File = model.SourceFile{}
	p.steps = append(p.steps, planned{Step: s, about: about, files: files})
}

// complete adds the facts about a step that its Tree has.
func (p *Plan) complete(s *Step) {
	if f := s.Tree.Find(s.File.Path); f != nil {
		s.Modified = f.Modified
	}
	s.Name = p.within(s.Tree, s.File.Path)
}

// sourceFiles are the separate files of a harvest, by their paths.
type sourceFiles map[string]*model.SourceFile

func separate(about *model.Harvest) sourceFiles {
	known := make(sourceFiles, len(about.Files))
	for i := range about.Files {
		if f := &about.Files[i]; f.Record == nil { // a document in a record stays with its container
			known[f.Path] = f
		}
	}
	return known
}

// file returns the facts about a file, even if the harvest does not list it.
func (s sourceFiles) file(t *archivefs.Tree, path string) model.SourceFile {
	if f := s[path]; f != nil {
		return *f
	}
	file := model.SourceFile{Path: path, Role: model.RoleOther}
	if f := t.Find(path); f != nil {
		file.Size = f.Size
	}
	return file
}
