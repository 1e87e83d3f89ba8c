package research

import (
	"context"
	"os"
	"slices"
	"time"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/internal/secret"
)

// pkgWriter writes the tables of one package.
type pkgWriter struct {
	*run
	id         string
	version    int
	generation string // a part of the names of its files: those of another state have other names
	whole      bool   // the readers see the whole package
	tables     []interface {
		close() error
		abandon()
	}
	done    []written
	without bool // a URL was left out, because the readers may not see its captures

	captures   *table[capture]
	records    *table[record]
	links      *table[link]
	hostLinks  *table[hostLink]
	texts      *table[text]
	byHost     map[string]map[[2]string]int64 // sums of links by month and hosts
	pairs      int
	containers map[string]int64 // open captures by container
}

// month is the value of a partition: "200403" becomes "2004-03".
func monthOf(digits string) string { return digits[:4] + "-" + digits[4:6] }

// write writes all tables of a package under temporary names.
func (w *pkgWriter) write(ctx context.Context, s *scanned) error {
	if w.wants(Captures) {
		w.captures = newTable[capture](w, Captures)
	}
	if w.wants(Records) && w.whole {
		w.records = newTable[record](w, Records)
	}
	if w.wants(Links) {
		w.links = newTable[link](w, Links)
	}
	if w.wants(HostLinks) {
		w.hostLinks = newTable[hostLink](w, HostLinks)
	}
	if w.wants(Texts) {
		w.texts = newTable[text](w, Texts)
	}
	for months := range slices.Chunk(s.monthsOf(), manyWriters) {
		if err := w.some(ctx, months); err != nil {
			return err
		}
	}
	if !w.whole {
		return nil
	}
	if err := w.writeContainers(ctx); err != nil {
		return err
	}
	return w.writeEvents(ctx)
}

// some writes the captures of some months, which follow each other in the package.
func (w *pkgWriter) some(ctx context.Context, months []string) error {
	q := captures.Query{Packages: []string{w.id}, From: months[0], To: months[len(months)-1]}
	for c, err := range w.h.Captures(ctx, w.who, q) {
		if err != nil {
			return err
		}
		if !c.Allowed {
			continue
		}
		at, err := time.Parse("20060102150405", c.Timestamp)
		if err != nil {
			continue // its months are not in the scan
		}
		if err := w.capture(ctx, c.Capture, at); err != nil {
			return err
		}
	}
	return w.closeTables()
}

// capture writes the rows of one capture.
func (w *pkgWriter) capture(ctx context.Context, c *captures.Capture, at time.Time) error {
	month := monthOf(c.Timestamp)
	w.containers[c.Record.Container]++
	if w.captures != nil {
		row := w.hosts.captureOf(c, at, w.whole)
		if c.Location != "" {
			may, err := w.mayName(ctx, c, c.Location)
			if err != nil {
				return err
			}
			if may {
				row.Redirect = c.Location
			}
		}
		if err := w.captures.add(month, row, 0); err != nil {
			return err
		}
	}
	if w.records != nil {
		if err := w.records.add(month, w.recordOf(c, at), 0); err != nil {
			return err
		}
	}
	return w.content(ctx, c, at, month)
}

// mayName reports whether the row of a capture may name a URL.
func (w *pkgWriter) mayName(ctx context.Context, c *captures.Capture, url string) (bool, error) {
	may, err := w.mentions.May(ctx, c.Package, c.Harvest, c.Timestamp, url)
	if !may {
		w.without = true
	}
	return may, err
}

func (w *pkgWriter) closeTables() error {
	if err := w.addHostLinks(); err != nil {
		return err
	}
	for _, t := range w.tables {
		if err := t.close(); err != nil {
			return err
		}
	}
	return nil
}

// abandon removes all files under temporary names.
func (w *pkgWriter) abandon() {
	for _, t := range w.tables {
		t.abandon()
	}
	for _, d := range w.done {
		_ = os.Remove(d.temporary) // else the next run removes it
	}
}

// container is a row of the table containers.
type container struct {
	Filename string `parquet:"warc_filename"`
	Harvest  int32  `parquet:"harvest"` // 0 if it belongs to several
	Bytes    int64  `parquet:"bytes"`
	SHA512   string `parquet:"sha512"`
	Captures int64  `parquet:"captures"` // open to the readers
	Version  int32  `parquet:"package_version"`
	Scan     string `parquet:"virus_check,optional,dict"`
}

// writeContainers writes the containers of a package that the readers see as a whole.
func (w *pkgWriter) writeContainers(ctx context.Context) error {
	f := w.h.Facts(ctx, w.id)
	if f == nil || !w.wants(Containers) {
		return nil
	}
	history, err := w.st.History(ctx, w.id)
	if err != nil {
		return err
	}
	version := history.Versions[len(history.Versions)-1]
	t := newTable[container](w, Containers)
	for _, file := range version.Files {
		c := f.Containers[file.Path]
		if c == nil {
			continue
		}
		row := container{Filename: file.Path, Harvest: int32(c.Harvest), Bytes: file.Size, SHA512: file.SHA512,
			Captures: w.containers[file.Path], Version: int32(version.Number), Scan: string(c.Scan)}
		if err := t.add("", row, 0); err != nil {
			return err
		}
	}
	return t.close()
}

// event is a row of the table events.
type event struct {
	ID         string     `parquet:"event_id"`
	Type       string     `parquet:"event_type,dict"`
	Time       *time.Time `parquet:"event_time,timestamp(millisecond),optional"`
	End        *time.Time `parquet:"event_end,timestamp(millisecond),optional"`
	Detail     string     `parquet:"event_detail,optional"`
	Outcome    string     `parquet:"event_outcome,optional,dict"`
	Notes      []string   `parquet:"event_notes,list"`
	Agents     []string   `parquet:"agents,list"`
	Repository bool       `parquet:"in_repository"`
}

// writeEvents writes the events of a package that the readers see as a whole.
func (w *pkgWriter) writeEvents(ctx context.Context) error {
	if !w.wants(Events) {
		return nil
	}
	p, err := w.h.Package(ctx, w.who, w.id)
	if err != nil {
		return err
	}
	t := newTable[event](w, Events)
	for i := range p.Events {
		if err := t.add("", eventOf(&p.Events[i]), 0); err != nil {
			return err
		}
	}
	return t.close()
}

func eventOf(e *holdings.Event) event {
	row := event{ID: e.ID, Type: e.Type, Detail: secret.Conceal(e.Detail), Outcome: secret.Conceal(e.Outcome),
		Agents:     e.Agents,
		Repository: e.Repository, Time: moment(e.Time), End: moment(e.End)}
	for _, n := range e.Notes {
		row.Notes = append(row.Notes, secret.Conceal(n))
	}
	return row
}

// moment returns a time for a column that may be null.
func moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}
