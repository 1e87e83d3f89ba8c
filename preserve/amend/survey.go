package amend

import (
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"strconv"
	"strings"

	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/preserve/aip"
	"quire/preserve/statements"
)

// survey holds the facts of a METS that an amendment needs.
type survey struct {
	id, title  string
	dialect    premis.Dialect
	rights     *statements.Set
	harvests   []string // the identifiers from their systems, by number from 1; "" if unknown
	amendments int      // earlier ones
	lastRights int      // the highest number of a rights section
	documents  int      // the highest number of a documentation file
	grantors   int      // the highest number of a grantor
	documented []file   // the documentation files
	pages      []file   // the METS documents of pages
	harvestIDs map[string]string

	containers  map[int]container // by number
	harvestOf   map[int]int       // by the number of a container, its harvest; 0 means none
	sheetRows   int               // descriptions of earlier sheets
	titleSource string            // of the website's title
	modsVersion string            // of the descriptions
	logical     bool              // the structMap that is read
	within      int               // the harvest that is read
	pageDivs    bool              // mets.xml lists pages itself
}

// file is a file element.
type file struct{ id, path string }

// container is the file element of a container.
type container struct {
	path   string
	size   int64
	sha512 string
}

// prefixes of the IDs of an amendment
const (
	eventPrefix   = "EVT-amend-"
	grantorPrefix = aip.AgentIDPrefix + "grantor-"
)

func eventID(n int) string { return eventPrefix + strconv.Itoa(n) }

// agentID returns the ID of an agent of an amendment.
func agentID(n int, role string) string {
	return fmt.Sprintf("%samend-%d-%s", aip.AgentIDPrefix, n, role)
}

// newSurvey reads the METS of a package, which must match its digest.
func newSurvey(pkg string) (*survey, error) {
	root, err := os.OpenRoot(pkg)
	if err != nil {
		return nil, err
	}
	defer root.Close() //nolint:errcheck // it was only read
	s := &survey{harvestIDs: map[string]string{}, containers: map[int]container{}, harvestOf: map[int]int{},
		modsVersion: mods.Version}
	if s.rights, err = statements.Load(root.FS()); err != nil {
		return nil, fmt.Errorf("%s: %w", pkg, err)
	}
	in, err := aip.Open(root.FS(), aip.METSName)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	err = mets.Read(in, mets.Handler{Root: s.root, Section: s.section, File: s.file,
		StructMap: s.structMap, Div: s.div, Fptr: s.fptr,
		Problem: func(mets.Problem) {}}) // quire validate reports them
	if err != nil {
		return nil, fmt.Errorf("%s in %s: %w", aip.METSName, pkg, err)
	}
	return s, nil
}

func (s *survey) root(r mets.Root) error {
	s.id, s.title = r.ObjID, r.Label
	if r.Profile == aip.CollectionProfile {
		return fmt.Errorf("%s is a collection: make it again from its file", r.ObjID)
	}
	return nil
}

// numbered returns the number at the end of an ID with a prefix, or 0.
func numbered(id, prefix string) int {
	rest, ok := strings.CutPrefix(id, prefix)
	n, err := strconv.Atoi(rest)
	if !ok || err != nil {
		return 0
	}
	return n
}

func (s *survey) section(sec mets.Section, payload *xmlstream.Reader) error {
	if sec.Wrap != nil && strings.HasPrefix(sec.Wrap.MDType, "PREMIS") &&
		strings.HasPrefix(sec.Wrap.MDTypeVersion, "2.") {
		s.dialect = premis.V22
	}
	s.amendments = max(s.amendments, numbered(sec.ID, eventPrefix))
	s.lastRights = max(s.lastRights, numbered(sec.ID, "RGT-"))
	s.grantors = max(s.grantors, numbered(sec.ID, grantorPrefix))
	if aip.IsSheetDmd(sec.ID) {
		s.sheetRows++
	}
	if sec.ID == aip.WebsiteDmdID && sec.Wrap != nil && payload != nil {
		return s.website(sec.Wrap.MDTypeVersion, payload)
	}
	if sec.Kind != mets.DigiprovMD || payload == nil || !strings.HasPrefix(sec.ID, aip.CaptureEventID) {
		return nil
	}
	payload.OnUnknown = func(string) {}
	e, err := aip.ReadEvent(payload)
	if err != nil {
		return err
	}
	for _, o := range e.Outcomes {
		for _, note := range o.Notes {
			if id, ok := strings.CutPrefix(note, "identifier there: "); ok {
				s.harvestIDs[sec.ID] = id
			}
		}
	}
	return nil
}

