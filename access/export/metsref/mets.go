package metsref

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"time"

	"quire/access/address"
	"quire/access/export"
	"quire/access/export/about"
	"quire/access/export/unpack"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
)

// profile is the name of our METS profile.
const profile = "Quire web-archive references 1.0"

// keptNamespace is the namespace of the element around the list of withheld content, which is JSON.
const keptNamespace = "urn:quire:kept-back:1"

// writer writes one document.
type writer struct {
	*mets.Writer
	ctx    context.Context
	source *export.Source
	about  *about.Website
	replay address.Replay
	date   time.Time // of the version
}

// Make writes the METS document of s to out.
func Make(ctx context.Context, s *export.Source, out *export.Output) error {
	w := about.Of(s)
	_, err := out.Write(s.FileStem()+".xml", func(to io.Writer) error {
		d := &writer{Writer: mets.NewWriter(to, mets.Options{}), ctx: ctx, source: s, about: w,
			replay: address.Replay(strings.TrimRight(out.Options.Server, "/")),
			date:   s.Version().Created.UTC().Truncate(time.Second)}
		return d.write()
	})
	return err
}

func (w *writer) write() error {
	w.Start(mets.Root{ObjID: w.about.ID, Label: w.about.Title, Type: "Web archives", Profile: profile})
	w.Header(mets.Header{Created: w.date,
		Agents: []mets.Agent{{Role: "CREATOR", Type: "OTHER", OtherType: "SOFTWARE", Name: w.source.Software()}}})
	w.Dmd(mets.Section{ID: "DMD-website",
		Wrap: &mets.Wrap{MetadataType: mets.MetadataType{MDType: "MODS", MDTypeVersion: mods.Version}}},
		func(x *xmlstream.Writer) error { return mods.Write(x, w.about.MODS) })
	w.administrative()
	if err := w.files(); err != nil {
		return err
	}
	if err := w.structure(); err != nil {
		return err
	}
	return w.Close()
}

// administrative writes the list of withheld content, and the events.
func (w *writer) administrative() {
	w.StartAmdSec("AMD-package")
	w.Rights(mets.Section{ID: "RGT-kept-back",
		Wrap: &mets.Wrap{Label: "what was kept back",
			MetadataType: mets.MetadataType{MDType: "OTHER", OtherMDType: "quire-kept-back-1"}}},
		func(x *xmlstream.Writer) error {
			x.Declare("kept", keptNamespace)
			x.Start("kept:json")
			if err := w.source.WriteWithheld(textOf{x}); err != nil {
				return err
			}
			x.End("kept:json")
			return x.Err()
		})
	for i := range w.about.Events {
		e := w.about.Events[i]
		e.Identifier = premis.Identifier{Type: "local", Value: fmt.Sprintf("%s/event/%d", w.about.ID, i+1)}
		w.Digiprov(mets.Section{ID: fmt.Sprintf("EVT-%d", i+1),
			Wrap: &mets.Wrap{MetadataType: mets.MetadataType{MDType: "PREMIS:EVENT", MDTypeVersion: premis.Version}}},
			func(x *xmlstream.Writer) error { return premis.WriteEvent(x, e) })
	}
	w.EndAmdSec()
}

// textOf writes text into an element. Each write must end between characters; WriteKept ensures
// this.
type textOf struct{ x *xmlstream.Writer }

// Write implements io.Writer.
func (t textOf) Write(p []byte) (int, error) {
	t.x.Text(string(p))
	return len(p), t.x.Err()
}

// files writes a file for each open capture, in the order of the containers.
func (w *writer) files() error {
	begun := false
	for c, err := range w.source.Captures(w.ctx) {
		if err != nil {
			return err
		}
		if !c.Allowed {
			continue
		}
		if !begun {
			begun = true
			w.StartFileSec("")
			w.StartFileGrp(mets.FileGrp{Use: "Captures"})
		}
		w.file(c.Capture)
		if w.Err() != nil {
			return w.Err()
		}
	}
	if begun {
		w.EndFileGrp()
		w.EndFileSec()
	}
	return nil
}

