package aip

import (
	"cmp"
	"maps"
	"math"
	"net/url"
	"slices"
	"strings"

	"quire/metadata/containermd"
	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/characterize"
)

// The limits of a package's numbers. Beyond them names are summed as one, and harvests and years as 0: a METS may
// state any number.
const (
	maxNumbers     = 2_000_000 // rows of all containers, while mets.xml is read
	maxNumberRows  = 100_000   // names by harvest and year
	maxNumberYears = 1_000     // harvests and years
	otherNumbers   = "(other)"
	// maxNumber bounds each number, so that the sums of thousands of packages stay below 2^63.
	maxNumber = 1 << 50
)

// numbers collects the numbers of a package from its containerMD. The harvests of the containers are known only
// at the end of mets.xml.
type numbers struct {
	exact      bool
	containers []numberedContainer
	rows       int
	names      map[string]string // each name once
	harvest    int
	inside     bool
	of         map[int]int     // harvest of each container
	compared   map[int]string  // outcome of the comparison of each harvest (clause 3.7)
	defined    map[string]bool // harvest definitions, targets and titles
}

type numberedContainer struct {
	n    int // of the container; 0 if its section has no number
	rows []model.Number
}

func newNumbers() *numbers {
	return &numbers{exact: true, names: map[string]string{}, of: map[int]int{},
		compared: map[int]string{}, defined: map[string]bool{}}
}

// container keeps the numbers of a container.
func (n *numbers) container(s *mets.Section, md *containermd.ContainerMD) {
	rows, exact := characterize.Numbers(md)
	n.exact = n.exact && exact
	if len(rows) > maxNumbers-n.rows {
		rows = collapsed(rows)
	}
	for i := range rows {
		r := &rows[i]
		known, ok := n.names[r.Name]
		if !ok {
			known = r.Name
			n.names[known] = known
		}
		r.Name = known
	}
	n.rows += len(rows)
	number, _ := NumberOf(s.ID, ContainerMDID)
	n.containers = append(n.containers, numberedContainer{number, slices.Clip(rows)})
}

// collapsed sums the rows of each criterion in one.
func collapsed(rows []model.Number) []model.Number {
	var sums []model.Number
	for _, r := range rows {
		at := slices.IndexFunc(sums, func(s model.Number) bool { return s.Kind == r.Kind })
		if at < 0 {
			r.Name = otherNumbers
			sums = append(sums, r)
			continue
		}
		sums[at].Count, sums[at].Bytes = capSum(sums[at].Count, r.Count), capSum(sums[at].Bytes, r.Bytes)
	}
	return sums
}

// handle adds the callbacks for the logical structMap (clause 2.7).
func (n *numbers) handle(h *mets.Handler) {
	logical := false
	depth := 0
	h.StructMap = func(m mets.StructMap) error { logical, depth = m.Type == "logical", 0; return nil }
	h.Div = func(d mets.Div, at int) error {
		depth = at
		if logical && at == 1 {
			if n.inside = d.Type == "harvest"; n.inside {
				n.harvest++
			}
		}
		return nil
	}
	h.EndDiv = func() error {
		if depth == 1 {
			n.inside = false
		}
		depth--
		return nil
	}
	h.Fptr = func(f mets.Fptr) error {
		if number, ok := NumberOf(f.FileID, ContainerFileID); ok && logical && n.inside && len(n.of) < maxContainers {
			n.of[number] = n.harvest
		}
		return nil
	}
}

// about reports whether a section has a fact that is counted: a comparison of a harvest, or a harvest definition.
func (n *numbers) about(s *mets.Section, e xmlstream.Element) bool {
	return IsCompletenessEvent(s.ID) && premis.IsEntity(e, "event") ||
		strings.HasPrefix(s.ID, definitionIDPrefix) && premis.IsEntity(e, "agent")
}

// definitionIDPrefix begins the IDs of harvest definitions, targets and titles (clause 2.4).
const definitionIDPrefix = AgentIDPrefix + "definition-"

