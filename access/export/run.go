package export

import (
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"quire/holdings"
	"quire/internal/atomicdir"
	"quire/internal/disk"
	"quire/internal/extsort"
	"quire/repository/store"
)

// Request says what is to be handed out.
type Request struct {
	ID  string         // of the package
	As  string         // name of the format
	For holdings.Class // who is to have it; "" is Public
	Out string         // file or folder to make: it must not be there, though a folder may be empty
	By  string         // who asked for it, for the event; "" when nobody is to be named

	Zip   bool  // make a ZIP, at Out, of a form that is a folder
	Limit int64 // bytes that may be written, and as many beside for a time; a *[LimitError] beyond. 0 is any number

	// Have is asked, before anything is made, whether what would be made of the package as it is
	// now (Source.State) is there already: then Run ends with ErrHave. It may be nil.
	Have func(state string) bool

	Packages []string // what a capability is bound to: see holdings.Reader
	Options  Options
	Progress Progress
}

// Result says what was handed out.
type Result struct {
	ID       string           `json:"id"`
	Version  string           `json:"version"` // of the package: "v2"
	As       string           `json:"as"`
	For      holdings.Class   `json:"for"`
	Path     string           `json:"path"`
	Files    int64            `json:"files"`
	Bytes    int64            `json:"bytes"`
	SHA512   string           `json:"sha512,omitempty"` // of the one file, when it is one, or of the ZIP
	Captures int64            `json:"captures"`         // that these readers may have
	KeptBack map[Reason]int64 `json:"kept_back"`        // how much of the package is not in it, by the reason
	Event    string           `json:"event"`            // file of the event in the log of the package
	Took     time.Duration    `json:"-"`
}

// Reasons gives KeptBack in a fixed order.
func (r *Result) Reasons() iter.Seq2[Reason, int64] {
	return func(yield func(Reason, int64) bool) {
		for _, why := range slices.Sorted(maps.Keys(r.KeptBack)) {
			if !yield(why, r.KeptBack[why]) {
				return
			}
		}
	}
}

// Run hands a package out. After an error there is nothing at Request.Out that was not there
// before.
func Run(ctx context.Context, st *store.Store, h *holdings.Holdings, r Request, formats []Format) (*Result, error) {
	began := time.Now()
	f, err := Find(formats, r.As)
	if err != nil {
		return nil, err
	}
	if r.For == "" {
		r.For = holdings.Public
	}
	if r.Options.Infected && (r.For != holdings.Staff || f.Single()) {
		return nil,
			errors.New("export: what is infected is taken out for curators only (--for staff), and into a folder, " +
				"not a file")
	}
	if err := check(f.Single() || r.Zip, r.Out); err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	if err := st.Writable(); err != nil {
		return nil, fmt.Errorf("export: what is handed out is recorded with the package: %w", err)
	}
	w := &work{format: f, request: &r}
	defer w.close()
	if err := w.prepare(ctx, st, h); err != nil {
		return nil, err
	}
	if r.Have != nil && r.Have(w.source.State()) {
		return nil, ErrHave
	}
	if err := w.make(ctx); err != nil {
		return nil, fmt.Errorf("export of %s as %s: %w", r.ID, r.As, err)
	}
	result, err := w.install(ctx)
	if err != nil {
		return nil, fmt.Errorf("export of %s as %s: %w", r.ID, r.As, err)
	}
	result.Took = time.Since(began)
	// What was handed out was handed out, even when nobody waits for it any more.
	return result, w.record(context.WithoutCancel(ctx), st, result)
}

// check makes sure, before any work, that nothing would be overwritten.
func check(file bool, out string) error {
	if !file || out == "" {
		return atomicdir.Check(out)
	}
	if err := atomicdir.CheckParents(out); err != nil {
		return err
	}
	return disk.Absent(out)
}

// work is an export in the making.
type work struct {
	format  *Format
	request *Request
	place   *atomicdir.Workplace
	scratch *atomicdir.Workplace
	source  *Source
	out     *Output
	files   []File // the first of those that were made, for the event
	list    string // SHA-512 over the lines that sha512sum would write of all files
}

