package check

import (
	"quire/model"
	"quire/model/finding"
)

var recordEntries = []finding.Entry{
	{Code: CodeIdentifier, Severity: model.Error, Clause: "2.4", Meaning: "An identifier is not a URI.",
		Advice: "Write one with a scheme, and characters that a URI may not have as %XX."},
	{Code: CodeTwice, Severity: model.Error, Clause: "2.5",
		Meaning: "A list has the same record twice, with the same datestamp.",
		Advice: "Go on behind the last record by its datestamp and its identifier, not by a number: what is added " +
			"meanwhile moves the others."},
	{Code: CodeDatestamp, Severity: model.Error, Clause: "2.7.1",
		Meaning: "A datestamp is not written in the repository's granularity, in UTC.",
		Advice:  "Write it as Identify says: without fractions of a second, and with Z instead of an offset."},
	{Code: CodeFuture, Severity: model.Error, Clause: "2.7.1", Meaning: "A datestamp lies in the future.",
		Advice: "The datestamp is of the last change of the record, in UTC. One that is later is missed by whoever " +
			"harvests up to today."},
	{Code: CodeEarlier, Severity: model.Error, Clause: "4.2", Meaning: "A datestamp is before earliestDatestamp.",
		Advice: "earliestDatestamp must be a lower bound of all, those of deleted records too."},
	{Code: CodeOrder, Severity: model.Info, Clause: "3.5",
		Meaning: "The list is not in the order of datestamps, which it need not be.",
		Advice: "Nothing has to be done. In that order, a harvest that broke off can go on from the last date, " +
			"though its token be dead."},
	{Code: CodeDeletedMetadata, Severity: model.Error, Clause: "2.5.1", Meaning: "A deleted record has metadata.",
		Advice: "Give its header only."},
	{Code: CodeNoMetadata, Severity: model.Error, Clause: "2.5",
		Meaning: "A record has no metadata, and is not deleted.",
		Advice:  "Give them, or leave the record out of lists of this format."},
	{Code: CodeMetadataSpace, Severity: model.Error, Clause: "3.4",
		Meaning: "The metadata are in another namespace than ListMetadataFormats says.",
		Advice:  "Both must be the same, letter by letter."},
	{Code: CodeHeader, Severity: model.Error, Clause: "2.5",
		Meaning: "The header of a record is not the same by two verbs.",
		Advice: "Make headers in one place. Datestamps are the usual cause: that of the search index, and that of " +
			"the record."},
	{Code: CodeGetRecord, Severity: model.Error, Clause: "4.1",
		Meaning: "A record that was listed cannot be had alone.",
		Advice:  "Look up identifiers exactly as lists give them."},
	{Code: CodeLists, Severity: model.Error, Clause: "4.3",
		Meaning: "ListRecords leaves records out that ListIdentifiers has.",
		Advice: "When a record cannot be written, see why; when it is not had in the format, ListIdentifiers must " +
			"not list it either."},
	{Code: CodeSelect, Severity: model.Error, Clause: "2.7.1",
		Meaning: "A record is not found when its own datestamp is asked for.",
		Advice: "from and until are both included, and go by the datestamp of the header: the search must use the " +
			"same field, in the same zone."},
	{Code: CodeDay, Severity: model.Error, Clause: "2.7.1",
		Meaning: "A repository of seconds does not find a record by its day.",
		Advice:  "Take from and until as days as well: until is the last second of its day."},
	{Code: CodeRange, Severity: model.Error, Clause: "2.7.1",
		Meaning: "A list has a record whose datestamp was not asked for.",
		Advice: "from and until go by the datestamp of the header: the search must use the same field, in the same " +
			"zone."},
}

var tokenEntries = []finding.Entry{
	{Code: CodeTokenTwo, Severity: model.Error, Clause: "3.5", Meaning: "A page has more than one resumptionToken.",
		Advice: "Give one, at the end of the list."},
	{Code: CodeTokenFirst, Severity: model.Error, Clause: "3.5",
		Meaning: "A list that came whole has an empty resumptionToken.",
		Advice:  "Leave the element out: an empty one ends lists that came in pages."},
	{Code: CodeTokenLast, Severity: model.Error, Clause: "3.5",
		Meaning: "The last page of a list has no resumptionToken.",
		Advice:  "End it with an empty one: so a harvester knows that the list is complete, and did not break off."},
	{Code: CodeTokenCursor, Severity: model.Error, Clause: "3.5",
		Meaning: "The cursor is not the number of records before the page.",
		Advice:  "Count from 0, or leave the attribute out."},
	{Code: CodeTokenSize, Severity: model.Warning, Clause: "3.5",
		Meaning: "The completeListSize is not the number of records that came.",
		Advice: "It may be an estimate. If it was meant to be exact: the list lost records, or the count goes by " +
			"another query."},
	{Code: CodeTokenLoop, Severity: model.Error, Clause: "3.5",
		Meaning: "A token was given that was given before: the list never ends.",
		Advice:  "A token must lead on. Have it carry where its page begins."},
	{Code: CodeTokenDead, Severity: model.Error, Clause: "3.5", Meaning: "A token that was just given is refused.",
		Advice: "A token goes alone with its verb, and must hold, or lead to, all that was asked: prefix, dates, " +
			"set. It must not be used up by a question that got lost."},
	{Code: CodeTokenRepeat, Severity: model.Error, Clause: "3.5.1",
		Meaning: "The same token gives another page when it is used again.",
		Advice: "The last token must be good until the next one is used: whoever lost the answer asks again. If " +
			"records changed in this very moment, check once more."},
	{Code: CodeTokenExpired, Severity: model.Error, Clause: "3.5",
		Meaning: "A token is given that has expired already.",
		Advice:  "expirationDate is in UTC, and later than the answer."},
	{Code: CodeEmptyPage, Severity: model.Error, Clause: "3.5", Meaning: "A page has no record.",
		Advice: "Give a token only when there is a record behind the page: look one record ahead. The schema allows " +
			"no empty list."},
}
