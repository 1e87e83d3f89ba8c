package facts

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quire/metadata/mets"
	"quire/model"
	"quire/preserve/aip"
)

// partID matches the IDs of records and their parts (docs/reference/310_package-format.md, 2.8).
var partID = regexp.MustCompile(`^FILE-c([0-9]+)-[mrbs]([0-9]+)$`)

func (r *reader) file(f mets.File, at mets.FilePlace) error {
	if err := r.rights.File(f, at); err != nil {
		return err
	}
	use := f.Use
	if len(at.Groups) > 0 {
		use = at.Groups[0].Use
	}
	switch {
	case len(at.Files) == 0 && use == aip.UseViral:
		r.viralOf = r.containerAt(&f)
	case len(at.Files) == 0:
		r.viralOf = nil
		if use != aip.UseContainers {
			r.otherFile(&f, use)
			return nil
		}
		if c := r.containerAt(&f); c != nil {
			r.byFile[f.ID] = c
			if _, err := fmt.Sscanf(f.ID, "FILE-c%d", &c.Number); err == nil {
				r.byNumber[c.Number] = c
			}
			if restricted(f.AdmID) {
				c.Never, c.Restricted = "closed to the public", true
			}
		}
	case use == aip.UseViral && r.viralOf != nil:
		if m := partID.FindStringSubmatch(f.ID); m != nil {
			if order, err := strconv.ParseInt(m[2], 10, 64); err == nil {
				r.viralOf.Viral[order] = true
				if f.ChecksumType == string(model.SHA256) {
					r.viralOf.ViralSums = append(r.viralOf.ViralSums, strings.ToLower(f.Checksum))
				}
				return nil
			}
		}
		r.viralOf.Never = "infected records, not identified"
	case restricted(f.AdmID): // a part of a container: no other statement identifies its records
		if c := r.byFile[at.Files[0]]; c != nil {
			c.Never, c.Restricted = "partly closed to the public", true
		}
	}
	return nil
}

// otherFile records a file that is not a container, except files of groups that list containers
// again.
func (r *reader) otherFile(f *mets.File, use string) {
	if use != aip.UseLogs && use != aip.UseDocuments && use != aip.UseOriginals {
		return
	}
	for _, l := range f.Locations {
		path, err := mets.Path(l.Href)
		if err != nil {
			continue
		}
		out := File{Path: path, Use: use, Type: f.MIMEType, Size: -1, Restricted: restricted(f.AdmID)}
		if size, ok := f.Size.Get(); ok {
			out.Size = size
		}
		for _, why := range r.Rights.Files {
			if slices.Contains(f.AdmID, why.ID) {
				out.Why = strings.Join(append(notEmpty(out.Why), why.Why...), "; ")
			}
		}
		r.files[f.ID] = len(r.Files)
		r.Files = append(r.Files, out)
		return
	}
}

func notEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// containerAt returns the container at the path of a file element; nil for none.
func (r *reader) containerAt(f *mets.File) *Container {
	for _, l := range f.Locations {
		path, err := mets.Path(l.Href)
		if err != nil {
			continue
		}
		c := r.Containers[path]
		if c == nil {
			c = &Container{Path: path, Viral: map[int64]bool{}}
			r.Containers[path] = c
		}
		return c
	}
	return nil
}
