package auditreport

import (
	"fmt"
	"strings"

	"quire/internal/humanize"
	"quire/model"
	"quire/repository/catalogue"
)

// Sections of the report, as evidence. A "#" begins the id of a section.
const (
	SectionHoldings  = "#holdings"
	SectionCopies    = "#copies"
	SectionAudits    = "#audits"
	SectionIncidents = "#incidents"
	SectionOverdue   = "#overdue"
	SectionEvents    = "#events"
	SectionFormats   = "#formats"
	SectionViruses   = "#viruses"
	SectionAccess    = "#access"
	SectionTakedowns = "#takedowns"
)

// found returns the result of a check with its evidence: the sections of the report.
func found(s State, sections string, format string, args ...any) finding {
	return finding{state: s, statement: fmt.Sprintf(format, args...), evidence: strings.Fields(sections)}
}

// either returns one state or the other.
func either(is bool, yes, no State) State {
	if is {
		return yes
	}
	return no
}

// share returns the state of a claim that holds for n of all objects.
func share(n, all int64) State {
	switch {
	case all == 0:
		return Unknown
	case n == all:
		return Shown
	case n == 0:
		return NotShown
	}
	return PartlyShown
}

func packages(n int64) string { return humanize.Number(n, "package", "packages") }

// completeCopies checks that enough copies have every package, by the last known states.
func completeCopies(want int) check {
	return func(r *Report) finding {
		var complete, listed, away, short []string
		for i := range r.Copies {
			switch c := &r.Copies[i]; {
			case !c.Complete() && !c.Listed():
				short = append(short, c.Name)
			case !c.Available:
				away = append(away, c.Name)
			case c.Listed():
				listed = append(listed, c.Name)
			default:
				complete = append(complete, c.Name)
			}
		}
		state := NotShown
		switch {
		case r.Holdings.Packages == 0:
			return found(Unknown, SectionHoldings, "The repository has no package.")
		case len(complete) >= want:
			state = Shown
		case len(complete)+len(listed) >= want:
			state = PartlyShown
		case len(complete)+len(listed)+len(away) >= want:
			state = Unknown
		}
		text := fmt.Sprintf("%s complete by the last readings%s.", numberOf(len(complete), "copy is", "copies are"),
			list(complete))
		if len(listed) > 0 {
			text += " Complete by the checksums of their service, and not read: " + strings.Join(listed, ", ") + "."
		}
		if len(short) > 0 {
			text += " Not complete: " + strings.Join(short, ", ") + "."
		}
		if len(away) > 0 {
			text += " Cannot be read now: " + strings.Join(away, ", ") + "."
		}
		return finding{state, text, []string{SectionCopies}}
	}
}

func numberOf(n int, one, many string) string { return humanize.Number(int64(n), one, many) }

func list(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ": " + strings.Join(names, ", ")
}

// placesOfCopies checks the attested places of the copies against their file systems.
func placesOfCopies(want int) check {
	return func(r *Report) finding {
		places, attested, alone := map[string]bool{}, 0, 0
		for i := range r.Copies {
			c := &r.Copies[i]
			if c.Place != nil && c.Place.Place != "" {
				places[c.Place.Place] = true
				attested++
			}
			if c.SameDisk == nil || len(c.SameDisk) < len(r.Copies)-1 {
				alone++
			}
		}
		switch {
		case want > 1 && len(r.Copies) > 1 && alone == 0:
			return found(NotShown, SectionCopies, "All %d copies lie on one file system.", len(r.Copies))
		case attested < len(r.Copies):
			return found(NotAttested, SectionCopies, "The places of %d of %d copies are attested. No program can see "+
				"the "+
				"place of a disk.", attested, len(r.Copies))
		}
		return found(either(len(places) >= want, Attested, Denied), SectionCopies, "%s attested for %s.",
			numberOf(len(places), "place is", "places are"), numberOf(len(r.Copies), "copy", "copies"))
	}
}

// differentThreats counts the attested threats.
func differentThreats(want int) check {
	return attestedValues(want, "disaster threat", "disaster threats", func(p *Place) string { return p.Threat })
}

var differentMedia = attestedValues(2, "medium", "media", func(p *Place) string { return p.Medium })

func attestedValues(want int, one, many string, value func(*Place) string) check {
	return func(r *Report) finding {
		values, attested := map[string]bool{}, 0
		for i := range r.Copies {
			if p := r.Copies[i].Place; p != nil && value(p) != "" {
				values[value(p)] = true
				attested++
			}
		}
		state := NotAttested
		switch {
		case len(values) >= want:
			state = Attested
		case len(r.Copies) > 0 && attested == len(r.Copies):
			state = Denied
		}
		return found(state, SectionCopies, "%s attested for %d of %d copies.", numberOf(len(values),
			"different "+one+" is", "different "+many+" are"), attested, len(r.Copies))
	}
}

// objects returns the number of packages and collections.
func (r *Report) objects() int64 { return r.Holdings.Packages + r.Holdings.Collections }

func ingested(r *Report) finding {
	all := r.objects()
	return found(share(all-r.Holdings.WithoutIngest, all), SectionEvents, "%d of %d packages and collections have an "+
		"event of their ingest, which compares every file with its digest.", all-r.Holdings.WithoutIngest, all)
}

func readBack(r *Report) finding {
	good := int64(0)
	for i := range r.Copies {
		good += r.Copies[i].States[catalogue.Good]
	}
	return found(share(good-r.Holdings.WithoutReading, good), SectionEvents,
		"%d of %d good copies of packages have an "+
			"event of a reading that compared every byte.", good-r.Holdings.WithoutReading, good)
}

