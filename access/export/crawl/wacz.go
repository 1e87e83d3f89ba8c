package crawl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"quire/access/export"
	"quire/format/wacz"
	"quire/holdings"
	"quire/preserve/aip"
)

// makeWACZ exports a package as a WACZ (https://specs.webrecorder.net/wacz/1.1.1/).
func makeWACZ(ctx context.Context, s *export.Source, out *export.Output) error {
	w := &waczMaker{source: s, output: out}
	defer w.close()
	var err error
	if w.lines, err = newLines(out.Scratch()); err != nil {
		return err
	}
	if w.pages, err = newPages(s, out.Scratch()); err != nil {
		return err
	}
	create := func(name string) (sink, error) {
		v, err := newVolume(out.Scratch(), name, out.Bounded)
		if err == nil {
			w.volumes = append(w.volumes, v)
		}
		return v, err
	}
	err = copyAll(ctx, s, out, "WACZ export", create,
		copier{sent: w.lines.request, seen: w.pages.see, copied: func(c *holdings.Judged, at spot) error {
			return errors.Join(w.lines.capture(c, at), w.pages.note(c))
		}})
	if err != nil {
		return err
	}
	if err := w.pages.read(ctx); err != nil { // unreadable pages are added to the list of withheld content
		return err
	}
	_, err = out.Write(s.FileStem()+".wacz", func(to io.Writer) error { return w.write(ctx, to) })
	return err
}

// waczMaker writes one WACZ.
type waczMaker struct {
	source  *export.Source
	output  *export.Output
	volumes []*volume
	lines   *lines
	pages   *pageList
}

func (w *waczMaker) close() {
	if w.lines != nil {
		w.lines.close()
	}
	if w.pages != nil {
		w.pages.close()
	}
}

// write writes the ZIP: first the containers unchanged, then the files that describe them.
func (w *waczMaker) write(ctx context.Context, to io.Writer) error {
	z := newArchive(to, w.source.Version().Created, w.output.Scratch())
	total := int64(0)
	for _, v := range w.volumes {
		total += v.size
	}
	w.output.Progress().Start("writing the WACZ", total)
	for _, v := range w.volumes {
		if err := z.stored(ctx, "archive/"+v.name, v.path, v.sums, w.output.Progress()); err != nil {
			return err
		}
		if err := os.Remove(v.path); err != nil { // the disk space is needed
			return err
		}
	}
	if err := w.lines.write(ctx, z); err != nil {
		return err
	}
	if err := z.deflated(wacz.PagesName, w.pages.write); err != nil {
		return err
	}
	if err := w.logs(ctx, z); err != nil {
		return err
	}
	if err := z.deflated("logs/"+export.WithheldName, w.source.WriteWithheld); err != nil {
		return err
	}
	text, err := w.datapackage(z)
	if err != nil {
		return err
	}
	if err := z.text(wacz.PackageName, text); err != nil {
		return err
	}
	digest, err := json.MarshalIndent(struct {
		Path string `json:"path"`
		Hash string `json:"hash"`
	}{wacz.PackageName, "sha256:" + z.resources[len(z.resources)-1].sha256}, "", "  ")
	if err != nil {
		return err
	}
	if err := z.text(wacz.DigestName, append(digest, '\n')); err != nil {
		return err
	}
	return z.close()
}

// logs adds the logs open to the reader, all in one folder: readers look no deeper.
func (w *waczMaker) logs(ctx context.Context, z *archive) error {
	seen := map[string]bool{export.WithheldName: true}
	for _, f := range w.source.Files(aip.UseLogs) {
		name := strings.ReplaceAll(strings.TrimPrefix(f.Path, aip.LogsDir+"/"), "/", "-")
		for seen[strings.ToLower(name)] {
			name = "_" + name
		}
		seen[strings.ToLower(name)] = true
		in, err := w.source.OpenFile(ctx, f.Path)
		if err == nil {
			err = errors.Join(z.spooled("logs/"+name, in), in.Close())
		}
		if err == nil {
			continue
		}
		if err := w.source.FailFile(f.Path, err); err != nil {
			return err
		}
	}
	return nil
}

// datapackage writes the description of the WACZ.
func (w *waczMaker) datapackage(z *archive) ([]byte, error) {
	type resource struct {
		Name  string `json:"name"`
		Path  string `json:"path"`
		Hash  string `json:"hash"`
		Bytes int64  `json:"bytes"`
	}
	date := w.source.Version().Created.UTC().Format("2006-01-02T15:04:05Z")
	d := struct {
		Profile     string     `json:"profile"`
		Version     string     `json:"wacz_version"`
		Title       string     `json:"title"`
		Description string     `json:"description,omitempty"`
		Software    string     `json:"software"`
		Created     string     `json:"created"`
		Modified    string     `json:"modified"`
		Main        string     `json:"mainPageUrl,omitempty"`
		MainDate    string     `json:"mainPageDate,omitempty"`
		ID          string     `json:"id"`
		Licenses    any        `json:"licenses,omitempty"`
		Resources   []resource `json:"resources"`
	}{
		Profile: wacz.ProfilePackage, Version: "1.1.1", Title: w.source.Title(), Description: w.source.Description(),
		Software: w.source.Software(),
		Created:  date, Modified: date, ID: w.source.ID(), Main: w.pages.main.URL, MainDate: w.pages.main.TS,
	}
	seen := map[string]bool{}
	for _, r := range z.resources {
		name := resourceName(r.path)
		for n := 2; seen[name]; n++ {
			name = fmt.Sprintf("%s-%d", resourceName(r.path), n)
		}
		seen[name] = true
		d.Resources = append(d.Resources, resource{name, r.path, "sha256:" + r.sha256, r.size})
	}
	text, err := json.MarshalIndent(d, "", "  ")
	return append(text, '\n'), err
}

// resourceName returns the name of a file in the list of the datapackage. It may contain only
// lower-case ASCII letters, digits, and . - _ (Frictionless Data, Data Resource, name).
func resourceName(path string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, strings.ToLower(path[strings.LastIndexByte(path, '/')+1:]))
}
