package missed

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"quire/holdings"
	"quire/internal/archivefs"
	"quire/internal/extsort"
	"quire/internal/secret"
	"quire/model"
	"quire/source/crawllog"
	"quire/source/detect"
)

// writer builds one list: it reads the logs, sorts the URLs not captured, and writes them.
type writer struct {
	ctx     context.Context
	in      *holdings.AllFiles
	harvest int
	dir     string // for temporary files

	head   head
	logs   map[string]int // index in head.Logs, by path in the package
	paths  map[string]string
	sorter *extsort.Sorter

	out  *bufio.Writer
	at   int64
	last group
	all  *extsort.Sorter // the groups, in the order of arrival
}

// maxProblems limits the log problems named in a list.
const maxProblems = 20

func (w *writer) write(out io.Writer) (err error) {
	w.logs, w.head.Reasons = map[string]int{}, map[model.Miss]int64{}
	w.out = bufio.NewWriterSize(out, 64<<10)
	w.sorter = extsort.New(extsort.Options{Memory: 16 << 20, Dir: w.dir})
	w.all = extsort.New(extsort.Options{Memory: 4 << 20, Dir: w.dir})
	defer func() { err = errors.Join(err, w.sorter.Close(), w.all.Close()) }()
	if err := w.read(); err != nil {
		return err
	}
	if err := w.rows(); err != nil {
		return err
	}
	return errors.Join(w.finish(), w.out.Flush())
}

// read reads the logs of the harvest in the same way as quire pack when it counted them.
func (w *writer) read() error {
	w.paths = map[string]string{}
	s, err := detect.OpenTree(w.ctx, w.tree())
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }() // only read
	for h, err := range s.Harvests(w.ctx) {
		if stopped := w.ctx.Err(); stopped != nil {
			return stopped
		}
		if err != nil {
			w.problem("%v", err)
			continue
		}
		for f, err := range h.Fetches(w.ctx, func(model.Finding) { w.head.Odd++ }) {
			if stopped := w.ctx.Err(); stopped != nil {
				return stopped
			}
			if err != nil {
				w.problem("%v", err)
				break
			}
			if w.head.Attempts++; f.Miss == "" {
				continue
			}
			if err := w.add(&f); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *writer) problem(format string, args ...any) {
	if len(w.head.Problems) < maxProblems {
		w.head.Problems = append(w.head.Problems, fmt.Sprintf(format, args...))
	}
}

// tree presents the files of the harvest as they were in the source, without the folders of the
// package (docs/reference/310_package-format.md, 1.3).
func (w *writer) tree() *archivefs.Tree {
	var parts []archivefs.Part
	several := false
	for _, f := range w.in.Files {
		several = several || f.Harvest > 1
	}
	sound := map[string]bool{} // verified files: readers open them several times
	for _, f := range w.in.Files {
		if several && f.Harvest != w.harvest {
			continue
		}
		_, inside, ok := strings.Cut(f.Path, "/")
		if _, taken := w.paths[inside]; !ok || taken {
			continue
		}
		w.paths[inside] = f.Path
		open := func() (archivefs.Content, error) {
			of := f
			if sound[f.Path] {
				of.Use = "" // no second verification needed
			}
			c, err := w.in.Open(w.ctx, of)
			if err != nil {
				return nil, err
			}
			sound[f.Path] = true
			return c, nil
		}
		parts = append(parts, archivefs.Part{File: archivefs.File{Path: inside, Size: f.Size}, Open: open})
	}
	return archivefs.Of("package "+w.head.Package, parts, nil)
}

// add adds a URL that was not captured.
func (w *writer) add(f *model.Fetch) error {
	r := Row{Reason: f.Miss, URL: secret.Without(f.URI), Host: hostOf(f.URI), Time: f.Time, Status: f.Status,
		Words: wordsOf(f), Message: note(f, "message:"), Log: -1, Line: f.Line}
	if r.Time.IsZero() {
		r.Time = f.Logged
	}
	if f.Log != "" {
		r.Log = w.log(cmp.Or(w.paths[f.Log], f.Log))
	}
	w.head.Total++
	w.head.Reasons[f.Miss]++
	line, err := json.Marshal(&r)
	if err != nil {
		return err
	}
	key := fmt.Sprintf("%s\x00%s\x00%s\x00%020d", r.Reason, r.Host, r.URL, r.Time.Unix())
	return w.sorter.Add([]byte(key), line)
}

// log numbers the logs.
func (w *writer) log(path string) int {
	n, known := w.logs[path]
	if !known {
		n = len(w.head.Logs)
		w.logs[path] = n
		w.head.Logs = append(w.head.Logs, path)
	}
	return n
}

// rows writes the rows, and notes the offset of each group.
func (w *writer) rows() error {
	err := w.sorter.Each(func(key, line []byte) error {
		parts := strings.SplitN(string(key), "\x00", 3)
		if g := (group{Reason: model.Miss(parts[0]), Host: parts[1]}); w.last.N == 0 || g.Reason != w.last.Reason ||
			g.Host != w.last.Host {
			if err := w.endGroup(); err != nil {
				return err
			}
			w.last = g
			w.last.At = w.at
		}
		w.last.N++
		return w.line(line)
	})
	return errors.Join(err, w.endGroup())
}

func (w *writer) line(b []byte) error {
	w.at += int64(len(b)) + 1
	_, err := w.out.Write(b)
	return errors.Join(err, w.out.WriteByte('\n'))
}

func (w *writer) endGroup() error {
	if w.last.N == 0 {
		return nil
	}
	w.last.To = w.at
	line, err := json.Marshal(&w.last)
	if err != nil {
		return err
	}
	w.last = group{}
	return w.all.Add(nil, line) // the order of equal keys stays
}

// finish writes groups and head after the rows, and then the trailer.
func (w *writer) finish() error {
	w.head.Groups = w.at
	if err := w.all.Each(func(_, line []byte) error { return w.line(line) }); err != nil {
		return err
	}
	w.head.End = w.at
	line, err := json.Marshal(&w.head)
	if err != nil {
		return err
	}
	if err := w.line(line); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w.out, trailer, w.head.End)
	return err
}

