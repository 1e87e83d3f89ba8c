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

// infections remembers what is infected, until a program has cleaned it. Their number may be large,
// that of the containers is not.
type infections struct {
	rows       *spool.Spool[infectedRecord] // in the order of the containers, and of the records in each
	containers []*infectedContainer
	made       int64 // conversions
	container  int   // the N of the container that they are in; 0 when there is none

	// conversions of which the scanner spoke: they come in the order of the containers that they
	// were made of
	judged struct {
		at int
		of int64 // those of this container
	}
}

// infectedRecord is a record whose content is infected.
type infectedRecord struct {
	Order     int64 // in its container, from 1
	Signature string
}

// infectedContainer is a container that has something infected in it, and what came of that.
type infectedContainer struct {
	n       int
	harvest int
	dest    string
	rows    int64
	made    int64    // bytestreams of which the program made something
	cleaned int64    // of these, in what was made nothing was found
	failed  []string // why others were not cleaned, the first of them
	more    int64    // beyond them
}

// maxFailed is how many are told one by one for a container.
const maxFailed = 100

// infected notes a record in which the scanner found something.
func (b *builder) infected(p *packed, r *model.Record) error {
	if b.o.Cleaner == nil || r.Scan != model.ScanInfected {
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

// clean has what is infected cleaned, and takes the WARC with what came of it into the package, as
// the last container.
func (b *builder) clean(ctx context.Context, taken []item, n *int) (err error) {
	i := &b.infections
	if len(i.containers) == 0 {
		return nil
	}
	defer func() { err = errors.Join(err, i.rows.Close()) }()
	p := packed{N: *n + 1, Group: containers, Dest: cleanedPath(taken), Cleaned: true}
	p.Name = path.Base(p.Dest)
	p.Harvest = i.containers[0].harvest
	for _, c := range i.containers {
		if c.harvest != p.Harvest {
			p.Harvest = 0 // it belongs to several
		}
	}
	if err := b.written(p.Dest, func(dst io.Writer) error { return b.cleanAll(ctx, dst, p.Name) }); err != nil {
		return fmt.Errorf("cleaning what is infected: %w", err)
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

// cleanedPath is a path that no file of the package has.
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

// cleanAll goes through the containers once more, those that have something infected in them.
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
			b.infections.tell(c, row.Signature, rec.ID, failed)
			if left--; left > 0 {
				row, err, _ = next()
			}
			return err
		},
	})
	return err
}

// tell notes the outcome for one record: the reason why it was not cleaned, "" when it was.
func (i *infections) tell(c *infectedContainer, signature, id, failed string) {
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

// judge takes over what the scanner says of the next thing that the cleaner made.
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

// of gives what is known of a container; nil when there is nothing infected in it, or nothing was
// to be cleaned.
func (i *infections) of(n int) *infectedContainer {
	for _, c := range i.containers {
		if c.n == n {
			return c
		}
	}
	return nil
}

// cleanerID is the agent that cleans.
const cleanerID = aip.AgentIDPrefix + "cleaner"

// cleanerAgents is the program that cleaned, if one had to.
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

// cleaning is what was done with all that was infected (docs/reference/310_package-format.md, 3.5).
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
			notes = append(notes,
				fmt.Sprintf("of %s: in what was made of %s the scanner found something still, or could not scan it",
					c.dest, humanize.Count(still, "bytestream")))
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