func scanned(r *Report) finding {
	all := int64(0)
	for _, n := range r.Viruses.Containers {
		all += n
	}
	done := r.Viruses.Containers[model.ScanClean] + r.Viruses.Containers[model.ScanInfected]
	state := share(done, all)
	if state == Shown && r.Holdings.Unread > 0 {
		state = Unknown
	}
	return found(state, SectionViruses, "%d of %d containers were checked completely. %s infected; they are closed to "+
		"readers.", done, all, humanize.Number(r.Viruses.Infected, "bytestream is", "bytestreams are"))
}

// digestsApart cannot see on which machine the catalogue lies.
func digestsApart(r *Report) finding {
	return found(either(r.objects() > 0, PartlyShown, Unknown), SectionCopies, "The catalogue has the digest of each "+
		"file and the places of each package, outside the copies. The records do not show on which machine it lies.")
}

func auditedOnTime(r *Report) finding {
	const sections = SectionAudits + " " + SectionOverdue
	late := 0
	full, never := false, false
	for _, d := range r.Overdue.Audits {
		if d.Is {
			late++
		}
		full = full || d.Sample == 0
		never = never || d.Last.IsZero()
	}
	intervals, unread := 0, int64(0)
	for _, d := range r.Overdue.Policies {
		if d.Fixity != "" {
			intervals++
			unread += d.Unread
		}
	}
	switch {
	case late > 0:
		return found(NotShown, sections, "%s overdue by the schedule: %s.", numberOf(late, "audit is", "audits are"),
			r.Audits.Schedule)
	case unread > 0:
		return found(NotShown, sections, "%s not read within the interval of a policy.",
			humanize.Number(unread, "copy of a package was", "copies of packages were"))
	case len(r.Overdue.Audits) == 0 && intervals == 0:
		return found(NotShown, sections, "The repository has no schedule of audits, and no policy with an interval.")
	case never:
		return found(Unknown, sections, "No audit was due yet by the schedule: %s.", r.Audits.Schedule)
	case !full && intervals == 0:
		return found(PartlyShown, sections, "Only samples are scheduled: %s. None is overdue.", r.Audits.Schedule)
	}
	return found(Shown, sections, "No audit is overdue. Schedule: %s; policies with an interval: %d.",
		r.Audits.Schedule,
		intervals)
}

func auditsRecorded(r *Report) finding {
	if r.Audits.Ever == 0 {
		return found(Unknown, SectionAudits, "No audit has run.")
	}
	statement := fmt.Sprintf("%s recorded, %d of them in the period of this report, with scope, time and number of "+
		"problems.", humanize.Number(r.Audits.Ever, "audit is", "audits are"), r.Audits.Number)
	if r.Audits.Leaves > 0 {
		return found(Shown, SectionAudits, "%s The signed register has a leaf with the same time and "+
			"numbers for %d of these.", statement, r.Audits.Leaves)
	}
	return found(Shown, SectionAudits, "%s", statement)
}

func wholeAudited(r *Report) finding {
	switch last := r.Audits.LastFull; {
	case last.IsZero():
		return found(NotShown, SectionAudits, "No complete audit of all packages in every copy is recorded.")
	case last.Before(r.Since):
		return found(PartlyShown, SectionAudits, "The last complete audit began on %s, before the period of this "+
			"report.",
			day(last))
	default:
		return found(Shown, SectionAudits, "The last complete audit of all packages in every copy began on %s.",
			day(last))
	}
}

func repaired(r *Report) finding {
	const sections = SectionIncidents + " " + SectionCopies
	damaged := int64(0)
	for _, n := range r.Overdue.Damaged {
		damaged += n
	}
	in := &r.Incidents
	switch {
	case in.Open > 0 || damaged > 0:
		return found(NotShown, sections, "%d of %d incidents are open. %s damaged now.", in.Open, in.Total,
			humanize.Number(damaged, "copy of a package is", "copies of packages are"))
	case in.Repaired < in.Total:
		return found(PartlyShown, sections, "For %d of %d incidents no event shows the repair. The copies are good "+
			"now.",
			in.Total-in.Repaired, in.Total)
	case r.Audits.LastFull.IsZero():
		return found(Unknown, sections, "%d of %d incidents are repaired. No complete audit shows that there is no "+
			"other "+
			"damage.", in.Repaired, in.Total)
	}
	return found(Shown, sections, "%d of %d incidents are repaired, and no other damage is known.", in.Repaired,
		in.Total)
}

func incidentsListed(r *Report) finding {
	in := &r.Incidents
	switch {
	case r.Audits.Ever == 0:
		return found(Unknown, SectionIncidents, "No audit has run.")
	case in.More > 0:
		return found(PartlyShown, SectionIncidents, "The list has the newest %d of %d incidents.", len(in.List),
			in.Total)
	}
	return found(Shown, SectionIncidents, "%s listed.", humanize.Number(in.Total, "incident is", "incidents are"))
}

func synchronized(r *Report) finding {
	lacking, away := int64(0), 0
	for i := range r.Copies {
		lacking += r.Overdue.Lacking[r.Copies[i].Name]
		if !r.Copies[i].Available {
			away++
		}
	}
	switch {
	case lacking > 0:
		return found(NotShown, SectionOverdue, "%s lacking in a copy.",
			humanize.Number(lacking, "package is", "packages are"))
	case away > 0:
		return found(Unknown, SectionCopies, "%s be read now.", numberOf(away, "copy cannot", "copies cannot"))
	}
	return found(either(r.objects() > 0, Shown, Unknown), SectionOverdue, "No copy lacks a package.")
}
