package nas

import (
	"cmp"
	"path"
	"slices"
	"strconv"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source/internal/facts"
)

// documentSet has the documents of a job: the latest of each, and those that it replaced.
type documentSet struct {
	current, superseded []*document
}

// arrange assigns each document its path. If several metadata files, or several records of one
// metadata file, have the same document, the latest is used. The others are kept in a separate
// folder.
func arrange(containers []*container) documentSet {
	slices.SortStableFunc(containers, func(a, b *container) int {
		return cmp.Or(cmp.Compare(a.name.age(), b.name.age()), cmp.Compare(a.path, b.path))
	})
	latest := map[string]*document{}
	for _, c := range containers {
		for _, d := range c.documents {
			key := keyOf(d)
			if before := latest[key]; before != nil {
				before.superseded = true
			}
			latest[key] = d
		}
	}
	var a documentSet
	names := namer{map[string]bool{}, map[string]int{}}
	for _, c := range containers {
		for _, d := range c.documents {
			if d.superseded {
				d.path = names.name("superseded/" + clean(path.Base(c.path)) + "/" + d.url.path())
				a.superseded = append(a.superseded, d)
				continue
			}
			d.path = names.name(d.url.path())
			a.current = append(a.current, d)
		}
	}
	return a
}

// keyOf returns a key that is equal for versions of one document: its kind and subject. The order
// of a query differs between versions, and all queries belong to one job. Documents of an unknown
// kind are equal if their URLs are. Lists of captures without a container are never equal.
func keyOf(d *document) string {
	switch {
	case d.url.class == "other":
		return "other " + d.uri
	case d.url.class == "index" && d.url.name == "cdx" && d.url.container() == "cdx":
		return "cdx " + d.in.path + strconv.FormatInt(d.block.Inflated, 10)
	}
	return d.url.path()
}

// namer assigns each document a unique path.
type namer struct {
	taken map[string]bool
	again map[string]int
}

func (n namer) name(p string) string {
	unique := p
	for n.taken[unique] {
		n.again[p]++
		unique = p + "~" + strconv.Itoa(n.again[p]+1)
	}
	n.taken[unique] = true
	return unique
}

// all returns every document.
func (a documentSet) all() []*document { return append(slices.Clip(a.current), a.superseded...) }

// treeOf returns a folder of documents.
func treeOf(name string, documents []*document) *archivefs.Tree {
	parts := make([]archivefs.Part, len(documents))
	for i, d := range documents {
		parts[i] = d.part()
	}
	return archivefs.Of(name, parts, nil)
}

// list lists the documents as files of the harvest, and reports faults.
func (a documentSet) list(f *facts.Facts) {
	for _, d := range a.all() {
		role := d.url.role()
		if d.superseded {
			role = model.RoleOther
		}
		f.About.Files = append(f.About.Files,
			model.SourceFile{Path: d.path, Size: d.size, Role: role, Record: d.inRecord()})
	}
	replaced := map[*container]int{}
	for _, d := range a.superseded {
		replaced[d.in]++
	}
	for _, d := range a.superseded {
		if n := replaced[d.in]; n > 0 {
			f.Find(CodeSuperseded, model.Info, d.in.path, d.offset,
				"%d documents have a later version, which is used; the first of them: %.300s", n, d.uri)
			replaced[d.in] = 0
		}
	}
	cut := 0
	for _, d := range a.all() {
		if d.stated >= 0 && d.size < d.stated {
			if cut++; cut <= maxFindings {
				f.Find(CodeMetadata, model.Error, d.in.path, d.offset, "only %d of %d bytes are there of "+
					"%.300s", d.size,
					d.stated, d.uri)
			}
		}
	}
}

// maxFindings bounds the findings of one kind.
const maxFindings = 100
