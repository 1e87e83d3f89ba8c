package archivefs

import "sort"

// Part is a file of a Tree that is built from other data, such as the records of a container.
type Part struct {
	File
	Open func() (Content, error)
}

// Of returns a Tree of parts, which readers of folders can then read. Parts with a path that leads
// out of the source are refused, as in an archive. Close calls closing, which may be nil.
func Of(name string, parts []Part, closing func() error) *Tree {
	t := &Tree{path: name, kind: Virtual, keeper: virtual{closing}}
	for _, p := range parts {
		clean, ok := safe(p.Path)
		if !ok {
			t.refuse(FaultPath, 0, "%q leads out of the source", p.Path)
			continue
		}
		f := p.File
		f.Path, f.entry = clean, p.Open
		t.add(f)
	}
	sort.SliceStable(t.files, func(i, j int) bool { return t.files[i].Path < t.files[j].Path })
	t.dropTwins()
	return t
}

// virtual is the keeper of files that open themselves.
type virtual struct{ closing func() error }

func (virtual) list(*Tree) error { return nil }

func (virtual) open(f *File) (Content, error) {
	open, _ := f.entry.(func() (Content, error))
	return open()
}

func (v virtual) Close() error {
	if v.closing == nil {
		return nil
	}
	return v.closing()
}
