package survey

import (
	"time"

	"quire/model"
)

// Survey is the content of a source.
type Survey struct {
	Sources        []string        `json:"sources"`  // as given
	Harvests       []HarvestSurvey `json:"harvests"` // in the order of their places
	Opened         []File          `json:"opened"`   // archives that contain harvests
	Unclaimed      []Unclaimed     `json:"unclaimed"`
	UnclaimedTotal int64           `json:"unclaimed_total"` // Unclaimed may list fewer
	Findings       []model.Finding `json:"findings"`        // about folders and archives: refused parts
}

// Recognised reports whether there is a harvest, all harvests could be read, and no possible
// content was refused.
func (s *Survey) Recognised() bool {
	for i := range s.Harvests {
		if s.Harvests[i].Error != "" {
			return false
		}
	}
	for _, f := range s.Findings {
		if f.Severity == model.Error {
			return false
		}
	}
	return len(s.Harvests) > 0
}

// HarvestSurvey describes one harvest, with the reasons for recognising it.
type HarvestSurvey struct {
	System  string   `json:"system"`
	Path    string   `json:"path"`    // on this machine, through the archives around it
	Archive string   `json:"archive"` // path within the source of its archive; "" for none
	Root    string   `json:"root"`    // folder in it, "." for all
	Why     []string `json:"why"`     // evidence for recognising it
	Error   string   `json:"error"`   // why it could not be read; the other fields are then empty

	ID         string `json:"id"`
	Collection string `json:"collection"`
	Title      string `json:"title"`
	Note       string `json:"note"`

	Software     string        `json:"software"`
	Operator     string        `json:"operator"`
	Organization string        `json:"organization"`
	Contact      string        `json:"contact"`
	UserAgent    string        `json:"user_agent"`
	Robots       string        `json:"robots"`
	Host         string        `json:"host"`
	Seeds        []string      `json:"seeds"`
	SeedsTotal   int64         `json:"seeds_total"` // Seeds may list fewer
	Scope        []string      `json:"scope"`       // rules of the scope, in order
	ScopeTotal   int64         `json:"scope_total"` // Scope may list fewer
	Limits       []model.Field `json:"limits"`
	Counted      []model.Field `json:"counted"` // counts of the system, under the names it uses

	Description model.Description `json:"description"`
	Rights      model.Rights      `json:"rights"`

	Start         time.Time           `json:"start"`
	End           time.Time           `json:"end"`
	EndReason     string              `json:"end_reason"`
	Documentation model.Documentation `json:"documentation"`

	Files      []RoleCount      `json:"files"` // by role
	FilesTotal int64            `json:"files_total"`
	BytesTotal int64            `json:"bytes_total"`
	Listed     []File           `json:"listed_files"`   // all files, if requested
	Missing    []string         `json:"missing_files"`  // listed in its documents, but missing
	Restricted []Restricted     `json:"restricted"`     // not public
	Foreign    []Foreign        `json:"foreign"`        // containers of other harvests with its duplicates' originals
	Mirror     bool             `json:"mirror"`         // its content is in separate files, not in containers
	Outcomes   *Outcomes        `json:"outcomes"`       // of the URLs, if requested
	Overridden []Overridden     `json:"overridden"`     // claims of other readers to its files
	Evidence   []model.Evidence `json:"evidence"`       // the source of each fact
	Findings   []model.Finding  `json:"findings"`       // about its files and logs
	Counts     map[string]int64 `json:"finding_counts"` // by code; Findings may list fewer of those about logs
}

// RoleCount is the number of files with a role.
type RoleCount struct {
	Role  model.Role `json:"role"`
	Count int64      `json:"count"`
	Bytes int64      `json:"bytes"`
}

// File is a file of a harvest, or an archive.
type File struct {
	Path string     `json:"path"`
	Size int64      `json:"size"`
	Role model.Role `json:"role"`
}

// Restricted is a file that is not public.
type Restricted struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Foreign is a container of another harvest.
type Foreign struct {
	Name       string `json:"name"`
	Job        string `json:"job"`
	Duplicates int64  `json:"duplicates"`
}

// Overridden is an overruled claim of another reader.
type Overridden struct {
	System string   `json:"system"`
	Root   string   `json:"root"`
	Lost   int64    `json:"files_lost"` // to this harvest
	Kept   bool     `json:"kept"`       // it remains a harvest with its other files
	Why    string   `json:"why"`
	Marks  []string `json:"marks"` // evidence for recognising it
}

// Unclaimed is a file that belongs to no harvest.
type Unclaimed struct {
	Path string `json:"path"`
	Size int64  `json:"size"`
	Why  string `json:"why"`
}

// Outcomes has the outcomes of the URLs in the log.
type Outcomes struct {
	Total      int64       `json:"total"`      // lines
	Captured   int64       `json:"captured"`   // with content
	Duplicates int64       `json:"duplicates"` // of the captured: another record has the content
	Missed     []MissCount `json:"missed"`     // without content, by reason
}

// MissCount is the number of URLs without content for one reason.
type MissCount struct {
	Reason model.Miss `json:"reason"`
	Count  int64      `json:"count"`
}