// website reads the source of the title, and the version, in the description of the website.
func (s *survey) website(version string, payload *xmlstream.Reader) error {
	if version == mods.Version34 {
		s.modsVersion = version
	}
	payload.OnUnknown = func(string) {}
	r, err := mods.Read(payload)
	if err != nil {
		return err
	}
	for _, n := range r.Notes {
		text, _, _ := strings.Cut(n.Text, datesSource)
		if source, ok := strings.CutPrefix(text, titleSource); ok && n.Type == "source of description" {
			s.titleSource = source
		}
	}
	return nil
}

func (s *survey) structMap(m mets.StructMap) error {
	s.logical, s.within = m.Type == "logical", 0
	return nil
}

// fptr notes the harvest of a container.
func (s *survey) fptr(f mets.Fptr) error {
	if n, ok := aip.NumberOf(f.FileID, aip.ContainerFileID); ok && s.logical {
		s.harvestOf[n] = s.within
	}
	return nil
}

// listsPages reports whether the METS has a div for each page.
func (s *survey) listsPages() bool { return len(s.pages) > 0 || s.pageDivs }

func (s *survey) file(f mets.File, at mets.FilePlace) error {
	if len(at.Files) > 0 || len(at.Groups) != 1 || len(f.Locations) != 1 {
		return nil
	}
	name, err := aip.PathOf(&f)
	if err != nil {
		return err
	}
	if n, ok := aip.NumberOf(f.ID, aip.ContainerFileID); ok && at.Groups[0].Use == aip.UseContainers {
		size, _ := f.Size.Get() // without one, no CDXJ lines fit
		s.containers[n] = container{name, size, f.Checksum}
	}
	switch at.Groups[0].Use {
	case aip.UseDocuments:
		s.documented = append(s.documented, file{f.ID, name})
		s.documents = max(s.documents, numbered(f.ID, "FILE-d"))
	case aip.UseMETS:
		if numbered(f.ID, "FILE-p") > 0 || f.ID == aip.PagesMETSFileID(0) {
			s.pages = append(s.pages, file{f.ID, name})
		}
	}
	return nil
}

func (s *survey) div(d mets.Div, depth int) error {
	s.pageDivs = s.pageDivs || s.logical && d.Type == aip.WebPage
	if depth == 1 {
		s.within = 0
	}
	if depth != 1 || d.Type != "harvest" {
		return nil
	}
	s.within = len(s.harvests) + 1
	id := ""
	for _, ref := range d.AdmID {
		if s.harvestIDs[ref] != "" {
			id = s.harvestIDs[ref]
		}
	}
	s.harvests = append(s.harvests, id)
	return nil
}

// rightsFile returns the documentation file that statements name as their source; nil if there is
// none.
func (s *survey) rightsFile() *file {
	for i := range s.documented {
		for k := range s.rights.Statements {
			if fromFile(&s.rights.Statements[k], path.Base(s.documented[i].path)) {
				return &s.documented[i]
			}
		}
	}
	return nil
}

// freeName returns a file name that no documentation file has, also no new one.
func (j *job) freeName(name string) string {
	ext := path.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	for n := 1; ; n++ {
		taken := false
		for i := range j.s.documented {
			taken = taken || strings.EqualFold(path.Base(j.s.documented[i].path), name)
		}
		for _, f := range j.documents {
			taken = taken || strings.EqualFold(f.name, name)
		}
		if !taken {
			return name
		}
		name = fmt.Sprintf("%s-%d%s", stem, n+1, ext)
	}
}

func sumOf(text []byte) string {
	sum := sha512.Sum512(text)
	return hex.EncodeToString(sum[:])
}
