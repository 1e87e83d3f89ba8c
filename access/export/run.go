package export

import (
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"quire/holdings"
	"quire/internal/atomicdir"
	"quire/internal/disk"
	"quire/internal/extsort"
	"quire/repository/store"
)

// Request describes an export.
type Request struct {
	ID  string         // of the package
	As  string         // name of the format
	For holdings.Class // class of its readers; "" means Public
	Out string         // file or folder to create: must not exist; an empty folder is allowed
	By  string         // requester, for the event; "" for none

	// Version is the exported version; 0 is the newest. The rights and rules of today decide. Content
	// that the newest version no longer has is withheld, except from a bag of the package as stored.
	Version int

	Zip   bool  // put a folder format into a ZIP at Out
	Limit int64 // bytes for the output, and as many for temporary data; beyond, a *[LimitError]. 0 means no limit

	// Have is called before the export starts, with the state of the package (Source.State). If it
	// returns true, the export already exists, and Run returns ErrExists. It may be nil.
	Have func(state string) bool

	Packages []string // scope of a capability: see holdings.Reader
	Options  Options
	Progress Progress
}

// Result describes a finished export.
type Result struct {
	ID       string           `json:"id"`
	Version  string           `json:"version"` // of the package: "v2"
	As       string           `json:"as"`
	For      holdings.Class   `json:"for"`
	Path     string           `json:"path"`
	Files    int64            `json:"files"`
	Bytes    int64            `json:"bytes"`
	SHA512   string           `json:"sha512,omitempty"` // of the single file, or of the ZIP
	Captures int64            `json:"captures"`         // open to these readers
	KeptBack map[Reason]int64 `json:"kept_back"`        // withheld items, by reason
	Event    string           `json:"event"`            // file of the event in the log of the package
	Took     time.Duration    `json:"-"`
}

// Run exports a package. After an error, Request.Out is as before.
func Run(ctx context.Context, st *store.Store, h *holdings.Holdings, r Request, formats []Format) (*Result, error) {
	began := time.Now()
	w, err := begin(r, formats)
	if err != nil {
		return nil, err
	}
	if err := recordable(st.Writable()); err != nil {
		return nil, err
	}
	defer w.close()
	if err := w.prepare(ctx, st, h, filepath.Dir(filepath.Clean(r.Out))); err != nil {
		return nil, err
	}
	if r.Have != nil && r.Have(w.source.State()) {
		return nil, ErrExists
	}
	if err := w.make(ctx); err != nil {
		return nil, fmt.Errorf("export of %s as %s: %w", r.ID, r.As, err)
	}
	result, err := w.install(ctx)
	if err != nil {
		return nil, fmt.Errorf("export of %s as %s: %w", r.ID, r.As, err)
	}
	result.Took = time.Since(began)
	// The export is complete and must be recorded, even if the client has gone.
	return result, w.record(context.WithoutCancel(ctx), st, result)
}

// Forecast describes the result of an export before it is made.
type Forecast struct {
	ID       string           `json:"id"`
	Version  string           `json:"version"` // of the package: "v2"
	As       string           `json:"as"`
	For      holdings.Class   `json:"for"`
	Path     string           `json:"path"`
	Captures int64            `json:"captures"`  // that these readers may have
	KeptBack map[Reason]int64 `json:"kept_back"` // how much of the package would not be in it, by the reason
}

// Plan returns a forecast of Run. It writes nothing into the repository or to Request.Out. It
// judges every capture by its rights, and looks for the files of the package, but reads no capture. So the number of files and bytes, and
// the unreadable captures, become known only in Run. Holdings of a dry run are enough.
func Plan(ctx context.Context, st *store.Store, h *holdings.Holdings, r Request, formats []Format) (*Forecast, error) {
	w, err := begin(r, formats)
	if err != nil {
		return nil, err
	}
	if err := recordable(st.WouldWrite()); err != nil {
		return nil, err
	}
	defer w.close()
	if err := w.prepare(ctx, st, h, os.TempDir()); err != nil {
		return nil, err
	}
	needed := w.format.Needed(w.source, r.Options)
	if err := st.Look(ctx, r.ID, w.source.Version().Number, needed); err != nil {
		return nil, fmt.Errorf("export of %s as %s: %w", r.ID, r.As, err)
	}
	f := w.result()
	return &Forecast{f.ID, f.Version, f.As, f.For, f.Path, f.Captures, f.KeptBack}, nil
}

