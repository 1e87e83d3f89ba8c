package survey

import (
	"time"

	"quire/model"
)

// Survey is what a source holds.
type Survey struct {
	Sources        []string        `json:"sources"`  // as given
	Harvests       []HarvestSurvey `json:"harvests"` // in the order of their places
	Opened         []File          `json:"opened"`   // archives in which harvests lie
	Unclaimed      []Unclaimed     `json:"unclaimed"`
	UnclaimedTotal int64           `json:"unclaimed_total"` // Unclaimed may list fewer
	Findings       []model.Finding `json:"findings"`        // about folders and archives: what was refused
}

// Recognised says whether there is a harvest that could be read, all could, and nothing was refused
// that might be content.
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

// HarvestSurvey is one harvest, and why it is one.
type HarvestSurvey struct {
	System  string   `json:"system"`
	Path    string   `json:"path"`    // on this machine, through the archives around it
	Archive string   `json:"archive"` // path within the source of the archive it lies in, "" when in none
	Root    string   `json:"root"`    // folder in there, "." for all of it
	Why     []string `json:"why"`     // what it was recognised by
	Error   string   `json:"error"`   // why it could not be read; the rest is then empty

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
	Scope        []string      `json:"scope"`       // rules of what belongs to the harvest, in their order
	ScopeTotal   int64         `json:"scope_total"` // Scope may list fewer
	Limits       []model.Field `json:"limits"`
	Counted      []model.Field `json:"counted"` // what the system counted, in its own words

	Description model.Description `json:"description"`
	Rights      model.Rights      `json:"rights"`

	Start         time.Time           `json:"start"`
	End           time.Time           `json:"end"`
	EndReason     string              `json:"end_reason"`
	Documentation model.Documentation `json:"documentation"`

	Files      []RoleCount      `json:"files"` // by role
	FilesTotal int64            `json:"files_total"`
	BytesTotal int64            `json:"bytes_total"`
	Listed     []File           `json:"listed_files"`   // all files, when asked for
	Missing    []string         `json:"missing_files"`  // that its documents list, and that are not there
	Restricted []Restricted     `json:"restricted"`     // must not be shown to everyone
	Foreign    []Foreign        `json:"foreign"`        // containers of other harvests in which its duplicates lie
	Mirror     bool             `json:"mirror"`         // its content lies in files of its own, not in containers
	Outcomes   *Outcomes        `json:"outcomes"`       // of the URLs, when asked for
	Overridden []Overridden     `json:"overridden"`     // what others recognised in its files
	Evidence   []model.Evidence `json:"evidence"`       // where each fact comes from
	Findings   []model.Finding  `json:"findings"`       // about its files and logs
	Counts     map[string]int64 `json:"finding_counts"` // by code; Findings may list fewer of those about logs
}

// RoleCount is how many files have a role.
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

// Restricted is a file that must not be shown to everyone.
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

// Overridden is what another reader took the files for.
type Overridden struct {
	System string   `json:"system"`
	Root   string   `json:"root"`
	Lost   int64    `json:"files_lost"` // to this harvest
	Kept   bool     `json:"kept"`       // it is a harvest all the same, with the rest of its files
	Why    string   `json:"why"`
	Marks  []string `json:"marks"` // what it was recognised by
}

// Unclaimed is a file that belongs to nothing.
type Unclaimed struct {
	Path string `json:"path"`
	Size int64  `json:"size"`
	Why  string `json:"why"`
}

// Outcomes says what became of the URLs that the log tells of.
type Outcomes struct {
	Total      int64       `json:"total"`      // lines
	Captured   int64       `json:"captured"`   // with content
	Duplicates int64       `json:"duplicates"` // of the captured: content that another record has
	Missed     []MissCount `json:"missed"`     // without content, and why
}

// MissCount is how many URLs have no content for one reason.
type MissCount struct {
	Reason model.Miss `json:"reason"`
	Count  int64      `json:"count"`
}
