package ocfl

import (
	"context"
	"io/fs"
	"path"
)

// maxFolders is how deep folders may lie in each other before going down stops. Real paths are
// bounded by the system at about 4,096 bytes; this bounds file systems that have no such limit.
const maxFolders = 2048

// tree is a folder under check, and where to put what is found. Paths in issues are below dir.
type tree struct {
	ctx  context.Context
	fsys fs.FS
	dir  string
	log  *issues
}

// entries visits what is in a folder. A folder that cannot be read is an issue, and so is what is
// neither file nor folder. Where a folder cannot be read, nothing is known about what the rule with
// this code asks for.
func (t tree) entries(dir, unreadable string, visit func(fs.DirEntry)) {
	err := eachEntry(t.fsys, dir, func(e fs.DirEntry) error {
		if code, what := kindOfEntry(e).misfit(); code != "" {
			t.log.addf(code, t.below(path.Join(dir, e.Name())), "is %s", what)
		}
		visit(e)
		return t.ctx.Err()
	})
	if err != nil && t.ctx.Err() == nil {
		t.log.add(Issue{Code: unreadable, Kind: KindUnreadable, Path: t.below(dir), Detail: err.Error()})
	}
}

// below gives a path as it is written in issues.
func (t tree) below(name string) string {
	if t.dir == "." {
		return name
	}
	if name == t.dir {
		return "."
	}
	return name[len(t.dir)+1:]
}

// checkLinks goes through a folder whose content is not looked at and reports links in it (E090).
func (t tree) checkLinks(name string, depth int) {
	if depth > maxFolders {
		t.log.addf("E090", name, "folders lie more than %d deep in each other; what is below was not checked",
			maxFolders)
		return
	}
	var folders []string
	t.entries(path.Join(t.dir, name), "E090", func(e fs.DirEntry) {
		if e.IsDir() {
			folders = append(folders, path.Join(name, e.Name()))
		}
	})
	for _, folder := range folders {
		if t.ctx.Err() != nil {
			return
		}
		t.checkLinks(folder, depth+1)
	}
}
