package warc

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

func TestJoinSegments(t *testing.T) {
	t.Parallel()
	many := []Segment{{Number: 1, Bytes: 1}}
	for n := range int64(MaxSegments) {
		many = append(many, Segment{Number: n + 2, Bytes: 1})
	}
	for _, c := range []struct {
		name  string
		parts []Segment
		order []int
		want  string // "" is whole
	}{
		{"in order", []Segment{{1, 5, 0, "a"}, {2, 3, 0, "b"}, {3, 2, 10, "c"}}, []int{0, 1, 2}, ""},
		{"out of order", []Segment{{1, 5, 0, "a"}, {3, 2, 10, "c"}, {2, 3, 0, "b"}}, []int{0, 2, 1}, ""},
		{"the same part twice", []Segment{{1, 5, 0, "a"}, {2, 5, 10, "b"}, {2, 5, 10, "b"}}, []int{0, 1}, ""},
		{"a part with another", []Segment{{1, 5, 0, "a"}, {2, 5, 10, "b"}, {2, 5, 10, "x"}}, []int{0},
			"segment 2 is there twice, with different content"},
		{"a part with another length", []Segment{{1, 5, 0, "a"}, {2, 5, 10, "b"}, {2, 4, 10, "b"}}, []int{0},
			"segment 2 is there twice, with different content"},
		{"a gap", []Segment{{1, 5, 0, "a"}, {3, 2, 7, "c"}}, []int{0}, "segment 2 is missing"},
		{"alone", []Segment{{1, 5, 0, "a"}}, []int{0}, "segment 2 is missing"},
		{"no last part", []Segment{{1, 5, 0, "a"}, {2, 5, 0, "b"}}, []int{0, 1}, "segment 3 is missing"},
		{"a wrong total", []Segment{{1, 5, 0, "a"}, {2, 5, 11, "b"}}, []int{0, 1},
			"they have 10 bytes, but WARC-Segment-Total-Length is 11"},
		{"one after the last", []Segment{{1, 5, 0, "a"}, {2, 5, 10, "b"}, {3, 1, 11, "c"}}, []int{0, 1},
			"segment 2 states the total length, but segment 3 follows"},
		{"no first part", []Segment{{2, 5, 5, "b"}}, nil, "segment 1 is missing"},
		{"a number below 1", []Segment{{1, 5, 0, "a"}, {-3, 5, 10, "b"}}, nil, "a segment has the number -3"},
		{"lengths that overflow", []Segment{{1, 1 << 62, 0, "a"}, {2, 1 << 62, 5, "b"}}, []int{0},
			"the length of segment 2 is wrong"},
		{"too many", many, nil, fmt.Sprintf("there are more than %d", MaxSegments)},
	} {
		order, err := JoinSegments(c.parts)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if want := "segments do not fit: " + c.want; c.want == "" && err != nil || c.want != "" && text != want ||
			err != nil && !errors.Is(err, ErrSegments) {
			t.Errorf("%s: error %q, want %q", c.name, text, c.want)
		}
		if c.name == "too many" {
			c.order = order[:MaxSegments:MaxSegments]
		}
		if !slices.Equal(order, c.order) {
			t.Errorf("%s: order %v, want %v", c.name, order, c.order)
		}
	}
}
