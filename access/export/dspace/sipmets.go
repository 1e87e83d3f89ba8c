package dspace

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"path"
	"strconv"
	"strings"
	"time"

	"quire/access/export"
	"quire/access/export/about"
	"quire/access/export/unpack"
	"quire/metadata/dc"
	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/metadata/xmlstream"
	"quire/preserve/pages"
)

// sipProfile is the beginning of the profile name that DSpace requires.
const sipProfile = "DSpace METS SIP Profile 1.0"

// The IDs of the descriptions. DSpace reads one section of a GROUPID: it prefers MODS to Dublin
// Core.
const (
	modsID  = "DMD-mods"
	dcID    = "DMD-dc"
	groupID = "GRP-description"

	dimID    = "DMD-dim"
	dimGroup = "GRP-dim" // DSpace reads sections of other groups in addition
)

// mets writes the manifest. DSpace uses links as entry names without decoding them, so all names
// are literal. It reads the first division of the first structMap: its descriptions, and the
// primary file. The second structMap and the links serve other tools and later use.
func (p *sip) mets(out io.Writer) error {
	w := mets.NewWriter(out, mets.Options{})
	w.Start(mets.Root{ObjID: p.about.ID, Label: p.about.Title, Type: "DSpace ITEM", Profile: sipProfile,
		Namespaces: mets.WebArchive})
	w.Header(mets.Header{Created: p.date,
		Agents: []mets.Agent{{Role: "CREATOR", Type: "OTHER", OtherType: "SOFTWARE", Name: p.source.Software()}}})
	wrap := func(id, kind, version string, write mets.Payload) {
		w.Dmd(mets.Section{ID: id, GroupID: groupID,
			Wrap: &mets.Wrap{MetadataType: mets.MetadataType{MDType: kind, MDTypeVersion: version}}}, write)
	}
	plain := submission(p.about.MODS)
	wrap(modsID, "MODS", mods.Version, func(x *xmlstream.Writer) error { return mods.Write(x, plain) })
	wrap(dcID, "DC", "", func(x *xmlstream.Writer) error { return dc.Write(x, about.DC(&p.about.MODS.Content)) })
	w.Dmd(mets.Section{ID: dimID, GroupID: dimGroup,
		Wrap: &mets.Wrap{MetadataType: mets.MetadataType{MDType: "OTHER", OtherMDType: "DIM"}}},
		func(x *xmlstream.Writer) error { return writeDIM(x, p.dim()) })
	w.StartFileSec("")
	for _, bundle := range []string{Original, Metadata} {
		if err := p.fileGrp(w, bundle); err != nil {
			return err
		}
	}
	w.EndFileSec()
	if err := p.structure(w); err != nil {
		return err
	}
	linked, err := p.website(w)
	if err != nil {
		return err
	}
	if linked {
		if err := p.structLink(w); err != nil {
			return err
		}
	}
	return w.Close()
}

// fileGrp writes the files of a bundle. METS calls the bundle ORIGINAL CONTENT.
func (p *sip) fileGrp(w *mets.Writer, bundle string) error {
	use := bundle
	if bundle == Original {
		use = "CONTENT"
	}
	w.StartFileGrp(mets.FileGrp{Use: use})
	err := p.files.Each(func(b bitstream) error {
		if b.Bundle == bundle {
			w.File(mets.File{ID: fileID(b.Name), OwnerID: b.URL,
				FileCore: mets.FileCore{MIMEType: b.MIME, Size: xmlstream.IntOf(b.Size),
					Created: created(b.Timestamp), Checksum: b.SHA256, ChecksumType: "SHA-256"},
				Locations: []mets.FLocat{{Location: mets.Location{LocType: "URL", Href: mets.Href(b.Name)}}}})
		}
		return w.Err()
	})
	w.EndFileGrp()
	return err
}

