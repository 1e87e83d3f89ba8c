package detect

import (
	"bytes"
	"path"
	"path/filepath"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source/records"
)

// CodeBeside is the code of a finding about a file that was named alone: it is read as if it were in
// the folder of the harvest.
const CodeBeside = "SOURCE-BESIDE"

// joinBeside moves the files that were named alone, such as a log or a list, to the one other folder
// of the call: a curator who names a harvest and its log means one harvest. With several other
// folders nothing shows to which it belongs, and it stays apart. So does a container.
func (s *Source) joinBeside() {
	var beside []*archivefs.Tree
	target := -1
	for i, t := range s.trees {
		switch {
		case t.Kind() == archivefs.Virtual && joins(t):
			beside = append(beside, t)
		case target < 0 && (t.Kind() == archivefs.Virtual || t.Kind() == archivefs.Folder):
			target = i
		default:
			return // several folders, or an archive
		}
	}
	if target < 0 || len(beside) == 0 {
		return
	}
	into := s.trees[target]
	folder, ok := folderOfContainers(into)
	if !ok {
		return
	}
	parts := partsOf(into, ".")
	for _, t := range beside {
		parts = append(parts, partsOf(t, folder)...)
	}
	if hasTwins(parts) {
		return // the folder has such a file of its own
	}
	for _, t := range beside {
		for _, f := range t.Files() {
			s.find(CodeBeside, model.Info, filepath.Join(t.Path(), f.Path), 0, "is read as if it were in %s",
				filepath.Join(into.Path(), folder))
		}
	}
	s.refused(into)
	s.trees = []*archivefs.Tree{archivefs.Of(into.Path(), parts, into.Close)}
}

func hasTwins(parts []archivefs.Part) bool {
	seen := map[string]bool{}
	for _, p := range parts {
		if seen[p.Path] {
			return true
		}
		seen[p.Path] = true
	}
	return false
}

// partsOf returns the files of a Tree as parts of another one, below a folder of that one.
func partsOf(t *archivefs.Tree, folder string) []archivefs.Part {
	var parts []archivefs.Part
	for _, f := range t.Files() {
		from := f.Path
		f.Path = path.Join(folder, f.Path)
		parts = append(parts, archivefs.Part{File: f, Open: func() (archivefs.Content, error) { return t.Open(from) }})
	}
	return parts
}

// joins reports whether all files that were named alone may belong to a harvest elsewhere. A container
// does not, and a METS or another XML document describes a delivery by itself.
func joins(t *archivefs.Tree) bool {
	for _, f := range t.Files() {
		if is, _ := records.NamedContainer(f.Path); is {
			return false
		}
		head, err := t.Head(f.Path, records.Window)
		if err != nil || records.Begins(head) != records.None {
			return false // one that cannot be read stays where it is
		}
		if bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))), []byte("<")) {
			return false
		}
	}
	return true
}

// folderOfContainers returns the folder of the containers, "." if they are in several. ok is false without
// containers: the file would become a page of a website, or part of a mirror. It is false with an archive,
// too, because the containers may be in it.
func folderOfContainers(t *archivefs.Tree) (folder string, ok bool) {
	for _, f := range t.Files() {
		if is, _ := records.NamedContainer(f.Path); !is {
			if archive, err := t.IsArchive(f.Path); archive || err != nil {
				return "", false
			}
			continue
		}
		switch dir := path.Dir(f.Path); {
		case !ok:
			folder, ok = dir, true
		case folder != dir:
			folder = "."
		}
	}
	return folder, ok
}
