package survey

import "quire/model/finding"

const (
	keepBoth = "No action needed: both values are recorded, each with its place. If it matters which is " +
		"right, ask the supplier of the harvest."
	askAgain  = "Ask the supplier of the harvest for the file again; the existing data is kept and used."
	lookAtLog = "Check the named place. All other lines are read."
	moreThere = "Use --verbose, or read the file itself: unlisted entries are still counted."
)

// Catalogue explains each code. The severity is in the finding itself, because it depends on the
// case.
var Catalogue = finding.Sorted("a source", "", []finding.Entry{
	// Content of folders and archives.
	{Code: "SOURCE-PATH", Meaning: "A path in an archive, or in a log, leads out of the source.",
		Advice: "It was not followed. In an archive it may be an attack or an error of a tool: unpack a " +
			"copy by hand, in a separate place, and check it."},
	{Code: "SOURCE-LINK", Meaning: "The source has a link, a device or a pipe.",
		Advice: "It was not followed. If its target belongs to the harvest, copy the target to its place."},
	{Code: "SOURCE-ALIAS", Meaning: "A symbolic link leads to a file or folder of the source itself, as `latest` of " +
		"Heritrix does.",
		Advice: "No action needed: the target is read at its own place."},
	{Code: "SOURCE-TWIN", Meaning: "An archive has several files with the same path; the last one is used.",
		Advice: "Unpacking would keep the last one as well. Check the others if the harvest was written " +
			"in several runs."},
	{Code: "SOURCE-BOMB", Meaning: "A file inflates to an implausible size, or states a wrong size.",
		Advice: "It was refused. Find out where the archive comes from before you open it by other means."},
	{Code: "SOURCE-TORN", Meaning: "An archive or a file in it is damaged.", Advice: askAgain},
	{Code: "SOURCE-BESIDE", Meaning: "A file that was named alone is read as if it were in the folder of the harvest.",
		Advice: "No action needed. If it belongs to another harvest, leave it out, or name both folders."},
	{Code: "SOURCE-DOWNLOAD", Meaning: "A container without logs lies within a website.",
		Advice: "It is packed as a harvest of its own, and the website without it. If the website offered it for " +
			"download, it is no capture of this website: pack both apart."},
	{Code: "SOURCE-REFUSED",
		Meaning: "More parts were refused than are listed, or the source has more archives than are opened.",
		Advice:  "Name the inner folders or archives one by one."},
	{Code: "SOURCE-LARGE", Meaning: "A file or entry exceeds the limit of its kind, and was read in part " +
		"or not at all.",
		Advice: "Check that it is plausible. No data is lost: the file is kept unchanged."},
	{Code: "SOURCE-MORE", Meaning: "There are more findings than are listed.", Advice: moreThere},

	// Confidential content.
	{Code: "SOURCE-SECRET", Meaning: "A file holds a password, a key or a login session.",
		Advice: "It is kept unchanged and marked as restricted in the package. Change the password if it " +
			"is still in use."},
	{Code: "SOURCE-PERSONAL", Meaning: "A file names persons, with more than their names.",
		Advice: "It is kept unchanged and marked as restricted in the package. Decide by your privacy " +
			"rules which readers may see it."},

	// Facts about a harvest.
	{Code: "SOURCE-UNDOCUMENTED", Meaning: "The content itself is the only source about the harvest.",
		Advice: "Look for logs, reports and agreements of that time before you pack; unknown facts are " +
			"recorded as unknown."},
	{Code: "SOURCE-RENAMED", Meaning: "A container was renamed after it was written.",
		Advice: "No action needed. Logs and indexes of that time use the old name."},
	{Code: "SOURCE-CLOCK", Meaning: "The zone of the times in a log is in doubt: the sources for it disagree, or " +
		"one weak source stands alone.",
		Advice: "The dates have a range instead of a second. Copying a log or touching it changes its mtime: if you " +
			"have the files with their first times, pack those."},
	{Code: "SOURCE-NO-RECORD", Meaning: "A file has the name of a container, but does not begin with a " +
		"record.",
		Advice: "Run quire inspect on it: it shows the content, and any records further on."},
	{Code: "SOURCE-UNFINISHED", Meaning: "A container has a name that marks it as unfinished.",
		Advice: "Run quire inspect on it; its last record may be cut off. Earlier records are undamaged."},
	{Code: "SOURCE-CONFIGURATION", Meaning: "A configuration cannot be read.",
		Advice: "Check the named place. Without it, user agent, scope and limits come from other " +
			"sources, or are unknown."},
	{Code: "SOURCE-SEVERAL", Meaning: "Several files could be the one that applied, and no source shows " +
		"which.",
		Advice: "Check which one was read. If it is the wrong one, move it elsewhere."},
	{Code: "SOURCE-LISTED", Meaning: "The crawler or the system lists a file that is missing.",
		Advice: "If it is a container, ask for it. Logs and crawler state are often omitted on purpose."},
	{Code: "SOURCE-UNLISTED",
		Meaning: "A file is not in the list of the system, so it has no checksum there.",
		Advice:  "No action needed: the file is kept, and gets a checksum now."},
	{Code: "SOURCE-SIZE", Meaning: "The size of a file differs from the list of the system.", Advice: askAgain},
	{Code: "SOURCE-DIGEST", Meaning: "The checksum of a file differs from the one beside it.", Advice: askAgain},
	{Code: "SOURCE-DIFFERS", Meaning: "Two sources state different values for one fact.", Advice: keepBoth},
	{Code: "SOURCE-DUMP", Meaning: "A database dump is partly unreadable.",
		Advice: "Check the named place. The other rows are used."},
	{Code: "SOURCE-DESCRIPTION", Meaning: "A METS is not well-formed, or is cut off.",
		Advice: "The part before that place is read. The file itself is kept unchanged."},
	{Code: "SOURCE-FILE-ID", Meaning: "Several files have the same ID or name in the METS.",
		Advice: "No action needed: other facts distinguish them."},
	{Code: "SOURCE-MIMETYPE", Meaning: "The METS declares containers as text.",
		Advice: "No action needed: the Web Curator Tool did this."},
	{Code: "SOURCE-VERSIONS",
		Meaning: "One harvest has several results: the original, and one that curators pruned.",
		Advice:  "Decide which one to keep; the finding names the endorsed one."},

	// NetarchiveSuite.
	{Code: "SOURCE-JOB", Meaning: "The sources for the job number contradict each other.",
		Advice: keepBoth + " A metadata file may have been renamed without being rewritten."},
	{Code: "SOURCE-METADATA", Meaning: "A metadata file is unreadable, wholly or in part.", Advice: askAgain},
	{Code: "SOURCE-MIGRATION", Meaning: "A line about the new place of a record is unreadable.",
		Advice: "Duplicates that refer to the old place of that record cannot be resolved."},
	{Code: "SOURCE-SUPERSEDED", Meaning: "A later metadata file has a newer version of a document.",
		Advice: "No action needed: the later version is used, and the earlier one is kept."},

	// PANDAS.
	{Code: "SOURCE-TARBALL", Meaning: "A tarball, its list or its checksum is unreadable.", Advice: askAgain},
	{Code: "PANDAS-CHANGED", Meaning: "Files of an instance were changed after they were gathered.",
		Advice: "Prefer the preservation tarball, which was made earlier; both are kept."},
	{Code: "PANDAS-URL-MAP", Meaning: "A line of url.map is inconsistent, or contradicts other sources.",
		Advice: lookAtLog},

	// Logs, of every crawler.
	{Code: "LOG-LINE", Meaning: "A line of a log cannot be read.", Advice: lookAtLog},

	// HTTrack.
	{Code: "HTTRACK-AMBIGUOUS", Meaning: "A name in the log can mean two files.",
		Advice: "Check which one was used: the log does not escape percent signs."},
	{Code: "HTTRACK-CACHE", Meaning: "The cache of HTTrack is damaged, or inconsistent.",
		Advice: "Its readable parts are used. For the rest, files on disk are used, with a lower grade of evidence."},
	{Code: "HTTRACK-MORE", Meaning: "There are more findings than are listed.", Advice: moreThere},
	{Code: "HTTRACK-SHARED-FILE", Meaning: "Several URLs have the same file.",
		Advice: "No action needed: usually one redirects to the other. The URL with a response gets the file."},
	{Code: "HTTRACK-SIZE", Meaning: "The size of a file differs from the cache or the log.",
		Advice: "It was truncated, or changed after the crawl; it is marked as differing."},
	{Code: "HTTRACK-UNCLAIMED", Meaning: "Neither a URL nor a known behaviour of HTTrack explains a file.",
		Advice: "Check it: it may have been added by hand. It is kept with the mirror."},
	{Code: "HTTRACK-UNFINISHED", Meaning: "The log does not state that the mirror was complete.",
		Advice: "The crawl or the log was interrupted. The existing part is read."},

	// wget.
	{Code: "WGET-ARGUMENTS", Meaning: "The containers of a set do not agree on wget's arguments.", Advice: keepBoth},
	{Code: "WGET-FILE-GONE", Meaning: "The log records a saved file that is missing.",
		Advice: "Look for it where the mirror comes from; wget itself deletes temporary files."},
	{Code: "WGET-LOG-LOST", Meaning: "The log of a set is missing.",
		Advice: "Look for the file ending in -meta.warc.gz."},
	{Code: "WGET-MISSING", Meaning: "A container of a set is missing.", Advice: askAgain},
	{Code: "WGET-MORE", Meaning: "There are more findings than are listed.", Advice: moreThere},
	{Code: "WGET-SIZE", Meaning: "The size of a file differs from the log.",
		Advice: "It was truncated, or changed after the crawl."},
	{Code: "WGET-UNCLAIMED", Meaning: "The URL of a file is unknown.",
		Advice: "Check it: it may have been added by hand. It is kept with the mirror."},
	{Code: "WGET-UNFINISHED", Meaning: "The log does not state that the run was complete.",
		Advice: "The crawl or the log was interrupted. The existing part is read."},

	// Responses of an OAI-PMH server to quire oai harvest.
	{Code: "OAI-RECORD", Meaning: "A record cannot be read.",
		Advice: "Its bytes are kept in the folder refused, and the finding names the fault. Inform the " +
			"administrator of the server; the next harvest gets the record when it has changed."},
	{Code: "OAI-PROLOG", Meaning: "A record contains an XML declaration.",
		Advice: "The declaration was ignored, and the record kept. Inform the administrator of the " +
			"server: other harvesters refuse such records."},
	{Code: "OAI-DATE", Meaning: "A date does not have the form that the protocol requires.",
		Advice: "It was interpreted as well as possible: without a zone as UTC. Inform the administrator " +
			"of the server."},
	{Code: "OAI-NAMESPACE",
		Meaning: "The elements of the protocol are in a namespace other than that of OAI-PMH 2.0.",
		Advice: "They were read all the same. Inform the administrator of the server: strict harvesters " +
			"see no records."},
	{Code: "OAI-ENVELOPE", Meaning: "A part of a response does not belong there, or is missing.",
		Advice: "The records were read all the same. Usually a program on the server writes its warnings " +
			"into the response."},
	{Code: "OAI-ENCODING", Meaning: "The encoding or compression of a response differs from its declaration.",
		Advice: "The actual one was used. Inform the administrator of the server."},
	{Code: "OAI-TOKEN", Meaning: "A resumptionToken breaks a rule.",
		Advice: "It was used all the same. Compare the number of records with what the server announces."},
	{Code: "OAI-UNAVAILABLE", Meaning: "The server was busy, failed or broke the connection, and the " +
		"request was repeated.",
		Advice: "No action needed if the harvest is complete. If it happens often, harvest at another " +
			"hour, or with --delay."},
	{Code: "OAI-REDIRECT", Meaning: "The server redirected the harvester.",
		Advice: "If the new address is permanent, use it as base URL."},
	{Code: "HARVEST-SERVER",
		Meaning: "A statement of the server about itself, or a missing response, violates the protocol.",
		Advice:  "Test the server with quire oai check, which explains each defect."},
	{Code: "HARVEST-RESTART", Meaning: "A list could not be followed to its end, and was requested again.",
		Advice: "No action needed if the harvest is complete: repeated records are kept once."},
	{Code: "HARVEST-INCOMPLETE",
		Meaning: "The server does not deliver all records that it lists, or not the bytes of all resources.",
		Advice: "Run quire oai harvest again later: it requests everything again, and keeps new records. " +
			"If the finding remains, inform the administrator of the server."},
	{Code: "HARVEST-UNFINISHED", Meaning: "A harvest was stopped before its end.",
		Advice: "Run quire oai harvest again with the same arguments before you pack: it continues there."},
	{Code: "HARVEST-COUNT", Meaning: "The number of records differs from the server's announcement.",
		Advice: "Many servers announce rough numbers. Harvest again, and compare."},
	{Code: "HARVEST-MISSING",
		Meaning: "The bytes of a resource are missing: they were not available at their reference, or " +
			"the record explains why they are withheld.",
		Advice: "Check the reason. The descriptions by the server and its tools are kept."},
	{Code: "HARVEST-DIFFERS", Meaning: "The bytes of a resource differ from the record.",
		Advice: "They are kept, and marked. The resource may have changed while it was sent: harvest it again."},
	{Code: "HARVEST-DOCUMENT", Meaning: "A CRATE or DIDL has a fault.",
		Advice: "Its readable parts are kept, the rest unchanged. Inform the administrator of the server."},
	{Code: "HARVEST-NOTICE", Meaning: "The server reports a failure for a resource, or withholds a part.",
		Advice: "No action needed; the notice is kept with the resource."},

	// A website without documentation.
	{Code: "SOURCE-SAVED", Meaning: "A page saved in a browser states no URL, or is not read wholly.",
		Advice: "The file is kept unchanged. Look at the named page in a browser."},
	{Code: "SOURCE-URL-PREFIX", Meaning: "The base URL of the files of a website is unknown.",
		Advice: "Give it with --url-prefix. Without it, the files are kept, and no URLs are invented."},
	{Code: "SOURCE-SCRIPT", Meaning: "Files are server-side programs: visitors never received these bytes.",
		Advice: "They are kept. The pages that visitors saw are not among the files; look for a crawl of " +
			"the site."},

	// Packages of Webrecorder's tools, and their self-descriptions.
	{Code: "WACZ-DATAPACKAGE-MISSING", Meaning: "A package has no datapackage.json.",
		Advice: "Its content is identified from the files themselves. " + askAgain},
	{Code: "WACZ-DATAPACKAGE", Meaning: "datapackage.json does not follow the specification.",
		Advice: "Its readable parts are used. If it matters, ask the creator of the package for the tool " +
			"and version."},
	{Code: "WACZ-PROFILE", Meaning: "datapackage.json states no profile, or an unknown one.",
		Advice: "No action needed: Browsertrix has never written one."},
	{Code: "WACZ-RESOURCE", Meaning: "datapackage.json does not describe a file correctly.",
		Advice: "No action needed for the file itself: it is read and kept."},
	{Code: "WACZ-RESOURCE-MISSING", Meaning: "A file that datapackage.json lists is missing.", Advice: askAgain},
	{Code: "WACZ-RESOURCE-HASH", Meaning: "The hash of a file differs from datapackage.json.",
		Advice: "Either the file was changed, or the tool stated a wrong hash, as js-wacz 0.1.6 does. " + askAgain},
	{Code: "WACZ-RESOURCE-SIZE", Meaning: "The size of a file differs from datapackage.json.", Advice: askAgain},
	{Code: "WACZ-UNLISTED", Meaning: "datapackage.json does not list a file of the package.",
		Advice: "It is kept, but no hash verifies it."},
	{Code: "WACZ-DIGEST", Meaning: "datapackage-digest.json does not follow the specification.",
		Advice: "A signature in it cannot be checked. " + askAgain},
	{Code: "WACZ-DIGEST-HASH", Meaning: "The hash of datapackage.json differs from datapackage-digest.json.",
		Advice: "The signed content differs from the content here: do not rely on the signature."},
	{Code: "WACZ-PAGES", Meaning: "A line of a list of pages cannot be read.", Advice: lookAtLog},
	{Code: "WACZ-PAGES-MISSING", Meaning: "The package has no pages/pages.jsonl.",
		Advice: "Only the list of pages is lost; the captures are in the containers."},
	{Code: "WACZ-UNREADABLE", Meaning: "A file of the package cannot be read to its end.", Advice: askAgain},
	{Code: "WACZ-INDEX-MISSING", Meaning: "The package has no index.",
		Advice: "No action needed: an index can be rebuilt."},
	{Code: "WACZ-ARCHIVE-MISSING", Meaning: "The package has no container.", Advice: askAgain},
	{Code: "WACZ-SIGNATURE", Meaning: "A step of the signature check failed.",
		Advice: "Check the evidence of the step (quire identify-source --verbose). The content is kept; " +
			"do not rely on the signature."},
	{Code: "WACZ-SIGNED", Meaning: "The package is signed; the finding names the signer and the checks.",
		Advice: "No action needed. Packing records the result, because certificates expire."},
	{Code: "WACZ-UNTRUSTED", Meaning: "The package is signed, but no trusted certificates are configured.",
		Advice: "Everything except the last link was checked. Keep the package's own files: they can be " +
			"checked again."},
	{Code: "WACZ-COMPRESSED", Meaning: "The zip compresses a container a second time.",
		Advice: "No action needed. Players cannot read such a package in place."},
	{Code: "WACZ-REQUIRES",
		Meaning: "The package depends on other packages: their content was not captured again.",
		Advice:  "Make sure that those packages are kept as well."},
	{Code: "WACZ-MORE", Meaning: "A package has more findings than are listed.", Advice: moreThere},
	{Code: "BROWSERTRIX-PROFILE", Meaning: "The crawl used a browser profile, with its cookies and log-ins.",
		Advice: "Decide by your rules which readers may see the captures: pages may show a personal account."},
	{Code: "BROWSERTRIX-UNFINISHED", Meaning: "The log of a crawl does not state how it ended.",
		Advice: "The crawl may have been interrupted. Its captures are read."},
	{Code: "BROWSERTRIX-CONFIG", Meaning: "A configuration of a crawl cannot be read.",
		Advice: "Check the file; it is kept unchanged."},
	{Code: "BROWSERTRIX-PAGEINFO", Meaning: "A record about the requests of a page is unreadable.",
		Advice: "No content is lost, but failed requests of a page may be missing in the list of URLs " +
			"not captured."},
})
