package heritrix

import (
	"context"
	"quire/source/internal/facts"
	"strings"
	"time"

	"quire/internal/archivefs"
)

// event is a line of progress-statistics.log about the state of the crawl: "20121219193839 CRAWL
// ENDED - Finished".
type event struct {
	time time.Time
	kind string // RESUMED, RUNNING, PAUSING, PAUSED, CHECKPOINTING, ENDING, ENDED, EMPTY
	text string
	file string // the file that contains it
}

// parseEvent parses a line about the state of the crawl. Heritrix 1 writes 14 digits in UTC, even
// in the years when its ISO times were local. Heritrix 3 writes ISO times in UTC.
func parseEvent(line string) (e event, ok bool) {
	stamp, rest, ok := strings.Cut(line, " CRAWL ")
	if !ok {
		return e, false
	}
	kind, text, _ := strings.Cut(rest, " - ")
	for _, layout := range []string{"20060102150405", time.RFC3339} {
		if t, err := time.Parse(layout, stamp); err == nil {
			return event{time: t.UTC(), kind: strings.TrimSpace(kind), text: strings.TrimSpace(text)}, true
		}
	}
	return e, false
}

// readProgress reads the start, the end and the end reason of the harvest from the events. A crawl
// that was resumed after its end has not ended.
func readProgress(ctx context.Context, t *archivefs.Tree, f *facts.Facts) error {
	var first, ending, ended event
	for _, file := range pieces(f.About.Files, "progress-statistics.log") {
		err := fileLines(ctx, t, file, func(line string, _ int64) bool {
			e, ok := parseEvent(line)
			if !ok {
				return true
			}
			e.file = file
			if first.time.IsZero() {
				first = e
			}
			switch e.kind {
			case "ENDING":
				ending = e
			case "ENDED":
				ended = e
			case "RESUMED", "RUNNING":
				ended, ending = event{}, event{}
			}
			return true
		})
		if err != nil {
			return err
		}
	}
	f.TellTime(&f.About.Start, "start", first.time, "first event, CRAWL "+first.kind+", in "+first.file)
	f.TellTime(&f.About.End, "end", ended.time, "event CRAWL ENDED in "+ended.file)
	f.Set(&f.About.EndReason, "end reason", ended.text, "event CRAWL ENDED in "+ended.file)
	if ended.text != "" {
		return nil
	}
	f.Set(&f.About.EndReason, "end reason", ending.text, "event CRAWL ENDING in "+ending.file)
	return nil
}

// readCrawlReport reads the name and the outcome from crawl-report.txt. Heritrix 1 and 3 spell its
// keys differently.
func readCrawlReport(ctx context.Context, t *archivefs.Tree, f *facts.Facts) error {
	for _, file := range pieces(f.About.Files, "crawl-report.txt") {
		err := fileLines(ctx, t, file, func(line string, _ int64) bool {
			key, value, _ := strings.Cut(line, ":")
			value = strings.TrimSpace(value)
			switch strings.ToLower(strings.TrimSpace(key)) {
			case "crawl name":
				f.Set(&f.About.Collection, "collection", value, "Crawl Name in "+file)
			case "crawl status":
				f.Set(&f.About.EndReason, "end reason", value, "Crawl Status in "+file)
			}
			return true
		})
		if err != nil {
			return err
		}
	}
	return nil
}
