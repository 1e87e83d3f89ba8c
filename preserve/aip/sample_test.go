package aip

import (
	"bytes"
	"crypto/sha512"
	"encoding/hex"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/metadata/containermd"
	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
)

// sample is a small package of a test: path → bytes, with changes to its METS.
type sample struct {
	files map[string]string
	edit  func(mets string) string // applied before the sidecar is made, so that it matches
	undo  map[string]string        // path of a container → the transformation in its file element
	parts map[string][]node        // path of a container → the nodes in its file element
	again map[string][]node        // group → the nodes of the first container where it is listed again
	links bool                     // the structure has links, and areas in FILE-c1-s1 and FILE-c1-b2
}

var (
	sampleFirst = time.Date(2008, 4, 30, 20, 48, 25, 0, time.UTC)
	sampleLast  = time.Date(2008, 4, 30, 20, 53, 31, 0, time.UTC)
)

// ordinary returns a package with two containers and a log. One is in a folder; one has a name that
// needs encoding.
func ordinary() sample {
	return sample{files: map[string]string{
		"containers/a.warc.gz":         "bytes that the METS calls a container",
		"containers/second/b é%1.warc": "other bytes",
		"logs/crawl.log":               "one line\n",
	}}
}

func (s sample) paths(parent string) []string {
	var paths []string
	for path := range s.files {
		if strings.HasPrefix(path, parent+"/") {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

func sumOf(text string) string {
	sum := sha512.Sum512([]byte(text))
	return hex.EncodeToString(sum[:])
}

// contents returns all files of the package, including mets.xml and its sidecar.
func (s sample) contents(t testing.TB) map[string]string {
	t.Helper()
	text := s.mets(t)
	if s.edit != nil {
		edited := s.edit(text)
		if edited == text {
			t.Fatal("the edit of the METS changes nothing")
		}
		text = edited
	}
	all := map[string]string{METSName: text, DigestName: string(DigestLine(sumOf(text)))}
	for path, content := range s.files {
		all[path] = content
	}
	return all
}

// write writes the package folder.
func (s sample) write(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "package")
	for path, content := range s.contents(t) {
		put(t, dir, path, content)
	}
	return dir
}

func put(t testing.TB, dir, path, content string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// mets writes the description, by clause 2 of docs/reference/310_package-format.md.
func (s sample) mets(t testing.TB) string {
	t.Helper()
	var out bytes.Buffer
	w := mets.NewWriter(&out, mets.Options{})
	w.Start(mets.Root{ObjID: "sample-20080430-0a1b2c3d", Label: "A sample", Type: Type, Profile: Profile})
	w.Header(mets.Header{Created: time.Date(2026, 1, 15, 10, 0, 0, 0, time.UTC), RecordStatus: "NEW",
		Agents: []mets.Agent{{Role: "CREATOR", Type: "OTHER", OtherType: "SOFTWARE", Name: "a test"}}})
	w.Dmd(wrapped(WebsiteDmdID, "MODS"), func(x *xmlstream.Writer) error {
		return mods.Write(x, mods.Record{Content: mods.Content{Titles: []mods.Title{{Title: "A sample"}},
			Origins: []mods.Origin{mods.Captured(sampleFirst, sampleLast)}}})
	})
	w.StartAmdSec(PackageAmdID)
	w.Digiprov(wrapped(DigestEventID, "PREMIS:EVENT"), func(x *xmlstream.Writer) error {
		return premis.WriteEvent(x, premis.Event{Identifier: premis.Identifier{Type: "local", Value: DigestEventID},
			Type: premis.EventType("message digest calculation"), DateTime: "2026-01-15T10:00:00Z",
			Objects: []premis.Link{{Identifier: premis.Identifier{Type: "local", Value: ContainerObjID(1)}}}})
	})
	w.EndAmdSec()
	for i, path := range s.paths(ContainersDir) {
		s.amdSec(w, i+1, path)
	}
	w.StartFileSec("")
	s.fileGrp(w, UseContainers, ContainersDir)
	s.fileGrp(w, UseLogs, LogsDir)
	for _, use := range slices.Sorted(maps.Keys(s.again)) {
		s.listedAgain(w, use)
	}
	w.EndFileSec()
	s.structMap(w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func wrapped(id, mdType string) mets.Section {
	return mets.Section{ID: id, Wrap: &mets.Wrap{MetadataType: mets.MetadataType{MDType: mdType}}}
}

func (s sample) amdSec(w *mets.Writer, n int, path string) {
	content := s.files[path]
	size := xmlstream.IntOf(int64(len(content)))
	w.StartAmdSec(ContainerAmdID(n))
	w.Tech(wrapped(ContainerObjID(n), "PREMIS:OBJECT"), func(x *xmlstream.Writer) error {
		return premis.WriteObject(x, premis.Object{
			Category: premis.File, Identifiers: []premis.Identifier{{Type: "local", Value: ContainerObjID(n)}},
			Characteristics: []premis.Characteristics{{
				Fixity:  []premis.Fixity{{Algorithm: premis.HashFunction("SHA-512"), Digest: sumOf(content)}},
				Size:    size,
				Formats: []premis.Format{{Name: premis.Text("WARC")}},
			}},
		})
	})
	section := wrapped(ContainerMDID(n), "OTHER")
	section.Wrap.OtherMDType = "containerMD"
	w.Tech(section, func(x *xmlstream.Writer) error {
		return containermd.Write(x, containermd.ContainerMD{
			Container:   containermd.Container{Formats: []containermd.FormatDesignation{{Names: []string{"application/warc"}}}},
			Information: &containermd.Information{Sums: containermd.Sums{Number: int64(max(10*n, len(s.parts[path])))}},
		}, containermd.Options{Version: containermd.Version12})
	})
	w.EndAmdSec()
}

func (s sample) fileGrp(w *mets.Writer, use, parent string) {
	paths := s.paths(parent)
	if len(paths) == 0 {
		return
	}
	w.StartFileGrp(mets.FileGrp{Use: use})
	for i, path := range paths {
		f := mets.File{
			FileCore: mets.FileCore{MIMEType: "text/plain", Size: xmlstream.IntOf(int64(len(s.files[path]))),
				Checksum: sumOf(s.files[path]), ChecksumType: "SHA-512"},
			AdmID:     []string{DigestEventID},
			Locations: []mets.FLocat{{Location: mets.Location{LocType: "URL", Href: mets.Href(path)}}},
		}
		if use == UseContainers {
			f.ID, f.AdmID = ContainerFileID(i+1), append(f.AdmID, ContainerObjID(i+1), ContainerMDID(i+1))
		} else {
			f.ID = LogFileID(i + 1)
		}
		if s.undo[path] != "" {
			f.Transforms = transformFiles(s.undo[path])
		}
		w.StartFile(f)
		writeNodes(w, s.parts[path])
		w.EndFile()
	}
	w.EndFileGrp()
}

func (s sample) structMap(w *mets.Writer) {
	w.StartStructMap(mets.StructMap{Type: "logical"})
	w.StartDiv(mets.Div{Type: "website", DmdID: []string{WebsiteDmdID}})
	for i := range s.paths(ContainersDir) {
		w.StartDiv(mets.Div{Type: "container"})
		w.Fptr(mets.Fptr{FileID: ContainerFileID(i + 1)})
		w.EndDiv()
	}
	if s.links {
		page(w, "page-1", "FILE-c1-s1")
		page(w, "page-2", "FILE-c1-b2")
	}
	w.EndDiv()
	w.EndStructMap()
	if s.links {
		w.StartStructLink("")
		w.SmLink(mets.SmLink{From: "page-1-link", To: "page-2"})
		w.SmLink(mets.SmLink{From: "page-2-link", To: "page-2"})
		w.EndStructLink()
	}
}

// page writes a page with one hyperlink.
func page(w *mets.Writer, label, file string) {
	w.StartDiv(mets.Div{Type: "web page", XLinkLabel: label})
	w.Fptr(mets.Fptr{FileID: file})
	w.StartDiv(mets.Div{Type: "hyperlink", XLinkLabel: label + "-link"})
	w.Fptr(mets.Fptr{Area: &mets.Area{FileID: file, Begin: "15", End: "21", BEType: "BYTE"}})
	w.EndDiv()
	w.EndDiv()
}

// swap returns an edit that replaces the first occurrence of a text.
func swap(from, to string) func(string) string {
	return func(s string) string { return strings.Replace(s, from, to, 1) }
}

// cut returns an edit that removes the text from the first occurrence of one text to the end of
// another.
func cut(from, to string) func(string) string {
	return func(s string) string {
		begin := strings.Index(s, from)
		end := strings.Index(s, to)
		if begin < 0 || end < begin {
			return s
		}
		return s[:begin] + s[end+len(to):]
	}
}
