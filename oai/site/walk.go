package site

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// starts are the file names that servers show for a folder, in the order of the search.
var starts = []string{"index.html", "index.htm", "index.xhtml", "index.php", "index.shtml", "default.html",
	"default.htm"}

// maxDepth is the maximum depth of folders.
const maxDepth = 128

// walk adds the files of the folder. Hidden files are not part of the site, except .well-known.
// Targets of symbolic links outside the folder are skipped.
func (c *scan) walk(ctx context.Context) error {
	return c.walkFolder(ctx, ".", 0, false)
}

func (c *scan) walkFolder(ctx context.Context, name string, depth int, linked bool) error {
	f, err := c.folder.Open(name)
	if err != nil {
		c.incomplete(fmt.Sprintf("folder %s: %v", name, err))
		return ctx.Err()
	}
	defer func() { _ = f.Close() }() // read only
	start, err := c.start(ctx, name)
	if err != nil {
		return err
	}
	for {
		entries, err := f.ReadDir(1000)
		for _, e := range entries {
			if e.Name() == start || hidden(e.Name()) {
				continue
			}
			if err := c.entry(ctx, path.Join(name, e.Name()), e, depth, linked); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return ctx.Err()
		case err != nil:
			c.incomplete(fmt.Sprintf("folder %s: %v", name, err))
			return ctx.Err()
		case ctx.Err() != nil:
			return ctx.Err()
		}
	}
}

// hidden reports whether a file with this name is not part of the site.
func hidden(name string) bool { return strings.HasPrefix(name, ".") && name != ".well-known" }

// start adds a folder with a start page, under the URL of the folder.
func (c *scan) start(ctx context.Context, folder string) (name string, err error) {
	for _, name := range starts {
		info, err := c.folder.Stat(path.Join(folder, name))
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		url := c.urls.ofPath(strings.TrimPrefix(folder+"/", "./"))
		other := c.urls.ofPath(path.Join(folder, name))
		return name, c.file(ctx, url, other, info)
	}
	return "", nil
}

// entry adds one file or walks one folder.
func (c *scan) entry(ctx context.Context, name string, e fs.DirEntry, depth int, linked bool) error {
	info, err := e.Info()
	if err == nil && e.Type()&fs.ModeSymlink != 0 {
		info, err = c.folder.Stat(name) // Stat refuses targets outside
		switch {
		case err == nil && info.IsDir() && c.isAlias(name):
			c.aliases.add(name)
			return nil
		case err == nil && info.IsDir() && linked:
			return nil // links inside linked folders may form circles
		}
		linked = true
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) || err != nil && e.Type()&fs.ModeSymlink != 0:
		return nil // deleted meanwhile, or a link to the outside or to nothing
	case err != nil:
		c.incomplete(fmt.Sprintf("file %s: %v", name, err))
	case info.IsDir() && depth >= maxDepth:
		c.incomplete(fmt.Sprintf("folder %s: folders are nested deeper than %d", name, maxDepth))
	case info.IsDir():
		return c.walkFolder(ctx, name, depth+1, linked)
	case info.Mode().IsRegular():
		return c.file(ctx, c.urls.ofPath(name), "", info)
	}
	return nil
}

func (c *scan) file(ctx context.Context, url, other string, info fs.FileInfo) error {
	if !c.urls.hasRecord(url) {
		return nil
	}
	_, err := c.found.add(ctx, finding{url: url, other: other, evidence: evidenceOf(info), depth: c.depth})
	return err
}

// evidenceOf returns a value that is equal while the file is unchanged. A program can set the time of a file back, but
// not the time of the change of its inode.
func evidenceOf(info fs.FileInfo) string {
	return fmt.Sprintf("file %d %d %d", info.ModTime().UnixNano(), info.Size(), changeTime(info))
}

// doubtful reports whether two values of evidenceOf differ only in the time of the inode's change. Other bytes may
// have come, with the size and the time of those before; or only the file's rights changed.
func doubtful(before, now string) bool {
	was, is := strings.Fields(before), strings.Fields(now)
	return len(was) == 4 && len(is) == 4 && slices.Equal(was[:3], is[:3]) && was[3] != is[3]
}

// inFolder reports whether a URL belongs to a file that the walk of the folder would find.
func (s *Site) inFolder(url string) bool {
	name, ok := s.urls.pathOf(url)
	if s.folder == nil || s.find.SkipFolder || !ok || slices.ContainsFunc(strings.Split(name, "/"), hidden) {
		return false
	}
	names := []string{name}
	if name == "" || strings.HasSuffix(name, "/") {
		names = nil
		for _, start := range starts {
			names = append(names, name+start)
		}
	}
	return slices.ContainsFunc(names, func(n string) bool {
		if s.isAlias(path.Dir(n)) {
			return false
		}
		info, err := s.folder.Stat(n)
		return err == nil && info.Mode().IsRegular() && path.Clean(n) == n
	})
}