// fact keeps such a fact. Those beyond the limits are left out.
func (n *numbers) fact(s *mets.Section, payload *xmlstream.Reader) error {
	if harvest, ok := NumberOf(s.ID, CompletenessEventID); ok {
		e, err := premis.ReadEvent(payload)
		if err == nil && len(e.Outcomes) > 0 && len(n.compared) < maxNumberYears {
			n.compared[harvest] = clip(e.Outcomes[0].Outcome.Text)
		}
		return err
	}
	a, err := premis.ReadAgent(payload)
	if err == nil && len(a.Names) > 0 && len(n.defined) < maxNumberYears {
		n.defined[clip(a.Names[0].Text)] = true
	}
	return err
}

// facts adds the rows of harvests and of the package.
func (n *numbers) facts(all *model.Numbers) {
	years := map[int]int{} // first year of each harvest
	first := 0
	for _, r := range all.Rows {
		if r.Year > 0 && (years[r.Harvest] == 0 || r.Year < years[r.Harvest]) {
			years[r.Harvest] = r.Year
		}
		if r.Year > 0 && (first == 0 || r.Year < first) {
			first = r.Year
		}
	}
	for harvest := 1; harvest <= min(n.harvest, maxNumberYears); harvest++ {
		all.Rows = append(all.Rows, model.Number{Harvest: harvest, Year: years[harvest], Kind: model.ByCompleteness,
			Name: cmp.Or(n.compared[harvest], model.NotCompared), Count: 1})
	}
	for _, name := range slices.Sorted(maps.Keys(n.defined)) {
		all.Rows = append(all.Rows, model.Number{Year: first, Kind: model.ByDefinition, Name: name, Count: 1})
	}
}

// numberKey is a row of a package's numbers.
type numberKey struct {
	harvest, year int
	kind          model.NumberKind
	name          string
}

// sum adds up the containers of each harvest and year.
func (n *numbers) sum() *model.Numbers {
	sums := map[numberKey]*model.Number{}
	groups := map[[2]int]bool{}
	for _, c := range n.containers {
		harvest := n.of[c.n]
		for _, r := range c.rows {
			group := [2]int{harvest, r.Year}
			if !groups[group] && len(groups) >= maxNumberYears {
				group = [2]int{}
			}
			groups[group] = true
			r.Harvest, r.Year = group[0], group[1]
			n.add(sums, r)
		}
	}
	all := &model.Numbers{Exact: n.exact, Rows: make([]model.Number, 0, len(sums))}
	for _, r := range sums {
		if max(r.Count, r.Bytes, r.Containers) > maxNumber {
			r.Count, r.Bytes = min(r.Count, maxNumber), min(r.Bytes, maxNumber)
			r.Containers = min(r.Containers, maxNumber)
			all.Exact = false
		}
		all.Rows = append(all.Rows, *r)
	}
	n.facts(all)
	slices.SortFunc(all.Rows, func(a, b model.Number) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Harvest, b.Harvest),
			cmp.Compare(a.Year, b.Year))
	})
	return all
}

// add adds a row. With all others, a container counts once for each of its names.
func (n *numbers) add(sums map[numberKey]*model.Number, r model.Number) {
	key := numberKey{r.Harvest, r.Year, r.Kind, r.Name}
	if sums[key] == nil && len(sums) >= maxNumberRows {
		key.name, r.Name = otherNumbers, otherNumbers
	}
	s := sums[key]
	if s == nil {
		sums[key] = &r
		return
	}
	s.Count, s.Bytes, s.Containers = capSum(s.Count, r.Count), capSum(s.Bytes, r.Bytes),
		capSum(s.Containers, r.Containers)
}

func capSum(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// member keeps a package of a collection (docs/reference/320_collections.md).
func (d *describer) member(m mets.Mptr) error {
	const otherLocType = "OBJID"
	if d.pkg.Profile != CollectionProfile || m.OtherLocType != otherLocType {
		return nil
	}
	if id, err := url.PathUnescape(m.Href); err == nil {
		d.pkg.Members = append(d.pkg.Members, id)
	}
	return nil
}

// counted ends the reading of numbers and members.
func (d *describer) counted() {
	if d.pkg.Profile != CollectionProfile {
		d.pkg.Numbers = d.numbers.sum()
		return
	}
	slices.Sort(d.pkg.Members)
	d.pkg.Members = append([]string{}, slices.Compact(d.pkg.Members)...) // not nil: all are known
}
