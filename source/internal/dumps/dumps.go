// Package dumps finds the database dumps that belong to a source, and reads the rows about its
// harvests.
//
// A dump is in the source, beside it on disk, or named by the caller. It may be compressed with
// gzip. A dump has data of many harvests, including confidential data: each Loaded lists the
// passwords and persons found.
package dumps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"

	"quire/format/fault"
	"quire/internal/archivefs"
	"quire/model"
	"quire/source/internal/facts"
	"quire/source/internal/sqldump"
)

// CodeDump is the code of a finding about a dump that is partly unreadable.
const CodeDump = "SOURCE-DUMP"

// Set has the dumps that belong to a source.
type Set struct {
	Within []string // paths in the Tree

	all    []dump
	mutex  sync.Mutex
	loaded []*Loaded
	done   bool
}

type dump struct {
	name string // for evidence
	path string // within the Tree; "" for one elsewhere
	file string // its own name
	head func() ([]byte, error)
	open func() (io.ReadCloser, error)
}

// Loaded has the rows read from one dump.
type Loaded struct {
	*sqldump.Database
	Name string // for evidence: path in the source, or path of a file beside the source

	path     string
	secrets  []string
	personal []string
}

// IsDump reports whether a file has the name of a dump.
func IsDump(p string) bool {
	p = strings.ToLower(p)
	return strings.HasSuffix(p, ".sql") || strings.HasSuffix(p, ".sql.gz")
}

// Find looks for dumps that mention a pattern: among the files of the source, beside the source,
// and among the named files.
func Find(t *archivefs.Tree, named []string, of *regexp.Regexp) (*Set, error) {
	s := &Set{}
	for _, f := range t.Files() {
		if !IsDump(f.Path) {
			continue
		}
		d := dump{name: f.Path, path: f.Path, file: f.Path, head: func() ([]byte, error) {
			return t.Head(f.Path, headSize)
		}, open: func() (io.ReadCloser, error) {
			c, err := t.Open(f.Path)
			return inflated(c, err, f.Path)
		}}
		if err := s.addIf(d, of); err != nil {
			return nil, err
		}
		if n := len(s.all); n > 0 && s.all[n-1].path == f.Path {
			s.Within = append(s.Within, f.Path)
		}
	}
	for _, p := range named {
		s.all = append(s.all, onDisk(p, ""))
	}
	for _, p := range beside(t, named) {
		// an unreadable file that was not named may not be a dump
		_ = s.addIf(onDisk(p, ", beside the source"), of)
	}
	return s, nil
}

// beside lists the dumps in the folder of the source, except the named dumps.
func beside(t *archivefs.Tree, named []string) []string {
	if t.Kind() == archivefs.Virtual {
		return nil
	}
	source, err := filepath.Abs(t.Path()) // a source may be given as "."
	if err != nil {
		return nil
	}
	entries, err := os.ReadDir(filepath.Dir(source))
	if err != nil {
		return nil // source in another archive, or folder unreadable: no dumps are known
	}
	var full, all []string
	for _, p := range named {
		if p, err := filepath.Abs(p); err == nil {
			full = append(full, p)
		}
	}
	for _, e := range entries {
		p := filepath.Join(filepath.Dir(source), e.Name())
		if e.Type().IsRegular() && IsDump(e.Name()) && p != source && !slices.Contains(full, p) {
			all = append(all, p)
		}
	}
	return all
}

func onDisk(p, where string) dump {
	head := func() ([]byte, error) {
		f, err := os.Open(p)
		if err != nil {
			return nil, err
		}
		b, err := io.ReadAll(io.LimitReader(f, headSize))
		return b, errors.Join(err, f.Close())
	}
	return dump{name: filepath.Base(p) + where, file: p, head: head, open: func() (io.ReadCloser, error) {
		f, err := os.Open(p)
		return inflated(f, err, p)
	}}
}

// headSize is the number of bytes read to identify a dump: its head, and the first tables.
const headSize = 1 << 20

// addIf adds a dump if its beginning matches the pattern. Damage is reported when the dump is read.
func (s *Set) addIf(d dump, of *regexp.Regexp) error {
	head, err := d.head()
	if err != nil && !archivefs.Damaged(err) {
		return err
	}
	if isGzip(d.file) {
		if z, err := gzip.NewReader(bytes.NewReader(head)); err == nil {
			head, _ = io.ReadAll(io.LimitReader(z, headSize)) // the limit can cut it off
		}
	}
	if of.Match(head) {
		s.all = append(s.all, d)
	}
	return nil
}

func isGzip(name string) bool { return strings.EqualFold(filepath.Ext(name), ".gz") }

type gzipped struct {
	*gzip.Reader
	under io.Closer
}

