package nas

import (
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// DataName has the facts in a container's name: 2-2-20120903165904-00000-kb-test-har-002.kb.dk.warc
// in the old convention, or the same with the name of a collection before it.
type DataName struct {
	Collection string // "" in the old convention
	Job        string
	Definition string    // number of the harvest definition
	Begun      time.Time // start of the container
	Serial     string
	Host       string // host of the crawler; "" if the name has only a process
}

// Heritrix 1 wrote 14 digits, Heritrix 3 writes 17.
var dataName = regexp.MustCompile(`^(?:(.+?)-)?(\d{1,18})-(\d{1,18})-(\d{17}|\d{14})-(\d{5,` +
	`9})-(.+)\.(?i:w?arc(?:\.gz)?)(?:\.open|\.invalid)?$`)

// ParseDataName parses the name of a container of harvested data, and returns false if
// NetarchiveSuite would not use such a name.
func ParseDataName(name string) (DataName, bool) {
	m := dataName.FindStringSubmatch(path.Base(name))
	if m == nil {
		return DataName{}, false
	}
	begun, err := digits(m[4])
	if err != nil {
		return DataName{}, false
	}
	return DataName{Collection: m[1], Job: number(m[2]), Definition: number(m[3]), Begun: begun, Serial: m[5],
		Host: hostOf(m[6])}, true
}

// digits parses a time of 14 digits, or of 17 with milliseconds.
func digits(s string) (time.Time, error) {
	if len(s) == 17 {
		s = s[:14] + "." + s[14:]
	}
	return time.Parse("20060102150405.999", s)
}

// number removes leading zeros: 0042 and 42 are the same job.
func number(s string) string {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && n >= 0 {
		return strconv.FormatInt(n, 10)
	}
	return ""
}

// hostOf returns the host from the end of a name: the host alone, or process~host~port in Heritrix
// 3.
func hostOf(s string) string {
	if part := strings.Split(s, "~"); len(part) >= 2 {
		return part[1]
	}
	if number(s) != "" {
		return "" // the process; the rest was cut off
	}
	return s
}

// metadataName has the facts in the name of a metadata file: 1-metadata-1.warc,
// BnF-1-2-metadata-1.warc.gz.
type metadataName struct {
	job, definition string // "" if the name does not have it
	kind            string // "preharvest": written before the crawl; "old": replaced by compression; else ""
	number          int    // number among the files of the job
}

var (
	metadataNames = []*regexp.Regexp{
		regexp.MustCompile(`^(?:.*-)?(\d{1,18})-(\d{1,18})-(preharvest-|old|)metadata-(\d{1,9})` + containerEnd),
		regexp.MustCompile(`^(\d{1,18}|null)-()(preharvest-|old|)metadata-(\d{1,9})` + containerEnd),
	}
)

const containerEnd = `\.(?i:w?arc(?:\.gz)?)(?:\.open|\.invalid)?$`

func parseMetadataName(name string) (metadataName, bool) {
	for _, re := range metadataNames {
		if m := re.FindStringSubmatch(path.Base(name)); m != nil {
			n, _ := strconv.Atoi(m[4]) // nine digits at most
			return metadataName{number(m[1]), number(m[2]), strings.TrimSuffix(m[3], "-"), n}, true
		}
	}
	return metadataName{}, false
}

// age returns the order of the metadata files of a job: those written before the crawl, those
// replaced by compression, and the rest by number.
func (n metadataName) age() int {
	switch n.kind {
	case "preharvest":
		return -2
	case "old":
		return -1
	}
	return n.number
}

var containerName = regexp.MustCompile(containerEnd)

// isContainer reports whether a file has the name of an ARC or WARC file, finished or not.
func isContainer(name string) bool { return containerName.MatchString(name) }
