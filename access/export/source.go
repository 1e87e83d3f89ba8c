package export

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/internal/extsort"
	"quire/internal/portable"
	"quire/preserve/aip"
	"quire/repository/catalogue"
	"quire/repository/store"
)

// Source is a version of a package, the newest one by default, as one class of readers may see it.
//
// Items that it returns with Allowed=false are already in the list of withheld content: a format
// skips them. If a format withholds an item for its own reason, it calls Keep.
type Source struct {
	Package *holdings.Package // metadata of the package, as visible to this reader
	Record  catalogue.Record  // from the catalogue
	Who     holdings.Reader

	store    *store.Store
	holdings *holdings.Holdings
	captures *extsort.Sorter // in container order
	count    int64           // of captures
	given    int64           // captures open to the reader
	hidden   int64           // captures that the reader must not know of
	broken   int64           // containers with errors
	kept     *withheldList
	as       string
	state    hash.Hash // over the whole input of the export: see State
	span     span      // of the captures that the reader may know
	at       int       // index of the version in Record.Versions
	shared   *shared   // the files of an older version that the newest one has; nil for the newest
}

// open returns a Source. scratch is the folder for temporary files.
func open(ctx context.Context, st *store.Store, h *holdings.Holdings, r *Request, scratch string) (_ *Source,
	err error) {
	s := &Source{store: st, holdings: h, Who: holdings.Reader{Class: r.For, Packages: r.Packages}, as: r.As,
		state: sha256.New()}
	if s.Record, err = st.History(ctx, r.ID); err != nil {
		return nil, err
	}
	if err := s.choose(r.Version); err != nil {
		return nil, err
	}
	if s.Package, err = h.Package(ctx, s.Who, r.ID); err != nil {
		return nil, err
	}
	if s.kept, err = newKeptList(scratch, r.For); err != nil {
		return nil, err
	}
	s.captures = extsort.New(extsort.Options{Dir: scratch})
	if err = s.older(); err == nil {
		err = s.gather(ctx)
	}
	if err == nil {
		err = s.discreet()
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *Source) close() {
	_ = s.captures.Close()  // temporary files
	_ = s.kept.list.Close() // a temporary file
}

// ID returns the identifier of the package.
func (s *Source) ID() string { return s.Record.Package.ID }

// Version returns the exported version.
func (s *Source) Version() catalogue.Version { return s.Record.Versions[s.at] }

// gather sorts the captures into container order, and lists the withheld ones.
func (s *Source) gather(ctx context.Context) error {
	query, known := captures.Query{Packages: []string{s.ID()}}, map[string]bool{}
	for c, err := range s.holdings.Captures(ctx, s.Who, query) {
		if err != nil {
			return err
		}
		if !s.shared.has(c.Record.Container) {
			continue
		}
		s.count++
		known[c.Record.Container] = true
		if c.Allowed {
			s.given++
		}
		value, err := json.Marshal(&c)
		if err != nil {
			return err
		}
		_, _ = s.state.Write(value) // a hash never fails
		s.span.add(c.Timestamp)
		if err := s.captures.Add(orderKey(c.Record.Container, c.Record.Inflated), value); err != nil {
			return err
		}
	}
	if err := s.withhold(ctx); err != nil {
		return err
	}
	if err := s.damaged(ctx, known); err != nil {
		return err
	}
	if s.Who.Class == holdings.Staff {
		return nil
	}
	all := int64(0)
	for c, err := range s.holdings.Captures(ctx, holdings.Reader{Class: holdings.Staff}, query) {
		if err != nil {
			return err
		}
		if s.shared.has(c.Record.Container) {
			all++
		}
	}
	s.hidden = all - s.count
	return nil
}

// withhold lists the closed captures, in container order.
func (s *Source) withhold(ctx context.Context) error {
	if s.count == s.given {
		return nil
	}
	for c, err := range s.Captures(ctx) {
		if err == nil && !c.Allowed {
			err = s.kept.add(withheldOf(&c))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// orderKey sorts records by their position in the package.
func orderKey(container string, inflated int64) []byte {
	return binary.BigEndian.AppendUint64(append([]byte(container), 0), uint64(inflated))
}

// Captures iterates over the captures in container order. It omits captures that the reader must
// not know of. Allowed is false for captures that are closed to the reader. The iteration can be
// repeated.
func (s *Source) Captures(ctx context.Context) iter.Seq2[holdings.Judged, error] {
	return func(yield func(holdings.Judged, error) bool) {
		err := s.captures.Each(func(_, value []byte) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			var c holdings.Judged
			if err := json.Unmarshal(value, &c); err != nil {
				return err
			}
			if !yield(c, nil) {
				return errStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(holdings.Judged{}, err)
		}
	}
}

// errStop ends an iteration early.
var errStop = errors.New("enough")

// Read returns the content of a capture; for a revisit, the payload of its original. The caller
// closes its Body. If reading fails, the caller reports it with Fail, and continues.
func (s *Source) Read(ctx context.Context, c *captures.Capture) (*holdings.Content, error) {
	return s.holdings.Read(ctx, s.Who, c)
}

// ReadRecord is Read for the record that the caller is reading, of a capture that is not a revisit. The
// result uses the block of the record.
func (s *Source) ReadRecord(ctx context.Context, c *captures.Capture, block io.Reader, contentType string) (
	*holdings.Content, error) {
	return s.holdings.ReadRecord(ctx, s.Who, c, block, contentType)
}

// Decoded returns a content without its content codings.
func (s *Source) Decoded(c *holdings.Content) io.Reader { return holdings.Decoded(c) }

// Withhold records that an item is withheld for a reason other than rights, which Source records
// itself.
func (s *Source) Withhold(k Withheld) error { return s.kept.add(k) }

// Fail records that a capture could not be read; the export continues and lists it. Errors of the
// machine, or of a cancelled context, are returned and end the export.
func (s *Source) Fail(c *captures.Capture, err error) error {
	var denied *holdings.DeniedError
	k := Withheld{Reason: Unreadable, URL: c.URL, Timestamp: c.Timestamp, Message: "it cannot be read as it was stored",
		Why: err.Error()}
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &denied): // the rules changed during the export
		k = withheldOf(&holdings.Judged{Capture: c, Decision: denied.Decision})
	case errors.Is(err, captures.ErrNotFound):
		k.Reason, k.Message = NoPayload, "its payload is not in the repository"
	}
	return s.Withhold(k)
}

// Judge returns the access decision for a capture that is not in the index.
func (s *Source) Judge(c *captures.Capture) holdings.Decision { return s.holdings.Judge(s.Who, c) }

// FileStem returns a file name for the package that is valid on every file system.
func (s *Source) FileStem() string {
	stem := portable.Name(strings.ReplaceAll(s.ID(), "/", "-"))
	return stem[:min(len(stem), portable.Longest-40)]
}

// Counts returns the number of captures open to these readers, and the number of items withheld so
// far.
func (s *Source) Counts() (given, kept int64) { return s.given, s.kept.withheld() }

// Software returns name and version of the exporting software.
func (s *Source) Software() string { return s.store.Software() }

// Containers returns the containers of the package, by path.
func (s *Source) Containers() []catalogue.File {
	var all []catalogue.File
	for _, f := range s.Version().Files {
		if f.Use == aip.UseContainers {
			all = append(all, f)
		}
	}
	slices.SortFunc(all, func(a, b catalogue.File) int { return strings.Compare(a.Path, b.Path) })
	return all
}

// OpenStored opens a file of the package from an intact copy, for formats that decide access record
// by record. It reads the file once to verify it. If no copy is intact, the error is a
// [*store.ContentError]. Use OpenFile for logs and documents.
func (s *Source) OpenStored(ctx context.Context, file catalogue.File) (*os.File, error) {
	var failed error
	damaged := false
	for f, err := range s.store.OpenCopies(ctx, s.ID(), s.Version().Number, file.Path) {
		if err != nil {
			failed = errors.Join(failed, err)
			break
		}
		sum := sha512.New()
		_, err = Copy(ctx, sum, f, Progress{})
		if err == nil && hex.EncodeToString(sum.Sum(nil)) != file.SHA512 {
			damaged = true
			err = errors.New("the bytes differ from those stored (SHA-512)")
		}
		if err == nil {
			_, err = f.Seek(0, io.SeekStart)
		}
		if err == nil {
			return f, nil
		}
		failed = errors.Join(failed, fmt.Errorf("%s: %w", f.Name(), err), f.Close())
		if ctx.Err() != nil {
			break
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if pathError := new(fs.PathError); failed != nil && !damaged && !errors.As(failed, &pathError) {
		return nil, failed // of the catalogue, or of the machine
	}
	return nil, &store.ContentError{Subject: "package " + s.ID(), Total: 1, Problems: []store.Problem{
		{Path: file.Path, Detail: fmt.Sprintf("no copy has it undamaged; audit the repository: %v", failed)}}}
}

// Files returns the logs, documents and originals open to the reader; of the given uses, or of all.
func (s *Source) Files(uses ...string) []holdings.File {
	var all []holdings.File
	for _, f := range s.Package.Files {
		if f.Allowed && (len(uses) == 0 || slices.Contains(uses, f.Use)) {
			all = append(all, f)
		}
	}
	return all
}

// OpenFile opens one of Files. It verifies the digest while reading. If reading fails, the caller
// reports it with FailFile, and continues.
func (s *Source) OpenFile(ctx context.Context, path string) (*holdings.Opened, error) {
	return s.holdings.OpenFile(ctx, s.Who, s.ID(), path)
}

// Title returns the title of the package, or else its identifier.
func (s *Source) Title() string { return cmp.Or(s.Package.Title, s.ID()) }

// Description returns the curators' description of the website as one paragraph, or "" if there is
// no description.
func (s *Source) Description() string {
	var all []string
	for _, d := range s.Package.Descriptions {
		if d.Harvest == 0 {
			for _, a := range d.Record.Abstracts {
				all = append(all, a.Text)
			}
		}
	}
	return strings.Join(all, "\n")
}

// FailFile records that a log or document is unreadable or closed.
func (s *Source) FailFile(path string, err error) error {
	var denied *holdings.DeniedError
	k := Withheld{Reason: Unreadable, Path: path, Message: "it cannot be read as it was stored", Why: err.Error()}
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &denied):
		k = Withheld{Reason: ByRights, Path: s.nameOf(path), Verdict: denied.Verdict, Message: denied.Message,
			Until: denied.Until, Why: denied.Why}
	}
	return s.Withhold(k)
}

// WriteWithheld writes the list of withheld content. Every export has it, even if empty: Run writes it
// to the root of a folder, unless Make has written it.
func (s *Source) WriteWithheld(w io.Writer) error { return s.kept.write(w, s.ID(), s.as, s.Who.Class) }

// Listed reports whether that list has been written.
func (s *Source) Listed() bool { return s.kept.listed }

// Whole declares that the format exports the complete package as stored, for curators. Nothing is
// withheld, and there is no list of withheld content.
func (s *Source) Whole() {
	s.kept.whole, s.broken = s.kept.withheld(), 0
	s.kept.counts, s.kept.total, s.kept.listed = map[Reason]int64{}, 0, true
}
