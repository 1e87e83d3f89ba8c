package pandas

import (
	"bytes"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"

	"quire/internal/archivefs"
	"quire/internal/lines"
	"quire/model"
	"quire/source/httrack"
	"quire/source/internal/facts"
)

// tarball is one of the archives of an instance, with its list and checksum from PANDAS.
type tarball struct {
	kind kind
	path string // "" if only its list or checksum exists
	list string // .lst
	size string // .sz
	sum  string // .md5

	beside *archivefs.Tree // the Tree with all of these
	inner  *archivefs.Tree // opened; nil if that failed
	root   string          // folder of the instance in it
	whole  bool            // the archive is the source itself, and its paths are source paths
}

// inside returns the source path of a file in the archive.
func (b *tarball) inside(p string) string {
	if b.whole {
		return p
	}
	return path.Join(b.path, p)
}

// in returns the archive of the source that contains the file.
func (b *tarball) in() string {
	if b.whole {
		return ""
	}
	return b.path
}

// open opens the archive, checks its digest, and finds the instance in it.
func (b *tarball) open(ctx context.Context, f *facts.Facts, k key) error {
	if b.path != "" {
		if err := b.digest(ctx, b.beside, f); err != nil {
			return err
		}
	}
	if b.path == "" && b.inner == nil {
		return nil
	}
	if b.inner == nil {
		inner, err := b.beside.Nested(b.path)
		if err != nil {
			f.Find(CodeTarball, model.Error, b.path, 0, "cannot be opened: %v", err)
			return ctx.Err()
		}
		b.beside.Keep(inner)
		b.inner = inner
		for _, x := range inner.Faults() {
			f.Find(string(x.Code), model.Error, b.path, x.Offset, "%s", x.Detail)
		}
	}
	return b.find(ctx, f, k)
}

// find finds the folder of the instance in the archive: PI/date, as PANDAS packs it, or else the
// mirror in it.
func (b *tarball) find(ctx context.Context, f *facts.Facts, k key) error {
	b.root = "."
	for _, file := range b.inner.Files() {
		if dir, ok := instanceFolder(file.Path, k); ok {
			b.root = dir
			return nil
		}
	}
	claims, err := httrack.Reader{}.Find(ctx, b.inner)
	if err != nil {
		return err
	}
	if len(claims) == 1 {
		b.root = claims[0].Root
	}
	if len(b.inner.Files()) > 0 {
		f.Find(CodeTarball, model.Info, b.path, 0, "has no folder %s; the content of %s is used", k, b.root)
	}
	return nil
}

// files returns the files of the instance.
func (b *tarball) files() []string {
	var all []string
	for _, file := range b.inner.Files() {
		if b.root == "." || strings.HasPrefix(file.Path, b.root+"/") {
			all = append(all, file.Path)
		}
	}
	return all
}

// instanceFolder returns the folder of the instance above a file: PI/date, at any depth.
func instanceFolder(p string, k key) (string, bool) {
	want := "/" + k.String() + "/"
	if at := strings.Index("/"+p, want); at >= 0 {
		return ("/" + p)[1 : at+len(want)-1], true
	}
	return "", false
}

var (
	gnuSum = regexp.MustCompile(`^\\?([0-9a-fA-F]{32})[ *]+(.+)$`)
	bsdSum = regexp.MustCompile(`^MD5 ?\((.+)\) ?= ?([0-9a-fA-F]{32})$`)
)

// digest compares the MD5 of the archive with the MD5 in the file beside the archive.
func (b *tarball) digest(ctx context.Context, t *archivefs.Tree, f *facts.Facts) error {
	if b.sum == "" {
		return nil
	}
	head, err := t.Head(b.sum, 4096)
	if err != nil && !archivefs.Damaged(err) {
		return err
	}
	want, name := "", ""
	for line := range strings.SplitSeq(string(head), "\n") {
		line = strings.TrimSpace(line)
		if m := gnuSum.FindStringSubmatch(line); m != nil {
			want, name = strings.ToLower(m[1]), m[2]
		} else if m := bsdSum.FindStringSubmatch(line); m != nil {
			want, name = strings.ToLower(m[2]), m[1]
		}
		if want != "" && path.Base(name) == path.Base(b.path) {
			break
		}
	}
	if want == "" {
		f.Find(CodeTarball, model.Warning, b.sum, 0, "holds no MD5")
		return nil
	}
	f.About.Expected = append(f.About.Expected,
		model.ExpectedFile{Name: name, Path: b.path, Size: -1, Digest: model.Digest{Algorithm: model.MD5, Value: want},
			Source: b.sum})
	got, err := md5Of(ctx, t, b.path)
	if archivefs.Damaged(err) {
		return nil // opening it reports that it is unreadable
	}
	if err != nil {
		return err
	}
	if got != want {
		f.Find(CodeDigest, model.Error, b.path, 0, "has the MD5 %s instead of %s (%s)", got, want, b.sum)
		return nil
	}
	f.Note("MD5 of "+b.path, got, "computed; "+b.sum+" has the same")
	return nil
}