// Close closes the file. Reading has already reported faults of the compression.
func (g gzipped) Close() error {
	_ = g.Reader.Close()
	return g.under.Close()
}

// inflated undoes the compression that the file name shows.
func inflated(c io.ReadCloser, err error, name string) (io.ReadCloser, error) {
	if err != nil || !isGzip(name) {
		return c, err
	}
	z, err := gzip.NewReader(c)
	if err != nil {
		return empty{}, c.Close() // not gzip, or empty: it has no rows
	}
	return gzipped{z, c}, nil
}

type empty struct{}

func (empty) Read([]byte) (int, error) { return 0, io.EOF }
func (empty) Close() error             { return nil }

// Load reads all dumps, once; the keys and relations of the first call apply.
func (s *Set) Load(ctx context.Context, keys []sqldump.Key, relations []sqldump.Relation) ([]*Loaded, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.done {
		return s.loaded, nil
	}
	s.loaded = nil
	for _, d := range s.all {
		l := &Loaded{Name: d.name, path: d.path}
		w := watcher{columns: map[string]*watched{}}
		var damage error
		db, err := sqldump.Gather(ctx, torn(d.open, &damage), keys, relations, w.see)
		if archivefs.Damaged(err) {
			db, damage = &sqldump.Database{}, err
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", d.name, err)
		}
		if damage != nil {
			db.Faults = append(db.Faults, fault.Fault{Code: sqldump.FaultTorn,
				Detail: fmt.Sprintf("unreadable from here: %v", damage)})
		}
		l.Database = db
		l.secrets, l.personal = w.secrets, w.personal
		s.loaded = append(s.loaded, l)
	}
	s.done = true
	return s.loaded, nil
}

// torn reads a dump with damaged compression up to the damage, and keeps the error.
func torn(open func() (io.ReadCloser, error), damage *error) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) {
		in, err := open()
		if _, compressed := in.(gzipped); err != nil || !compressed {
			return in, err
		}
		return tornReader{in, damage}, nil
	}
}

type tornReader struct {
	io.ReadCloser
	damage *error
}

func (t tornReader) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) && !errors.As(err, new(*os.PathError)) {
		*t.damage, err = err, io.EOF
	}
	return n, err
}

// Restrict marks the dumps in the source with confidential data, and reports the unreadable parts
// of each.
func (s *Set) Restrict(f *facts.Facts) {
	for _, l := range s.loaded {
		for _, x := range l.Faults {
			f.Find(CodeDump, severity(x), l.Name, x.Offset, "%s: %s", x.Code, x.Detail)
		}
		if l.path == "" {
			continue
		}
		if l.secrets != nil {
			f.Restrict(l.path, 0, "holds passwords, or what was made of them: "+strings.Join(l.secrets, ", "))
		}
		if l.personal != nil {
			f.Personal(l.path, 0, "names persons and how to reach them: "+strings.Join(l.personal, ", "))
		}
	}
}

func severity(f fault.Fault) model.Severity {
	if f.Code == sqldump.FaultTorn {
		return model.Error
	}
	return model.Warning
}

// watcher records the columns with passwords or persons.
type watcher struct {
	columns           map[string]*watched
	secrets, personal []string
}

// watched has the positions of the columns with secret or personal data in the rows of one table.
type watched struct {
	columns          []string
	secret, personal []int
}

var (
	ofSecret = regexp.MustCompile(`passw|pwdigest|passphrase|secret`)
	ofPerson = regexp.MustCompile(`e_?mail|phone|fax|first_?name|last_?name|name_given|name_family`)
)

func (w *watcher) see(row *sqldump.Row) {
	k := w.columns[row.Table]
	if k == nil || !slices.Equal(k.columns, row.Columns) {
		k = &watched{columns: row.Columns}
		for i, c := range row.Columns {
			if ofSecret.MatchString(c) && !strings.Contains(c, "password_field") {
				k.secret = append(k.secret, i)
			}
			if ofPerson.MatchString(c) && !strings.HasPrefix(c, "agc_") && !strings.Contains(c, "by_email") {
				k.personal = append(k.personal, i)
			}
		}
		w.columns[row.Table] = k
	}
	w.note(&w.secrets, row, k.secret)
	w.note(&w.personal, row, k.personal)
}

// note lists a column once, if it has any value.
func (w *watcher) note(list *[]string, row *sqldump.Row, places []int) {
	for _, i := range places {
		if i >= len(row.Values) || row.Values[i].Null || row.Values[i].Text == "" {
			continue
		}
		column := strings.ToUpper(row.Table + "." + row.Columns[i])
		if len(*list) < 20 && !slices.Contains(*list, column) {
			*list = append(*list, column)
		}
	}
}
