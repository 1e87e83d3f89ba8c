package wct

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"time"

	"quire/model"
	"quire/source/internal/facts"
	"quire/source/internal/xmltree"
	"quire/source/internal/zone"
)

// counts are the counts that WCT writes, with their paths in wct:Crawl.
var counts = []struct {
	name string
	path []string
}{
	{"urls downloaded", []string{"URLs", "Downloaded"}}, {"urls failed", []string{"URLs", "Failed"}},
	{"duration in ms", []string{"Duration"}},
	{"average bandwidth in KB/s", []string{"AverageBandwidth"}},
	{"documents per second", []string{"DocumentProcessRate"}}, {"bytes downloaded", []string{"DownloadedDataSize"}},
}

// crawl adds WCT's facts about the run, after the crawler's own.
func (d *document) crawl(f *facts.Facts) {
	n := d.one("techMD", "Crawl")
	f.Set(&f.About.Software, "software", text(n, "CaptureSystem"), d.at("wct:CaptureSystem"))
	f.Note("application version", text(n, "AppVersion"), d.at("wct:AppVersion"))
	f.Set(&f.About.Host, "host", text(d.one("digiprovMD", "TargetInstance"), "HarvestServer"),
		d.at("wct:HarvestServer"))
	for _, c := range counts {
		at := n
		for _, name := range c.path {
			at = child(at, name)
		}
		count(f, c.name, xmltree.Text(at), d.at("wct:Crawl/"+path.Join(c.path...)))
	}
	starts := starts(n)
	if len(starts) == 0 {
		return
	}
	if len(starts) > 1 {
		f.Find(CodeDiffers, model.Warning, d.path, 0, "two times of the begin, %q and %q; the first is used",
			starts[0], starts[1])
	}
	d.zoned(f, starts[0], text(n, "Duration"))
}

func count(f *facts.Facts, name, value, source string) {
	if value != "" {
		f.About.Counted = append(f.About.Counted, model.Field{Name: name, Value: value})
		f.Note("counted", name+"="+value, source)
	}
}

// starts returns the start times: version 3 writes the element twice.
func starts(n *xmltree.Node) []string {
	var all []string
	for _, c := range n.All() {
		if v := c.Value(); c.Name == "StartDate" && v != "" && (len(all) == 0 || v != all[0]) {
			all = append(all, v)
		}
	}
	return all
}

// zoned sets begin and end. WCT writes its server's time without a zone, so the zone is inferred
// and the evidence states how.
func (d *document) zoned(f *facts.Facts, start, duration string) {
	tellTimes(f, start, duration, d.at("wct:StartDate"), inferZone(f, localTime(start), d.files))
}

func tellTimes(f *facts.Facts, start, duration, source string, z zone.Zone) {
	local := localTime(start)
	if local.IsZero() {
		return
	}
	if z.Why == "" {
		f.Note("start", start+" on the clock of the server, whose zone is not known", source)
		return
	}
	f.Note("zone", fmt.Sprintf("the server's clock is %v ahead of UTC; inferred", z.Ahead), z.Why)
	begin := local.Add(-z.Ahead)
	f.TellTime(&f.About.Start, "start", begin, source+", on the server's clock; the zone inferred from "+z.Why)
	if ms, err := strconv.ParseInt(duration, 10, 64); err == nil && ms >= 0 &&
		ms < int64(100*365*24*time.Hour/time.Millisecond) {
		f.TellTime(&f.About.End, "end", begin.Add(time.Duration(ms)*time.Millisecond),
			source+" and the duration behind it; the zone inferred from "+z.Why)
	}
}

var localLayouts = []string{"2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999", "2006-01-02 15:04",
	"02-Jan-06 03.04.05.999999999 PM", "02-Jan-2006 15:04:05"}

// localTime parses a time without a zone as UTC, and returns zero if that fails.
func localTime(s string) time.Time {
	for _, layout := range localLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}

// inferZone compares the start with a time in a known zone. This is the first fetch in the crawl
// log, or the time that Heritrix writes in UTC into the names of containers.
func inferZone(f *facts.Facts, local time.Time, listed []model.ExpectedFile) zone.Zone {
	for _, e := range f.About.Evidence {
		if start, err := time.Parse(time.RFC3339Nano, e.Value); e.Fact == "start" && err == nil {
			if z := zone.Between(local, start, e.Source+", which is "+e.Value); z.Why != "" {
				return z
			}
		}
	}
	var names []string
	for _, file := range f.About.Files {
		names = append(names, path.Base(file.Path))
	}
	for _, e := range listed {
		names = append(names, path.Base(place(e.Name)))
	}
	first, name := earliest(names)
	return zone.Between(local, first, "the name of "+name+", which has UTC")
}

// stamp matches the time in the name of a container: IAH-20070124213018-00000-appserv04.arc.
var stamp = regexp.MustCompile(`(?:^|-)(\d{14})(?:\d{3})?-`)

// earliest returns the earliest time in the names of containers.
func earliest(names []string) (first time.Time, name string) {
	for _, n := range names {
		m := stamp.FindStringSubmatch(n)
		if m == nil || !isContainer(n) {
			continue
		}
		if t, err := time.Parse("20060102150405", m[1]); err == nil && (first.IsZero() || t.Before(first)) {
			first, name = t, n
		}
	}
	return first, name
}