// structure writes the structMap for DSpace.
func (p *sip) structure(w *mets.Writer) error {
	w.StartStructMap(mets.StructMap{Type: "LOGICAL", Label: "DSpace Object"})
	w.StartDiv(mets.Div{Type: "DSpace Object Contents", Label: p.about.Title, DmdID: []string{modsID, dcID, dimID}})
	if p.primary != "" {
		w.Fptr(mets.Fptr{FileID: p.primary})
	}
	err := p.files.Each(func(b bitstream) error {
		w.StartDiv(mets.Div{Type: "DSpace Content Bitstream"})
		w.Fptr(mets.Fptr{FileID: fileID(b.Name)})
		w.EndDiv()
		return w.Err()
	})
	w.EndDiv()
	w.EndStructMap()
	return err
}

// website writes the structMap of the website: its pages, their links as byte ranges in the file,
// and its other files. It reports whether any link leads to a file.
func (p *sip) website(w *mets.Writer) (linked bool, err error) {
	next, stop := pull(p.links)
	defer stop()
	l, more, err := next()
	if err != nil {
		return false, err
	}
	w.StartStructMap(mets.StructMap{Type: "LOGICAL", Label: "Website"})
	w.StartDiv(mets.Div{Type: "website", Label: p.about.Title})
	err = p.files.Each(func(b bitstream) error {
		if b.URL == "" {
			return nil
		}
		kind := "associated object"
		if b.Page {
			kind = "web page"
		}
		w.StartDiv(mets.Div{Type: kind, Label: firstOf(b.Title, unpack.Printable(b.URL)),
			OrderLabel: unpack.When(b.Timestamp), XLinkLabel: pageLabel(b.Name)})
		w.Fptr(mets.Fptr{FileID: fileID(b.Name)})
		for n := 1; more && l.From == b.Name; n++ {
			if !p.lost[l.To] {
				linked = true
				p.link(w, &l, n)
			}
			if l, more, err = next(); err != nil {
				return err
			}
		}
		w.EndDiv()
		return w.Err()
	})
	w.EndDiv()
	w.EndStructMap()
	return linked, err
}

// link writes a link as a division: the byte range of its tag in the file. Begin and End are
// inclusive, and count from 0.
func (p *sip) link(w *mets.Writer, l *link, n int) {
	w.StartDiv(mets.Div{Type: l.Kind, XLinkLabel: linkLabel(l.From, n)})
	w.Fptr(mets.Fptr{Area: &mets.Area{FileID: fileID(l.From), Begin: strconv.FormatInt(l.Begin, 10),
		End: strconv.FormatInt(l.End, 10), BEType: "BYTE"}})
	w.EndDiv()
}

// structLink writes the targets of the links.
func (p *sip) structLink(w *mets.Writer) error {
	w.StartStructLink("")
	from, n := "", 0
	err := p.links.Each(func(l link) error {
		if l.From != from {
			from, n = l.From, 0
		}
		if n++; !p.lost[l.To] {
			w.SmLink(mets.SmLink{From: linkLabel(l.From, n), To: pageLabel(l.To), Title: l.Kind})
		}
		return w.Err()
	})
	w.EndStructLink()
	return err
}

// target returns the file that a link refers to. ok is false if the link refers to something else.
func target(from string, l pages.Link) (string, bool) {
	href := string(l.Href)
	if i := strings.IndexByte(href, '#'); i >= 0 {
		href = href[:i]
	}
	if href == "" || l.Cut || strings.ContainsAny(href, ":?&\\") || href[0] == '/' {
		return "", false
	}
	to := path.Join(path.Dir(from), href)
	if to == unpack.Dead || strings.HasPrefix(to, "../") {
		return "", false
	}
	return to, true
}

// fileID, pageLabel and linkLabel derive IDs from file names, so no table of IDs is needed.
func fileID(name string) string    { return "F-" + short(name) }
func pageLabel(name string) string { return "P-" + short(name) }
func linkLabel(name string, number int) string {
	return "L-" + short(name) + "-" + strconv.Itoa(number)
}

func short(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:10])
}

func created(timestamp string) time.Time {
	t, err := time.Parse("20060102150405", timestamp)
	if err != nil {
		return time.Time{}
	}
	return t
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// counted counts and digests written bytes.
type counted struct {
	to  io.Writer
	sum hash.Hash
	n   int64
}

// Write implements io.Writer.
func (c *counted) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	_, _ = c.sum.Write(p[:n]) // a hash never fails
	return n, err
}

var _ unpack.Sink = (*export.Output)(nil).Write
