package captures

import (
	"context"
	"slices"
	"strings"
)

// Summary describes the content of an index.
type Summary struct {
	Packages   int64  `json:"packages"`
	Containers int64  `json:"containers"`
	Captures   int64  `json:"captures"`
	Left       []Left `json:"left_out"`
	Segments   int    `json:"segments"` // pairs of sorted files
	Bytes      int64  `json:"bytes"`    // of these files
}

// Left is the number of captures without a line, and the reason.
type Left struct {
	Why     string `json:"why"`
	Records int64  `json:"records"`
}

// Summary returns the numbers of containers, captures and packages in the index.
func (x *Index) Summary(context.Context) (*Summary, error) {
	s, err := x.acquire()
	if err != nil {
		return nil, err
	}
	defer x.release(s)
	sum := &Summary{Containers: int64(len(s.manifest.Containers)), Segments: len(s.segments), Left: []Left{}}
	packages, left := map[string]bool{}, map[string]int64{}
	for _, c := range s.manifest.Containers {
		packages[c.Package] = true
		sum.Captures += c.Captures
		for why, n := range c.Left {
			left[why] += n
		}
	}
	sum.Packages = int64(len(packages))
	for _, n := range s.manifest.Segments {
		sum.Bytes += n.Bytes
	}
	for why, n := range left {
		sum.Left = append(sum.Left, Left{why, n})
	}
	slices.SortFunc(sum.Left, func(a, b Left) int { return strings.Compare(a.Why, b.Why) })
	return sum, nil
}
