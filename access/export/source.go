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

// Source is a package as one class of readers may have it: the newest version.
//
// What it lists with Allowed=false is already in the list of what was kept back: a format passes
// over it. What a format cannot hand out for a reason of its own it tells to Keep.
type Source struct {
	Package *holdings.Package // what the package says of itself, as this reader may be told
	Record  catalogue.Record  // what the stacks know of it
	Who     holdings.Reader

	store    *store.Store
	holdings *holdings.Holdings
	captures *extsort.Sorter // in the order of the containers
	count    int64           // of them
	given    int64           // those that the reader may have
	hidden   int64           // those that he is not even told of
	kept     *keptList
	as       string
	state    hash.Hash // over all that the export is made of: see State
	span     span      // of the captures that the reader is told of
}

// open makes a Source. scratch is where temporary files lie.
func open(ctx context.Context, st *store.Store, h *holdings.Holdings, r *Request, scratch string) (_ *Source,
	err error) {
	s := &Source{store: st, holdings: h, Who: holdings.Reader{Class: r.For, Packages: r.Packages}, as: r.As,
		state: sha256.New()}
	if s.Record, err = st.History(ctx, r.ID); err != nil {
		return nil, err
	}
	if s.Package, err = h.Package(ctx, s.Who, r.ID); err != nil {
		return nil, err
	}
	if s.kept, err = newKeptList(scratch, r.For); err != nil {
		return nil, err
	}
	s.captures = extsort.New(extsort.Options{Dir: scratch})
	err = s.gather(ctx)
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

// ID is the identifier of the package.
func (s *Source) ID() string { return s.Record.Package.ID }

// Version is the version that is handed out.
func (s *Source) Version() catalogue.Version { return s.Record.Versions[len(s.Record.Versions)-1] }

// gather brings the captures into the order of the containers, and lists those that are kept back.
func (s *Source) gather(ctx context.Context) error {
	query := captures.Query{Packages: []string{s.ID()}}
	for c, err := range s.holdings.Captures(ctx, s.Who, query) {
		if err != nil {
			return err
		}
		s.count++
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
	for c, err := range s.Captures(ctx) {
		if err == nil && !c.Allowed {
			err = s.kept.add(keptOf(&c))
		}
		if err != nil {
			return err
		}
	}
	if s.Who.Class == holdings.Staff {
		return nil
	}
	all := int64(0)
	for _, err := range s.holdings.Captures(ctx, holdings.Reader{Class: holdings.Staff}, query) {
		if err != nil {
			return err
		}
		all++
	}
	s.hidden = all - s.count
	return nil
}

// orderKey sorts records as they stand in the package.
func orderKey(container string, inflated int64) []byte {
	return binary.BigEndian.AppendUint64(append([]byte(container), 0), uint64(inflated))
}

// Captures gives the captures in the order in which they stand in the containers; those that the
// reader must not be told of are not among them, and Allowed is false of those that he may not
// have. It can be gone through several times.
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

// errStop says that nobody wants more.
var errStop = errors.New("enough")

// Read gives what a capture holds: that of a revisit is the payload that it stands for. The caller
// closes its Body. Whoever could not read it tells that with Fail, and goes on.
func (s *Source) Read(ctx context.Context, c *captures.Capture) (*holdings.Content, error) {
	return s.holdings.Read(ctx, s.Who, c)
}

// Decoded gives a content without its content codings.
func (s *Source) Decoded(c *holdings.Content) io.Reader { return holdings.Decoded(c) }

// Keep notes that something is kept back for another reason than the rights of a capture, of which
// Source knows.
func (s *Source) Keep(k Kept) error { return s.kept.add(k) }

// Fail notes that a capture could not be read: the export goes on, and says so. What is about the
// machine or the end of the work, not about the capture, comes back as an error that ends the
// export.
func (s *Source) Fail(c *captures.Capture, err error) error {
	var denied *holdings.DeniedError
	k := Kept{Reason: Unreadable, URL: c.URL, Timestamp: c.Timestamp, Message: "it cannot be read as it was stored",
		Why: err.Error()}
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &denied): // the rules changed while the export was made
		k = keptOf(&holdings.Judged{Capture: c, Decision: denied.Decision})
	case errors.Is(err, captures.ErrNotFound):
		k.Reason, k.Message = NoPayload, "its payload is not in the repository"
	}
	return s.Keep(k)
}

