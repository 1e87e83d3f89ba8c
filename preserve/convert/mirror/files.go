package mirror

import (
	"fmt"

	"quire/model"
	"quire/source"
)

// files ensures that each file of the mirror is reported exactly once.
type files struct {
	all  []model.SourceFile
	at   map[string]int // index in all
	told []bool
	from map[string]bool // backups that were used for a URL
}

func newFiles(all []model.SourceFile) files {
	f := files{all: all, at: make(map[string]int, len(all)), told: make([]bool, len(all)), from: map[string]bool{}}
	for i := range all {
		f.at[all[i].Path] = i
	}
	return f
}

func (f *files) size(path string) int64 {
	if i, ok := f.at[path]; ok {
		return f.all[i].Size
	}
	return 0
}

// tellFile reports the result for a file.
func (c *conversion) tellFile(path string, e Entry) error {
	i, known := c.files.at[path]
	switch {
	case !known:
		c.find(model.Finding{Code: CodeFile, Severity: model.Warning, Path: path,
			Message: fmt.Sprintf("the source lists %q, but the mirror has no such file", e.URL)})
		return nil
	case c.files.told[i]:
		c.find(model.Finding{Code: CodeTwice, Severity: model.Warning, Path: path,
			Message: fmt.Sprintf("the source lists the file again, for %q", e.URL)})
		return nil
	}
	c.files.told[i] = true
	f := &c.files.all[i]
	e.Kind, e.File, e.Role, e.Bytes, e.Restricted, e.InWARC = "file", f.Path, f.Role, f.Size, f.Restricted,
		e.Fate.inWARC()
	c.report.Files[e.Fate]++
	if !e.InWARC {
		c.report.OnlyInOriginal.Files++
		c.report.OnlyInOriginal.Bytes += f.Size
	}
	return c.tell(e)
}

// restOfFiles reports the files without content, and the files that the source does not explain.
func (c *conversion) restOfFiles() error {
	for _, f := range c.mirror.Artefacts() {
		if c.files.from[f.Path] {
			continue // a converted backup
		}
		if err := c.tellFile(f.Path, Entry{Fate: Artefact, Why: []string{"role: " + string(f.Role)}}); err != nil {
			return err
		}
	}
	for i, f := range c.files.all {
		if c.files.told[i] {
			continue
		}
		c.find(model.Finding{Code: CodeUntold, Severity: model.Warning, Path: f.Path,
			Message: "the source neither names its URL nor marks it as a file without content"})
		if err := c.tellFile(f.Path, Entry{Fate: Untold}); err != nil {
			return err
		}
	}
	return nil
}

// fate returns the result for the file of a resource. If the payload comes from elsewhere, it
// compares the file with it.
func (c *conversion) fate(p *present) Fate {
	r := p.Resource
	switch {
	case r.Body == nil && r.File != "" && c.files.size(r.File) > 0:
		return LeftOut
	case r.Body == nil:
		return Empty
	case r.Copy != nil:
		sum, err := c.digestOf(r.Copy)
		switch {
		case c.ctx.Err() != nil:
			return Unreadable // the conversion stops
		case err != nil:
			return Unreadable
		case sum == p.payload && !p.damaged:
			return Same
		}
		return Superseded
	case p.unread || p.damaged:
		return Unreadable
	case p.found != "":
		return Kept
	}
	return Converted
}

// digestOf reads a file and returns its digest.
func (c *conversion) digestOf(b source.Body) (string, error) {
	in, err := b()
	if err != nil {
		return "", err
	}
	sum, err := c.sum(in, nil)
	if closed := in.Close(); err == nil {
		err = closed
	}
	return sum, err
}
