package folder

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// maxDepth is how many folders inside one another are looked into.
const maxDepth = 200

// batch is how many entries of a folder are held at a time.
const batch = 1024

// walk looks for what the description does not list (clause 1.1). When the description is broken it only counts: what
// belongs to the package is not known then.
func (v *validation) walk(d *description) error {
	folders := []string{"."} // still to be looked into
	for len(folders) > 0 {
		last := len(folders) - 1
		folder := folders[last]
		inside, err := v.walkFolder(folder, d)
		if v.ctx.Err() != nil || err != nil && folder == "." {
			return fmt.Errorf("reading the folder %s: %w", v.dir, cmp.Or(v.ctx.Err(), err))
		}
		if err != nil {
			v.findings.add(breaks(CodeFileRead, folder, "is a folder that cannot be read: %v", err))
			v.skip("a folder cannot be read", CheckExtra)
		}
		folders = append(folders[:last], inside...)
	}
	v.done[CheckExtra] = fmt.Sprintf("%s in the folder, %s", count(v.files, "file"), count(v.bytes, "byte"))
	return nil
}

// walkFolder looks at the entries of one folder, and gives the folders among them.
func (v *validation) walkFolder(folder string, d *description) (folders []string, err error) {
	f, err := v.root.Open(folder)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	empty := true
	for {
		entries, err := f.ReadDir(batch)
		for _, e := range entries {
			empty = false
			name := path.Join(folder, e.Name())
			if e.IsDir() {
				folders = append(folders, name)
				continue
			}
			v.lookAt(name, d)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err = cmp.Or(v.ctx.Err(), err); err != nil {
			return folders, err
		}
	}
	if empty && folder != "." {
		v.findings.add(breaks(CodeExtraFolder, folder, "is an empty folder"))
	}
	if len(folders) > 0 && strings.Count(folder, "/") >= maxDepth {
		v.findings.add(breaks(CodeExtraFolder, folder, "has folders more than %d deep, which are not looked into", maxDepth))
		folders = nil
	}
	return folders, nil
}

// lookAt judges one entry that is no folder.
func (v *validation) lookAt(name string, d *description) {
	info, err := v.root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return // gone meanwhile; when it was listed, that is found where it is read
	case err != nil:
		v.findings.add(breaks(CodeFileRead, name, "cannot be looked at: %v", err))
		return
	case !info.Mode().IsRegular():
		v.findings.add(breaks(CodeExtraKind, name, "is %s; a package holds files and folders only", kindOf(info.Mode())))
		return
	}
	v.files++
	v.bytes += info.Size()
	if _, known := d.paths[keyOf(name)]; !known && !d.broken && name != METSName && name != DigestName {
		v.findings.add(breaks(CodeExtraFile, name, "is in the folder, and %s does not list it", METSName))
	}
}
