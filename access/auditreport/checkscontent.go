package auditreport

import (
	"time"

	"quire/internal/humanize"
)

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// outsideRecords is a check of a fact that the repository does not record.
func outsideRecords(why string) check {
	return func(*Report) finding { return finding{state: Unknown, statement: why} }
}

func inventoried(r *Report) finding {
	return found(either(r.objects() > 0, Shown, Unknown), SectionHoldings+" "+SectionCopies, "The catalogue lists %s "+
		"and %s, each with its place in each copy.", packages(r.Holdings.Packages),
		humanize.Number(r.Holdings.Collections, "collection", "collections"))
}

func described(r *Report) finding {
	all := r.objects()
	return found(share(all-r.Holdings.Unread, all), SectionHoldings, "The METS of %d of %d packages and collections "+
		"was "+
		"read for this report.", all-r.Holdings.Unread, all)
}

func uniqueIDs(r *Report) finding {
	return found(either(r.objects() > 0, Shown, Unknown), SectionHoldings, "%s and %s have one identifier each; the "+
		"catalogue permits none twice.", packages(r.Holdings.Packages),
		humanize.Number(r.Holdings.Collections, "collection", "collections"))
}

func rightsStated(r *Report) finding {
	a := &r.Access
	rules := int64(0)
	for _, n := range a.Rules {
		rules += n
	}
	open := a.Unstated + a.Unknown
	state := share(r.Holdings.Packages-open, r.Holdings.Packages)
	if state == NotShown && rules > 0 && a.Unknown == 0 {
		state = PartlyShown
	}
	return found(state, SectionAccess, "%s without a rights statement on the whole, which are closed unless a rule "+
		"opens "+
		"them. The rights of %d cannot be read, so they are closed. Rules in force: %d.", packages(a.Unstated),
		a.Unknown, rules)
}

func withdrawalsRecorded(r *Report) finding {
	t := &r.Takedowns
	bare := 0
	for i := range t.List {
		if !t.List[i].Reasoned {
			bare++
		}
	}
	switch {
	case t.Undecided:
		return found(NotShown, SectionTakedowns, "The document of withdrawals cannot be read, so everything is closed.")
	case t.Document == nil:
		return found(Unknown, SectionTakedowns, "No withdrawal is recorded.")
	case bare > 0:
		return found(PartlyShown, SectionTakedowns, "%s no reason or no authority.",
			numberOf(bare, "withdrawal has", "withdrawals have"))
	}
	return found(Shown, SectionTakedowns, "%d withdrawals are in force and %d have ended. Each has a reason and an "+
		"authority.", t.InForce, t.Ended)
}

func eventsRecorded(r *Report) finding {
	n := int64(0)
	for _, e := range r.Events {
		n += e.Ever
	}
	state := share(r.objects()-r.Holdings.WithoutIngest, r.objects())
	return found(state, SectionEvents, "%s recorded in every copy, as PREMIS or in the record of a run. %s without "+
		"an event of ingest.",
		humanize.Number(n, "event is", "events are"), packages(r.Holdings.WithoutIngest))
}

func outcomesRecorded(r *Report) finding {
	n, without, failed := int64(0), int64(0), int64(0)
	for _, e := range r.Events {
		n += e.Ever
		switch e.Outcome {
		case "":
			without += e.Ever
		case "fail":
			failed += e.Ever
		}
	}
	return found(share(n-without, n), SectionEvents, "%d of %d events have an outcome; %d of them failed.",
		n-without, n,
		failed)
}

func changesRecorded(r *Report) finding {
	return found(share(r.objects()-r.Holdings.WithoutIngest, r.objects()), SectionHoldings+" "+SectionEvents,
		"%s of %s are stored; none is overwritten.", humanize.Number(r.Holdings.Versions, "version", "versions"),
		packages(r.Holdings.Packages))
}

func softwareKnown(r *Report) finding {
	return found(either(r.Software != "", Shown, Unknown), SectionEvents, "%s made this report. Each event names the "+
		"program that it is of.", r.Software)
}

func formatsIdentified(r *Report) finding {
	f := &r.Formats
	state := share(f.Containers-f.Unidentified, f.Containers)
	if state == Shown && f.Unknown > 0 {
		state = PartlyShown
	}
	return found(state, SectionFormats, "Formats were identified by signatures in %d of %d containers. There, %d of "+
		"%d "+
		"payloads have no known format.", f.Containers-f.Unidentified, f.Containers, f.Unknown, f.Payloads)
}

func formatsJudged(r *Report) finding {
	f := &r.Formats
	unjudged := int64(0)
	for _, p := range f.Policies {
		unjudged += p.Unjudged
	}
	if len(f.Policies) == 0 {
		return found(NotShown, SectionFormats, "No policy on formats is in the repository, or was given.")
	}
	state := share(f.Containers-f.Unidentified, f.Containers)
	if state == Shown && unjudged > 0 {
		state = PartlyShown
	}
	return found(state, SectionFormats, "%s judged the identified formats; %d rules could not be judged. %d of %d "+
		"payloads are at risk.", numberOf(len(f.Policies), "policy", "policies"), unjudged, f.AtRisk, f.Payloads)
}

func migrated(r *Report) finding {
	f := &r.Formats
	switch {
	case len(f.Policies) == 0:
		return found(Unknown, SectionFormats, "Formats at risk are unknown: no policy judged them.")
	case f.Unidentified > 0:
		return found(Unknown, SectionFormats, "Formats at risk are unknown in %s.",
			humanize.Number(f.Unidentified, "container", "containers"))
	case f.AtRisk > 0:
		return found(Unknown, SectionFormats, "%s at risk. The records do not count those that have a migrated form.",
			humanize.Number(f.AtRisk, "payload is", "payloads are"))
	}
	return found(either(f.Containers > 0, Shown, Unknown), SectionFormats, "No payload has a format at risk.")
}

func policyAtIngest(r *Report) finding {
	all, judged := int64(0), int64(0)
	for outcome, n := range r.Formats.Packages {
		all += n
		if outcome != "" {
			judged += n
		}
	}
	return found(share(judged, all), SectionFormats, "%d of %d packages have the event of a judgement by a policy.",
		judged, all)
}
