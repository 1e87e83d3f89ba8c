package facts

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"

	"quire/metadata/mets"
)

func (r *reader) structMap(m mets.StructMap) error {
	r.logical, r.harvest, r.divs = m.Type == "logical", 0, nil
	return nil
}

func (r *reader) div(d mets.Div, depth int) error {
	if err := r.rights.Div(d, depth); err != nil || !r.logical {
		return err
	}
	var ids []string
	for _, id := range d.DmdID {
		if r.Descriptions[id] != nil {
			ids = append(ids, id)
		}
	}
	r.divs = append(r.divs, ids)
	switch {
	case depth == 0:
		r.Website = ids
	case depth == 1 && d.Type == "harvest":
		r.Harvests = append(r.Harvests,
			Harvest{ID: d.OrderLabel, Label: d.Label, Descriptions: ids, Events: slices.Clone(d.AdmID)})
		r.harvest = len(r.Harvests)
	case depth == 1:
		r.harvest = 0
	}
	return nil
}

func (r *reader) endDiv() error {
	if len(r.divs) > 0 {
		r.divs = r.divs[:len(r.divs)-1]
	}
	return nil
}

func (r *reader) fptr(f mets.Fptr) error {
	if !r.logical || len(r.divs) == 0 {
		return nil
	}
	id := f.FileID
	switch {
	case f.Area != nil:
		id = f.Area.FileID
	case len(f.Par) > 0:
		id = f.Par[0].FileID // the page itself; its other files follow
	}
	if c := r.byFile[id]; c != nil {
		if c.Harvest == 0 {
			c.Harvest = r.harvest
		}
		return nil
	}
	if i, ok := r.files[id]; ok {
		r.Files[i].Harvest = r.harvest
		return nil
	}
	r.pageAt(partID.FindStringSubmatch(id))
	return nil
}

// page reads a pointer to a page.
func (r *reader) page(href string) {
	if r.logical {
		r.pageAt(pagePointer.FindStringSubmatch(href))
	}
}

// pageAt records the description of a page whose container and record a pattern found.
func (r *reader) pageAt(m []string) {
	if len(r.divs) < 3 || m == nil {
		return
	}
	own := r.divs[len(r.divs)-1]
	n, err := strconv.Atoi(m[1])
	order, bad := strconv.ParseInt(m[2], 10, 64)
	if c := r.byNumber[n]; len(own) > 0 && c != nil && err == nil && bad == nil {
		r.Pages[Place{c.Path, order}] = own[0]
	}
}

// pagePointer matches the pointer to a page in the METS of a harvest's pages
// (docs/reference/310_package-format.md, 2.18).
var pagePointer = regexp.MustCompile(`#P-c([0-9]+)-b([0-9]+)$`)

// mptr reads a package of a collection, or a page that curators described.
func (r *reader) mptr(m mets.Mptr) error {
	if !r.IsCollection {
		r.page(m.Href)
		return nil
	}
	if id, err := url.PathUnescape(m.Href); err == nil && r.IsCollection && r.harvest > 0 && m.OtherLocType == "OBJID" {
		r.Members[id] = r.harvest
	}
	return nil
}