// hostOf returns the host of a URL, or a looked-up name. URLs that crawlers could not fetch are
// often invalid, so it splits them by hand.
func hostOf(uri string) string {
	if name, ok := strings.CutPrefix(uri, "dns:"); ok {
		return strings.ToLower(name)
	}
	_, rest, ok := strings.Cut(uri, "://")
	if !ok {
		return ""
	}
	host := rest
	if i := strings.IndexAny(rest, "/?#\\"); i >= 0 {
		host = rest[:i]
	}
	host = host[strings.LastIndexByte(host, '@')+1:]
	if i := strings.LastIndexByte(host, ':'); i >= 0 && strings.Trim(host[i+1:], "0123456789") == "" {
		host = host[:i]
	}
	return strings.ToLower(host)
}

// wordsOf explains a code, if it adds to the reason.
func wordsOf(f *model.Fetch) string {
	if c, ok := crawllog.Explain(f.Status); ok {
		return c.Meaning
	}
	for _, begin := range []string{"skipped:", "rejected:", "unwritten:", "reason:", "scopeDecision:"} {
		if text := note(f, begin); text != "" {
			return strings.TrimSuffix(begin, ":") + ": " + text
		}
	}
	return http.StatusText(f.Status)
}

// maxNote limits the stored bytes of a note.
const maxNote = 300

func note(f *model.Fetch, begin string) string {
	for _, n := range f.Notes {
		if text, ok := strings.CutPrefix(n, begin); ok {
			return strings.ToValidUTF8(text[:min(len(text), maxNote)], "")
		}
	}
	return ""
}
