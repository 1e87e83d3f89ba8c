package harvest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"quire/format/warc"
	"quire/internal/disk"
	"quire/oai/client"
	"quire/source/oaiharvest"
)

// fileSink writes a file for each resource. It writes each statement about the resource to a file
// in the same folder, NAME=LABEL.txt.
type fileSink struct {
	*harvest
	seen    *seen
	written []string        // since the last commit
	folders map[string]bool // their folders

	explained map[string]bool // SWHIDs of the schemas written
}

// listed is a line of files.jsonl.
type listed struct {
	Path       string `json:"path"` // within the folder, slash-separated
	Part       string `json:"part"` // "content", or the kind of statement: as OAI-Part in a WARC file
	URI        string `json:"uri"`
	Identifier string `json:"identifier"`
	Datestamp  string `json:"datestamp"`
	MediaType  string `json:"media_type"`
	Size       int64  `json:"size"`
	SHA256     string `json:"sha256"`
	Label      string `json:"label,omitempty"` // of the tool, with version and failure
	Version    string `json:"version,omitempty"`
	Outcome    string `json:"outcome,omitempty"`
	Reason     string `json:"reason,omitempty"` // of the failure
	Tool       string `json:"tool,omitempty"`   // the program, or built-in tool
	Command    string `json:"command,omitempty"`
	Began      string `json:"began,omitempty"` // start of the run
	Jail       string `json:"jail,omitempty"`
	Problem    string `json:"problem,omitempty"` // the error in the bytes
	Window     int    `json:"window"`
}

func (s *fileSink) index() *seen { return s.seen }

func (s *fileSink) close() error { return s.seen.close() }

// crate writes the content of a CRATE.
func (s *fileSink) crate(k *crateRecord) error {
	base := ""
	for _, b := range k.bodies {
		if b.held == nil {
			continue
		}
		at, err := s.place(k.ctx, k.page, k.record, b.uri, "")
		if err != nil {
			return err
		}
		l := listed{Path: at, Part: "content", URI: b.uri, MediaType: b.MIMEType, Problem: b.problem}
		if err := s.put(k.page, k.record, l, b.held.Reader()); err != nil {
			return err
		}
		if base == "" {
			base = at
		}
	}
	uri := k.uri()
	if base == "" {
		at, err := s.place(k.ctx, k.page, k.record, uri, "=missing")
		if err != nil {
			return err
		}
		base = at
	}
	said := func(name, part, mediaType string, block []byte, l listed) error {
		l.Path, l.Part, l.URI, l.MediaType = base+"="+name, part, uri, mediaType
		return s.put(k.page, k.record, l, strings.NewReader(string(block)))
	}
	if err := said("facts.txt", PartFacts, "application/warc-fields", k.facts(), listed{}); err != nil {
		return err
	}
	if k.doc.Head != nil {
		if err := said("http-header.txt", PartHead, "text/plain", headBytes(k.doc.Head), listed{}); err != nil {
			return err
		}
	}
	if err := k.outputs(said); err != nil {
		return err
	}
	for i, st := range k.doc.Statements {
		if err := said(fmt.Sprintf("statement-%d%s", i+1, endingOf(statementType(&st))), PartStatement,
			statementType(&st), []byte(st.Content+st.Ref), listed{}); err != nil {
			return err
		}
	}
	if err := s.whole(k, base, uri); err != nil {
		return err
	}
	return s.abouts(k.page, k.record, base, uri)
}

// outputs writes the output of tools.
func (k *crateRecord) outputs(said func(name, part, mediaType string, block []byte, l listed) error) error {
	names := map[string]int{}
	for i := range k.doc.Results {
		r := &k.doc.Results[i]
		name := "tool-" + nameOf(r.Label)
		if names[strings.ToLower(name)]++; names[strings.ToLower(name)] > 1 {
			name += fmt.Sprintf("=%d", names[strings.ToLower(name)])
		}
		l := listed{Label: r.Label, Version: r.Version, Outcome: string(r.Outcome), Reason: r.Reason, Tool: r.Tool,
			Command: r.Command, Jail: r.Jail}
		if !r.Began.IsZero() {
			l.Began = warc.FormatDate(r.Began)
		}
		if err := said(name+endingOf(r.MIMEType), PartOutput, r.MIMEType, r.Bytes, l); err != nil {
			return err
		}
	}
	for i := range k.doc.Sources {
		if err := said(fmt.Sprintf("source-%d.xml", i+1), PartSource, "text/xml", []byte(k.doc.Sources[i].XML),
			listed{}); err != nil {
			return err
		}
	}
	return nil
}

// whole writes the document as received, if it is to be kept, and the schemas that it names.
func (s *fileSink) whole(k *crateRecord, base, uri string) error {
	if s.state.Documents {
		l := listed{Path: base + "=document.xml", Part: PartDocument, URI: uri, MediaType: "text/xml"}
		if err := s.put(k.page, k.record, l, k.record.Metadata()); err != nil {
			return err
		}
	}
	for _, x := range k.newSchemas(s.explained) {
		name := strings.ReplaceAll(x.SWHID, ":", "=") + "=" + x.File
		l := listed{Path: path.Join(oaiharvest.ContentDir, "=schemas", name), Part: PartSchema, URI: x.SWHID,
			MediaType: "application/xml"}
		if err := s.put(k.page, k.record, l, bytes.NewReader(x.Text)); err != nil {
			return err
		}
	}
	return nil
}

