package check

import "quire/model"

var recordEntries = []Entry{
	{CodeIdentifier, model.Error, "2.4", "An identifier is not a URI.", "Write one with a scheme, and characters that a URI may not have as %XX."},
	{CodeTwice, model.Error, "2.5", "A list has the same record twice, with the same datestamp.",
		"Go on behind the last record by its datestamp and its identifier, not by a number: what is added meanwhile moves the others."},
	{CodeDatestamp, model.Error, "2.7.1", "A datestamp is not written in the repository's granularity, in UTC.",
		"Write it as Identify says: without fractions of a second, and with Z instead of an offset."},
	{CodeFuture, model.Error, "2.7.1", "A datestamp lies in the future.",
		"The datestamp is of the last change of the record, in UTC. One that is later is missed by whoever harvests up to today."},
	{CodeEarlier, model.Error, "4.2", "A datestamp is before earliestDatestamp.", "earliestDatestamp must be a lower bound of all, those of deleted records too."},
	{CodeOrder, model.Info, "3.5", "The list is not in the order of datestamps, which it need not be.",
		"Nothing has to be done. In that order, a harvest that broke off can go on from the last date, though its token be dead."},
	{CodeDeletedMetadata, model.Error, "2.5.1", "A deleted record has metadata.", "Give its header only."},
	{CodeNoMetadata, model.Error, "2.5", "A record has no metadata, and is not deleted.", "Give them, or leave the record out of lists of this format."},
	{CodeMetadataSpace, model.Error, "3.4", "The metadata are in another namespace than ListMetadataFormats says.",
		"Both must be the same, letter by letter."},
	{CodeHeader, model.Error, "2.5", "The header of a record is not the same by two verbs.",
		"Make headers in one place. Datestamps are the usual cause: that of the search index, and that of the record."},
	{CodeGetRecord, model.Error, "4.1", "A record that was listed cannot be had alone.", "Look up identifiers exactly as lists give them."},
	{CodeLists, model.Error, "4.3", "ListRecords leaves records out that ListIdentifiers has.",
		"When a record cannot be written, see why; when it is not had in the format, ListIdentifiers must not list it either."},
	{CodeSelect, model.Error, "2.7.1", "A record is not found when its own datestamp is asked for.",
		"from and until are both included, and go by the datestamp of the header: the search must use the same field, in the same zone."},
	{CodeDay, model.Error, "2.7.1", "A repository of seconds does not find a record by its day.", "Take from and until as days as well: until is the last second of its day."},
	{CodeRange, model.Error, "2.7.1", "A list has a record whose datestamp was not asked for.",
		"from and until go by the datestamp of the header: the search must use the same field, in the same zone."},
}

var tokenEntries = []Entry{
	{CodeTokenTwo, model.Error, "3.5", "A page has more than one resumptionToken.", "Give one, at the end of the list."},
	{CodeTokenFirst, model.Error, "3.5", "A list that came whole has an empty resumptionToken.", "Leave the element out: an empty one ends lists that came in pages."},
	{CodeTokenLast, model.Error, "3.5", "The last page of a list has no resumptionToken.", "End it with an empty one: so a harvester knows that the list is complete, and did not break off."},
	{CodeTokenCursor, model.Error, "3.5", "The cursor is not the number of records before the page.", "Count from 0, or leave the attribute out."},
	{CodeTokenSize, model.Warning, "3.5", "The completeListSize is not the number of records that came.", "It may be an estimate. If it was meant to be exact: the list lost records, or the count goes by another query."},
	{CodeTokenLoop, model.Error, "3.5", "A token was given that was given before: the list never ends.", "A token must lead on. Have it carry where its page begins."},
	{CodeTokenDead, model.Error, "3.5", "A token that was just given is refused.",
		"A token goes alone with its verb, and must hold, or lead to, all that was asked: prefix, dates, set. It must not be used up by a question that got lost."},
	{CodeTokenRepeat, model.Error, "3.5.1", "The same token gives another page when it is used again.",
		"The last token must be good until the next one is used: whoever lost the answer asks again. If records changed in this very moment, check once more."},
	{CodeTokenExpired, model.Error, "3.5", "A token is given that has expired already.", "expirationDate is in UTC, and later than the answer."},
	{CodeEmptyPage, model.Error, "3.5", "A page has no record.",
		"Give a token only when there is a record behind the page: look one record ahead. The schema allows no empty list."},
}
