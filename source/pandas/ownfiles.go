package pandas

import (
	"context"
	"path"
	"slices"
	"strings"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source/httrack"
	"quire/source/internal/facts"
)

// checkFiles lists PANDAS's own files, checks the tarballs against their lists and checksums, and
// reports later changes to the files.
func (h *instance) checkFiles(ctx context.Context, t *archivefs.Tree, u *unit, f *facts.Facts, db *database) error {
	if !u.folder {
		for _, p := range u.files {
			f.AddFile(model.SourceFile{Path: p, Size: t.Find(p).Size, Role: h.roleOf(p)})
		}
	}
	for _, p := range u.more {
		f.AddFile(model.SourceFile{Path: p, Size: t.Find(p).Size, Role: model.RoleOther})
		f.Find(CodeSeveral, model.Warning, p, 0, "is a duplicate; this one is not read")
	}
	for _, p := range u.warcs {
		f.AddFile(model.SourceFile{Path: p, Size: t.Find(p).Size, Role: model.RoleContainer})
	}
	for _, p := range db.Within {
		f.AddFile(model.SourceFile{Path: p, Size: t.Find(p).Size, Role: model.RoleDescription})
	}
	db.Restrict(f)
	for _, k := range []kind{preserve, access, mime} {
		if b := u.tar[k]; b != nil {
			if err := b.check(f); err != nil {
				return err
			}
		}
	}
	h.changed(u, f)
	return h.restrict(ctx, u, f)
}

// restrict marks the tarballs with confidential content, because opening a tarball gives access to
// all of it. The tarball that is not read for its content is searched too.
func (h *instance) restrict(ctx context.Context, u *unit, f *facts.Facts) error {
	for _, k := range []kind{preserve, access} {
		b := u.tar[k]
		if opened(b) == nil || b.whole {
			continue
		}
		files := h.about.Files
		if b != h.base {
			m, err := httrack.Read(ctx, b.inner, b.root, b.files())
			if err != nil {
				return err
			}
			files = m.Mirror.Files
		}
		for _, file := range files {
			if file.Restricted != "" && (b != h.base || file.Archive == b.path) {
				name := strings.TrimPrefix(file.Path, b.path+"/")
				f.Restrict(b.path, 0, "has in it "+name+", which is not for everyone: "+file.Restricted)
			}
		}
	}
	return nil
}

// roleOf returns the role of a PANDAS file. The tarball that is read is content; the other one is
// an additional file.
func (h *instance) roleOf(p string) model.Role {
	m := named.FindStringSubmatch(path.Base(p))
	switch {
	case h.base != nil && p == h.base.path:
		return model.RoleContent
	case m == nil || isTar(m[4]):
		return model.RoleOther
	}
	return model.RoleReport
}

// changed records the state of the files.
func (h *instance) changed(u *unit, f *facts.Facts) {
	ps, ac := u.tar[preserve], u.tar[access]
	if len(u.warcs) > 0 && h.mirror != nil {
		f.Find(CodeChanged, model.Info, u.warcs[0], 0,
			"PANDAS made %d containers from these files: each file is a record, under its address in "+
				"PANDORA, with one date for all", len(u.warcs))
	}
	switch {
	case opened(ps) != nil && opened(ac) != nil:
		h.differences(ps, ac, f)
	case h.base != nil && h.base.kind == access:
		f.Find(CodeChanged, model.Warning, h.base.in(), 0,
			"only the access tarball exists: it was made after curators and programs had changed the "+
				"files, and does not record the changes")
	case h.base == nil && h.urls != nil:
		f.Find(CodeChanged, model.Info, h.urls.name, 0,
			"PANDAS changed this folder after the gather: external.html, fade.gif and backblue.gif are "+
				"deleted, and links to external.html in *.htm* lead to /external.html; changes by "+
				"curators are not recorded")
	}
}

// differences counts the differences between the tarball of the gathered mirror and the access
// tarball. The access tarball is another manifestation of the instance. Its content is not read
// here.
func (h *instance) differences(ps, ac *tarball, f *facts.Facts) {
	size := func(b *tarball) map[string]int64 {
		files := map[string]int64{}
		for _, file := range b.inner.Files() {
			files[file.Path] = file.Size
		}
		return files
	}
	before, after := size(ps), size(ac)
	var gone, added, changed []string
	for p, n := range before {
		switch m, there := after[p]; {
		case !there:
			gone = append(gone, p)
		case n != m:
			changed = append(changed, p)
		}
	}
	for p := range after {
		if _, there := before[p]; !there {
			added = append(added, p)
		}
	}
	f.Find(CodeChanged, model.Info, ac.path, 0,
		"is a second manifestation, with the changes of curators and programs; %s is read. It lacks %d "+
			"files, has %d others, and %d of another size%s",
		path.Base(ps.path), len(gone), len(added), len(changed), examples(gone, added, changed))
}

func examples(lists ...[]string) string {
	all := slices.Concat(lists...)
	slices.Sort(all)
	if len(all) == 0 {
		return ""
	}
	if len(all) > 3 {
		return ", such as " + all[0] + ", " + all[1] + ", " + all[2]
	}
	text := ": " + all[0]
	for _, p := range all[1:] {
		text += ", " + p
	}
	return text
}