// file writes one capture: its address, and for curators its place in the containers.
func (w *writer) file(c *captures.Capture) {
	f := mets.File{ID: fileID(c), OwnerID: c.URL, FileCore: mets.FileCore{MIMEType: c.MIME}}
	if c.Length >= 0 {
		f.Size = xmlstream.IntOf(c.Length)
	}
	if t, ok := address.Time(c.Timestamp); ok {
		f.Created = t
	}
	f.ChecksumType, f.Checksum = checksum(c.Digest)
	href := w.replay.Capture(address.In{Collection: w.about.ID}, c.Timestamp, address.Identity, c.URL)
	f.Locations = append(f.Locations, mets.FLocat{Location: uri(href, "replay")})
	if w.source.Who.Class == holdings.Staff {
		places := []*captures.Place{&c.Record}
		for i := 1; i < len(c.Record.Segments); i++ {
			places = append(places, c.Record.Part(i))
		}
		for _, p := range places {
			place := fmt.Sprintf("%s/v%d/%s#offset=%d&length=%d", w.about.ID, w.source.Version().Number, p.Container,
				p.Offset, p.Stored)
			f.Locations = append(f.Locations, mets.FLocat{Use: "record in a container of the repository",
				Location: mets.Location{LocType: "OTHER", OtherLocType: "quire-record", Href: mets.Href(place)}})
		}
	}
	w.File(f)
}

// uri returns a location that is a URL, or the part of it that METS accepts.
func uri(href, title string) mets.Location {
	if !xmlstream.IsURI(href) {
		href = mets.Href(href)
		return mets.Location{LocType: "OTHER", OtherLocType: "percent-encoded", Href: href, Title: title}
	}
	return mets.Location{LocType: "URL", Href: href, Title: title}
}

// structure writes the captures of each URL, the oldest first. A withheld capture has no file.
func (w *writer) structure() error {
	w.StartStructMap(mets.StructMap{Type: "logical", Label: "Website"})
	w.StartDiv(mets.Div{Type: "website", Label: w.about.Title, DmdID: []string{"DMD-website"}})
	w.Mptr(mets.Mptr{Location: mets.Location{LocType: "OTHER", OtherLocType: "quire-package",
		Href:  mets.Href(fmt.Sprintf("%s/v%d/mets.xml", w.about.ID, w.source.Version().Number)),
		Title: "METS of the package as it is stored"}})
	key := ""
	for c, err := range w.source.Search(w.ctx, captures.Query{}) {
		if err != nil {
			return err
		}
		if c.Key != key {
			if key != "" {
				w.EndDiv()
			}
			key = c.Key
			w.StartDiv(mets.Div{Type: "web resource", Label: unpack.Printable(c.URL)})
		}
		w.capture(&c)
		if w.Err() != nil {
			return w.Err()
		}
	}
	if key != "" {
		w.EndDiv()
	}
	w.EndDiv()
	w.EndStructMap()
	return nil
}

func (w *writer) capture(c *holdings.Judged) {
	when := unpack.When(c.Timestamp)
	if !c.Allowed {
		w.StartDiv(mets.Div{Type: "kept back", OrderLabel: when, Label: c.Message, AdmID: []string{"RGT-kept-back"}})
		w.EndDiv()
		return
	}
	w.StartDiv(mets.Div{Type: "capture", OrderLabel: when})
	w.Fptr(mets.Fptr{FileID: fileID(c.Capture)})
	w.EndDiv()
}

// fileID derives an ID from the place of a capture.
func fileID(c *captures.Capture) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", c.Record.Container, c.Record.Order))
	return "C-" + hex.EncodeToString(sum[:10])
}

// checksum returns the digest of a payload in the form of METS; "" if METS does not name its
// algorithm.
func checksum(digest string) (kind, value string) {
	algorithm, text, ok := strings.Cut(digest, ":")
	if !ok {
		return "", ""
	}
	kinds := map[string]string{"md5": "MD5", "sha1": "SHA-1", "sha256": "SHA-256", "sha512": "SHA-512"}
	kind = kinds[strings.ToLower(algorithm)]
	if kind == "" {
		return "", ""
	}
	if sum, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(
		strings.TrimRight(strings.ToUpper(text), "=")); err == nil && len(text) == 32 {
		text = hex.EncodeToString(sum)
	}
	return kind, text
}