func (s *fileSink) abouts(p *page, r *client.Record, base, uri string) error {
	for i := range r.Abouts() {
		l := listed{Path: fmt.Sprintf("%s=about-%d.xml", base, i+1), Part: "about", URI: uri, MediaType: "text/xml"}
		if err := s.put(p, r, l, r.About(i)); err != nil {
			return err
		}
	}
	return nil
}

// document writes metadata unchanged, next to the file with the bytes that the metadata describe.
func (s *fileSink) document(p *page, r *client.Record) error {
	at, err := s.place(p.ctx, p, r, r.Identifier, "="+nameOf(p.state.Prefix)+".xml")
	if err != nil {
		return err
	}
	if err := s.put(p, r, listed{Path: at, Part: "metadata", URI: r.Identifier, MediaType: "text/xml"},
		r.Metadata()); err != nil {
		return err
	}
	return s.abouts(p, r, at, r.Identifier)
}

// deleted writes nothing: deleted.jsonl has the record, and earlier harvested files stay.
func (s *fileSink) deleted(*page, *client.Record) error { return nil }

// maxTwins is the maximum number of files in a folder that have the same name and differ only in an
// added number. Names of further files also get a digest.
const maxTwins = 100

// place returns an unused path for a URI. No file has the path in another case, and no folder has
// it.
func (s *fileSink) place(ctx context.Context, p *page, r *client.Record, uri, ending string) (string, error) {
	folders, name := pathOf(uri)
	at := oaiharvest.ContentDir
	for _, f := range folders {
		next := path.Join(at, f)
		for n := 2; ; n++ { // a file may have this name already
			isFile, err := s.seen.is("f " + strings.ToLower(next))
			if err != nil {
				return "", err
			}
			if !isFile {
				break
			}
			next = path.Join(at, fmt.Sprintf("%s=%d", f, n))
		}
		at = next
		if _, err := s.seen.path("d "+strings.ToLower(at), p.n); err != nil {
			return "", err
		}
	}
	for n := 1; ; n++ {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		if n == maxTwins { // avoid counting a million equal names for each
			sum := sha256.Sum256([]byte(uri + "\n" + r.Identifier + "\n" + recordKey(r)))
			name += "=" + hex.EncodeToString(sum[:8])
		}
		candidate := path.Join(at, name+ending)
		if n > 1 {
			candidate = path.Join(at, fmt.Sprintf("%s=%d%s", name, n, ending))
		}
		isFolder, err := s.seen.is("d " + strings.ToLower(candidate))
		if err != nil {
			return "", err
		}
		if isFolder {
			continue
		}
		free, err := s.seen.path("f "+strings.ToLower(candidate), p.n)
		if err != nil || free {
			return candidate, err
		}
	}
}

// put writes a file and lists it. The next commit syncs it to the disk.
func (s *fileSink) put(p *page, r *client.Record, l listed, content io.Reader) error {
	to := s.folder.at(filepath.FromSlash(l.Path))
	if err := s.makeFolders(filepath.Dir(to)); err != nil {
		return err
	}
	// An existing file is from a run that was killed before it listed the file.
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	sum := sha256.New()
	l.Size, err = io.Copy(io.MultiWriter(f, sum), content)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	s.written = append(s.written, to)
	l.Identifier, l.Datestamp, l.SHA256, l.Window = r.Identifier, r.DatestampText, hex.EncodeToString(sum.Sum(nil)),
		p.windowN()
	return s.folder.add(s.state, oaiharvest.FilesFile, l)
}

// makeFolders creates a folder and its parents.
func (s *fileSink) makeFolders(dir string) error {
	if s.folders[dir] {
		return nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for at := dir; len(at) >= len(s.folder.path); at = filepath.Dir(at) {
		s.folders[at] = true
		if at == filepath.Dir(at) {
			break
		}
	}
	return nil
}

// syncers is the number of files synced at once.
const syncers = 8

// commit syncs the written files to the disk.
func (s *fileSink) commit() error {
	names := make(chan string)
	errs := make(chan error, syncers)
	var done sync.WaitGroup
	for range syncers {
		done.Go(func() {
			var failed error
			for name := range names {
				failed = errors.Join(failed, syncFile(name))
			}
			errs <- failed
		})
	}
	for _, name := range s.written {
		names <- name
	}
	for dir := range s.folders {
		names <- dir
	}
	close(names)
	done.Wait()
	close(errs)
	var err error
	for e := range errs {
		err = errors.Join(err, e)
	}
	s.written, s.folders = s.written[:0], map[string]bool{}
	if err != nil {
		return err
	}
	return s.seen.commit()
}

// syncFile syncs a file or a folder.
func syncFile(name string) error {
	if info, err := os.Stat(name); err != nil || info.IsDir() {
		return errors.Join(err, disk.SyncFolder(name))
	}
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