// Judge says what the reader gets of a capture that the index does not have.
func (s *Source) Judge(c *captures.Capture) holdings.Decision { return s.holdings.Judge(s.Who, c) }

// FileStem is how files are named after the package, on every file system.
func (s *Source) FileStem() string {
	stem := portable.Name(strings.ReplaceAll(s.ID(), "/", "-"))
	return stem[:min(len(stem), portable.Longest-40)]
}

// Counts says how many captures these readers may have, and how much is in the list of what was
// kept back so far.
func (s *Source) Counts() (given, kept int64) { return s.given, s.kept.total }

// Software is the name and version of what makes the export.
func (s *Source) Software() string { return s.store.Software() }

// Containers are the containers of the package, by path.
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

// OpenStored opens a file of the package from a copy that has it as it was stored, for a format
// that judges record by record what it hands out: it is read once to see that. Logs and documents
// are opened by OpenFile.
func (s *Source) OpenStored(ctx context.Context, file catalogue.File) (*os.File, error) {
	var failed error
	for f, err := range s.store.OpenCopies(ctx, s.ID(), s.Version().Number, file.Path) {
		if err != nil {
			return nil, errors.Join(failed, err)
		}
		sum := sha512.New()
		_, err = Copy(ctx, sum, f, Progress{})
		if err == nil && hex.EncodeToString(sum.Sum(nil)) != file.SHA512 {
			err = errors.New("has other bytes than were stored (SHA-512)")
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
	return nil, fmt.Errorf("no copy has %s as it was stored; audit the repository: %w", file.Path, failed)
}

// Files are the logs, documents and originals that the reader may have; of some uses, or of all
// when none is named.
func (s *Source) Files(uses ...string) []holdings.File {
	var all []holdings.File
	for _, f := range s.Package.Files {
		if f.Allowed && (len(uses) == 0 || slices.Contains(uses, f.Use)) {
			all = append(all, f)
		}
	}
	return all
}

// OpenFile opens one of Files. Its bytes are compared with their digest while they are read.
// Whoever could not read it tells that with FailFile, and goes on.
func (s *Source) OpenFile(ctx context.Context, path string) (*holdings.Opened, error) {
	return s.holdings.OpenFile(ctx, s.Who, s.ID(), path)
}

// Title is that of the package; its identifier, when it has none.
func (s *Source) Title() string { return cmp.Or(s.Package.Title, s.ID()) }

// Description is what curators say of the website, in a paragraph; "" when they say nothing.
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

// FailFile notes that a log or document could not be read, or may not be had.
func (s *Source) FailFile(path string, err error) error {
	var denied *holdings.DeniedError
	k := Kept{Reason: Unreadable, Path: path, Message: "it cannot be read as it was stored", Why: err.Error()}
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &denied):
		k = Kept{Reason: ByRights, Path: s.nameOf(path), Verdict: denied.Verdict, Message: denied.Message,
			Until: denied.Until, Why: denied.Why}
	}
	return s.Keep(k)
}

// WriteKept writes the list of what was kept back. Every export has it, even when it is empty: Run
// puts it at the root of a folder when Make did not write it itself.
func (s *Source) WriteKept(w io.Writer) error { return s.kept.write(w, s.ID(), s.as, s.Who.Class) }

// Listed says whether that list was written.
func (s *Source) Listed() bool { return s.kept.listed }

// Whole says that the format hands out all of the package as it is stored, for curators: nothing is
// kept back, and there is no list.
func (s *Source) Whole() {
	s.kept.whole = s.kept.total
	s.kept.counts, s.kept.total, s.kept.listed = map[Reason]int64{}, 0, true
}
