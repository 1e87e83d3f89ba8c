package ocfl

import (
	"context"
	"io/fs"
	"path"
)

// maxFolders bounds the nesting depth of folders. Operating systems bound real paths at about 4,096
// bytes. The constant is needed for file systems without such a limit.
const maxFolders = 2048

// tree is a folder under check, and the log for its issues. Paths in issues are below dir.
type tree struct {
	ctx  context.Context
	fsys fs.FS
	dir  string
	log  *issues
}

// entries visits the entries of a folder. It reports entries that are neither file nor folder. If
// the folder is unreadable, it reports the folder under the given code, because the rule of that
// code cannot be checked.
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

// below returns a path in the form used in issues.
func (t tree) below(name string) string {
	if t.dir == "." {
		return name
	}
	if name == t.dir {
		return "."
	}
	return name[len(t.dir)+1:]
}

// checkLinks reports links (E090) in a folder that is not checked otherwise.
func (t tree) checkLinks(name string, depth int) {
	if depth > maxFolders {
		t.log.addf("E090", name, "folders are nested more than %d deep; deeper ones were not checked",
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
