package pack

import (
	"context"
	"errors"

	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/convert"
)

// Forecast is the result of a dry run of Pack.
type Forecast struct {
	Package  string       `json:"package"` // path of the folder
	ID       string       `json:"id"`      // "" if it would be computed from the content
	Title    string       `json:"title"`   // "" where it would be taken from the content
	Harvests []HarvestRef `json:"harvests"`
	Files    []Foreseen   `json:"would_make"`
	Bytes    int64        `json:"to_read"`    // of the source
	Left     []string     `json:"not_packed"` // parts of the source left out, with reasons; the first thousand
	Rights   int64        `json:"rights"`     // number of rights statements
	Access   model.Zone   `json:"access"`     // access to the whole package by them; "" if not stated
	// invalid when something of the source is known not to be readable
	Outcome model.Outcome `json:"outcome"`
	Refused []string      `json:"refused"` // the unreadable parts, at most MaxChecked

	Completeness []Completeness `json:"completeness"` // by the names of the containers only
}

// Foreseen is a file that would be in the package.
type Foreseen struct {
	Path   string `json:"path"`
	Use    string `json:"use"`    // of its fileGrp; "" of the METS and its digest
	Source string `json:"source"` // "" for files made from the whole package
	Bytes  *int64 `json:"bytes"`  // null if the file would be generated
}

// Foresee reports the results that Pack would have. It uses the same plan and writes nothing. It
// reads logs, lists and the first bytes of each container. Some results are known only when Pack
// reads all content:
//
//   - damage after the first bytes, viruses, and the judgement of a policy;
//   - an identifier or title computed from the content;
//   - records cleaned of viruses;
//   - ARC files that are kept because they cannot be restored from the WARC.
func Foresee(ctx context.Context, sources []string, o Options) (_ *Forecast, err error) {
	if _, err := o.check(ctx, sources); err != nil {
		return nil, err
	}
	surveyed, err := newSurvey(sources, "")
	if err != nil {
		return nil, err
	}
	source, err := o.Source.Open(ctx, sources...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	b := &builder{o: o, sources: sources, left: surveyed.left,
		result: Result{Outcome: model.Valid, Refused: []string{}, Harvests: []HarvestRef{},
			Completeness: []Completeness{}}}
	b.started = b.now()
	plan, l, err := b.plan(ctx, source)
	if err != nil {
		return nil, err
	}
	b.refused(source)
	f := &Forecast{Package: o.Out, ID: o.ID, Title: o.Title, Files: []Foreseen{}, Bytes: l.bytes()}
	readable := false
	for i := range l.items {
		it := &l.items[i]
		if it.group == containers && it.Action == convert.Unreadable {
			b.refuse(it.Name + " has the name of a container, and is none")
			b.result.Outcome = model.Invalid
		}
		readable = readable || it.group == containers && it.Action != convert.Unreadable
		f.Files = append(f.Files, foreseen(it, b.o.Keep)...)
	}
	if !readable {
		return nil, b.onlyNamed()
	}
	if err := b.foreseeComplete(ctx, source, plan); err != nil {
		return nil, err
	}
	for _, name := range []string{aip.METSName, aip.DigestName} {
		f.Files = append(f.Files, Foreseen{Path: name})
	}
	if plan.Incomplete() {
		b.result.Outcome = model.Invalid
	}
	r := &b.result
	f.Harvests, f.Left, f.Rights, f.Access, f.Outcome, f.Refused = r.Harvests, b.left.notes(), r.Rights, r.Access,
		r.Outcome, r.Refused
	if f.Left == nil {
		f.Left = []string{}
	}
	f.Completeness = r.Completeness
	return f, nil
}

// foreseen lists the files that an item becomes.
func foreseen(it *item, keep Keep) []Foreseen {
	all := []Foreseen{{Path: it.dest, Use: useOf[it.group], Source: it.Name}}
	if it.Action != convert.ConvertARC && it.Mirror == nil {
		all[0].Bytes = &it.File.Size
	}
	if it.group == containers {
		all = append(all, Foreseen{Path: aip.IndexOf(it.dest), Use: aip.UseIndexes, Source: it.Name})
	}
	if it.Action == convert.ConvertARC && keep.arc(true) {
		all = append(all,
			Foreseen{Path: originalOf(it), Use: aip.UseOriginals, Source: it.Name, Bytes: &it.File.Size})
	}
	return all
}