func md5Of(ctx context.Context, t *archivefs.Tree, p string) (string, error) {
	c, err := t.Open(p)
	if err != nil {
		return "", err
	}
	sum := md5.New()
	_, err = io.Copy(sum, contextReader{ctx, c})
	return model.NewDigest(model.MD5, sum.Sum(nil)).Value, errors.Join(err, c.Close())
}

type contextReader struct {
	ctx context.Context
	in  io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.in.Read(p)
}

// listed matches a line of "ls -l": mode, links, owner, group, size, date in one of three forms,
// name.
var listed = regexp.MustCompile(`^-\S+\s+\d+\s+\S+\s+\S+\s+(\d+)\s+(?:[A-Za-z]{3}\s+\d+\s+[\d:]+|\d+\s+[A-Za-z` +
	`]{3}\s+[\d:]+|\d{4}-\d\d-\d\d\s+\d\d:\d\d(?::[\d.]+ [+-]\d{4})?)\s(.+)$`)

// check compares the content of the archive with its list, and with its recorded size on disk.
func (b *tarball) check(f *facts.Facts) error {
	t := b.beside
	if b.inner == nil {
		return nil
	}
	if b.list != "" {
		if err := b.compare(t, f); err != nil {
			return err
		}
	}
	if b.size == "" {
		return nil
	}
	head, err := t.Head(b.size, 1<<20)
	if err != nil && !archivefs.Damaged(err) {
		return err
	}
	b.space(t, f, head)
	return nil
}

// space reads the output of du: kilobytes of each folder and, at last, in total. PANDAS on Solaris
// counted blocks of 512 bytes, so the files may be smaller than recorded, but never larger. A
// single number is the size of the archive.
func (b *tarball) space(t *archivefs.Tree, f *facts.Facts, text []byte) {
	words := bytes.Fields(text)
	if len(words) == 0 {
		return
	}
	if n, err := strconv.ParseInt(string(words[0]), 10, 64); err == nil && len(words) <= 2 &&
		!bytes.Contains(words[len(words)-1], []byte("total")) {
		if size := t.Find(b.path).Size; n != size {
			f.Find(CodeSize, model.Warning, b.path, 0, "has %d bytes, but %s states %d", size, b.size, n)
		}
		return
	}
	for i := len(words) - 1; i > 0; i-- {
		n, err := strconv.ParseInt(string(words[i-1]), 10, 64)
		if string(words[i]) != "total" || err != nil {
			continue
		}
		f.Note("space on disk", string(words[i-1])+" blocks in total", b.size)
		var all int64
		for _, file := range b.inner.Files() {
			all += file.Size
		}
		if all > n*1024 {
			f.Find(CodeSize, model.Warning, b.path, 0,
				"holds %d bytes of files, but %s records only %d kilobytes", all, b.size, n)
		}
		return
	}
}

// compare reads the list and compares it with the archive.
func (b *tarball) compare(t *archivefs.Tree, f *facts.Facts) error {
	c, err := t.Open(b.list)
	if archivefs.Damaged(err) {
		f.Find(CodeTarball, model.Warning, b.list, 0, "cannot be read: %v", err)
		return nil
	}
	if err != nil {
		return err
	}
	said := map[string]bool{}
	odd := counter{f: f}
	l := lines.NewReader(c)
	for l.Scan() {
		m := listed.FindSubmatch(l.Text)
		if m == nil {
			odd.find(CodeTarball, model.Warning, b.list, l.Offset, "line %d cannot be read: %.100q", l.Number, l.Text)
			continue
		}
		size, _ := strconv.ParseInt(string(m[1]), 10, 64)
		e := model.ExpectedFile{Name: string(m[2]), Size: size, Source: fmt.Sprintf("line %d of %s", l.Number, b.list)}
		switch file := b.inner.Find(path.Clean(e.Name)); {
		case file == nil:
			odd.find(CodeListed, model.Error, b.list, l.Offset, "lists %q, which is missing in %s", e.Name,
				path.Base(b.path))
		default:
			e.Path, said[file.Path] = b.inside(file.Path), true
			if file.Size != size {
				odd.find(CodeSize, model.Error, e.Path, 0, "has %d bytes instead of %d (%s)", file.Size, size,
					e.Source)
			}
		}
		f.About.Expected = append(f.About.Expected, e)
	}
	if err := l.Err(); err != nil {
		return errors.Join(err, c.Close())
	}
	for _, file := range b.inner.Files() {
		if !said[file.Path] && len(said) > 0 {
			odd.find(CodeUnlisted, model.Warning, b.inside(file.Path), 0, "%s does not list it", path.Base(b.list))
		}
	}
	odd.rest(b.list)
	return c.Close()
}

// counter bounds the findings about one tarball.
type counter struct {
	f *facts.Facts
	n int
}

// maxFindings is the number of findings to list.
const maxFindings = 100

func (c *counter) find(code string, severity model.Severity, p string, at int64, format string, args ...any) {
	if c.n++; c.n <= maxFindings {
		c.f.Find(code, severity, p, at, format, args...)
	}
}

func (c *counter) rest(p string) {
	if c.n > maxFindings {
		c.f.Find(CodeTarball, model.Warning, p, 0,
			"%d more differences between list and archive are not listed", c.n-maxFindings)
	}
}
