package pack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"

	"quire/internal/humanize"
	"quire/internal/spool"
	"quire/metadata/premis"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/antivirus"
	"quire/preserve/inspect"
)

// infections keeps the infected records until a program has cleaned them. There may be many of
// them, but few containers.
type infections struct {
	rows       *spool.Spool[infectedRecord] // in the order of the containers and their records
	containers []*infectedContainer
	made       int64 // conversions
	container  int   // number of their container; 0 if none

	// scanned conversions, in the order of their source containers
	judged struct {
		at int
		of int64 // those from this container
	}
}

// infectedRecord is a record with infected content.
type infectedRecord struct {
	Order     int64 // in its container, from 1
	Signature string
}

// infectedContainer is a container with infected content, and the result of cleaning it.
type infectedContainer struct {
	n       int
	harvest int
	dest    string
	rows    int64
	made    int64    // bytestreams with a result of the program
	cleaned int64    // results in which no virus was found
	failed  []string // why others were not cleaned, the first reasons
	more    int64    // number of further reasons
}

// maxFailed is how many failures of a container are listed.
const maxFailed = 100

// infected adds a record in which the scanner found a virus.
func (b *builder) infected(p *packed, r *model.Record) error {
	if b.o.Cleaner == nil || p.Cleaned || r.Scan != model.ScanInfected {
		return nil
	}
	i := &b.infections
	if i.rows == nil {
		s, err := spool.New[infectedRecord](b.temp)
		if err != nil {
			return err
		}
		i.rows = s
	}
	if last := len(i.containers) - 1; last < 0 || i.containers[last].n != p.N {
		i.containers = append(i.containers, &infectedContainer{n: p.N, harvest: p.Harvest, dest: p.Dest})
	}
	i.containers[len(i.containers)-1].rows++
	return i.rows.Add(infectedRecord{Order: r.Order, Signature: r.Signature})
}

// clean cleans the infected content, and adds the WARC with the results to the package, as the last
// container.
func (b *builder) clean(ctx context.Context, taken []item, n *int) (err error) {
	i := &b.infections
	if len(i.containers) == 0 {
		return nil
	}
	defer func() { err = errors.Join(err, i.rows.Close()) }()
	defer b.notCleaned()
	p := packed{N: *n + 1, Group: containers, Dest: cleanedPath(taken), Cleaned: true}
	p.Name = path.Base(p.Dest)
	p.Harvest = i.containers[0].harvest
	for _, c := range i.containers {
		if c.harvest != p.Harvest {
			p.Harvest = 0 // it belongs to several harvests
		}
	}
	if err := b.written(p.Dest, func(dst io.Writer) error { return b.cleanAll(ctx, dst, p.Name) }); err != nil {
		return fmt.Errorf("cleaning infected content: %w", err)
	}
	if i.made == 0 {
		return os.Remove(filepath.Join(b.temp, filepath.FromSlash(p.Dest)))
	}
	*n++
	i.container = p.N
	f, err := os.Open(filepath.Join(b.temp, filepath.FromSlash(p.Dest)))
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	if err := b.inspect(ctx, f, nil, nil, &p); err != nil {
		return err
	}
	for _, c := range i.containers {
		b.result.Scan.Cleaned += c.cleaned
	}
	return b.keep(p)
}

// notCleaned records in the result why the program did not clean infected content, at most maxFailed
// reasons.
func (b *builder) notCleaned() {
	all := []string{}
	for _, c := range b.infections.containers {
		all = append(all, c.failed...)
		if still := c.made - c.cleaned; still > 0 {
			all = append(all, c.still(still))
		}
	}
	b.result.Scan.NotCleaned = all[:min(len(all), maxFailed)]
}

// still describes results of the program that are not clean.
func (c *infectedContainer) still(n int64) string {
	return fmt.Sprintf("of %s: in the result for %s the scanner still found a virus, or could not scan it", c.dest,
		humanize.Count(n, "bytestream"))
}

// cleanedPath returns a path that no file of the package has.
func cleanedPath(taken []item) string {
	there := map[string]bool{}
	for _, it := range taken {
		there[strings.ToLower(it.dest)] = true
	}
	for k := 1; ; k++ {
		name := "cleaned.warc.gz"
		if k > 1 {
			name = fmt.Sprintf("cleaned-%d.warc.gz", k)
		}
		if dest := path.Join(aip.ContainersDir, name); !there[dest] {
			return dest
		}
	}
}

