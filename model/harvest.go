package model

import "time"

// Harvest is one run of a crawler: an event with a start, an end and an outcome. Every fact that was concluded says from
// what, in Evidence.
type Harvest struct {
	Software  string // name and version as the crawler wrote it
	Operator  string
	UserAgent string
	Robots    string // robots policy
	Host      string // machine the crawler ran on
	Start     time.Time
	End       time.Time
	Seeds     []string
	Evidence  []Evidence
}

// Evidence says where a fact comes from.
type Evidence struct {
	Fact   string // "software", "start"
	Source string // "warcinfo field software of crawl.warc.gz"
}