// close removes what is not needed any more.
func (w *work) close() {
	if w.source != nil {
		w.source.close()
	}
	if w.out != nil {
		_ = w.out.Close() // temporary files
	}
	for _, p := range []*atomicdir.Workplace{w.place, w.scratch} {
		if p != nil {
			_ = p.Remove() // what is left the next run sweeps; after Install there is nothing
			p.Close()
		}
	}
}

func (w *work) prepare(ctx context.Context, st *store.Store, h *holdings.Holdings) (err error) {
	parent := filepath.Dir(filepath.Clean(w.request.Out))
	if w.place, err = atomicdir.New(parent); err != nil {
		return err
	}
	if w.scratch, err = atomicdir.New(parent); err != nil {
		return err
	}
	w.request.Progress.Start("looking up captures", 0)
	if err := h.Ready(ctx); err != nil { // what the index does not have yet would be missing, and nobody told
		return err
	}
	if w.source, err = open(ctx, st, h, w.request, w.scratch.Path()); err != nil {
		return err
	}
	w.out = &Output{
		Options: w.request.Options, dir: w.place.Path(), scratch: w.scratch.Path(), progress: w.request.Progress,
		files: extsort.New(extsort.Options{Dir: w.scratch.Path()}), written: &bound{ctx.Err, w.request.Limit, 0},
		beside: &bound{ctx.Err, w.request.Limit, 0},
	}
	return nil
}

// make has the format write, and sees that the list of what was kept back is there.
func (w *work) make(ctx context.Context) error {
	if err := w.format.Make(ctx, w.source, w.out); err != nil {
		return err
	}
	if w.request.Options.Infected {
		if err := w.infected(ctx); err != nil {
			return err
		}
	}
	switch {
	case w.source.kept.listed:
	case w.format.Single():
		return errors.New("the format lists nowhere what was kept back")
	default:
		if _, err := w.out.Write(KeptBackName, w.source.WriteKept); err != nil {
			return err
		}
	}
	sum := sha512.New()
	err := w.out.Files(func(f File) error {
		if len(w.files) < maxNamed {
			w.files = append(w.files, f)
		}
		_, err := fmt.Fprintf(sum, "%s  %s\n", f.SHA512, f.Path)
		return err
	})
	w.list = hex.EncodeToString(sum.Sum(nil))
	return errors.Join(err, ctx.Err())
}

// infected takes out what is infected, each bytestream wrapped by itself. It stays in the list of
// what was kept back: the format has not got it.
func (w *work) infected(ctx context.Context) error {
	n := 0
	for c, err := range w.source.Captures(ctx) {
		if err != nil {
			return err
		}
		if !c.Infected {
			continue
		}
		n++
		_, err := w.out.Write(fmt.Sprintf("infected/%06d.zip", n), func(to io.Writer) error {
			return w.source.holdings.Quarantined(ctx, w.source.Who, c.Capture, to)
		})
		if err != nil {
			return fmt.Errorf("taking out what is infected at %s of %s: %w", c.URL, c.Timestamp, err)
		}
	}
	return nil
}

// install gives what was made its name.
func (w *work) install(ctx context.Context) (*Result, error) {
	r := &Result{
		ID: w.source.ID(), Version: fmt.Sprintf("v%d", w.source.Version().Number), As: w.format.Name,
		For: w.request.For, Path: w.request.Out,
		Files: w.out.count, Bytes: w.out.bytes, Captures: w.source.given, KeptBack: w.source.kept.counts,
	}
	var made string
	switch {
	case w.format.Single() && (len(w.files) != 1 || w.out.count != 1):
		return nil, fmt.Errorf("the format made %d files, not one", w.out.count)
	case w.format.Single():
		made, r.SHA512 = filepath.Join(w.place.Path(), filepath.FromSlash(w.files[0].Path)), w.files[0].SHA512
	case w.request.Zip:
		var err error
		if made, err = w.zip(ctx, r); err != nil {
			return nil, err
		}
	default:
		return r, w.place.Install(w.request.Out)
	}
	if err := disk.Absent(w.request.Out); err != nil {
		return nil, err
	}
	if err := os.Rename(made, w.request.Out); err != nil {
		return nil, err
	}
	return r, disk.SyncFolder(filepath.Dir(filepath.Clean(w.request.Out)))
}