// cleanAll reads the containers with infected content once more.
func (b *builder) cleanAll(ctx context.Context, dst io.Writer, name string) (err error) {
	run, err := b.o.Cleaner.Begin(dst,
		antivirus.CleaningOptions{Software: b.software(), Date: b.now(), Name: name, TempDir: b.temp})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, run.Close()) }()
	next, stop := iter.Pull2(b.infections.rows.All())
	defer stop()
	for _, c := range b.infections.containers {
		if err := b.cleanOne(ctx, run, c, next); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) cleanOne(ctx context.Context, run *antivirus.Cleaning, c *infectedContainer,
	next func() (infectedRecord, error, bool)) error {
	f, err := os.Open(filepath.Join(b.temp, filepath.FromSlash(c.dest)))
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	row, err, _ := next()
	if err != nil {
		return err
	}
	left := c.rows
	_, err = inspect.Reader(ctx, f, inspect.Options{
		Served: func(rec model.Record) inspect.Served {
			if left == 0 || rec.Order != row.Order {
				return nil
			}
			return run.Content()
		},
		Record: func(rec model.Record) error {
			if left == 0 || rec.Order != row.Order {
				return nil
			}
			failed, err := run.Record(ctx, &rec)
			if err != nil {
				return err
			}
			b.infections.recordResult(c, row.Signature, rec.ID, failed)
			if left--; left > 0 {
				row, err, _ = next()
			}
			return err
		},
	})
	return err
}

// recordResult records the result for one record: the reason why it was not cleaned, or "".
func (i *infections) recordResult(c *infectedContainer, signature, id, failed string) {
	switch {
	case failed == "":
		c.made++
		i.made++
	case len(c.failed) < maxFailed:
		c.failed = append(c.failed, fmt.Sprintf("not cleaned: %s, record %s: %s", signature, id, failed))
	default:
		c.more++
	}
}

// judge records the scanner's verdict on the next result of the cleaner.
func (i *infections) judge(verdict model.ScanOutcome) {
	for j := &i.judged; j.at < len(i.containers); j.at, j.of = j.at+1, 0 {
		if c := i.containers[j.at]; j.of < c.made {
			j.of++
			if verdict == model.ScanClean {
				c.cleaned++
			}
			return
		}
	}
}

// of returns the data of a container; nil if it has no infected content, or cleaning is disabled.
func (i *infections) of(n int) *infectedContainer {
	for _, c := range i.containers {
		if c.n == n {
			return c
		}
	}
	return nil
}

// cleanerID is the ID of the cleaning agent.
const cleanerID = aip.AgentIDPrefix + "cleaner"

// cleanerAgents returns the cleaning program, if there was one.
func (b *builder) cleanerAgents() []agent {
	if len(b.infections.containers) == 0 {
		return nil
	}
	return []agent{{id: cleanerID, agent: premis.Agent{
		Identifiers: []premis.Identifier{b.identify(cleanerID)},
		Names:       []premis.Term{premis.Text(b.o.Cleaner.Name)}, Type: premis.AgentType("software"),
		Notes: []string{"called as: " + b.o.Cleaner.Line},
	}}}
}

// cleaning returns the event of cleaning the infected content
// (docs/reference/310_package-format.md, 3.5).
func (b *builder) cleaning() premis.Event {
	infected, cleaned := int64(0), int64(0)
	var notes []string
	for _, c := range b.infections.containers {
		infected, cleaned = infected+c.rows, cleaned+c.cleaned
		notes = append(notes, c.failed...)
		if c.more > 0 {
			notes = append(notes, fmt.Sprintf("not cleaned in %s: %d more", c.dest, c.more))
		}
		if still := c.made - c.cleaned; still > 0 {
			notes = append(notes, c.still(still))
		}
	}
	outcome := model.Success
	switch {
	case cleaned == 0:
		outcome = model.Fail
	case cleaned < infected:
		outcome = model.Warned
	}
	e := premis.Event{
		Type: premis.EventType(string(model.Modification)), DateTime: premis.Time(b.read),
		Details: []string{fmt.Sprintf("infected bytestreams cleaned: of each that the program cleaned there is a "+
			"conversion record; %d of %d", cleaned, infected)},
		Outcomes: []premis.Outcome{{Outcome: premis.EventOutcome(string(outcome)), Notes: notes}},
		Agents: []premis.Link{b.link(cleanerID, "executing program", premis.AgentRole),
			b.link(packerID, "executing program", premis.AgentRole)},
	}
	for _, c := range b.infections.containers {
		e.Objects = append(e.Objects, b.link(aip.ContainerObjID(c.n), "source", premis.ObjectRole))
	}
	if n := b.infections.container; n > 0 {
		e.Objects = append(e.Objects, b.link(aip.ContainerObjID(n), "outcome", premis.ObjectRole))
	}
	return e
}