// recordable explains why a repository must be writable: the event of the export belongs in it.
func recordable(err error) error {
	if err != nil {
		err = fmt.Errorf("export: cannot record the export in the package: %w", err)
	}
	return err
}

// begin rejects an impossible request before any work is done.
func begin(r Request, formats []Format) (*work, error) {
	f, err := Find(formats, r.As)
	if err != nil {
		return nil, err
	}
	if r.For == "" {
		r.For = holdings.Public
	}
	if r.Options.Infected && (r.For != holdings.Staff || f.Single()) {
		return nil,
			errors.New("export: infected bytestreams are for curators only (--for staff), in a folder format")
	}
	if err := check(f.Single() || r.Zip, r.Out); err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	return &work{format: f, request: &r}, nil
}

// check verifies, before any work, that the export overwrites nothing.
func check(file bool, out string) error {
	if !file || out == "" {
		return atomicdir.Check(out)
	}
	if err := atomicdir.CheckParents(out); err != nil {
		return err
	}
	return disk.Absent(out)
}

// work is a running export.
type work struct {
	format  *Format
	request *Request
	place   *atomicdir.Workplace
	scratch *atomicdir.Workplace
	source  *Source
	out     *Output
	files   []File // the first files, for the event
	list    string // SHA-512 of the list that sha512sum would write
}

// close removes temporary files.
func (w *work) close() {
	if w.source != nil {
		w.source.close()
	}
	if w.out != nil {
		_ = w.out.Close() // temporary files
	}
	for _, p := range []*atomicdir.Workplace{w.place, w.scratch} {
		if p != nil {
			_ = p.Remove() // the next run sweeps leftovers; after Install the folder is empty
			p.Close()
		}
	}
}

// prepare looks up the content to export. It makes its folders in parent.
func (w *work) prepare(ctx context.Context, st *store.Store, h *holdings.Holdings, parent string) (err error) {
	if w.place, err = atomicdir.New(parent); err != nil {
		return err
	}
	if w.scratch, err = atomicdir.New(parent); err != nil {
		return err
	}
	w.request.Progress.Start("looking up captures", 0)
	if err := h.Ready(ctx); err != nil { // captures not indexed yet would be missing without a notice
		return err
	}
	if w.source, err = open(ctx, st, h, w.request, w.scratch.Path()); err != nil {
		return err
	}
	if err := w.empty(); err != nil {
		return err
	}
	w.out = &Output{
		Options: w.request.Options, dir: w.place.Path(), scratch: w.scratch.Path(), progress: w.request.Progress,
		files: extsort.New(extsort.Options{Dir: w.scratch.Path()}), written: &bound{ctx.Err, w.request.Limit, 0},
		beside: &bound{ctx.Err, w.request.Limit, 0},
	}
	return nil
}

// make runs the format, and checks that the list of withheld content exists.
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
		return errors.New("the format did not write the list of withheld content")
	default:
		if _, err := w.out.Write(WithheldName, w.source.WriteWithheld); err != nil {
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

// infected exports infected bytestreams, each in its own ZIP. They stay in the list of withheld
// content, because the format itself omits them.
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
			return fmt.Errorf("exporting the infected bytestream at %s of %s: %w", c.URL, c.Timestamp, err)
		}
	}
	return nil
}

func (w *work) result() *Result {
	return &Result{
		ID: w.source.ID(), Version: fmt.Sprintf("v%d", w.source.Version().Number), As: w.format.Name,
		For: w.request.For, Path: w.request.Out,
		Files: w.out.count, Bytes: w.out.bytes, Captures: w.source.given, KeptBack: w.source.kept.counts,
	}
}

// install moves the export to its destination.
func (w *work) install(ctx context.Context) (*Result, error) {
	r := w.result()
	var made string
	switch {
	case w.format.Single() && (len(w.files) != 1 || w.out.count != 1):
		return nil, fmt.Errorf("the format wrote %d files instead of one", w.out.count)
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
